import DaybookEntities
import DaybookSyncWire

extension FuzzTarget {
  /// The wire format of sync: content that a decoder accepts must be written as the same bytes.
  static let wire = FuzzTarget(
    name: "wire",
    seeds: { _ in
      let beacon = Beacon(position: 5, link: .zero, state: .zero)
      let commit = WireCommit(number: 1, baseLink: .zero, baseState: .zero, changes: [])
      let device = DeviceEntry(name: "Phone", publicKey: DeviceKey().publicKey)
      let contents = [
        commit.bytes, try CommitPart.parts(of: commit)[0].bytes, try device.bytes,
        try EpochEntry(epoch: 2, wraps: [], revoked: [9]).bytes, beacon.bytes,
        UpgradeEntry(foldVersion: 2).bytes,
        SnapshotManifest(beacon: beacon, chunks: [.zero]).bytes,
        PullPage(head: 0, floor: 0, link: .zero, entries: []).bytes,
      ]
      // The first byte selects the decoder for the rest.
      return contents.enumerated().map { [UInt8($0.offset)] + $0.element }
    },
    run: { bytes in
      guard let first = bytes.first else { return }
      let decoder = first % 9
      var rest = Array(bytes.dropFirst())
      if decoder >= 7, rest.count > Hash256.byteCount {
        // A page ends with its SHA-256, which random mutations can't produce, so it is recomputed.
        rest.removeLast(Hash256.byteCount)
        rest += Hash256(hashing: rest).bytes
      }
      if let again = try? read(rest, by: decoder) {
        require(again == rest, "what was read is written as the same")
      }
      if let code = PairingCode(String(decoding: rest, as: UTF8.self)) {
        require(PairingCode(code.text) == code, "a code is read as it is written")
      }
    })

  private static func read(_ bytes: [UInt8], by decoder: UInt8) throws -> [UInt8] {
    switch decoder {
    case 0: try WireCommit(bytes: bytes).bytes
    case 1: try CommitPart(bytes: bytes).bytes
    case 2: try DeviceEntry(bytes: bytes).bytes
    case 3: try EpochEntry(bytes: bytes).bytes
    case 4: try Beacon(bytes: bytes).bytes
    case 5: try UpgradeEntry(bytes: bytes).bytes
    case 6: try SnapshotManifest(bytes: bytes).bytes
    case 7: try PullPage(bytes: bytes).bytes
    default: try PushPage(bytes: bytes).bytes
    }
  }
}
