import DaybookEntities

@testable import DaybookSyncWire

let ledger = EntityID(high: 0x0001_0203_0405_0607, low: 0x0809_0a0b_0c0d_0e0f)
let key = LedgerKey(bytes: Array(0..<32)) ?? LedgerKey()

func hash(_ byte: UInt8) -> Hash256 { Hash256([UInt8](repeating: byte, count: 32)) ?? .zero }

func record(_ properties: [UInt8: [UInt8]]) -> Record {
  var writer = RecordWriter()
  for (tag, value) in properties.sorted(by: { $0.key < $1.key }) {
    writer.put(tag) { $0.raw(value) }
  }
  return writer.record
}

/// A commit of one amendment: the note "tea" becomes "Tea".
func sampleCommit(number: UInt64 = 1) -> WireCommit {
  WireCommit(
    number: number, baseLink: LogEnd(startOf: ledger).link, baseState: hash(0xaa),
    changes: [
      WireChange(
        kind: EntityKind(rawValue: 2), id: EntityID(high: 1, low: 2),
        before: record([3: Array("tea".utf8)]), after: record([3: Array("Tea".utf8)]),
        personalTags: [3])
    ])
}

func sampleHeader(
  _ kind: EntryKind = .commit, replica: UInt64 = 0x0102_0304_0506_0708, number: UInt64 = 1,
  base: UInt64 = 0
) -> EntryHeader {
  EntryHeader(
    kind: kind, replica: replica, number: number, base: base, clock: 1_700_000_000_000_000,
    epoch: 1)
}

func sampleEntry(
  replica: UInt64 = 0x0102_0304_0506_0708, number: UInt64 = 1, base: UInt64 = 0
) throws -> SealedEntry {
  let part = try CommitPart.parts(of: sampleCommit(number: number))[0]
  return try SealedEntry.seal(
    part.bytes, sampleHeader(replica: replica, number: number, base: base), ledger: ledger,
    key: key, nonce: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 12))
}

/// A log of `count` entries of two replicas, and its end.
func sampleLog(_ count: Int) throws -> (entries: [PlacedEntry], end: LogEnd) {
  var end = LogEnd(startOf: ledger)
  var entries: [PlacedEntry] = []
  for index in 0..<count {
    let entry = try sampleEntry(
      replica: UInt64(index % 2 + 1), number: UInt64(index / 2 + 1), base: UInt64(index))
    let placed = PlacedEntry(
      position: UInt64(index + 1), received: 1_700_000_000_000_000 + Int64(index), entry: entry)
    end = end.appending(
      replica: entry.header.replica, number: entry.header.number, received: placed.received,
      digest: entry.digest)
    entries.append(placed)
  }
  return (entries, end)
}

/// Every content of an entry, with what reads it again and writes it.
func contents() throws -> [(name: String, bytes: [UInt8], again: ([UInt8]) throws -> [UInt8])] {
  let device = DeviceKey(secret: Array(1...32)) ?? DeviceKey()
  let once = DeviceKey(secret: Array(33...64)) ?? DeviceKey()
  let wrap = try KeyWrap(key, epoch: 2, ledger: ledger, replica: 7, for: device.publicKey, by: once)
  let beacon = Beacon(position: 5, link: hash(1), state: hash(2))
  return [
    ("commit", sampleCommit().bytes, { try WireCommit(bytes: $0).bytes }),
    (
      "part", try CommitPart.parts(of: sampleCommit())[0].bytes,
      { try CommitPart(bytes: $0).bytes }
    ),
    (
      "device", try DeviceEntry(name: "Phone", publicKey: device.publicKey).bytes,
      { try DeviceEntry(bytes: $0).bytes }
    ),
    (
      "epoch", try EpochEntry(epoch: 2, wraps: [wrap], revoked: [9]).bytes,
      { try EpochEntry(bytes: $0).bytes }
    ),
    ("beacon", beacon.bytes, { try Beacon(bytes: $0).bytes }),
    ("upgrade", UpgradeEntry(foldVersion: 2).bytes, { try UpgradeEntry(bytes: $0).bytes }),
    (
      "manifest", SnapshotManifest(beacon: beacon, chunks: [hash(3)]).bytes,
      { try SnapshotManifest(bytes: $0).bytes }
    ),
  ]
}
