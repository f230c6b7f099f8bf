import Entities
import Merging
import Projecting

/// The keys of what a replica remembers beside its State.
///
/// | key | value |
/// |---|---|
/// | `a` | the last own commit that the log has: its number varint, and under which name u64 |
/// | `b`, sequence u64 | up to which position the log had been seen by own commits from that one on |
/// | `d` | the sums of the digest of all that the fold reads, 1,024 of u16, low byte first |
/// | `e`, kind u8, id | an entity's element, where State does not say all of it |
/// | `f`, replica u64, number u64, kind u8, id, rule u8 | a finding's element |
/// | `h`, kind u8, id, replica u64, number u64 | the element of a change that is held |
/// | `j` | while a snapshot is being taken in: the element of its log's end, empty as long as that is not known |
/// | `l` | the element of the log's end; missing as long as the replica is not whole |
/// | `n` | under which names this copy has recorded (`OwnNames.bytes`) |
/// | `p`, kind u8, cluster u32, recording number u40 | which entities had this place on this device and have another: of each up to which position the log had been pulled, varint, and its id |
/// | `r`, replica u64 | the element of a replica |
/// | `t`, replica u64, number u64, kind u8, id, rule u8 | the element of a finding that this replica alone has |
/// | `u`, and the rest as after `h` | the element of a change that this replica alone holds |
/// | `x`, key | what whoever exchanges the log notes (``Replica/Note``) |
///
/// Values longer than a consumer's may be are cut: the number of the part, u16, ends each key.
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

  /// Those of elements that have no single key, in the order of a snapshot; entities come last.
  static let elements = [replicas, findings, held, entities]

  private static func letter(_ letter: Character) -> UInt8 { letter.asciiValue ?? 0 }

  static func base(from sequence: UInt64) -> [UInt8] {
    var writer = ByteWriter(reserving: 9)
    writer.u8(bases)
    writer.u64be(sequence)
    return writer.bytes
  }

  static func entity(_ key: Merging.EntityKey) -> [UInt8] {
    EventStore.replicaKey(key.kind, key.id)
  }

  /// The entity that a key is of.
  static func entity(of key: [UInt8]) throws(DecodingFault) -> Merging.EntityKey {
    var reader = ByteReader(key)
    _ = try reader.u8()
    let kind = EntityKind(rawValue: try reader.u8())
    return Merging.EntityKey(kind, try reader.id())
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

  /// What the keys of all that is held of an entity begin with.
  static func held(_ key: Merging.EntityKey) -> [UInt8] {
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

  /// The key of a part of a value.
  static func part(_ number: UInt16, of key: [UInt8]) -> [UInt8] {
    key + [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  /// The least key behind all parts of a value.
  static func behind(_ key: [UInt8]) -> [UInt8] { key + [.max, .max, 0] }
}
