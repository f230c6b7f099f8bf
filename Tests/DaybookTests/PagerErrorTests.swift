import Daybook
import DaybookEngine
import DaybookJournal
/// Goal: a pager says what went wrong, keeps nothing open, and gets over what passes; it hears of other
/// processes.
/// Method: ledgers that are closed, whose projection another process breaks, or that another process
/// writes to; the size of the views' file tells who held a read transaction.
import DaybookProjections
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct PagerErrorTests {
  @Test func aClosedLedgerIsAnErrorBesideWhatWasShown() async throws {
    let house = try await House()
    let account = try await house.account("A")
    try await house.expense(money("1"), from: account)
    let pager = TransactionPager(house.ledger)
    let following = Task { await pager.run() }
    try await pager.rest()
    try await house.ledger.close()
    await following.value
    #expect(pager.error?.code == .closed && pager.rows.count == 1 && !pager.isLoading)
    // Another question has no answer.
    pager.account = account
    await pager.settled()
    #expect(pager.error?.code == .closed && pager.sections.isEmpty && pager.count == nil)
    try await house.end()
  }

  @Test func whatIsGoneIsNotListed() async throws {
    let house = try await House()
    let account = try await house.account("A")
    try await house.expense(money("1"), from: account)
    let pager = TransactionPager(house.ledger, filter: TransactionFilter(account: account))
    let following = Task { await pager.run() }
    try await pager.rest()
    #expect(pager.rows.count == 1)
    try await house.append(.deleteAccount(account, .withRows))
    try await pager.rest()
    #expect(pager.error == nil && pager.rows.isEmpty)
    // What never was cannot be asked for.
    pager.account = AccountID(EntityID(high: 7, low: 7))
    while pager.error == nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(pager.error?.code == .invalidQuery && pager.sections.isEmpty)
    pager.account = account
    try await pager.rest()
    // History brings it back, and so does the pager.
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    try await pager.rest()
    #expect(pager.error == nil && pager.rows.count == 1)
    following.cancel()
    await following.value
    try await house.end()
  }

  @Test func aBrokenProjectionIsSaidAndGotOver() async throws {
    let house = try await House()
    let account = try await house.account("A")
    try await house.expense(money("1"), from: account)
    let pager = TransactionPager(house.ledger)
    let following = Task { await pager.run() }
    try await pager.rest()
    await #expect(processExitsWith: .success) { [path = house.path as String] in
      try await breakLists(path)
    }
    while pager.error == nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(pager.error?.code == .projectionUnavailable && pager.rows.count == 1)
    try await house.ledger.rebuild()
    await pager.refresh()
    #expect(pager.error == nil && pager.rows.count == 1)
    try await house.expense(money("1"), from: account)
    try await pager.rest()
    #expect(pager.error == nil && pager.rows.count == 2)
    following.cancel()
    await following.value
    try await house.end()
  }

  @Test func whereBalancesAreBrokenAnAccountIsListedAndNotCounted() async throws {
    var options = Ledger.Options()
    options.builtins = Ledger.projections.map {
      $0 == Balances.self ? Broken<Balances>.self : $0
    }
    let house = try await House()
    try await house.ledger.close()
    house.ledger = try await Ledger.open(at: house.path, options: options)
    let account = try await house.account("A")
    try await house.expense(money("1"), from: account)
    let filter = TransactionFilter(account: account)
    let rows = try house.ledger.read { try $0.transactions(filter, limit: 10) }
    let count = try house.ledger.read { try $0.count() }
    #expect(rows.count == 1 && count == 1)
    let refused = #expect(throws: DaybookError.self) {
      try house.ledger.read { try $0.count(filter) }
    }
    #expect(refused?.code == .projectionUnavailable)
    try await house.ledger.close()
    house.ledger = try await Ledger.open(at: house.path)
    try await house.ledger.rebuild()
    let counted = try house.ledger.read { try $0.count(filter) }
    #expect(counted == 1)
    try await house.end()
  }

  @Test func whatOtherProcessesCommitIsShown() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let pager = TransactionPager(house.ledger, filter: TransactionFilter(account: account))
    let window = TransactionWindow(house.ledger, today: today)
    let following = [Task { await pager.run() }, Task { await window.run() }]
    try await pager.rest()
    await #expect(processExitsWith: .success) {
      [path = house.path as String, account = account.description as String] in
      try await appendElsewhere(path, account, 20).close()
    }
    while pager.count != 20 || window.count != 20 { try await Task.sleep(for: .milliseconds(1)) }
    try await pager.rest()
    #expect(pager.rows.first?.balance == total("-20") && window.sums == [total("-20")])
    for task in following {
      task.cancel()
      await task.value
    }
    try await house.end()
  }

  /// A read transaction that is held keeps every page written since from being used again; see
  /// LiveEndingTests for how large the file becomes then.
  @Test func whoShowsHoldsNoTransaction() async throws {
    func viewsByteCount(isShown: Bool) async throws -> Int {
      let house = try await House()
      let account = try await house.account("A")
      let pager = TransactionPager(house.ledger)
      let window = TransactionWindow(house.ledger, today: today)
      var following: [Task<Void, Never>] = []
      if isShown {
        following = [Task { await pager.run() }, Task { await window.run() }]
        try await pager.rest()
      }
      for _ in 0..<300 {
        try await house.expense(money("1"), from: account)
        // A fetch that several commits overtake keeps their pages as well, as long as it takes.
        if isShown {
          try await pager.rest()
          try await window.rest()
        }
      }
      if isShown { #expect(pager.count == 300) }
      let attributes = try FileManager.default.attributesOfItem(
        atPath: house.path + "/views-0001/data.mdb")
      for task in following {
        task.cancel()
        await task.value
      }
      try await house.end()
      return try #require(attributes[.size] as? Int)
    }
    let alone = try await viewsByteCount(isShown: false)
    #expect(try await viewsByteCount(isShown: true) < 2 * alone)
  }

  @Test func whoLetsGoOfAPagerIsRidOfIt() async throws {
    let house = try await House()
    weak var gone: TransactionPager?
    do {
      let pager = TransactionPager(house.ledger)
      gone = pager
      let following = Task { await pager.run() }
      try await pager.rest()
      following.cancel()
      await following.value
    }
    #expect(gone == nil)
    #expect(house.ledger.liveness.listenerCount == 0)
    try await house.end()
  }
}

/// Another program's idea of a projection, under the same name and version, which fails.
private struct Broken<Original: Projection>: Projection {
  struct Fault: Error {}
  static var name: String { Original.name }
  static var version: UInt32 { Original.version }
  static var tables: [TableDefinition] { Original.tables }

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    throw Fault()
  }
}

/// Appends with a projection that fails, as a child of a test.
private func breakLists(_ path: String) async throws {
  let schema = Schema(
    KindDescription.all.map {
      KindDefinition(
        kind: $0.kind, name: $0.name, personalTags: TagSet($0.personalTags),
        clusterTag: $0.clusterTag, newestVersion: $0.version)
    })
  var options = EventStoreOptions()
  options.mapByteCount = 1 << 30
  let store = try await EventStore.open(
    at: path, schema: schema, projections: [Broken<Transactions>.self], options: options)
  let category = Category(
    id: CategoryID(EntityID(high: 9, low: 9)), number: 9_999, name: "Broken", kind: .expense)
  _ = try await store.append { context in
    try context.apply(
      Change(
        kind: Category.kind, id: category.id.rawValue, number: category.number, before: nil,
        after: category.record()))
  }
  try await store.close()
}
