import Bookkeeping
import Entities
import Merging
import Replicas

extension Exchange {
  /// The findings that nobody has put aside, on any device.
  func openFindings() async throws -> [Finding] {
    let findings = try await replica.findings()
    if findings.isEmpty { return [] }
    let aside = try await replica.existing(.dismissal, findings.map(SyncFinding.entity))
    return findings.filter { !aside.contains(SyncFinding.entity($0)) }
  }
}
