import DaybookBookkeeping
import DaybookFormats

/// The reason why a transaction can't be imported.
private struct ActualFault: Error {
  var code: BadLine.Code
  var reason: String
  var remedy: String
}

extension ActualReader {
  mutating func takeTransactions(_ tables: ActualTables, _ currency: Currency) {
    var places: [String: Int] = [:]
    var parts: [String: [Int]] = [:]
    for (index, transaction) in tables.transactions.enumerated() {
      places[transaction.id] = index
      if let parent = transaction.parent { parts[parent, default: []].append(index) }
    }
    let all = Rows(
      tables: tables, places: places, parts: parts, links: Self.links(tables, places),
      currency: currency)
    // Splits come first, because they include the other side of transfers in their parts.
    for isParent in [true, false] {
      for (index, row) in tables.transactions.enumerated() {
        if index % 4_096 == 0 {
          options.progress?(Double(index) / Double(max(tables.transactions.count, 1)))
        }
        guard row.isParent == isParent, row.parent == nil, !consumed.contains(row.id) else {
          continue
        }
        take(row, all)
      }
    }
    books.transactions.sort { ($0.day, $0.line) < ($1.day, $1.line) }
    if categorizedTransfers.count > 0 {
      let count = categorizedTransfers.count
      notice(
        categorizedTransfers.line,
        "\(count) transfer\(count == 1 ? "" : "s") between an account in the budget and one off "
          + "the budget kept \(count == 1 ? "its" : "their") category, with Outside as the "
          + "counterpart.")
    }
    let orphans = tables.transactions.filter { row in
      row.parent.map { places[$0] == nil } ?? false
    }
    if let first = orphans.first {
      notice(first.line, "\(orphans.count) parts of missing splits were not imported.")
    }
  }

  private mutating func take(_ row: ActualTables.Transaction, _ all: Rows) {
    do throws(ActualFault) {
      let (transaction, others) = try transaction(row, all)
      consumed.formUnion(others)
      guard let transaction else {
        return notice(row.line, "The transaction \(row.id) moves nothing and was not imported.")
      }
      books.transactions.append(transaction)
    } catch {
      refused.insert(row.id)
      contents.note(
        BadLine(
          line: row.line, code: error.code, reason: "Transaction \(row.id): \(error.reason)",
          remedy: error.remedy))
    }
  }

  private mutating func transaction(
    _ row: ActualTables.Transaction, _ all: Rows
  ) throws(ActualFault) -> (BookTransaction?, others: [String]) {
    guard let day = ActualTables.day(row.date) else {
      throw ActualFault(
        code: .date, reason: "\(row.date) isn't a day.", remedy: "Correct it in Actual.")
    }
    guard let name = names[row.account] else {
      throw ActualFault(
        code: .name, reason: "its account is missing.",
        remedy: "Give it an account in Actual, or delete it.")
    }
    var result = BookTransaction(line: row.line, day: day)
    result.reference = NoteLines.prefix(
      of: "actual:" + row.id, byteCount: Limits.referenceByteCountMax)
    result.status = row.isReconciled ? .reconciled : row.isCleared ? .cleared : .pending
    describe(&result, row, all.tables)
    let amount = try money(row, all)
    result.postings.append(BookPosting(.account(name), amount))
    var others: [String] = []
    let parts = all.parts[row.id, default: []].map { all.tables.transactions[$0] }
    for part in row.isParent && !parts.isEmpty ? parts : [row] {
      let units = try money(part, all)
      let (place, other, category) = place(part, of: row, all)
      guard let opposite = try? units.negated() else { throw ActualReader.tooLarge }
      let note = part.id == row.id ? "" : ActualTables.trimmed(part.notes)
      result.postings.append(
        BookPosting(
          place, opposite,
          note: NoteLines.prefix(of: note, byteCount: Limits.postingNoteByteCountMax)))
      if let category {
        let isOff = all.isOffBudget(row.account)
        result.postings.append(BookPosting(category, isOff ? units : opposite))
        result.postings.append(BookPosting(.outside, isOff ? opposite : units))
        categorizedTransfers.count += 1
        if categorizedTransfers.count == 1 { categorizedTransfers.line = row.line }
      }
      if let other { others.append(other) }
    }
    if !row.isParent, let other = others.first, other < row.id {
      // A transfer is identified by one of its sides, whichever comes first in the file.
      result.reference = NoteLines.prefix(
        of: "actual:" + other, byteCount: Limits.referenceByteCountMax)
    }
    try checkSum(result)
    guard result.postings.count <= Limits.postingCountMax else {
      throw ActualFault(
        code: .tooLong, reason: "it has more than \(Limits.postingCountMax) parts.",
        remedy: "Divide it into several transactions.")
    }
    return (moves(result) ? result : nil, others)
  }

  private static let tooLarge = ActualFault(
    code: .amount, reason: "its amount is too large.", remedy: "Correct it in Actual.")

  private func checkSum(_ transaction: BookTransaction) throws(ActualFault) {
    let sum = transaction.postings.reduce(Int128(0)) { $0 + Int128($1.amount.minorUnits) }
    guard sum == 0 else {
      throw ActualFault(
        code: .amount, reason: "its parts don't add up to its amount.",
        remedy: "Distribute the remainder in Actual.")
    }
  }

  /// Returns whether a transaction has a category, or moves money between accounts.
  private func moves(_ transaction: BookTransaction) -> Bool {
    let places = Set(transaction.postings.map(\.place))
    let hasCategory = places.contains { if case .category = $0 { true } else { false } }
    return hasCategory
      || places.count > 1 && transaction.postings.contains { $0.amount.minorUnits != 0 }
  }

  private func money(
    _ row: ActualTables.Transaction, _ all: Rows
  ) throws(ActualFault) -> Money {
    guard let units = row.units, let money = ActualReader.money(units, all.currency) else {
      throw ActualFault(
        code: .amount,
        reason: "its amount \(row.units.map { "of \($0) hundredths " } ?? "")isn't valid in "
          + "\(all.currency).", remedy: "Correct it in Actual, or choose another currency.")
    }
    return money
  }

  /// Returns the destination of a transaction or part.
  ///
  /// For a transfer, also returns the id of the other side, and the category if one account is off
  /// the budget.
  private mutating func place(
    _ part: ActualTables.Transaction, of row: ActualTables.Transaction, _ all: Rows
  ) -> (BookPosting.Place, other: String?, category: BookPosting.Place?) {
    let category = all.tables.category(part.category).map {
      BookPosting.Place.category($0.path, $0.kind)
    }
    if let id = all.transfer(part) {
      if let other = all.row(id), all.transfer(other) == part.id, other.parent == nil,
        !other.isParent, other.id != row.id, other.date == row.date,
        let name = names[other.account], let units = part.units,
        other.units == 0 &- units, !consumed.contains(other.id)
      {
        let isKept = all.isOffBudget(row.account) != all.isOffBudget(other.account)
        let others = all.tables.category(other.category).map {
          BookPosting.Place.category($0.path, $0.kind)
        }
        return (.account(name), other.id, isKept && units != 0 ? category ?? others : nil)
      }
      notice(
        row.line,
        "The other side of the transfer \(part.id) is missing, or has another day or amount; it "
          + "was booked \(category == nil ? "against Outside" : "in its category").")
      return (category ?? .outside, nil, nil)
    }
    if row.isOpening { return (.opening, nil, nil) }
    if let category { return (category, nil, nil) }
    let isIncome = (part.units ?? 0) > 0
    return (.category([], isIncome ? .income : .expense), nil, nil)
  }

  private func describe(
    _ result: inout BookTransaction, _ row: ActualTables.Transaction, _ tables: ActualTables
  ) {
    var note = NoteLines()
    let text = ActualTables.trimmed(row.notes)
    result.description = note.fitting(text, Limits.descriptionByteCountMax)
    if let payee = tables.payee(row.payee), payee.account == nil {
      result.payee = note.fitting(
        ActualTables.trimmed(payee.name), Limits.payeeByteCountMax)
    }
    let bank = ActualTables.trimmed(row.bankText)
    if bank != result.payee { note.add("", bank) }
    result.code = note.fitting(row.bankID, Limits.referenceByteCountMax)
    result.note = note.text
    result.tags = ActualReader.tags(text)
  }

  /// Returns the words that begin with a single `#`, as tags.
  static func tags(_ text: String) -> [String] {
    var tags: [String] = []
    for word in text.split(separator: " ") {
      guard word.hasPrefix("#"), !word.hasPrefix("##") else { continue }
      let tag = String(word.dropFirst())
      guard (1...Limits.tagByteCountMax).contains(tag.utf8.count), !tags.contains(tag),
        tags.count < Limits.tagCountMax
      else { continue }
      tags.append(tag)
    }
    return tags
  }

  /// Returns the other sides of transfers that are linked only on one side.
  private static func links(_ tables: ActualTables, _ places: [String: Int]) -> [String: String] {
    var links: [String: String] = [:]
    for row in tables.transactions {
      guard let id = row.transfer, id != row.id, let index = places[id],
        tables.transactions[index].transfer == nil, links[id] == nil
      else { continue }
      links[id] = row.id
    }
    return links
  }

  /// Checks that each account's transactions add up to the same sum as in the file.
  ///
  /// Transactions that are bad lines aren't part of either sum.
  func checkSums(_ tables: ActualTables, _ currency: Currency) throws(InterchangeError) {
    var expected: [String: Int128] = [:]
    for row in tables.transactions where row.parent == nil && !refused.contains(row.id) {
      guard let name = names[row.account], let units = row.units,
        let money = ActualReader.money(units, currency)
      else { continue }
      expected[name, default: 0] += Int128(money.minorUnits)
    }
    var found: [String: Int128] = [:]
    for posting in books.transactions.flatMap(\.postings) {
      guard case .account(let name) = posting.place else { continue }
      found[name, default: 0] += Int128(posting.amount.minorUnits)
    }
    for account in books.accounts where found[account.name] ?? 0 != expected[account.name] ?? 0 {
      let sums = [expected, found].map {
        Total(units: $0[account.name] ?? 0, currency: currency).description
      }
      throw InterchangeError(
        .format,
        "The transactions of “\(account.name)” add up to \(sums[0]) in the file, but to "
          + "\(sums[1]) as read.", remedy: "Please report this. Nothing was imported.")
    }
  }

  /// The transactions, with indices by id.
  private struct Rows {
    var tables: ActualTables
    var places: [String: Int]
    var parts: [String: [Int]]
    /// The transfers that only their other side links, by id.
    var links: [String: String]
    var currency: Currency

    /// Returns the id of the other side of a transfer.
    func transfer(_ row: ActualTables.Transaction) -> String? { row.transfer ?? links[row.id] }

    func isOffBudget(_ account: String) -> Bool {
      tables.accounts[account]?.isOffBudget == true
    }

    func row(_ id: String) -> ActualTables.Transaction? {
      places[id].map { tables.transactions[$0] }
    }
  }
}
