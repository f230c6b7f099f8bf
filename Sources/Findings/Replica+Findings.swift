import Bookkeeping
import Entities
import LedgerMerging
package import Merging
package import Replicas

extension Replica {
  /// The findings; what is held is told as findings, too.
  package func allFindings() async throws -> [Finding] {
    let held = try await held().map { MergeRules.ledger.finding(of: $0) }
    return try await findings() + held
  }

  /// Those that nobody has put aside, on any device.
  package func openFindings() async throws -> [Finding] {
    let findings = try await allFindings()
    if findings.isEmpty { return [] }
    let aside = try await existing(.dismissal, findings.map(SyncFinding.entity))
    return findings.filter { !aside.contains(SyncFinding.entity($0)) }
  }

  /// Findings with what they are about, and the devices by their names.
  func told(_ findings: [Finding]) async throws -> [SyncFinding] {
    let devices = SharingDevices(
      names: try await deviceNames(), own: Set(try await names().map(\.rawValue)))
    let records = try await lastRecords(of: findings.flatMap { [$0.id.key] + $0.entities })
    let held = Dictionary(
      try await held().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return findings.map { finding in
      var told = SyncFinding(finding, devices: devices)
      let state = records[finding.id.key]
      told.record = state?.record
      told.isGone = state?.isGone ?? true
      for index in told.unseen.indices {
        told.unseen[index].record = records[finding.entities[index]]?.record
      }
      if let change = held[finding.id] {
        told.closer = devices.party(change.closing.replica.rawValue)
        told.isNew = change.before == nil && change.after != nil
        if told.isGone { told.record = change.after ?? change.before }
      }
      return told
    }
  }

  /// What devices are called, by their replicas, as the exchange notes it (`Docs/Notes/Replicas.md`).
  func deviceNames() async throws -> [UInt64: String] {
    var names: [UInt64: String] = [:]
    for note in try await notes([UInt8(ascii: "d")]) {
      guard let value = note.value else { continue }
      var (key, device) = (ByteReader(note.key), ByteReader(value))
      _ = try key.u8()
      names[try key.u64be()] = try device.string()
    }
    return names
  }

  /// A change that is held, by the name of its finding, which nobody has put aside.
  func held(_ id: String) async throws -> HeldChange? {
    let open = try await openFindings().first { SyncFinding.id($0) == id }
    return try await held().first { $0.id == open?.id }
  }
}
