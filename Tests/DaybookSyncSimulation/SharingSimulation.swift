import Daybook
import DaybookBookkeeping
import DaybookLedgerMerging
import DaybookMerging
import DaybookReplicas
import DaybookSampleData
import DaybookSync
public import DaybookSyncWire
import DaybookTesting

/// One seed: three devices that record and exchange by a relay, and a network that loses messages and answers.
public struct SharingSimulation: Sendable {
  private let seed: UInt64
  private let clock: SimulatedClock
  private let token: String
  private let connect: @Sendable (_ token: String) -> any SyncTransport
  /// What stands between the last device and the network.
  package var exposing: @Sendable (FaultyTransport) -> any SyncTransport = { $0 }

  /// - Parameters:
  ///   - clock: That of the devices; the relay should go by it, too.
  ///   - token: The first device's.
  ///   - connect: How a device reaches the relay by its token, without the network.
  public init(
    seed: UInt64, clock: SimulatedClock, token: String,
    connect: @escaping @Sendable (_ token: String) -> any SyncTransport
  ) {
    self.seed = seed
    self.clock = clock
    self.token = token
    self.connect = connect
  }

  /// What is wrong, in words; empty where every device has everything once, and all are equal.
  ///
  /// What is merely lost on the way is not wrong.
  public func run() async throws -> [String] {
    let random = Kept(SeededGenerator(seed: seed))
    let shared = try await began()
    let devices = shared.map { exposed($0, random, lossPercent: 25) }
    var recorded: Set<String> = ["Begun"]
    var wrong: [String] = []
    for step in 0..<60 {
      let index = random.change { $0.number(0...2) }
      clock.pass(seconds: 1)
      if random.change({ $0.number(0...1) }) == 0 {
        let name = "\(index)-\(step)"
        try await shared[index].ledger.append(
          .openAccount(NewAccount(name: name, currency: .eur)))
        recorded.insert(name)
      } else if let problem = await problem(of: devices[index]) {
        return ["step \(step), device \(index): \(problem)"]
      }
    }
    // The network is well again, the relay is not.
    for device in devices { await device.disconnect() }
    let healed = shared.map { exposed($0, random, lossPercent: 0) }
    for _ in 0..<2 {
      for (index, device) in healed.enumerated() {
        if let problem = await problem(of: device) {
          wrong.append("at rest, device \(index): \(problem)")
        }
      }
    }
    return wrong + (try await differences(healed, shared.map(\.ledger), recorded))
  }

  /// A device's ledger, and its secrets.
  private struct Shared {
    let ledger: Ledger
    let secrets = MemorySecrets()
    let isLast: Bool
  }

  private func began() async throws -> [Shared] {
    var shared: [Shared] = []
    for name in ["phone", "laptop", "tablet"] {
      let one = Shared(ledger: try await Ledger.inMemory(), isLast: name == "tablet")
      let device = sync(one) { $0 }
      if let first = shared.first {
        let code = try await sync(first) { $0 }.invite(deviceName: name)
        try await device.join(code, relay: "simulated", deviceName: name)
      } else {
        try await one.ledger.append(.openAccount(NewAccount(name: "Begun", currency: .eur)))
        try await device.start(relay: "simulated", token: token, deviceName: name)
      }
      await device.disconnect()
      shared.append(one)
    }
    return shared
  }

  /// A device behind the network, the last of them behind what is wrong with the relay as well.
  private func exposed(
    _ one: Shared, _ random: Kept<SeededGenerator>, lossPercent: Int
  ) -> LedgerSync {
    let exposing = exposing
    return sync(one) { base in
      let lossy = FaultyTransport(base: base, random: random, lossPercent: lossPercent)
      return one.isLast ? exposing(lossy) : lossy
    }
  }

  private func sync(
    _ one: Shared, _ passing: @escaping @Sendable (any SyncTransport) -> any SyncTransport
  ) -> LedgerSync {
    var options = SyncOptions(secrets: one.secrets)
    let (connect, clock) = (connect, clock)
    options.connect = { _, token in passing(connect(token)) }
    options.now = { clock.now }
    return LedgerSync(one.ledger, options: options)
  }

  /// What a device says of an exchange, unless it went well or something was lost on the way.
  private func problem(of device: LedgerSync) async -> String? {
    do {
      try await device.exchange()
      return nil
    } catch is NetworkFault {
      return nil
    } catch let error as SyncError {
      return "\(error.code)"
    } catch {
      return "\(error)"
    }
  }

  private func differences(
    _ devices: [LedgerSync], _ ledgers: [Ledger], _ recorded: Set<String>
  ) async throws -> [String] {
    var wrong: [String] = []
    var snapshots: [Folded] = []
    var numbers: [[String: UInt64]] = []
    for (index, (device, ledger)) in zip(devices, ledgers).enumerated() {
      if device.state.pendingCount > 0 { wrong.append("device \(index) has not sent everything") }
      let accounts = try ledger.read { try $0.accounts() }
      let names = accounts.map(\.name)
      numbers.append(
        Dictionary(accounts.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first }))
      if names.count != Set(names).count { wrong.append("device \(index) has something twice") }
      if Set(names) != recorded { wrong.append("device \(index) has not everything") }
      if device.state.devices.contains(where: { $0.proof?.isEqual == false }) {
        wrong.append("device \(index) says that another one differs")
      }
      let replica = try Replica(ledger.store, rules: .ledger)
      snapshots.append(try await replica.snapshot())
      let findings = try await ledger.verify().findings
      if !findings.isEmpty { wrong.append("device \(index): \(findings)") }
    }
    if snapshots.contains(where: { $0 != snapshots[0] }) { wrong.append("devices differ") }
    if numbers.contains(where: { $0 != numbers[0] }) { wrong.append("devices number differently") }
    return wrong
  }
}
