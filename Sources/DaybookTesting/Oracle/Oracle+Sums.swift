/// Goal: reimplement the sums of lists, and of tags and payees by month. Method: add up the postings
/// of every transaction in the list.
import Daybook

extension Oracle {
  func sums(_ filter: TransactionFilter, _ base: Currency?) throws -> TransactionSums {
    let rows = try list(filter)
    var sums = try sums(of: rows, filter, base)
    if filter.isExcluded != nil { return sums }
    let members = try members(filter)
    let excluded = rows.filter { accepts($0, isExcluded: true, members) }
    if excluded.isEmpty { return sums }
    var rest = filter
    rest.isExcluded = true
    let leftOut = try self.sums(of: excluded, rest, base)
    sums.excluded = ExcludedSums(
      count: leftOut.count, amounts: leftOut.amounts, converted: leftOut.converted)
    return sums
  }

  /// Returns whether sums leave out a posting of a transaction.
  ///
  /// A posting to an account is left out unless a part of the transaction counts; of a transfer,
  /// unless the transaction counts.
  func isLeftOut(
    _ posting: Posting, of row: Transaction, _ exclusions: OracleExclusions
  ) -> Bool {
    if exclusions.leavesOut(row) { return true }
    if posting.categoryID != nil { return posting.isIn(exclusions.categories) }
    return exclusions.extent(of: row) == .allParts
  }

  func sums(
    of rows: [Transaction], _ filter: TransactionFilter, _ base: Currency?
  ) throws -> TransactionSums {
    let members = try members(filter)
    let base = base ?? settings?.baseCurrency
    let exclusions = exclusions
    var found: [Currency: [Int128]] = [:]
    var byDay: [Day: [Currency: [Int128]]] = [:]
    var counts: [Day: [Currency: [Int]]] = [:]
    var nets: [Day: [Currency: Int128]] = [:]
    for row in rows {
      for (currency, amounts) in amounts(of: row, filter, members, exclusions) {
        found[currency] = zip(found[currency] ?? [0, 0, 0], amounts).map { $0 + $1 }
      }
      guard let base else { continue }
      let isValued = filter.accounts.isEmpty && row.type != .transfer
      let valued = isValued ? self.valued([row], in: base)[0] : row
      let day = day(of: row, in: filter)
      for (currency, amounts) in self.amounts(
        of: valued, filter, members, exclusions, original: row)
      {
        let sums = byDay[day, default: [:]][currency] ?? [0, 0, 0]
        byDay[day, default: [:]][currency] = zip(sums, amounts).map { $0 + $1 }
        let count = counts[day, default: [:]][currency] ?? [0, 0, 0]
        counts[day, default: [:]][currency] = zip(count, amounts).map { $0 + ($1 == 0 ? 0 : 1) }
      }
      if !isValued { continue }
      for place in places(of: valued, filter, members) where place.currency != base {
        let isExcluded = isLeftOut(in: place.category, row, exclusions)
        if isExcluded != (filter.isExcluded ?? false) { continue }
        guard let share = share(of: row, in: place, base, isExcluded) else { continue }
        nets[day, default: [:]][place.currency, default: 0] += share
      }
    }
    let amounts = found.filter { $0.value != [0, 0, 0] }.sorted { $0.key.code < $1.key.code }.map {
      CurrencySums(in: $0, moneyIn: $1[0], moneyOut: $1[1], transfers: $1[2])
    }
    guard let base else { return TransactionSums(count: rows.count, amounts: amounts) }
    var parts = [ConvertedParts(), ConvertedParts(), ConvertedParts()]
    for (day, sums) in byDay {
      for (currency, amounts) in sums {
        var units = amounts.map { converted($0, currency, base, day) }
        if currency != base, let net = nets[day]?[currency] {
          // The net amount is that of the shares. If there is only one direction, so is that.
          if amounts[0] == 0 {
            units[1] = net
          } else if amounts[1] == 0 {
            units[0] = -net
          } else {
            units[0] = units[1].map { $0 - net }
          }
        }
        for field in 0..<3 where amounts[field] != 0 {
          parts[field].add(
            Total(units: amounts[field], currency: currency), units[field],
            counts[day]?[currency]?[field] ?? 0)
        }
      }
    }
    return TransactionSums(
      count: rows.count, amounts: amounts,
      converted: ConvertedSums(
        base: base, moneyIn: parts[0].converted(to: base), moneyOut: parts[1].converted(to: base),
        transfers: parts[2].converted(to: base)))
  }

  private func isLeftOut(
    in category: CategoryID, _ row: Transaction, _ exclusions: OracleExclusions
  ) -> Bool {
    exclusions.leavesOut(row) || exclusions.categories.contains(category)
  }

  private struct Place: Hashable {
    var category: CategoryID
    var currency: Currency
  }

  /// Returns the categories and currencies of a transaction's parts that a filter counts.
  private func places(
    of row: Transaction, _ filter: TransactionFilter, _ members: Set<CategoryID>?
  ) -> Set<Place> {
    row.postings.reduce(into: []) { found, posting in
      guard case .category(let id) = posting.account, members.map({ posting.isIn($0) }) ?? true,
        filter.currency ?? posting.amount.currency == posting.amount.currency
      else { return }
      found.insert(Place(category: id, currency: posting.amount.currency))
    }
  }

  /// Returns a transaction's share of what a category has on the day, or `nil` if no rate is known.
  ///
  /// Only the transactions of the day count that totals leave out, or only the others. Each
  /// transaction starts below its exact part, and the one with the largest missing part gets
  /// the next unit until the converted sum is reached.
  private func share(
    of row: Transaction, in place: Place, _ base: Currency, _ isExcluded: Bool
  ) -> Int128? {
    let exclusions = exclusions
    let rows = valued(transactions.filter { $0.day == row.day && $0.type != .transfer }, in: base)
      .filter { isLeftOut(in: place.category, $0, exclusions) == isExcluded }
      .sorted { $0.number < $1.number }
    let parts = rows.compactMap { other -> (number: UInt64, net: Int128)? in
      let own = other.postings.filter {
        $0.account == .category(place.category) && $0.amount.currency == place.currency
      }
      if own.isEmpty { return nil }
      return (other.number, own.reduce(0) { $0 + Int128($1.amount.minorUnits) })
    }
    let sum = parts.reduce(0) { $0 + $1.net }
    guard let whole = converted(sum, place.currency, base, row.day),
      let (above, below) = fraction(place.currency, base, row.day)
    else { return nil }
    var shares = parts.map { part -> Int128 in
      var share = part.net * above / below
      while share * below > part.net * above { share -= 1 }
      return share
    }
    func missing(_ index: Int) -> Int128 { parts[index].net * above - shares[index] * below }
    while shares.reduce(0, +) < whole {
      guard
        let next = shares.indices.max(by: {
          missing($0) < missing($1) || missing($0) == missing($1) && $0 > $1
        })
      else { break }
      shares[next] += 1
    }
    return parts.firstIndex { $0.number == row.number }.map { shares[$0] }
  }

  /// Returns the money in, the money out and the transfers of a transaction by currency.
  ///
  /// - Parameter original: The transaction before its amounts were replaced by their cost: a
  ///   condition on the currency refers to the original amounts.
  private func amounts(
    of row: Transaction, _ filter: TransactionFilter, _ members: Set<CategoryID>?,
    _ exclusions: OracleExclusions, original: Transaction? = nil
  ) -> [Currency: [Int128]] {
    var found: [Currency: [Int128]] = [:]
    for posting in row.postings {
      let units = Int128(posting.amount.minorUnits)
      if isLeftOut(posting, of: row, exclusions) != (filter.isExcluded ?? false) { continue }
      if let wanted = filter.currency {
        let isReplaced = original.map { !$0.postings.contains(posting) } ?? false
        let foreign = original?.postings.filter { $0.isOnCategory && !row.postings.contains($0) }
        let currency = isReplaced ? foreign?.first?.amount.currency : posting.amount.currency
        if currency != wanted { continue }
      }
      var amounts: [Int128]
      switch posting.account {
      case .account(let id):
        if !filter.accounts.isEmpty {
          guard filter.accounts.contains(id) else { continue }
          amounts = [max(units, 0), max(-units, 0), 0]
        } else {
          guard members == nil, row.type == .transfer, !posting.isInEquity, units < 0 else {
            continue
          }
          amounts = [0, 0, -units]
        }
      case .category:
        guard filter.accounts.isEmpty, members.map({ posting.isIn($0) }) ?? true else { continue }
        amounts = [max(-units, 0), max(units, 0), 0]
      }
      amounts = zip(amounts, found[posting.amount.currency] ?? [0, 0, 0]).map { $0 + $1 }
      found[posting.amount.currency] = amounts
    }
    return found
  }

  func tagMonths(_ months: Range<Month>, _ base: Currency?, today: Day) throws -> [NamedMonths] {
    var rows: [[UInt8]: [Transaction]] = [:]
    for row in counted(months, today) {
      for tag in Set(row.tags.map { Array($0.utf8) }) { rows[tag, default: []].append(row) }
    }
    return try named(rows.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }, months, base)
  }

  func payeeMonths(
    _ months: Range<Month>, _ prefix: String, _ base: Currency?, today: Day
  ) throws -> [NamedMonths] {
    let rows = counted(months, today).filter {
      let payee = searched($0.payee)
      return !payee.isEmpty && payee.starts(with: searched(prefix))
    }
    let groups = Dictionary(grouping: rows) { searched($0.payee).map(\.value) }.values
    return try named(groups.map { ($0.last?.payee ?? "", $0) }, months, base)
  }

  private func counted(_ months: Range<Month>, _ today: Day) -> [Transaction] {
    let exclusions = exclusions
    return transactions.filter { months.contains($0.day.monthOf) && $0.day <= today }
      .filter { [.nothing, .part].contains(exclusions.extent(of: $0)) }
      .sorted { $0.key < $1.key }
  }

  private func named(
    _ groups: [(name: String, rows: [Transaction])], _ months: Range<Month>, _ base: Currency?
  ) throws -> [NamedMonths] {
    try groups.map { name, rows in
      NamedMonths(
        name: name,
        months: try months.map { month in
          MonthSums(
            month: month,
            sums: try sums(of: rows.filter { $0.day.monthOf == month }, .all, base))
        })
    }.sorted {
      $0.count != $1.count
        ? $0.count > $1.count : Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8))
    }
  }
}

extension Posting {
  fileprivate var isOnCategory: Bool { if case .category = account { true } else { false } }
}
