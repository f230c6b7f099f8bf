/// Goal: an examination of the files' pages finds nothing in a ledger that is well, whatever was done to it,
/// by whom, and while it goes on. Method: files are examined after each kind of work that lays pages out
/// differently, and while others write.
import Daybook
import Foundation
import Testing

@Suite struct ExamineTests {
  @Test func nothingIsFoundInWhatIsWell() async throws {
    let house = try await House()
    func expectNothing(_ after: String) async throws {
      #expect(try await Ledger.examine(at: house.path) == [], "after \(after)")
    }
    try await expectNothing("making it")
    let a = try await house.account("A", opening: "100")
    var rows: [TransactionID] = []
    for step in 0..<60 {
      rows.append(
        try await house.expense(
          money("1"), from: a, description: String(repeating: "long ", count: step)))
    }
    try await expectNothing("appending")
    for row in rows.prefix(40) { try await house.append(.delete(row)) }
    try await expectNothing("deleting")
    var options = PurgeOptions()
    options.policy = .count(10)
    try await house.ledger.purge(options)
    try await expectNothing("purging")
    try await house.ledger.rebuild()
    try await expectNothing("rebuilding")
    _ = try await house.ledger.compact()
    try await expectNothing("compacting")
    try await house.expense(money("1"), from: a)
    try await expectNothing("appending after compacting")
    let copy = house.path + "-copy"
    try await house.ledger.backup(to: copy)
    #expect(try await Ledger.examine(at: copy) == [])
    try FileManager.default.removeItem(atPath: copy)
    try await house.ledger.close()
    try await expectNothing("closing")
    try await house.end()
  }

  @Test func othersMayWriteMeanwhile() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let path = house.path
    let ledger = house.ledger
    let writing = Task {
      while !Task.isCancelled {
        try await ledger.append(.record(.expense(money("1"), from: a, on: today)))
      }
    }
    for _ in 0..<20 { #expect(try await Ledger.examine(at: path) == []) }
    writing.cancel()
    try await writing.value
    #expect(try await house.ledger.verify().findings == [])
    try await house.end()
  }

  @Test func whatIsNoLedgerIsRefused() async throws {
    let house = try await House()
    let error = await #expect(throws: DaybookError.self) {
      _ = try await Ledger.examine(at: house.path + "-not")
    }
    #expect(error?.code == .missing)
    try await house.end()
  }
}
