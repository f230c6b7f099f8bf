import DaybookEngine
import DaybookEntities
import DaybookMerging

/// The keys of the values that a replica stores in addition to State.
///
/// | key | value |
/// |---|---|
/// | `a` | this copy's last commit in the log: its number varint, and the replica name u64 under which it was sent |
/// | `b`, sequence u64 | the log position (varint) that this copy had seen when it recorded the commits from this sequence on |
/// | `d` | the sums of the digest of the fold's elements, 1,024 of u16, low byte first |
/// | `e`, kind u8, id | an entity's element, if State doesn't contain everything about it |
/// | `f`, replica u64, number u64, kind u8, id, rule u8 | a finding's element |
/// | `h`, kind u8, id, replica u64, number u64 | the element of a deferred change |
/// | `j` | while joining from a snapshot: the element of its log's end, empty until it is known |
/// | `l` | the element of the log's end; missing until the replica is complete |
/// | `n` | the current replica name u64; then for each former name: name u64, its last commit varint, whether it has ended u8 (`OwnNames.bytes`) |
/// | `p`, kind u8, cluster u32, recording number u40 | the entities that previously had this number on this device: for each, the log position (varint) at which it was renumbered, and its id |
/// | `r`, replica u64 | the element of a replica |
/// | `t`, replica u64, number u64, kind u8, id, rule u8 | the element of a finding that only this replica has |
/// | `u`, and the rest as after `h` | the element of a deferred change that only this replica has |
/// | `x`, key | a note of the log exchange (``Replica/Note``) |
///
/// A value longer than a consumer's maximum is split; the key of each part ends with the number of
/// the part (u16).
enum SideKey {
  static let acknowledged = [letter("a")]
  static let digest = [letter("d")]
  static let joining = [letter("j")]
  static let end = [letter("l")]
  static let names = [letter("n")]

  static let bases = letter("b")
  static let entities = letter("e")
  static let findings = letter("f")
  static let held = letter("h")
  static let formerPlaces = letter("p")
  static let replicas = letter("r")
  static let ownFindings = letter("t")
  static let ownHeld = letter("u")
  static let notes = letter("x")

  /// The letters of the types of elements that can occur repeatedly, in the order of a snapshot;
  /// entities are last.
  static let elements = [replicas, findings, held, entities]

  private static func letter(_ letter: Character) -> UInt8 { letter.asciiValue ?? 0 }

  static func base(from sequence: UInt64) -> [UInt8] {
    var writer = ByteWriter(reserving: 9)
    writer.u8(bases)
    writer.u64be(sequence)
    return writer.bytes
  }

  static func entity(_ key: DaybookMerging.EntityKey) -> [UInt8] {
    EventStore.replicaKey(key.kind, key.id)
  }

  /// Returns the entity to which a key belongs.
  static func entity(of key: [UInt8]) throws(DecodingFault) -> DaybookMerging.EntityKey {
    var reader = ByteReader(key)
    _ = try reader.u8()
    let kind = EntityKind(rawValue: try reader.u8())
    return DaybookMerging.EntityKey(kind, try reader.id())
  }

  static func finding(_ id: FindingID) -> [UInt8] { finding(id, findings) }
  static func ownFinding(_ id: FindingID) -> [UInt8] { finding(id, ownFindings) }

  private static func finding(_ id: FindingID, _ letter: UInt8) -> [UInt8] {
    var writer = ByteWriter(reserving: 35)
    writer.u8(letter)
    writer.u64be(id.replica.rawValue)
    writer.u64be(id.number)
    writer.u8(id.key.kind.rawValue)
    writer.id(id.key.id)
    writer.u8(id.rule.rawValue)
    return writer.bytes
  }

  /// Returns the common prefix of the keys of an entity's deferred changes.
  static func held(_ key: DaybookMerging.EntityKey) -> [UInt8] {
    var writer = ByteWriter(reserving: 34)
    writer.u8(held)
    writer.u8(key.kind.rawValue)
    writer.id(key.id)
    return writer.bytes
  }

  static func held(_ id: FindingID) -> [UInt8] { held(id, held) }
  static func ownHeld(_ id: FindingID) -> [UInt8] { held(id, ownHeld) }

  private static func held(_ id: FindingID, _ letter: UInt8) -> [UInt8] {
    var writer = ByteWriter(reserving: 34)
    writer.u8(letter)
    writer.u8(id.key.kind.rawValue)
    writer.id(id.key.id)
    writer.u64be(id.replica.rawValue)
    writer.u64be(id.number)
    return writer.bytes
  }

  static func replica(_ id: ReplicaID) -> [UInt8] {
    var writer = ByteWriter(reserving: 9)
    writer.u8(replicas)
    writer.u64be(id.rawValue)
    return writer.bytes
  }

  static func note(_ key: [UInt8]) -> [UInt8] { [notes] + key }

  /// Returns the key of one part of a value.
  static func part(_ number: UInt16, of key: [UInt8]) -> [UInt8] {
    key + [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  /// Returns the lowest key after all parts of a value.
  static func behind(_ key: [UInt8]) -> [UInt8] { key + [.max, .max, 0] }
}
