import Bookkeeping
import Daybook
import Entities
import LedgerMerging
import Merging
import Replicas
import SyncWire

@testable import DaybookTesting
@testable import Syncing

/// One seed: three devices that record and exchange, a network that loses messages and answers, and a relay that may
/// have a fault, which the last device sees.
struct SharingSimulation {
  let seed: UInt64
  var fault: RelayFault?

  /// What is wrong, in words; empty where every device has everything once, and all are equal.
  ///
  /// What is merely lost on the way is not wrong.
  func run() async throws -> [String] {
    let random = Kept(SeededGenerator(seed: seed))
    let household = try await began()
    let devices = try await exposed(household, random, lossPercent: 25)
    var recorded: Set<String> = ["Begun"]
    var wrong: [String] = []
    for step in 0..<60 {
      let index = random.change { $0.number(0...2) }
      household.pass(seconds: 1)
      if random.change({ $0.number(0...1) }) == 0 {
        let name = "\(index)-\(step)"
        try await devices[index].ledger.append(
          .openAccount(NewAccount(name: name, currency: .eur)))
        recorded.insert(name)
      } else if let problem = await problem(of: devices[index]) {
        return ["step \(step), device \(index): \(problem)"]
      }
    }
    // The network is well again, the relay is not.
    for device in devices { await device.disconnect() }
    let healed = try await exposed(household, random, lossPercent: 0)
    for _ in 0..<2 {
      for (index, device) in healed.enumerated() {
        if let problem = await problem(of: device) {
          wrong.append("at rest, device \(index): \(problem)")
        }
      }
    }
    return wrong + (try await differences(healed, recorded))
  }

  private func began() async throws -> Household {
    var household = Household()
    let first = try await Ledger.inMemory()
    try await first.append(.openAccount(NewAccount(name: "Begun", currency: .eur)))
    try await household.start(first)
    for name in ["laptop", "tablet"] {
      try await household.join(try await Ledger.inMemory(), name: name)
    }
    return household
  }

  /// The devices behind the network, and the last of them behind the relay's fault.
  private func exposed(
    _ household: Household, _ random: Kept<SeededGenerator>, lossPercent: Int
  ) async throws -> [LedgerSync] {
    let foreign = fault == .mixesUp ? await (try began()).relay.entries : []
    let fault = fault
    return household.devices.enumerated().map { index, sync in
      var options = sync.options
      let connect = options.connect
      options.connect = { relay, token in
        let base = try connect(relay, token)
        guard let base = base as? MemoryTransport else { return base }
        let lossy = FaultyTransport(base: base, random: random, lossPercent: lossPercent)
        guard index == 2, let fault else { return lossy }
        return FaultyRelay(base: lossy, fault: fault, foreign: foreign)
      }
      return LedgerSync(sync.ledger, options: options)
    }
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
    _ devices: [LedgerSync], _ recorded: Set<String>
  ) async throws -> [String] {
    var wrong: [String] = []
    var snapshots: [Folded] = []
    for (index, device) in devices.enumerated() {
      if device.state.pendingCount > 0 { wrong.append("device \(index) has not sent everything") }
      let names = try device.ledger.read { try $0.accounts().map(\.name) }
      if names.count != Set(names).count { wrong.append("device \(index) has something twice") }
      if Set(names) != recorded { wrong.append("device \(index) has not everything") }
      if device.state.devices.contains(where: { $0.proof?.isEqual == false }) {
        wrong.append("device \(index) says that another one differs")
      }
      let replica = try Replica(device.ledger.store, rules: .ledger)
      snapshots.append(try await replica.snapshot())
      let findings = try await device.ledger.verify().findings
      if !findings.isEmpty { wrong.append("device \(index): \(findings)") }
    }
    if snapshots.contains(where: { $0 != snapshots[0] }) { wrong.append("devices differ") }
    return wrong
  }
}
