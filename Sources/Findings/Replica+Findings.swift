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

  /// A change that is held, by the name of its finding, which nobody has put aside.
  func held(_ id: String) async throws -> HeldChange? {
    let open = try await openFindings().first { SyncFinding.id($0) == id }
    return try await held().first { $0.id == open?.id }
  }
}
