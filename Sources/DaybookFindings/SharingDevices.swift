import DaybookMerging

/// The devices that share a ledger, identified by their replicas.
struct SharingDevices: Sendable {
  /// The devices' names, by replica.
  var names: [UInt64: String] = [:]
  /// The present and earlier replicas of this device.
  var own: Set<UInt64> = []

  func name(_ writer: Writer?) -> String? { writer.flatMap { names[$0.replica.rawValue] } }

  func isThisDevice(_ writer: Writer?) -> Bool {
    writer.map { own.contains($0.replica.rawValue) } ?? false
  }

  func party(_ replica: UInt64) -> FindingParty {
    own.contains(replica) ? .thisDevice : names[replica].map { .device($0) } ?? .unknown
  }
}
