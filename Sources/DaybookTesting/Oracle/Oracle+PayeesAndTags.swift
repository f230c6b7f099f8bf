/// Goal: reimplement payees, tags and duplicates. Method: examine every transaction and every pair
/// of transactions.
import Daybook

extension Oracle {
  private func folded(_ text: String) -> String {
    var folded = ""
    folded.unicodeScalars.append(contentsOf: searched(text))
    return folded
  }

  private func isAfter(_ left: Transaction, _ right: Transaction) -> Bool {
    left.day != right.day ? left.day > right.day : left.number > right.number
  }

  /// Returns the newest transaction up to today, or the newest of all if there is none up to today.
  private func last(_ rows: [Transaction], _ today: Day) -> Transaction? {
    let sorted = rows.sorted(by: isAfter)
    return sorted.first { $0.day <= today } ?? sorted.first
  }

  private func byUse<Value>(_ uses: [(value: Value, count: Int, last: Transaction)]) -> [Value] {
    uses.sorted { $0.count != $1.count ? $0.count > $1.count : isAfter($0.last, $1.last) }
      .map(\.value)
  }

  func tags(today: Day) -> [TagUse] {
    var rows: [String: [Transaction]] = [:]
    // `String` treats canonically equivalent tags as equal, but the ledger compares tags by their
    // bytes.
    for row in transactions {
      for tag in row.tags { rows[tag, default: []].append(row) }
    }
    let uses = rows.compactMap { tag, rows in
      last(rows, today).map {
        (value: TagUse(tag: tag, count: rows.count, lastDay: $0.day), count: rows.count, last: $0)
      }
    }
    return byUse(uses).sorted {
      ($0.count, $0.lastDay, $0.tag) > ($1.count, $1.lastDay, $1.tag)
    }
  }

  func payees(_ prefix: String, _ limit: Int, today: Day) -> [PayeeUse] {
    let rows = Dictionary(grouping: transactions) { folded($0.payee) }
    let uses = rows.compactMap { payee, rows -> (value: PayeeUse, count: Int, last: Transaction)? in
      guard !payee.isEmpty,
        searched(payee).starts(with: searched(prefix)), let last = last(rows, today)
      else { return nil }
      let use = PayeeUse(payee: last.payee, count: rows.count, last: last.compared)
      return (use, rows.count, last)
    }
    return Array(byUse(uses).prefix(limit))
  }

  func dormant(_ days: Int, today: Day) throws -> [DormantAccount] {
    var found: [DormantAccount] = []
    for account in accounts where !account.isDeleted && !account.isClosed {
      let last = transactions.filter { touches($0, .account(account.id)) }
        .map { day(of: $0, on: account.id) }.filter { $0 <= today }.max()
      if days < 1 { continue }
      if let last, last > today.adding(days: -days) { continue }
      found.append(
        DormantAccount(
          account: account, lastDay: last, balance: try balance(account.id, on: today)))
    }
    return found.sorted {
      let (left, right) = ($0.lastDay?.rawValue ?? .min, $1.lastDay?.rawValue ?? .min)
      return left != right ? left < right : $0.account.number < $1.account.number
    }
  }

  // MARK: Duplicates

  func duplicates(in days: Range<Day>, distance: Int) -> [DuplicatePair] {
    var pairs: [(key: TransactionPosition, pair: DuplicatePair)] = []
    for later in transactions where days.contains(later.day) {
      // Use the closest earlier transaction that matches.
      let earlier = transactions.filter {
        isAfter(later, $0) && later.day.rawValue - $0.day.rawValue <= Int32(distance)
          && mayBeOne($0, later)
      }.sorted(by: isAfter).first
      guard let earlier else { continue }
      let inOrder = [earlier, later].sorted { $0.number < $1.number }.map(\.compared)
      pairs.append((later.key, DuplicatePair(original: inOrder[0], duplicate: inOrder[1])))
    }
    return pairs.sorted { $0.key > $1.key }.map(\.pair)
  }

  private func mayBeOne(_ one: Transaction, _ other: Transaction) -> Bool {
    if one.type != other.type { return false }
    func moves(_ row: Transaction) -> [[String]] {
      row.postings.compactMap { posting in
        guard case .account(let id) = posting.account, !id.isBuiltin else { return nil }
        return ["\(id)", "\(posting.amount.minorUnits)", posting.amount.currency.code]
      }
    }
    guard moves(one).contains(where: { moves(other).contains($0) }) else { return false }
    if one.series != nil, one.series == other.series { return false }
    if one.distinctFrom.contains(other.id) || other.distinctFrom.contains(one.id) { return false }
    let texts = [one, other].map { searched("\($0.payee) \($0.description)") }
    if let left = one.importIdentity, let right = other.importIdentity {
      let hasBoth = !left.reference.isEmpty && !right.reference.isEmpty
      let differ = hasBoth && left.reference != right.reference
      let onePending = [one, other].count { $0.status == .pending } == 1
      if one.day == other.day, !onePending, differ || texts[0] == texts[1] { return false }
      if differ, texts.contains(where: \.isEmpty) { return false }
    }
    if texts.contains(where: \.isEmpty) { return true }
    let strings = texts.map { scalars in
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      return text
    }
    if holds(strings[0], strings[1]) || holds(strings[1], strings[0]) { return true }
    let words = strings.map { Set($0.split(separator: " ")) }
    return 2 * words[0].intersection(words[1]).count >= words[0].union(words[1]).count
  }
}
