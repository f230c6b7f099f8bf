import Replicas
import Merging

extension Exchange {
  /// The findings that nobody has put aside.
  func openFindings() async throws -> [Finding] { try await replica.findings() }
}
