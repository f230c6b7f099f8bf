/// Goal: reimplement imports. Method: follow rule 16 of SCENARIOS, but compare and count the values
/// themselves instead of fingerprints.
import Daybook

/// The values that identify an imported row.
struct Print: Hashable {
  var day: Day
  var type: TransactionType
  var units: Int128 = 0
  var currency: Currency?
  var account: AccountID?
  var target: AccountID?
  var text: String
}

/// The values that identify an imported row with a reference, independent of its text.
struct Reference: Hashable {
  var print: Print
  var reference: String
  /// The number of earlier rows in the file with the same values.
  var ordinal = 0
}

/// An imported row, with its position among rows with equal values.
struct FileRow: Hashable {
  var print: Print
  /// The number of earlier rows in the file with equal values.
  var ordinal: Int
}

extension Transaction {
  /// Whether the transaction was imported with a reference from the file.
  var isReferenced: Bool {
    guard let reference = importIdentity?.reference else { return false }
    return !reference.isEmpty && reference.last != ":"
  }
}

extension Oracle {
  func look(of transaction: Transaction) -> Print {
    // Rows of formats with references are compared without their notes, because each format
    // provides different additional information.
    let hasFormat = transaction.importIdentity.map { !$0.reference.isEmpty } ?? false
    let texts = [transaction.description, transaction.payee, hasFormat ? "" : transaction.note]
      .map(fold)
    var print = Print(
      day: transaction.day, type: transaction.type,
      text: texts.filter { !$0.isEmpty }.joined(separator: " "))
    let accounts = transaction.postings.compactMap { posting -> (AccountID, Money)? in
      if case .account(let id) = posting.account, id != .exchange { return (id, posting.amount) }
      return nil
    }
    print.account = accounts.first?.0 ?? .outside
    if transaction.type == .transfer, accounts.count > 1 {
      let isForward = accounts[0].1.minorUnits <= 0
      let (from, to) = isForward ? (accounts[0], accounts[1]) : (accounts[1], accounts[0])
      print.account = from.0
      print.target = to.0
      print.units = Int128(from.1.minorUnits)
      print.currency = from.1.currency
      return print
    }
    for posting in transaction.postings {
      guard case .category = posting.account else { continue }
      print.currency = print.currency ?? posting.amount.currency
      if posting.amount.currency == print.currency {
        print.units += Int128(posting.amount.minorUnits)
      }
    }
    return print
  }

  /// Records whether an imported transaction still has its original values.
  mutating func follow(_ index: Int) {
    guard let print = imported[transactions[index].id] else { return }
    let isSame = look(of: transactions[index]) == print
    transactions[index].importIdentity?.original = isSame ? nil : Oracle.changedMark
  }

  /// A constant that replaces fingerprints, because the oracle doesn't compute them.
  static let changedMark = EntityID(high: 1, low: 1)

  /// Converts a row, and returns whether all of its accounts and categories are open.
  ///
  /// A row that is already recorded may refer to closed accounts or categories, unless duplicates
  /// are kept.
  private mutating func transaction(
    read row: ImportRow, _ options: ImportOptions
  ) throws -> (Transaction, isOpen: Bool) {
    do {
      return (try transaction(of: row.draft), true)
    } catch let refusal as OracleRefusal where refusal.code == .closed && !options.keepsDuplicates {
      let nothing = Money(0, Currency(packed: 0))
      let all =
        accounts.map { Posting(.account($0.id), nothing) }
        + categories.map { Posting(.category($0.id), nothing) }
      return (try transaction(of: row.draft, old: all), false)
    }
  }

  mutating func importRows(_ rows: [ImportRow], _ options: ImportOptions) throws {
    for id in options.removed { try remove(try index(of: id), leavesMark: false) }
    var hasFault = false
    var statement = rows[...]
    while let first = statement.first {
      let end = statement.firstIndex { $0.statement != first.statement } ?? statement.endIndex
      try importStatement(statement[..<end], options, &hasFault)
      statement = statement[end...]
    }
    try check(!hasFault || options.skipsBadRows && options.removed.isEmpty, .rows)
  }

  /// Imports the rows of one statement, as if there were no other statements.
  private mutating func importStatement(
    _ rows: ArraySlice<ImportRow>, _ options: ImportOptions, _ hasFault: inout Bool
  ) throws {
    var there = RowsThere()
    var restored: [Print: Int] = [:]
    var ordinals: [Reference: Int] = [:]
    var textOrdinals: [Print: Int] = [:]
    for row in rows {
      if row.match == .booked { continue }
      if let id = row.draft.id, transactions.contains(where: { $0.id == id }) { continue }
      // Only recorded rows use up generated ids.
      let unused = givenIDs
      do {
        let (read, isOpen) = try transaction(read: row, options)
        var transaction = read
        transaction.importIdentity = ImportIdentity(reference: row.reference)
        let print = look(of: transaction)
        // A row with an explicit id is recognised by this id.
        let reference = row.draft.id == nil ? self.reference(of: transaction, &ordinals) : nil
        var found = RecognizedRow(print: print, reference: reference)
        if !options.keepsDuplicates {
          recognize(&found, &textOrdinals, &there, options)
          if isOpen, let match = row.match, try settle(match, by: transaction, found) {
            givenIDs = unused
            continue
          }
          if found.isKnown {
            givenIDs = unused
            continue
          }
        }
        let fileRow = found.fileRow
        try check(isOpen, .closed)
        // The row is recognised by its values in the file, before rules are applied.
        transaction = ruled(transaction)
        var isTaken = false
        if case .occurrence(let link)? = row.match, !options.keepsDuplicates {
          isTaken = take(link, for: &transaction)
        }
        // The ledger reports the id of the due date, which a row with an id of its own gives up.
        if isTaken, row.draft.id != nil, !givenIDs.isEmpty { givenIDs.removeFirst() }
        try insert(transaction, verb: true)
        imported[transaction.id] = print
        if isTaken, row.draft.id == nil {
          if let reference {
            otherReferences[reference] = transaction.id
          } else if let fileRow {
            otherFileRows[fileRow] = transaction.id
          }
        } else if let fileRow, reference == nil, row.draft.id == nil,
          !erasedFileRows.values.contains(fileRow)
        {
          fileRows[transaction.id] = fileRow
        }
        follow(transactions.count - 1)
        if let reference, !isTaken, !references.values.contains(reference) {
          references[transaction.id] = reference
        }
        defer {
          if !options.keepsDuplicates, rules.contains(where: { $0.transferAccount != nil }) {
            _ = join(transaction.id)
          }
        }
        guard options.restoresDeleted, !options.keepsDuplicates else { continue }
        if let reference {
          let wasOther = !isTaken && otherReferences.removeValue(forKey: reference) != nil
          guard wasOther || deletedReferences[reference] ?? 0 > 0 else { continue }
          if deletedReferences[reference] ?? 0 > 0 { deletedReferences[reference, default: 0] -= 1 }
          if deletedReferencedPrints[print] ?? 0 > 0 {
            deletedReferencedPrints[print, default: 0] -= 1
          }
        } else if let fileRow,
          deletedFileRows.remove(fileRow) != nil
            || !isTaken && otherFileRows.removeValue(forKey: fileRow) != nil
        {
          continue
        } else if restored[print, default: 0] < there.wasDeleted[print] ?? 0 {
          restored[print, default: 0] += 1
          deletedPrints[print, default: 0] -= 1
        }
      } catch is OracleRefusal {
        givenIDs = unused
        hasFault = true
      }
    }
  }

  /// Returns the values that identify a row with a reference; `nil` for other rows.
  private func reference(
    of transaction: Transaction, _ ordinals: inout [Reference: Int]
  ) -> Reference? {
    guard transaction.isReferenced, let name = transaction.importIdentity?.reference else {
      return nil
    }
    var print = look(of: transaction)
    print.text = ""
    // The type follows from the figures, so it isn't compared.
    print.type = .expense
    var reference = Reference(print: print, reference: name)
    let ordinal = ordinals[reference, default: 0]
    ordinals[reference] = ordinal + 1
    reference.ordinal = ordinal
    return reference
  }

  /// Finds out whether a row is already recorded: by its reference, by its text and its number among
  /// equal rows, or as one of the equal transactions.
  private mutating func recognize(
    _ row: inout RecognizedRow, _ textOrdinals: inout [Print: Int], _ there: inout RowsThere,
    _ options: ImportOptions
  ) {
    if let reference = row.reference {
      row.transaction = references.first { $0.value == reference }?.key
      let isDeleted = !options.restoresDeleted && deletedReferences[reference] ?? 0 > 0
      row.isKnownByID =
        row.transaction != nil || isDeleted || isOther(otherReferences[reference], options)
      row.isKnown = row.isKnownByID
      if row.isKnown { return }
    }
    let fileRow = FileRow(print: row.print, ordinal: textOrdinals[row.print, default: 0])
    textOrdinals[row.print] = fileRow.ordinal + 1
    row.transaction = fileRows.first { $0.value == fileRow }?.key
    let isDeleted = !options.restoresDeleted && deletedFileRows.contains(fileRow)
    row.isKnownByID =
      row.transaction != nil || isDeleted || isOther(otherFileRows[fileRow], options)
    row.isKnown = row.isKnownByID
    if row.isKnown { return }
    row.fileRow = fileRow
    row.isKnown = there.take(
      row.print, isReferenced: row.reference != nil, options, self)
  }

  /// Whether a row with another id counts as recorded.
  private func isOther(_ id: TransactionID?, _ options: ImportOptions) -> Bool {
    guard let id else { return false }
    return !options.restoresDeleted || transactions.contains { $0.id == id }
  }
}
