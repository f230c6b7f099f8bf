// Goal: whatever is lost on the way, every device has everything once the network is well, and each command's effect
// once. Method: seeded commands on three devices whose messages and answers are lost, and that stay away for months while
// the floor moves and the relay lets go of entries; at rest equal snapshots, and nothing that was recorded is missing. `DAYBOOK_NETWORKS` says how many seeds.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookReplicas
import DaybookSyncSimulation
import DaybookSyncWire
import Foundation
import Testing

@testable import DaybookSync
@testable import DaybookTesting

@Suite struct UnreliableNetworkTests {
  private static let seeds: Range<UInt64> = {
    let asked = ProcessInfo.processInfo.environment["DAYBOOK_NETWORKS"].flatMap(UInt64.init)
    return 0..<(asked ?? 60)
  }()

  /// What was given up as lost is placed in the very moment in which it is sent again.
  @Test func whatComesLateIsNoOtherCopysDoing() async throws {
    var household = Household()
    let first = try await Ledger.inMemory()
    try await household.start(first)
    let second = try await Ledger.inMemory()
    try await household.join(second, name: "laptop")
    var options = household.devices[1].options
    let connect = options.connect
    let late = Kept<PushPage?>(nil)
    options.connect = { relay, token in
      let base = try connect(relay, token)
      guard let base = base as? MemoryTransport else { return base }
      return FaultyTransport(
        base: base, random: Kept(SeededGenerator(seed: 1)), lossPercent: 0, late: late)
    }
    let device = LedgerSync(second, options: options)
    try await second.append(.openAccount(NewAccount(name: "Bank", currency: .eur)))
    await #expect(throws: NetworkFault.self) { try await device.exchange() }
    try await device.exchange()
    #expect(device.state.pendingCount == 0)
    try await household.devices[0].exchange()
    #expect(try first.read { try $0.accounts().map(\.name) } == ["Bank"])
  }

  @Test(arguments: seeds) func everythingArrivesOnce(seed: UInt64) async throws {
    let random = Kept(SeededGenerator(seed: seed))
    var household = Household()
    let first = try await Ledger.inMemory()
    try await first.append(.openAccount(NewAccount(name: "Begun", currency: .eur)))
    try await household.start(first)
    for name in ["laptop", "tablet"] {
      try await household.join(try await Ledger.inMemory(), name: name) { base in
        // Joining begins anew where it fails; losses begin once the device is there.
        FaultyTransport(
          base: base, random: Kept(SeededGenerator(seed: seed &* 7)), lossPercent: 0)
      }
    }
    let lossy = household.devices.map { sync in
      var options = sync.options
      let connect = options.connect
      options.connect = { relay, token in
        let base = try connect(relay, token)
        guard let base = (base as? FaultyTransport)?.base ?? (base as? MemoryTransport) else {
          return base
        }
        return FaultyTransport(base: base, random: random, lossPercent: 25)
      }
      return LedgerSync(sync.ledger, options: options)
    }
    var recorded: Set<String> = ["Begun"]
    var erased: Set<String> = []
    for step in 0..<60 {
      let index = random.change { $0.number(0...2) }
      household.pass(seconds: 1)
      switch random.change({ $0.number(0...19) }) {
      case 0...2: household.pass(seconds: 86_400)
      case 3: household.pass(seconds: 100 * 86_400)
      case 4:
        let snapshotting = household.devices[index]
        await snapshotting.disconnect()
        try await snapshotting.connected().alone { exchange in
          try await exchange.exchange()
          try await exchange.sendSnapshot()
        }
        await household.relay.trim()
      case 5:
        let accounts = try lossy[index].ledger.read { try $0.accounts() }
        let open = accounts.filter { !$0.name.hasPrefix("Erased") }
        let account = open[random.change { $0.number(0...(open.count - 1)) }]
        try await lossy[index].ledger.erase(.account, account.id.rawValue)
        erased.insert(account.name)
      default: break
      }
      if random.change({ $0.number(0...1) }) == 0 {
        let name = "\(index)-\(step)"
        try await lossy[index].ledger.append(
          .openAccount(NewAccount(name: name, currency: .eur)))
        recorded.insert(name)
      } else {
        // What was lost is no reason for alarm, and nothing else went wrong.
        do {
          try await lossy[index].exchange()
        } catch {
          #expect(error is NetworkFault, "seed \(seed), step \(step): \(error)")
        }
      }
    }
    for device in lossy { await device.disconnect() }
    try await household.settle()
    var snapshots: [Folded] = []
    for device in household.devices {
      #expect(device.state.pendingCount == 0)
      let names = try device.ledger.read { try $0.accounts().map(\.name) }
      #expect(names.count == recorded.count, "seed \(seed): each once")
      let expected = recorded.subtracting(erased)
      #expect(Set(names).filter { !$0.hasPrefix("Erased") } == expected, "seed \(seed)")
      let replica = try Replica(device.ledger.store, rules: .ledger)
      snapshots.append(try await replica.snapshot())
      #expect(try await device.ledger.verify().findings == [])
    }
    #expect(snapshots.allSatisfy { $0 == snapshots[0] }, "seed \(seed)")
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func aRelayWithoutFaultsHasNone(seed: UInt64)
    async throws
  {
    #expect(try await SharingSimulation.run(seed: seed) == [], "seed \(seed)")
  }
}
