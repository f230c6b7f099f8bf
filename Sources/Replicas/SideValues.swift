import Entities
import Merging
import Projecting

/// What a replica remembers beside its State, in the journal and together with its commits.
///
/// | key | value |
/// |---|---|
/// | `a` | the number of the last own commit that the log has |
/// | `b`, sequence u64 | up to which position the log had been seen by own commits from that one on |
/// | `e`, kind u8, id | an entity's element, where State does not say all of it |
/// | `f`, replica u64, number u64, kind u8, id, rule u8 | a finding's element |
/// | `l` | the element of the log's end |
/// | `r`, replica u64 | the element of a replica |
/// | `x`, key | what whoever exchanges the log notes (``Replica/Note``) |
///
/// Values longer than a consumer's may be are cut: a byte that counts the parts ends each key.
struct SideValues {
  let context: MergeContext

  private static let partByteCount = 1_900

  // MARK: One value

  /// The value under a key.
  func value(_ key: [UInt8]) throws -> [UInt8]? {
    guard var whole = try context.value(key + [0]) else { return nil }
    var part = whole
    var number: UInt8 = 0
    while part.count == Self.partByteCount {
      number += 1
      part = try context.value(key + [number]) ?? []
      whole += part
    }
    return whole
  }

  /// Puts a value under a key; `nil` removes it.
  func put(_ value: [UInt8]?, under key: [UInt8]) throws {
    var number: UInt8 = 0
    if var rest = value?[...] {
      while true {
        context.put(Array(rest.prefix(Self.partByteCount)), under: key + [number])
        let isFull = rest.count >= Self.partByteCount
        rest = rest.dropFirst(Self.partByteCount)
        number += 1
        if !isFull { break }
      }
    }
    while try context.value(key + [number]) != nil {
      context.put(nil, under: key + [number])
      number += 1
    }
  }

  /// Calls `body` with each value whose key begins with a letter.
  func forEach(_ letter: Character, _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Void)
    throws
  {
    var key: [UInt8] = []
    var value: [UInt8] = []
    try context.forEachValue(prefix: [Self.letter(letter)]) { found, part in
      let whole = Array(found.dropLast())
      if whole == key {
        value += part
      } else {
        if !key.isEmpty { try body(key, value) }
        (key, value) = (whole, part)
      }
    }
    if !key.isEmpty { try body(key, value) }
  }

  // MARK: Keys

  private static func letter(_ letter: Character) -> UInt8 { letter.asciiValue ?? 0 }

  static let acknowledged: [UInt8] = [letter("a")]
  static let end: [UInt8] = [letter("l")]

  static func base(from sequence: UInt64) -> [UInt8] {
    var writer = ByteWriter(reserving: 9)
    writer.u8(letter("b"))
    writer.u64be(sequence)
    return writer.bytes
  }

  static func entity(_ key: Merging.EntityKey) -> [UInt8] {
    var writer = ByteWriter(reserving: 18)
    writer.u8(letter("e"))
    writer.u8(key.kind.rawValue)
    writer.id(key.id)
    return writer.bytes
  }

  static func finding(_ id: FindingID) -> [UInt8] {
    var writer = ByteWriter(reserving: 35)
    writer.u8(letter("f"))
    writer.u64be(id.replica.rawValue)
    writer.u64be(id.number)
    writer.u8(id.key.kind.rawValue)
    writer.id(id.key.id)
    writer.u8(id.rule.rawValue)
    return writer.bytes
  }

  static func replica(_ id: ReplicaID) -> [UInt8] {
    var writer = ByteWriter(reserving: 9)
    writer.u8(letter("r"))
    writer.u64be(id.rawValue)
    return writer.bytes
  }

  // MARK: What is in them

  /// The number of the last own commit that the log has.
  var acknowledgedNumber: UInt64 {
    get throws {
      guard let value = try value(Self.acknowledged) else { return 0 }
      var reader = ByteReader(value)
      return try reader.varint()
    }
  }

  func put(acknowledged number: UInt64) throws {
    var writer = ByteWriter()
    writer.varint(number)
    try put(writer.bytes, under: Self.acknowledged)
  }

  /// From which commit on the log had been seen up to which position, ascending.
  func bases() throws -> [(from: UInt64, position: UInt64)] {
    var list: [(from: UInt64, position: UInt64)] = []
    try forEach("b") { key, value in
      var from = ByteReader(key)
      _ = try from.u8()
      var position = ByteReader(value)
      list.append((try from.u64be(), try position.varint()))
    }
    return list
  }

  /// Says that own commits from one on have seen the log up to a position, and forgets what no pending commit
  /// asks for any more.
  func put(base position: UInt64, from sequence: UInt64, needed first: UInt64) throws {
    var list = try bases()
    list.removeAll { $0.from == sequence }
    list.append((sequence, position))
    var writer = ByteWriter()
    writer.varint(position)
    try put(writer.bytes, under: Self.base(from: sequence))
    guard let oldest = list.last(where: { $0.from <= first }) else { return }
    for one in list where one.from < oldest.from { try put(nil, under: Self.base(from: one.from)) }
  }
}
