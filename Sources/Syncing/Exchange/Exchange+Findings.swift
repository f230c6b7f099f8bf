import Merging
import Replicas

extension Exchange {
  private static let letter = UInt8(ascii: "f")

  /// The findings that nobody has put aside here.
  func openFindings() async throws -> [Finding] {
    let findings = try await replica.findings()
    if findings.isEmpty { return [] }
    let aside = Set(try await replica.notes([Self.letter]).map(\.key))
    return findings.filter { !aside.contains(Self.key(SyncFinding.id($0))) }
  }

  /// Puts a finding aside.
  func dismiss(_ id: String) async throws -> Bool {
    guard try await openFindings().contains(where: { SyncFinding.id($0) == id }) else {
      return false
    }
    try await replica.note([Replica.Note(Self.key(id), [1])])
    return true
  }

  private static func key(_ id: String) -> [UInt8] { [letter] + Array(id.utf8) }
}
