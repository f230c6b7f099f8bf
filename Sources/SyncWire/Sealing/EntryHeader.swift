import Entities

/// What an entry of the exchange holds.
public enum EntryKind: UInt8, Hashable, Sendable, CaseIterable {
  /// A part of a commit (``CommitPart``).
  case commit = 1
  /// A new floor (``EntryHeader/floor``).
  case floor = 2
  /// A device says its name and its public key (``DeviceEntry``).
  case device = 3
  /// A new key for the devices that stay (``EpochEntry``).
  case epoch = 4
  /// What a device has seen, and its State's digest (``Beacon``).
  case beacon = 5
  /// From here on another version of the fold holds (``UpgradeEntry``).
  case upgrade = 6
  /// The list of a snapshot's chunks; not in the log.
  case manifest = 32
  /// A chunk of a snapshot; not in the log.
  case chunk = 33
  /// What a pairing code opens; not in the log.
  case invitation = 34

  /// Whether it has a place in the log.
  public var isLogged: Bool { rawValue < 32 }
}

/// What everybody can read of a sealed entry, the relay too; nobody can change it unnoticed.
public struct EntryHeader: Hashable, Sendable {
  /// What the entry holds.
  public var kind: EntryKind
  /// The replica that made it.
  public var replica: UInt64
  /// The push number: counts the entries that the replica puts into the log, gap-free from 1.
  ///
  /// Of a chunk, its index from 0; of a manifest and an invitation, 0.
  public var number: UInt64
  /// The position up to which the replica had seen the log; of a snapshot, the position it shows.
  public var base: UInt64
  /// The replica's clock, in microseconds since 1970; it may be wrong.
  public var clock: Int64
  /// Where `kind` is a floor, the new floor; otherwise 0.
  public var floor: UInt64
  /// Which key it is sealed with, from 1; of an invitation, 0.
  public var epoch: UInt32

  /// Bytes of a header.
  public static let byteCount = 46

  /// A header.
  public init(
    kind: EntryKind, replica: UInt64, number: UInt64, base: UInt64, clock: Int64,
    floor: UInt64 = 0, epoch: UInt32
  ) {
    self.kind = kind
    self.replica = replica
    self.number = number
    self.base = base
    self.clock = clock
    self.floor = floor
    self.epoch = epoch
  }

  /// Reads the header at the start of a sealed entry.
  ///
  /// - Throws: ``WireError``.
  public init(of entry: [UInt8]) throws(WireError) {
    var reader = WireReader(entry)
    try self.init(&reader)
  }

  init(_ reader: inout WireReader) throws(WireError) {
    try reader.version()
    let start = reader.offset
    let found = try reader.u8()
    guard let kind = EntryKind(rawValue: found) else {
      throw WireError(.invalid, at: start, "kind \(found) of an entry is not known")
    }
    self.init(
      kind: kind, replica: try reader.u64(), number: try reader.u64(), base: try reader.u64(),
      clock: try reader.i64(), floor: try reader.u64(), epoch: try reader.u32())
    try check()
  }

  /// Refuses what no reader takes.
  func check() throws(WireError) {
    guard kind == .floor ? floor >= 1 && floor <= base : floor == 0 else {
      throw WireError(.invalid, at: 34, "floor \(floor) with base \(base) in a \(kind)")
    }
    guard !kind.isLogged || number >= 1 else {
      throw WireError(.invalid, at: 10, "push numbers begin at 1")
    }
    guard kind == .invitation ? epoch == 0 : epoch >= 1 else {
      throw WireError(.invalid, at: 42, "epoch \(epoch) of a \(kind)")
    }
  }

  /// The header's bytes.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: Self.byteCount)
    writer.u8(WireLimits.version)
    writer.u8(kind.rawValue)
    writer.u64be(replica)
    writer.u64be(number)
    writer.u64be(base)
    writer.i64be(clock)
    writer.u64be(floor)
    writer.u32be(epoch)
    return writer.bytes
  }
}
