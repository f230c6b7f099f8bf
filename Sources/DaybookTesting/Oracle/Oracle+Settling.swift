/// Goal: reimplement rows that settle pending transactions and record due dates. Method: follow the
/// documentation of `ImportMatch` and the rules of Docs/Import.md.
import Daybook

/// How a row was recognised.
struct RecognizedRow {
  var print: Print
  /// The values of a row with a reference.
  var reference: Reference?
  /// The values of a row that no row with the same values was recorded for.
  var fileRow: FileRow?
  /// Whether the row is already recorded.
  var isKnown = false
  /// Whether it was recognised by its id, and not by an equal transaction.
  var isKnownByID = false
  /// The transaction with that id.
  var transaction: TransactionID?
}

extension Oracle {
  /// Whether the transaction was imported, and its id is derived from its text or is that of a due
  /// date.
  func isOfFile(_ transaction: Transaction) -> Bool {
    transaction.importIdentity != nil && !transaction.isReferenced
      && (transaction.id.rawValue.isNamed || fileRows[transaction.id] != nil)
  }

  /// Gives the values of a row to the transaction that it matches, and returns whether it did.
  mutating func settle(
    _ match: ImportMatch, by read: Transaction, _ row: RecognizedRow
  ) throws -> Bool {
    guard let index = place(of: match, row) else { return false }
    let old = transactions[index]
    let isExpected =
      old.status == .pending
      || old.status == .cleared && old.series != nil && old.importIdentity == nil
    guard isExpected, isAlong(read, old) else { return false }
    if row.isKnown, !row.isKnownByID, look(of: old) != row.print { return false }
    guard let new = try settled(old, by: ruled(read)) else { return false }
    do { try checkLocks(old, new) } catch is OracleRefusal { return false }
    if old.importIdentity != nil, !isOfFile(old) {
      let print = imported[old.id] ?? look(of: old)
      if old.isReferenced {
        settledReferencedPrints[print, default: 0] += 1
      } else {
        settledPrints[print, default: 0] += 1
      }
    }
    transactions[index] = new
    transactions[index].importIdentity = read.importIdentity
    imported[old.id] = row.print
    follow(index)
    if let reference = row.reference {
      if references[old.id] != reference { otherReferences[reference] = old.id }
    } else if let fileRow = row.fileRow, isOfFile(transactions[index]),
      fileRows[old.id] != fileRow
    {
      otherFileRows[fileRow] = old.id
    }
    return true
  }

  private func place(of match: ImportMatch, _ row: RecognizedRow) -> Int? {
    if row.isKnownByID {
      return row.transaction.flatMap { id in transactions.firstIndex { $0.id == id } }
    }
    switch match {
    case .transaction(let id): return transactions.firstIndex { $0.id == id }
    case .occurrence(let link):
      return transactions.firstIndex {
        $0.series == link.series && $0.occurrence == link.occurrence
      }
    case .booked: return nil
    }
  }

  /// The sums of a transaction on each account, by currency.
  private func sums(_ transaction: Transaction) -> [AccountID: [Currency: Int128]] {
    var sums: [AccountID: [Currency: Int128]] = [:]
    for posting in transaction.postings {
      guard case .account(let id) = posting.account, id != .exchange else { continue }
      sums[id, default: [:]][posting.amount.currency, default: 0] +=
        Int128(posting.amount.minorUnits)
    }
    return sums
  }

  /// Whether both move money in the same direction on an account.
  private func isAlong(_ row: Transaction, _ other: Transaction) -> Bool {
    let theirs = sums(other)
    return sums(row).contains { account, amounts in
      amounts.contains { currency, units in
        theirs[account]?[currency].map { ($0 < 0) == (units < 0) } ?? false
      }
    }
  }

  private func targets(_ transaction: Transaction) -> [CategoryID] {
    transaction.postings.compactMap {
      if case .category(let id) = $0.account { id } else { nil }
    }
  }

  /// Whether rules may choose the category: the only one, which no person chose.
  private func isOpen(_ transaction: Transaction) -> Bool {
    let targets = targets(transaction)
    guard targets.count == 1 else { return false }
    return targets[0].isBuiltin || transaction.categorizedBy != nil
  }

  /// The person's accounts of a transaction, in the order of its postings, each once.
  private func accounts(of transaction: Transaction) -> [AccountID] {
    var found: [AccountID] = []
    for posting in transaction.postings {
      if case .account(let id) = posting.account, !id.isBuiltin, !found.contains(id) {
        found.append(id)
      }
    }
    return found
  }

  /// Returns a transaction with the values of a row; `nil` for a transfer of another amount.
  private func settled(_ old: Transaction, by row: Transaction) throws -> Transaction? {
    var new = old
    // Each account of a transfer keeps its own day: the first one the day, and the others the value
    // day.
    let (own, other) = (accounts(of: old), accounts(of: row))
    if own.count < 2 {
      (new.day, new.valueDay) = (row.day, row.valueDay)
    } else if own.first == other.first || other.count > 1 {
      new.day = row.day
      if new.valueDay == new.day { new.valueDay = nil }
    } else {
      new.valueDay = row.day == old.day ? nil : row.day
    }
    new.status = row.status
    if row.code != "" { new.code = row.code }
    let isUntouched =
      old.importIdentity.map { $0.original == nil } ?? (old.series != nil)
    func text(_ own: String, _ other: String) -> String {
      let (first, second) = isUntouched ? (other, own) : (own, other)
      return first == "" ? second : first
    }
    new.payee = text(old.payee, row.payee)
    let isRows = isUntouched ? row.payee != "" : old.payee == ""
    if isRows { new.statedPayee = row.statedPayee }
    new.description = text(old.description, row.description)
    new.note = text(old.note, row.note)
    for tag in row.tags where !new.tags.contains(tag) && new.tags.count < 32 {
      new.tags.append(tag)
    }
    let (before, after) = (sums(old), sums(row))
    let isSame = after.allSatisfy { account, amounts in
      amounts.allSatisfy { before[account]?[$0.key] == $0.value }
    }
    if !isSame, old.type == .transfer, row.type != .transfer { return nil }
    if !isSame, old.series != nil, let divided = divided(Array(old.postings), row) {
      new.postings = SharedList(divided)
      return new
    }
    var postings = Array(row.postings)
    if !isOpen(old) || targets(row).allSatisfy(\.isBuiltin) {
      if isSame { return new }
      let categories = targets(old)
      if categories.count == 1, targets(row).count == 1 {
        for index in postings.indices {
          if case .category = postings[index].account {
            postings[index].account = .category(categories[0])
          }
        }
      }
      if categories.count > 1 { new.categorizedBy = nil }
    } else {
      new.categorizedBy = row.categorizedBy
    }
    new.postings = SharedList(keepingNotes(postings, of: Array(old.postings)))
    new.type = type(of: Array(new.postings))
    return new
  }

  /// Returns the postings of a split with a row's amount: its largest part pays the difference.
  ///
  /// Returns `nil` unless the split is on the row's only account and has only its currency.
  private func divided(_ split: [Posting], _ row: Transaction) -> [Posting]? {
    guard split.count > 2, let (account, amounts) = sums(row).first, sums(row).count == 1,
      let (currency, units) = amounts.first, amounts.count == 1
    else { return nil }
    guard split.filter({ $0.account == .account(account) }) == [split[0]],
      Set(split.map(\.amount.currency)) == [currency]
    else { return nil }
    let sizes = split.dropFirst().map { $0.amount.minorUnits.magnitude }
    guard let most = sizes.max(), let place = sizes.firstIndex(of: most) else { return nil }
    var postings = split
    let rest = split.enumerated().filter { $0.offset != 0 && $0.offset != place + 1 }
      .reduce(units) { $0 + Int128($1.element.amount.minorUnits) }
    guard let part = Int64(exactly: -rest), let total = Int64(exactly: units) else { return nil }
    if part != 0, (part < 0) != (split[place + 1].amount.minorUnits < 0) { return nil }
    postings[0].amount = Money(total, currency)
    postings[place + 1].amount = Money(part, currency)
    return postings
  }

  /// Returns the postings of a row that is divided among the parts of a recurring transaction.
  private func divided(_ row: Transaction, among series: Series) -> [Posting]? {
    guard !series.template.parts.isEmpty, sums(row).count == 1,
      let (account, amounts) = sums(row).first, account == series.template.account ?? .outside,
      amounts.count == 1, let (currency, units) = amounts.first
    else { return nil }
    guard case .split(var split) = shape(of: series.template) else { return nil }
    split.accountAmount =
      currency == series.template.amount.currency
      ? nil : Int64(exactly: units).map { Money($0, currency) }
    guard let made = try? postings(.split(split), row.day, []) else { return nil }
    return made.first?.amount == Int64(exactly: units).map { Money($0, currency) }
      ? made : divided(made, row)
  }

  /// Makes a new transaction the occurrence of a series if its due date has none, and returns
  /// whether it did.
  func take(_ link: SeriesLink, for transaction: inout Transaction) -> Bool {
    guard transaction.series == nil, let series = series.first(where: { $0.id == link.series }),
      dueDays(of: series, through: link.occurrence).contains(link.occurrence),
      !isSkipped(link.occurrence, series),
      !rows(of: series.id).contains(where: { $0.occurrence == link.occurrence })
    else { return false }
    let id = TransactionID(of: series, due: link.occurrence)
    guard !transactions.contains(where: { $0.id == id }) else { return false }
    let template = series.template
    if isOpen(transaction), transaction.categorizedBy == nil, let given = template.category,
      let category = try? known(given), !category.isDeleted,
      let current = targets(transaction).first, (try? known(current))?.kind == category.kind
    {
      for index in transaction.postings.indices {
        if case .category = transaction.postings[index].account {
          transaction.postings[index].account = .category(given)
        }
      }
    }
    if isOpen(transaction), transaction.categorizedBy == nil,
      let postings = divided(transaction, among: series)
    {
      transaction.postings = SharedList(postings)
      transaction.type = type(of: postings)
    }
    for tag in template.tags where !transaction.tags.contains(tag) && transaction.tags.count < 32 {
      transaction.tags.append(tag)
    }
    if transaction.note.isEmpty { transaction.note = template.note }
    transaction.series = link.series
    transaction.occurrence = link.occurrence
    transaction.id = id
    return true
  }
}

/// The transactions that rows of a statement can be, as they were when its first row of their day
/// and account was read.
struct RowsThere {
  private struct Place: Hashable {
    var day: Day
    var account: AccountID?
  }

  private struct Text: Hashable {
    var print: Print
    var isReferenced: Bool
  }

  private var seen: Set<Place> = []
  private var present: [Bool: [Print: Int]] = [:]
  private var known: [Text: Int] = [:]
  private var matched: [Text: Int] = [:]
  private(set) var wasDeleted: [Print: Int] = [:]

  /// Whether a row is an equal transaction that no other row of the statement is.
  mutating func take(
    _ print: Print, isReferenced: Bool, _ options: ImportOptions, _ oracle: Oracle
  ) -> Bool {
    if seen.insert(Place(day: print.day, account: print.account)).inserted {
      for transaction in oracle.transactions
      where transaction.importIdentity?.original == nil && !oracle.isOfFile(transaction) {
        let look = oracle.look(of: transaction)
        guard look.day == print.day, look.account == print.account else { continue }
        present[transaction.isReferenced, default: [:]][look, default: 0] += 1
      }
    }
    let text = Text(print: print, isReferenced: isReferenced)
    if known[text] == nil { known[text] = count(text, options, oracle) }
    guard matched[text, default: 0] < known[text] ?? 0 else { return false }
    matched[text, default: 0] += 1
    return true
  }

  private mutating func count(
    _ text: Text, _ options: ImportOptions, _ oracle: Oracle
  ) -> Int {
    let print = text.print
    func changed(_ isReferenced: Bool) -> Int {
      oracle.transactions.count {
        $0.importIdentity?.original != nil && !oracle.isOfFile($0)
          && $0.isReferenced == isReferenced && oracle.imported[$0.id] == print
      }
    }
    let deleted = oracle.deletedPrints[print] ?? 0
    wasDeleted[print] = deleted
    var count = (present[false]?[print] ?? 0) + changed(false)
    count += oracle.settledPrints[print] ?? 0
    count += oracle.joinedPrints[print] ?? 0
    if !options.restoresDeleted { count += deleted }
    // The script's rows with a reference all have the same format.
    guard !text.isReferenced else { return count }
    count += (present[true]?[print] ?? 0) + changed(true)
    count += oracle.settledReferencedPrints[print] ?? 0
    count += oracle.joinedReferencedPrints[print] ?? 0
    if !options.restoresDeleted { count += oracle.deletedReferencedPrints[print] ?? 0 }
    return count
  }
}
