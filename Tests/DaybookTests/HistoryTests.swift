/// Goal: history says who changed what when, with the values before and after; the past can be asked
/// as it was; what was done can be taken back, unless something stands in the way. Method: each
/// promise is tried through the public API; the oracle tries them in random sequences.
import Daybook
import Foundation
import Testing

@Suite struct HistoryTests {
  private func entries(_ history: LedgerHistory) throws -> [HistoryEntry] {
    var found: [HistoryEntry] = []
    var cursor = history.cursor()
    while let entry = try cursor.next() { found.append(entry) }
    return found
  }

  private func amounts(_ value: PropertyValue?) -> [UInt64] {
    guard case .postings(let postings)? = value else { return [] }
    return postings.map(\.amount.minorUnits.magnitude)
  }

  @Test func anAmendmentShowsBothValues() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let start = try house.ledger.token
    let row = try await house.expense(money("5"), from: a)
    try await house.ledger.append(
      .amend(row, Amendment(amount: money("7"), description: "Lunch")), author: "aru")
    try await house.ledger.append(.delete(row))
    let found = try entries(try house.ledger.history(after: start))
    #expect(found.map { $0.changes.map(\.operation) } == [[.insert], [.update], [.delete]])
    #expect(found[1].header.author == "aru")
    let differences = found[1].changes[0].differences
    #expect(differences.map(\.name) == ["postings", "description"])
    #expect(differences[1].before == nil)
    #expect(differences[1].after == .text("Lunch"))
    #expect(amounts(differences[0].before) == [5_00, 5_00])
    #expect(amounts(differences[0].after) == [7_00, 7_00])
    // The tombstone keeps what was lost.
    #expect(found[2].changes[0].deletedTransaction?.description == "Lunch")
    #expect(try entries(try house.ledger.history(before: nil)).map(\.sequence).first == 5)
    try await house.end()
  }

  @Test func filtersChooseCommitsAndChanges() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let row = try await house.expense(money("5"), from: a)
    try await house.ledger.append(
      .amend(row, Amendment(note: "x")), .openAccount(NewAccount(name: "B", currency: kzt)),
      author: "aru")
    var filter = HistoryFilter()
    filter.authors = ["aru"]
    #expect(try entries(try house.ledger.history(matching: filter)).map(\.changes.count) == [2])
    filter.kinds = [.account]
    #expect(try entries(try house.ledger.history(matching: filter)).map(\.changes.count) == [1])
    filter = HistoryFilter()
    filter.until = 0
    #expect(try entries(try house.ledger.history(matching: filter)).isEmpty)
    #expect(try entries(try house.ledger.timeline(of: row.rawValue)).count == 2)
    try await house.end()
  }

  @Test func historyIsReadInPartsAndToItsEnd() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    for _ in 0..<3 {
      try await house.ledger.append(
        (0..<400).map { _ in .record(.expense(money("1"), from: a, on: today)) })
    }
    let ledger = house.ledger
    await withTaskGroup(of: Void.self) { tasks in
      for _ in 0..<600 {
        tasks.addTask {
          _ = try? await ledger.append(.record(.expense(money("1"), from: a, on: today)))
        }
      }
    }
    let newest = try ledger.token.sequence
    let forwards = try entries(try ledger.history()).map(\.sequence)
    #expect(forwards == Array(1...newest))
    let backwards = try entries(try ledger.history(before: ledger.token(at: 500))).map(\.sequence)
    #expect(backwards == (1...500).reversed())
    try await house.end()
  }

  @Test func thePastAnswersAsItWas() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let row = try await house.expense(money("5"), from: a)
    let then = try house.ledger.token
    try await house.append(.amend(row, Amendment(amount: money("50"))))
    try await house.append(.deleteAccount(a, .withRows))
    let (balance, count) = try house.ledger.read(asOf: then) { snapshot throws in
      (try snapshot.balance(of: a, on: today), try snapshot.count())
    }
    #expect(balance == total("95"))
    #expect(count == 1)
    #expect(try house.ledger.read { try $0.count() } == 0)
    try await house.end()
  }

  @Test func aCommitIsTakenBack() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let row = try await house.expense(money("5"), from: a)
    try await house.append(.amend(row, Amendment(amount: money("50"))))
    let amended = try house.ledger.token.sequence
    try await house.ledger.undo(commit: amended)
    #expect(try house.balance(a) == total("95"))
    try await house.append(.deleteAccount(a, .withRows))
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == total("95"))
      #expect(try snapshot.transaction(row)?.id == row)
    }
  }

  @Test func whatStandsInTheWayIsNamed() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let opened = try house.ledger.token.sequence
    let row = try await house.expense(money("5"), from: a)
    try await house.append(.amend(row, Amendment(amount: money("6"))))
    let first = try house.ledger.token.sequence
    try await house.append(.amend(row, Amendment(amount: money("7"))))
    let changed = await #expect(throws: DaybookError.self) {
      try await house.ledger.undo(commit: first)
    }
    #expect(changed?.refusal?.code == .conflict)
    #expect(changed?.message.contains("postings") == true)
    #expect(changed?.message.contains("commit \(first + 1) by tests") == true)
    let used = await #expect(throws: DaybookError.self) {
      try await house.ledger.undo(commit: opened)
    }
    #expect(used?.refusal?.code == .inUse)
    try await house.append(.closePeriod(through: today))
    let locked = await #expect(throws: DaybookError.self) {
      try await house.ledger.undo(commit: first + 1)
    }
    #expect(locked?.refusal?.code == .closedPeriod)
    let future = await #expect(throws: DaybookError.self) {
      try await house.ledger.undo(commit: 999)
    }
    #expect(future?.code == .invalidToken)
    try await house.end()
  }

  @Test func aNameThatIsTakenStandsInTheWay() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    try await house.append(.deleteAccount(a, .withRows))
    let b = try await house.account("a")
    let taken = await #expect(throws: DaybookError.self) {
      try await house.ledger.restore(entity: a.rawValue)
    }
    #expect(taken?.refusal?.code == .duplicateName)
    try await house.append(.amendAccount(b, AccountChange(name: "B")))
    try await house.ledger.restore(entity: a.rawValue)
    try await house.ends { snapshot throws in
      #expect(try snapshot.account(a)?.name == "A")
    }
  }

  @Test func aDeletedRowComesBackAlone() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let food = CategoryID(EntityID(high: 7, low: 9))
    try await house.append(.createCategory(NewCategory(id: food, name: "Food", kind: .expense)))
    let row = TransactionID(EntityID(high: 7, low: 10))
    let other = TransactionID(EntityID(high: 7, low: 11))
    try await house.append(
      .record(.expense(money("5"), from: a, category: food, on: today, id: row)),
      .record(.expense(money("6"), from: a, category: food, on: today, id: other)))
    try await house.append(.deleteCategory(food, .withRows))
    // The category's record is still there, and keeps the row.
    try await house.ledger.restore(entity: row.rawValue)
    try await house.ledger.restore(entity: food.rawValue)
    let never = await #expect(throws: DaybookError.self) {
      try await house.ledger.restore(entity: row.rawValue)
    }
    #expect(never?.code == .invalidQuery)
    try await house.ends { snapshot throws in
      #expect(try snapshot.transaction(row)?.id == row)
      #expect(try snapshot.transaction(other) == nil)
    }
  }

  @Test func anImportedRowThatComesBackIsKnownAgain() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let file = [spending("5", from: a)]
    let row = try #require(try await house.importRows(file).recorded.first)
    try await house.append(.delete(row))
    try await house.ledger.restore(entity: row.rawValue)
    try await house.append(.importRows(file))
    #expect(try house.ledger.read { try $0.count() } == 1)
    try await house.append(.delete(row))
    // What was deleted on purpose does not come back with the file.
    try await house.append(.importRows(file))
    #expect(try house.ledger.read { try $0.count() } == 0)
    try await house.end()
  }

  /// Two rows that look the same are counted together, so the one's change stands in nobody's way.
  @Test(arguments: [false, true], [0, 1])
  func aTwinDoesNotStandInTheWay(isDeleted: Bool, which: Int) async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let file = [spending("5", from: a), spending("5", from: a)]
    let rows = try await house.importRows(file).recorded
    var commits: [UInt64] = []
    for row in rows {
      let amendment = Amendment(amount: money("6"))
      try await house.append(isDeleted ? .delete(row) : .amend(row, amendment))
      commits.append(try house.ledger.token.sequence)
    }
    try await house.ledger.undo(commit: commits[which])
    let count = isDeleted ? 1 : 2
    #expect(
      try house.ledger.read { try $0.transaction(rows[which])?.importIdentity?.original } == nil)
    #expect(try house.ledger.read { try $0.count() } == count)
    #expect(try await house.importRows(file).recorded == [])
    // Once both are taken back, nothing is counted any more.
    try await house.ledger.undo(commit: commits[1 - which])
    #expect(try await house.importRows(file).recorded == [])
    #expect(try await house.importRows(file + [file[0]]).recorded.count == 1)
    try await house.ends { snapshot throws in #expect(try snapshot.count() == 3) }
  }

  /// A deletion that was forgiven when the row was imported again is not taken back a second time.
  @Test func noRowIsCountedLessThanNeverDeleted() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let file = [spending("5", from: a)]
    let row = try #require(try await house.importRows(file).recorded.first)
    try await house.append(.delete(row))
    let deleted = try house.ledger.token.sequence
    try await house.importRows(file, options: ImportOptions(restoresDeleted: true))
    let error = await #expect(throws: DaybookError.self) {
      try await house.ledger.undo(commit: deleted)
    }
    #expect(error?.refusal?.code == .conflict)
    // It has come back under its id.
    let back = await #expect(throws: DaybookError.self) {
      try await house.ledger.restore(entity: row.rawValue)
    }
    #expect(back?.code == .invalidQuery)
    #expect(try await house.importRows(file + file).recorded.count == 1)
    try await house.ends { snapshot throws in #expect(try snapshot.count() == 2) }
  }

  @Test func anAnchorShowsThatHistoryWasCutOffOrReplaced() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let copy = house.path + "-copy"
    try await house.ledger.backup(to: copy)
    try await house.expense(money("5"), from: a)
    let made = try house.ledger.anchor()
    let anchor = try #require(LedgerAnchor(made.text))
    #expect(anchor == made)
    #expect(LedgerAnchor(made.text + "x") == nil)
    try await house.expense(money("6"), from: a)
    #expect(try house.ledger.fault(against: anchor) == nil)
    // The copy lacks a commit; then it has another in its place. Nothing is written to a backup that says it is one.
    try FileManager.default.removeItem(atPath: copy + "/BACKUP")
    let older = try await Ledger.open(at: copy, options: House.options())
    #expect(try older.fault(against: anchor)?.contains("cut off") == true)
    try await older.append(.record(.expense(money("7"), from: a, on: today)))
    #expect(try older.fault(against: anchor)?.contains("replaced") == true)
    try await older.close()
    let other = try await House(rates: false)
    #expect(try other.ledger.fault(against: anchor)?.contains("another ledger") == true)
    try await other.end()
    var options = PurgeOptions()
    options.policy = .count(0)
    try await house.ledger.purge(options)
    #expect(try house.ledger.fault(against: anchor) == nil)
    try await house.end()
  }
}
