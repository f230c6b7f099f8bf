import DaybookSyncWire
import Relay

/// Devices that ask a store within this process.
struct StoreLoad {
  let store: any RelayStore
  let kind: Logs.Kind
  let seconds: Double

  /// How long each answer took, in seconds.
  func times(_ tokens: [String]) async throws -> [Double] {
    let end = ContinuousClock.now + .seconds(seconds)
    return try await withThrowingTaskGroup(of: [Double].self) { group in
      for token in tokens { group.addTask { try await ask(token, until: end) } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  @concurrent private func ask(
    _ token: String, until end: ContinuousClock.Instant
  ) async throws -> [Double] {
    guard let device = try await store.device(DeviceToken.hash(token)) else {
      throw Fault(description: "no such device")
    }
    let ledger = device.ledger
    var next = try await store.status(of: ledger, now: 1).end.position + 1
    let (position, entryCount) = kind.page
    var times: [Double] = []
    while ContinuousClock.now < end {
      let page = kind == .push ? PushPage([try Logs.entry(next, of: ledger)]) : nil
      let start = ContinuousClock.now
      if let page {
        _ = try await store.push(page, to: ledger, now: 1)
        next += 1
      } else {
        let found = try await store.pull(
          from: ledger, after: position, byteCountMax: WireLimits.pageByteCountMax)
        guard found.entries.count == entryCount else {
          throw Fault(description: "a page of \(found.entries.count) entries")
        }
      }
      times.append(passed(since: start))
    }
    return times
  }
}
