// Goal: what happened to one entity is found by an index as it is by going through all of history. Method: a ledger is
// changed in every way that history knows, seeded; after each step both are asked of every entity there was.
import Daybook
import DaybookRandom
import DaybookTesting
import Testing

@Suite struct TimelineTests {
  private func entries(_ history: LedgerHistory) throws -> [HistoryEntry] {
    var found: [HistoryEntry] = []
    var cursor = history.cursor()
    while let entry = try cursor.next() { found.append(entry) }
    return found
  }

  /// Compares both for some entities.
  private func check(
    _ ids: some Sequence<EntityID>, in ledger: Ledger, _ step: String
  ) throws {
    for id in ids {
      var filter = HistoryFilter()
      filter.entities = [id]
      let walked = try entries(try ledger.history(matching: filter))
      #expect(try entries(try ledger.timeline(of: id)) == walked, "\(step): \(id)")
    }
  }

  private func rows(_ count: Int, from account: AccountID) -> [Command] {
    (0..<count).map { number in
      .record(.expense(money("1"), from: account, on: today, description: "Row \(number)"))
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func theIndexFindsWhatHistoryHas(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let house = try await House()
    let ledger = house.ledger
    let account = try await house.account("A")
    let food = try await house.category("Food")
    try check([account.rawValue], in: ledger, "before there are rows")
    var ids = [account.rawValue, food.rawValue]
    // A large commit, in which rows are found without the rest, and small ones around it.
    for count in [3, 2_000, 1, 90] {
      let receipt = try await ledger.append(rows(count, from: account))
      ids += receipt.transactions.map(\.rawValue)
    }
    func some(_ count: Int) -> [EntityID] {
      (0..<count).compactMap { _ in ids.randomElement(using: &generator) }
    }
    try check([ids[2], ids[5], ids[2_004]] + some(20), in: ledger, "recorded, seed \(seed)")
    for step in 0..<60 {
      let rows = try ledger.read { try $0.transactions(limit: 1_000) }
      let row = try #require(rows.randomElement(using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: try await ledger.append(.delete(row.id))
      case 1:
        if let newest = try ledger.nextUndo() { try await ledger.undo(commit: newest.sequence) }
      case 2: try await ledger.append(.amendAccount(account, AccountChange(note: "\(step)")))
      case 3:
        let changes = rows.prefix(200).map { row in
          Command.amend(row.id, Amendment(note: "All \(step)"))
        }
        try await ledger.append(changes)
      default: try await ledger.append(.amend(row.id, Amendment(note: "\(step)")))
      }
      try check([row.id.rawValue] + some(2), in: ledger, "step \(step), seed \(seed)")
    }
    var options = PurgeOptions()
    options.policy = .count(30)
    try await ledger.purge(options)
    try check([account.rawValue] + some(20), in: ledger, "purged, seed \(seed)")
    try await ledger.compact()
    try check([account.rawValue] + some(20), in: ledger, "compacted, seed \(seed)")
    let last = try #require(try ledger.read { try $0.transactions(limit: 1) }.first)
    try await ledger.append(.amend(last.id, Amendment(note: "secret")))
    try await ledger.erase(.transaction, last.id.rawValue)
    try check([last.id.rawValue] + some(20), in: ledger, "erased, seed \(seed)")
    try await house.end()
  }
}
