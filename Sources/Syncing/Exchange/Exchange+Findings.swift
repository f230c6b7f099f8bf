import Bookkeeping
import Entities
import LedgerMerging
import Merging
import Replicas

extension Exchange {
  /// The findings that nobody has put aside, on any device; what is held is told as findings, too.
  func openFindings() async throws -> [Finding] {
    let held = try await replica.held().map { MergeRules.ledger.finding(of: $0) }
    let findings = try await replica.findings() + held
    if findings.isEmpty { return [] }
    let aside = try await replica.existing(.dismissal, findings.map(SyncFinding.entity))
    return findings.filter { !aside.contains(SyncFinding.entity($0)) }
  }

  /// A change that is held, by the name of its finding, which nobody has put aside.
  func held(_ id: String) async throws -> HeldChange? {
    let open = try await openFindings().first { SyncFinding.id($0) == id }
    return try await replica.held().first { $0.id == open?.id }
  }
}
