/// Goal: what was taken back with an idempotency key is not taken back again by the same, also once the ledger has been
/// opened anew; the history says what was taken back all the same. Method: each request is sent twice, the second
/// time to another opening of the same files.
import Daybook
import Foundation
import Testing

@Suite struct UndoKeyTests {
  private func reopened(
    _ path: String, _ body: (Ledger) async throws -> Void
  ) async throws {
    let ledger = try await Ledger.open(at: path)
    try await body(ledger)
    try await ledger.close()
  }

  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString).daybook").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func food(_ name: String) -> Command {
    .createCategory(NewCategory(name: name, kind: .expense))
  }

  private func names(_ ledger: Ledger) throws -> [String] {
    try ledger.read { try $0.categories(.expense).map(\.name) }.filter { $0.hasPrefix("Food") }
  }

  @Test func theNewestIsTakenBackOnceForAKey() async throws {
    try await inFolder { path in
      var undone: Token?
      try await reopened(path) { ledger in
        try await ledger.append(food("Food 1"))
        try await ledger.append(food("Food 2"))
        let receipt = try #require(try await ledger.undoNewest(key: "u"))
        #expect(!receipt.isRepeat)
        undone = receipt.token
        #expect(try names(ledger) == ["Food 1"])
      }
      try await reopened(path) { ledger in
        let again = try #require(try await ledger.undoNewest(key: "u"))
        #expect(again.isRepeat && again.token == undone)
        #expect(try names(ledger) == ["Food 1"])
        // The history knows what it was, so the next undo goes further back.
        var cursor = try ledger.history(before: nil).cursor()
        let entry = try #require(try cursor.next())
        #expect(entry.reversal?.sequence == entry.sequence - 1 && entry.reversal?.isRedo == false)
        let redone = try #require(try await ledger.redoNewest(key: "r"))
        #expect(try names(ledger) == ["Food 1", "Food 2"])
        #expect(try await ledger.redoNewest(key: "r") == repeated(redone))
      }
      try await reopened(path) { ledger in
        #expect(try await ledger.redoNewest(key: "r")?.isRepeat == true)
        // A key is for one request.
        let newest = try ledger.token
        await #expect { try await ledger.undoNewest(key: "r") } throws: { error in
          (error as? DaybookError)?.code == .keyReused
        }
        #expect(try ledger.token == newest)
        #expect(try await ledger.verify().findings.isEmpty)
      }
    }
  }

  private func repeated(_ receipt: Receipt) -> Receipt {
    Receipt(token: receipt.token, outcomes: receipt.outcomes, isRepeat: true)
  }

  @Test func aCommitAndAnEntityOnceForAKey() async throws {
    try await inFolder { path in
      var first: [Receipt] = []
      var category = CategoryID.unassigned
      try await reopened(path) { ledger in
        category = try #require(try await ledger.append(food("Food 1")).categories.first)
        try await ledger.append(food("Food 2"))
        let newest = try ledger.token.sequence
        first.append(try await ledger.undo(commit: newest, key: "commit"))
        try await ledger.append(.deleteCategory(category, nil))
        first.append(try await ledger.restore(entity: category.rawValue, key: "entity"))
        #expect(try names(ledger) == ["Food 1"])
      }
      try await reopened(path) { ledger in
        let newest = try ledger.token
        let sequence = first[0].token.sequence - 1
        #expect(try await ledger.undo(commit: sequence, key: "commit") == repeated(first[0]))
        let restored = try await ledger.restore(entity: category.rawValue, key: "entity")
        #expect(restored == repeated(first[1]))
        #expect(try ledger.token == newest)
        await #expect(throws: DaybookError.self) {
          try await ledger.undo(commit: sequence - 1, key: "commit")
        }
        await #expect(throws: DaybookError.self) {
          try await ledger.append([food("Food 3")], key: "entity")
        }
        #expect(try ledger.token == newest)
      }
    }
  }
}
