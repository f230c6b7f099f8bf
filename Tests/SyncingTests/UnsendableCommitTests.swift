// Goal: a commit that can't be encoded is reported as what it is, by its number, wherever somebody looks; pulling goes on, and
// once it can be encoded it is sent. Method: encoding that refuses one payee, in place of a defect.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncWire
import Testing

@testable import DaybookSync

@Suite struct UnsendableCommitTests {
  /// The sharing of the first device of a household, with encoding that refuses the account “Broken”.
  private func broken(_ household: Household) -> LedgerSync {
    let sound = household.devices[0]
    var options = sound.options
    options.parts = { (commit) throws(WireError) in
      let isBroken = commit.changes.contains { change in
        change.after.map { $0.bytes.contains(Array("Broken".utf8)) } ?? false
      }
      if isBroken { throw WireError(.invalid, "a change has no sense") }
      return try CommitPart.parts(of: commit)
    }
    return LedgerSync(sound.ledger, options: options)
  }

  @Test func isNamedAndSentOnceItCanBe() async throws {
    let (first, second) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    var household = Household()
    try await household.start(first)
    try await household.join(second, name: "laptop")
    try await first.append(.openAccount(NewAccount(name: "Broken", currency: .eur)))
    let commit = try first.token.sequence
    try await first.append(.openAccount(NewAccount(name: "Later", currency: .eur)))
    try await second.append(.openAccount(NewAccount(name: "Other", currency: .eur)))
    try await household.devices[1].exchange()

    let sync = broken(household)
    let error = await #expect(throws: SyncError.self) { try await sync.exchange() }
    #expect(error?.code == .unsendable)
    #expect(error?.message.contains("commit \(commit)") == true)
    #expect(error?.passes == false, "trying again doesn't help")
    let running = await #expect(throws: SyncError.self) { try await sync.run() }
    #expect(running == error)
    #expect(sync.state.problem == error)
    // What others recorded came in all the same.
    #expect(try first.read { try $0.accounts().count } == 3)
    let expected = [UnsendableCommit(commit: commit, reason: "a change has no sense")]
    #expect(try await sync.refresh().unsendable == expected)
    #expect(try await sync.unsendableCommits() == expected)

    #expect(try await household.devices[0].unsendableCommits() == [])
    try await household.settle()
    #expect(try second.read { try $0.accounts().count } == 3)
    try await household.checkEqual()
  }

  @Test func ledgerThatIsNotSharedHasNone() async throws {
    let ledger = try await Ledger.inMemory()
    #expect(try await household(of: ledger).unsendableCommits() == [])
  }

  private func household(of ledger: Ledger) -> LedgerSync { Household().sync(ledger) }
}
