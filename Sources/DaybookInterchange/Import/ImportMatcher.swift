import Daybook

/// A matcher that finds the pending transactions and due dates that match the rows of a file.
///
/// A booked row matches a pending transaction if they have the same reference, or if they have the
/// same amount, are a few days apart at most, and don't have different payees. A row matches a due
/// date if its amount is within the series' tolerance and they are a few days apart at most. The
/// best matches are chosen first, and each row and each transaction is used once.
struct ImportMatcher {
  /// The maximum number of days between a row and a match with the same amount.
  static let dayCountMax = 7
  /// The maximum number of days between a row and a pending transaction with the same reference;
  /// banks later reuse references.
  static let referenceDayCountMax = 30

  private let expected: [ExpectedTransaction]
  private let rows: [ImportRow]

  private struct Pair {
    var rank: Int
    var distance: Int
    var row: Int
    var place: Int
    /// Whether the row has the same values and therefore counts as already recorded.
    var isSame = false
  }

  private let pairs: [Pair]

  /// Compares the rows of a file with the ledger's expected transactions.
  ///
  /// - Complexity: O(rows · expected transactions), without reading texts of rows whose amounts
  ///   differ.
  init(_ rows: [ImportRow], in snapshot: borrowing Snapshot) throws {
    self.rows = rows
    var expected: [ExpectedTransaction] = []
    if let first = rows.lazy.map(\.draft.day).min(), let last = rows.lazy.map(\.draft.day).max() {
      let span =
        first.adding(days: -Self.dayCountMax)...last.adding(days: Self.dayCountMax)
      expected = try ExpectedTransaction.pending(in: snapshot)
      expected += try ExpectedTransaction.occurrences(in: span, snapshot)
      expected += try ExpectedTransaction.interest(in: span, snapshot)
    }
    self.expected = expected
    var pairs: [Pair] = []
    if !expected.isEmpty {
      for (index, row) in rows.enumerated() {
        let movements = row.draft.accountMovements
        for (place, one) in expected.enumerated() {
          guard var pair = Self.pair(row, movements, one) else { continue }
          (pair.row, pair.place) = (index, place)
          pairs.append(pair)
        }
      }
    }
    self.pairs = pairs.sorted {
      ($0.rank, $0.distance, $0.row, $0.place) < ($1.rank, $1.distance, $1.row, $1.place)
    }
  }

  /// Whether the ledger has pending transactions, or due dates near the days of the rows.
  var hasExpected: Bool { !expected.isEmpty }
  /// Whether ``choose(duplicates:in:)`` needs to know which rows are already recorded.
  var needsDuplicates: Bool { !pairs.isEmpty || rows.contains { $0.draft.status == .pending } }

  /// The matches found, by the index of the row.
  private(set) var found: [Int: ExpectedTransaction] = [:]
  /// The pending rows that the bank has booked, in this file or an earlier one.
  private(set) var booked: Set<Int> = []

  /// Chooses the matches.
  ///
  /// - Parameter duplicates: The rows that are already recorded.
  mutating func choose(duplicates: Set<Int>, in snapshot: borrowing Snapshot) throws {
    var used: Set<Int> = []
    // If several pending transactions are equal, the ledger settles the transaction from which it
    // recognises the row.
    for pair in pairs where pair.isSame && duplicates.contains(pair.row) {
      if found[pair.row] == nil { found[pair.row] = expected[pair.place] }
      used.insert(pair.place)
    }
    for pair in pairs where !duplicates.contains(pair.row) {
      guard found[pair.row] == nil, !used.contains(pair.place) else { continue }
      found[pair.row] = expected[pair.place]
      used.insert(pair.place)
    }
    try leaveOutBooked(duplicates, snapshot)
  }

  // MARK: Comparing

  private static func pair(
    _ row: ImportRow, _ movements: [AccountMovement], _ one: ExpectedTransaction
  ) -> Pair? {
    let isPending = row.draft.status == .pending
    let reach = one.series == nil ? referenceDayCountMax : dayCountMax
    guard one.series != nil || !isPending,
      one.days.contains(where: { abs($0.distance(to: row.draft.day)) <= reach })
        || one.days.contains(where: { $0 == row.draft.valueDay }),
      let difference = difference(movements, one.movements)
    else { return nil }
    let distance = distance(row.draft, one)
    if let transaction = one.transaction, one.series == nil {
      let reference = transaction.importIdentity?.reference ?? ""
      let isReferenced = !reference.isEmpty && !reference.hasSuffix(":")
      let sameDay = transaction.day == row.draft.day
      if isReferenced, reference == row.reference {
        return Pair(
          rank: difference == 0 ? 0 : 1, distance: distance ?? dayCountMax * 2, row: 0, place: 0,
          isSame: difference == 0 && sameDay)
      }
      guard difference == 0, let distance else { return nil }
      let words = row.words
      let isSame =
        sameDay && words.isEqual(to: one.words)
        && (!isReferenced || !row.isReferenced)
      switch words.likeness(to: one.words) {
      case .similar: return Pair(rank: 2, distance: distance, row: 0, place: 0, isSame: isSame)
      case .unknown where distance <= ImportPlan.likelyDayCount:
        return Pair(rank: 3, distance: distance, row: 0, place: 0, isSame: isSame)
      default: return nil
      }
    }
    guard difference <= one.tolerance.magnitude, let distance else { return nil }
    let likeness = row.words.likeness(to: one.words)
    if likeness == .similar {
      return Pair(rank: difference == 0 ? 2 : 4, distance: distance, row: 0, place: 0)
    }
    guard distance <= ImportPlan.likelyDayCount else { return nil }
    return Pair(
      rank: (likeness == .unknown ? 5 : 7) + (difference == 0 ? 0 : 1), distance: distance, row: 0,
      place: 0)
  }

  /// The difference between the amounts of a row and a transaction on an account that both have;
  /// `nil` if they share no account, or if the directions differ.
  private static func difference(
    _ mine: [AccountMovement], _ theirs: [AccountMovement]
  ) -> UInt64? {
    for movement in mine {
      guard let other = theirs.first(where: movement.isAlong) else { continue }
      let (difference, isOver) = movement.amount.minorUnits.subtractingReportingOverflow(
        other.amount.minorUnits)
      return isOver ? nil : difference.magnitude
    }
    return nil
  }

  /// The number of days between a row and an expected transaction; `nil` if they are too far apart.
  ///
  /// The bank books a pending transaction on the same day or later. A person may have recorded it a
  /// day too late.
  private static func distance(_ row: Draft, _ one: ExpectedTransaction) -> Int? {
    let distances = one.days.flatMap { day -> [Int] in
      if row.valueDay == day { return [0] }
      let days = day.distance(to: row.day)
      if one.series != nil { return abs(days) <= dayCountMax ? [abs(days)] : [] }
      if days == -1 { return [ImportPlan.likelyDayCount] }
      return (0...dayCountMax).contains(days) ? [days] : []
    }
    return distances.min()
  }

  // MARK: Pending rows

  /// Finds the new pending rows that the bank has booked, in this file or an earlier one.
  private mutating func leaveOutBooked(
    _ duplicates: Set<Int>, _ snapshot: borrowing Snapshot
  ) throws {
    let pending = rows.indices.filter {
      rows[$0].draft.status == .pending && found[$0] == nil
    }
    if pending.isEmpty { return }
    var bookedRows = rows.indices.filter { rows[$0].draft.status != .pending }
    for index in pending {
      let row = rows[index]
      let movements = row.draft.accountMovements
      let place = bookedRows.firstIndex { other in
        let other = rows[other]
        guard Self.isAfter(row.draft.day, other.draft.day, other.draft.valueDay),
          let difference = Self.difference(movements, other.draft.accountMovements)
        else { return false }
        if row.isReferenced, row.reference == other.reference { return true }
        return difference == 0 && !duplicates.contains(index)
          && row.words.likeness(to: other.words) == .similar
      }
      guard let place else { continue }
      bookedRows.remove(at: place)
      booked.insert(index)
    }
    try leaveOutKnown(
      pending.filter { !booked.contains($0) && !duplicates.contains($0) }, snapshot)
  }

  private mutating func leaveOutKnown(
    _ pending: [Int], _ snapshot: borrowing Snapshot
  ) throws {
    var used: Set<TransactionID> = []
    for index in pending {
      let row = rows[index]
      for movement in row.draft.accountMovements {
        // The import may create the account.
        guard try snapshot.account(movement.account) != nil else { continue }
        let days = row.draft.day..<row.draft.day.adding(days: Self.dayCountMax + 1)
        let there = try snapshot.allTransactions(
          TransactionFilter(account: movement.account, days: days))
        let match = there.last { transaction in
          transaction.status != .pending && transaction.importIdentity != nil
            && !used.contains(transaction.id)
            && (row.isReferenced && row.reference == transaction.importIdentity?.reference
              ? transaction.accountMovements.contains(where: movement.isAlong)
              : transaction.accountMovements.contains(movement)
                && row.words.likeness(to: transaction.words) == .similar)
        }
        guard let match else { continue }
        used.insert(match.id)
        booked.insert(index)
        break
      }
    }
  }

  /// Returns whether a booked row can be the booking of a pending row from a given day.
  private static func isAfter(_ day: Day, _ booked: Day, _ valueDay: Day?) -> Bool {
    valueDay == day || (0...dayCountMax).contains(day.distance(to: booked))
  }

  // MARK: Remaining pending transactions

  /// Returns the pending transactions of the file's accounts that the file doesn't list as pending,
  /// up to its last booked day, including transactions that it settles.
  ///
  /// - Parameter leftOut: The pending rows of the file that aren't imported.
  func remaining(leftOut: [ImportRow]) -> [Transaction] {
    var last: [AccountID: Day] = [:]
    for row in rows where row.draft.status != .pending {
      for movement in row.draft.accountMovements {
        last[movement.account] = max(last[movement.account] ?? row.draft.day, row.draft.day)
      }
    }
    let listed = rows.filter { $0.draft.status == .pending } + leftOut
    return expected.compactMap { one in
      guard let transaction = one.transaction, one.series == nil, one.due == nil,
        one.movements.contains(where: { transaction.day <= last[$0.account] ?? Day.min })
      else { return nil }
      let isListed = listed.contains { row in
        row.draft.day == transaction.day
          && row.draft.accountMovements.contains { one.movements.contains($0) }
          && row.words.likeness(to: one.words) != .different
      }
      return isListed ? nil : transaction
    }
  }
}

extension ImportRow {
  /// Whether the row has an id from the bank.
  fileprivate var isReferenced: Bool { !reference.isEmpty && !reference.hasSuffix(":") }

  fileprivate var words: PartyWords {
    PartyWords(payee: draft.payee, description: draft.description)
  }
}
