import Merging

/// The devices that share a ledger, by the replicas that they record as.
struct SharingDevices: Sendable {
  /// What they are called.
  var names: [UInt64: String] = [:]
  /// What this one is, and was called.
  var own: Set<UInt64> = []

  func name(_ writer: Writer?) -> String? { writer.flatMap { names[$0.replica.rawValue] } }

  func isThis(_ writer: Writer?) -> Bool {
    writer.map { own.contains($0.replica.rawValue) } ?? false
  }

  func party(_ replica: UInt64) -> FindingParty {
    own.contains(replica) ? .thisDevice : names[replica].map { .device($0) } ?? .unknown
  }
}
