import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
package import DaybookMerging
package import DaybookReplicas

extension Replica {
  /// Returns all findings, including a finding for each deferred change.
  package func allFindings() async throws -> [Finding] {
    let held = try await held().map { MergeRules.ledger.finding(of: $0) }
    return try await findings() + held
  }

  /// Returns the findings that no device has dismissed.
  package func openFindings() async throws -> [Finding] {
    let findings = try await allFindings()
    if findings.isEmpty { return [] }
    let aside = try await existing(.dismissal, findings.map(SyncFinding.entity))
    return findings.filter { !aside.contains(SyncFinding.entity($0)) }
  }

  /// Adds the affected entities and the device names to findings.
  func described(_ findings: [Finding]) async throws -> [SyncFinding] {
    let devices = SharingDevices(
      names: try await deviceNames(), own: Set(try await names().map(\.rawValue)))
    let records = try await lastRecords(of: findings.flatMap { [$0.id.key] + $0.entities })
    let held = Dictionary(
      try await held().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return findings.map { finding in
      var described = SyncFinding(finding, devices: devices)
      let state = records[finding.id.key]
      described.record = state?.record
      described.isGone = state?.isGone ?? true
      for index in described.unseen.indices {
        described.unseen[index].record = records[finding.entities[index]]?.record
      }
      if let change = held[finding.id] {
        described.closer = devices.party(change.closing.replica.rawValue)
        described.isNew = change.before == nil && change.after != nil
        if described.isGone { described.record = change.after ?? change.before }
      }
      return described
    }
  }

  /// Returns the names of devices, keyed by replica, from the data of the log exchange
  /// (`Docs/Notes/Replicas.md`).
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

  /// Returns a finding's deferred change, unless the finding is dismissed.
  func held(_ id: String) async throws -> HeldChange? {
    let open = try await openFindings().first { SyncFinding.id($0) == id }
    return try await held().first { $0.id == open?.id }
  }
}
