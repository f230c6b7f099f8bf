import DaybookEntities

/// The kind of an entry's content.
public enum EntryKind: UInt8, Hashable, Sendable, CaseIterable {
  /// A part of a commit (``CommitPart``).
  case commit = 1
  /// A new floor (``EntryHeader/floor``).
  case floor = 2
  /// A device's name and public key (``DeviceEntry``).
  case device = 3
  /// A new key for the remaining devices (``EpochEntry``).
  case epoch = 4
  /// A device's position and the proof of its State (``Beacon``).
  case beacon = 5
  /// The start of the use of another version of the fold (``UpgradeEntry``).
  case upgrade = 6
  /// The list of a snapshot's chunks; not part of the log.
  case manifest = 32
  /// A chunk of a snapshot; not part of the log.
  case chunk = 33
  /// An invitation, which is opened with a pairing code; not part of the log.
  case invitation = 34

  /// Whether entries of this kind are part of the log.
  public var isLogged: Bool { rawValue < 32 }
}

/// The part of a sealed entry that anyone, including the relay, can read without a key.
///
/// The header is authenticated, so changes to it are detected.
public struct EntryHeader: Hashable, Sendable {
  /// The kind of the entry's content.
  public var kind: EntryKind
  /// The replica that created the entry.
  public var replica: UInt64
  /// The push number, which counts the replica's entries in the log, starting at 1 and without
  /// gaps.
  ///
  /// For a chunk, it is the chunk's index from 0; for a manifest or an invitation, it is 0.
  public var number: UInt64
  /// The position up to which the replica had seen the log or, for a snapshot, the snapshot's
  /// position.
  public var base: UInt64
  /// The time of the replica's clock, in microseconds since 1970; it may be wrong.
  public var clock: Int64
  /// The new floor, if `kind` is `floor`; otherwise 0.
  public var floor: UInt64
  /// The epoch of the sealing key, starting at 1; 0 for an invitation.
  public var epoch: UInt32

  /// The size of a header in bytes.
  public static let byteCount = 46

  /// Creates a header.
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

  /// Decodes the header at the start of a sealed entry.
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

  /// Throws if readers would refuse the header.
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

  /// The encoded header.
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
