import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookReplicas
import DaybookSampleData
import DaybookSyncSimulation
import DaybookSyncWire
import DaybookTesting
import Testing

@testable import DaybookSync

@Suite struct RunningTests {
  @Test func whatIsRecordedComesByItself() async throws {
    let (first, second) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    try await first.append(.openAccount(NewAccount(name: "Cash", currency: .eur)))
    var household = Household()
    try await household.start(first)
    try await household.join(second, name: "laptop")
    let running = household.devices.map { device in Task { try await device.run() } }
    for device in household.devices {
      for await state in device.states() where state.activity == .listening { break }
    }
    try await first.append(.openAccount(NewAccount(name: "Bank", currency: .eur)))
    for try await names in second.observe({ try $0.accounts().map(\.name) }) {
      if names.contains("Bank") { break }
    }
    try await second.append(.openAccount(NewAccount(name: "Savings", currency: .eur)))
    for try await names in first.observe({ try $0.accounts().map(\.name) }) {
      if names.contains("Savings") { break }
    }
    for task in running { task.cancel() }
    for task in running {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func whatPassesByItselfIsWaitedForAndWhatDoesNotEndsIt() async throws {
    let ledger = try await Ledger.inMemory()
    var household = Household()
    try await household.start(ledger)
    let device = household.devices[0]
    let running = Task { try await device.run() }
    for await state in device.states() where state.activity == .listening { break }
    let secrets = try #require(try device.options.secrets.load())
    try await MemoryTransport(household.relay, token: secrets.token)
      .revokeDevice(DeviceToken.hash(secrets.token))
    try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: .eur)))
    await #expect(throws: SyncError.self) { try await running.value }
    #expect(try ledger.read { try $0.accounts().count } == 1)
  }

  @Test func anExchangeEndsThoughMoreIsRecordedMeanwhile() async throws {
    let ledger = try await Ledger.inMemory()
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    let pulls = Kept(0)
    try await household.join(ledger, name: "laptop") { base in
      var transport = FaultyTransport(
        base: base, random: Kept(SeededGenerator(seed: 1)), lossPercent: 0)
      transport.beforePull = {
        let count = pulls.change { count in
          count += 1
          return count
        }
        if count > 50 { throw NetworkFault.lostOnTheWay }
        try await ledger.append(
          .openAccount(NewAccount(name: "Account \(count)", currency: .eur)))
      }
      return transport
    }
    let recorded = try ledger.read { try $0.accounts().count }
    try await household.devices[1].exchange()
    try await household.devices[0].exchange()
    #expect(try household.devices[0].ledger.read { try $0.accounts().count } >= recorded)
    #expect(household.devices[1].state.pendingCount > 0)
  }

  @Test func whoWaitsIsToldHowMuchIsDone() async throws {
    let (first, second) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    var household = Household()
    try await household.start(first)
    try await household.join(second, name: "laptop")
    for _ in 0..<300 {
      try await first.append(.record(.expense(Money(1, .eur), on: Day(rawValue: 20_000))))
    }
    try await household.devices[0].exchange()
    let options = household.devices[1].options
    let secrets = try #require(try options.secrets.load())
    let replica = try Replica(second.store, rules: .ledger)
    let told = Kept<[Double?]>([])
    let exchange = Exchange(
      replica, try options.connect(secrets.relay, secrets.token), options.secrets, secrets,
      try #require(try await LogMemory(replica)), options,
      progress: { part in told.change { $0.append(part) } })
    try await exchange.exchange()
    let pulled = told.value.prefix { $0 != nil }.compactMap(\.self)
    #expect(pulled.count >= 2)
    #expect(pulled == pulled.sorted())
    #expect(pulled.allSatisfy { 0 < $0 && $0 <= 1 })
    #expect(told.value.last == .some(nil))
  }
}
