import Daybook
import DaybookBookkeeping
import DaybookLedgerMerging
import DaybookLedgerScripts
import DaybookMerging
import DaybookReplicas
import DaybookSampleData
import DaybookSync
public import DaybookSyncWire
import DaybookTesting

/// One seed: three devices run every operation of a ledger, offline and in any order, and synchronise through a relay over a
/// network that loses messages and answers.
///
/// An exchange may fail only because of the network, and at rest all devices are equal and sound.
public struct CommandSimulation: Sendable {
  let seed: UInt64
  let clock: SimulatedClock
  let token: String
  let connect: @Sendable (_ token: String) -> any SyncTransport
  /// Removes the entries that the relay needs no more.
  var trim: @Sendable () async -> Void

  /// - Parameters:
  ///   - clock: That of the devices; the relay should go by it, too.
  ///   - token: The first device's.
  ///   - trim: Removes the entries below the floor from the relay's log.
  ///   - connect: How a device reaches the relay by its token, without the network.
  public init(
    seed: UInt64, clock: SimulatedClock, token: String,
    trim: @escaping @Sendable () async -> Void = {},
    connect: @escaping @Sendable (_ token: String) -> any SyncTransport
  ) {
    self.seed = seed
    self.clock = clock
    self.token = token
    self.trim = trim
    self.connect = connect
  }

  /// The simulation with a relay in memory.
  public static func inMemory(seed: UInt64) async -> CommandSimulation {
    let clock = SimulatedClock()
    let relay = MemoryRelay(ledger: EntityID(high: 7, low: seed)) { clock.now }
    return CommandSimulation(
      seed: seed, clock: clock, token: await relay.addDevice(named: "phone"),
      trim: { await relay.trim() }, connect: { MemoryTransport(relay, token: $0) })
  }

  /// What is wrong, in words; empty where every exchange went well and all devices are equal.
  ///
  /// - Parameter stepCount: How much is done before the network is well.
  public func run(stepCount: Int = 40) async throws -> [String] {
    let network = Kept(SeededGenerator(seed: seed &* 31 &+ 7))
    var random = SeededGenerator(seed: seed)
    var devices = try await began(&random)
    var wrong: [String] = []
    for step in 0..<stepCount where wrong.isEmpty {
      let index = random.number(0...2)
      clock.pass(seconds: Int64(random.number(1...3_600)))
      let operation = LedgerOperation.random(&random)
      if let problem = try await devices[index].run(operation, &random, network, self) {
        wrong.append("step \(step), device \(index), \(operation): \(problem)")
      }
    }
    if wrong.isEmpty { wrong += try await rest(devices) }
    for device in devices { try await device.remove() }
    return wrong.map { "seed \(seed): \($0)" }
  }

  private func began(_ random: inout SeededGenerator) async throws -> [SimulatedDevice] {
    var devices: [SimulatedDevice] = []
    for (index, name) in ["phone", "laptop", "tablet"].enumerated() {
      var writer = ScriptWriter(seed: seed &* 31 &+ UInt64(index))
      writer.take(startingIDsAt: UInt64(index) * 1_000_000)
      let device = try await SimulatedDevice(name, writer, clock, skew: skew(&random))
      if let first = devices.first {
        let code = try await sync(first).invite(deviceName: name)
        try await sync(device).join(code, relay: "simulated", deviceName: name)
      } else {
        var first = device
        try await first.ledger.append(first.writer.beginnings())
        try await sync(first).start(relay: "simulated", token: token, deviceName: name)
      }
      devices.append(device)
    }
    return devices
  }

  /// By how many seconds a device's clock is wrong: not at all, a day behind, or ten years ahead.
  private func skew(_ random: inout SeededGenerator) -> Int64 {
    random.pick([0, 0, -86_400, 315_360_000])
  }

  /// The sharing of a device's ledger, over a network where one is given.
  func sync(_ device: SimulatedDevice, over network: Kept<SeededGenerator>? = nil) -> LedgerSync {
    var options = SyncOptions(secrets: device.secrets)
    let (connect, now) = (connect, device.now)
    options.connect = { _, token in
      guard let network else { return connect(token) }
      return FaultyTransport(base: connect(token), random: network, lossPercent: 10)
    }
    options.now = now
    return LedgerSync(device.ledger, options: options)
  }

  /// What a device says of an exchange, unless it went well or something was lost on the way.
  func problem(
    of device: SimulatedDevice, over network: Kept<SeededGenerator>? = nil
  ) async -> String? {
    do {
      try await sync(device, over: network).exchange()
      return nil
    } catch is NetworkFault {
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func rest(_ devices: [SimulatedDevice]) async throws -> [String] {
    for round in 0..<3 {
      for (index, device) in devices.enumerated() {
        if let problem = await problem(of: device) {
          return ["at rest, round \(round), device \(index): \(problem)"]
        }
      }
    }
    var wrong: [String] = []
    var snapshots: [Folded] = []
    for (index, device) in devices.enumerated() {
      let state = try await sync(device).refresh()
      if state.pendingCount > 0 { wrong.append("device \(index) has not sent everything") }
      if !state.unsendable.isEmpty { wrong.append("device \(index): \(state.unsendable)") }
      if state.devices.contains(where: { $0.proof?.isEqual == false }) {
        wrong.append("device \(index) says that another one differs")
      }
      snapshots.append(try await Replica(device.ledger.store, rules: .ledger).snapshot())
      wrong += try await device.ledger.verify().findings.map { "device \(index): \($0)" }
      if seed.isMultiple(of: 8) {
        wrong += try await LedgerChecker(seed: seed, differenceCountMax: 3)
          .differences(in: device.ledger).map { "device \(index): \($0)" }
      }
    }
    for (index, snapshot) in snapshots.enumerated().dropFirst() where snapshot != snapshots[0] {
      wrong.append("device \(index) differs from the first: \(difference(snapshot, snapshots[0]))")
    }
    return wrong
  }

  /// The first entity in which two devices differ, or that it is something else.
  private func difference(_ one: Folded, _ other: Folded) -> String {
    let keys = Set(one.entities.keys).union(other.entities.keys).sorted()
    guard let key = keys.first(where: { one.entities[$0] != other.entities[$0] }) else {
      return "findings, held changes or the log's end"
    }
    let states = [one.entities[key], other.entities[key]].map { $0.map { "\($0)" } ?? "nothing" }
    return "\(key): \(states.joined(separator: "; "))"
  }
}
