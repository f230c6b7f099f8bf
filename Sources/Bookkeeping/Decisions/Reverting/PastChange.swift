public import Entities

/// What one commit of the past did to one entity, as history keeps it.
public struct PastChange: Hashable, Sendable {
  /// What was done.
  public enum Operation: Hashable, Sendable {
    /// It was not there before.
    case insert
    /// Some of its properties became others.
    case update
    /// It went.
    case delete
  }

  /// One property before and after, encoded.
  public struct Property: Hashable, Sendable {
    /// Which property.
    public var tag: UInt8
    /// Its value before; `nil` for its default.
    public var before: [UInt8]?
    /// Its value after; `nil` for its default.
    public var after: [UInt8]?

    /// A property with its values.
    public init(tag: UInt8, before: [UInt8]?, after: [UInt8]?) {
      self.tag = tag
      self.before = before
      self.after = after
    }
  }

  /// The kind of entity.
  public var kind: EntityKind
  /// The entity.
  public var id: EntityID
  /// Its recording number.
  public var number: UInt64
  /// What was done to it.
  public var operation: Operation
  /// The properties that became others, in ascending order of tags.
  public var properties: [Property]
  /// Whether some values have been erased since.
  public var isErased: Bool

  /// A change with its parts.
  public init(
    kind: EntityKind, id: EntityID, number: UInt64, operation: Operation, properties: [Property],
    isErased: Bool
  ) {
    self.kind = kind
    self.id = id
    self.number = number
    self.operation = operation
    self.properties = properties
    self.isErased = isErased
  }
}

extension PastChange {
  /// The record of the entity before the change was made, made of the record after it.
  ///
  /// - Parameter present: the record as it is now, `nil` where there is none.
  /// - Throws: `Reversal` where a later change stands in the way.
  func undone(from present: Record?) throws -> Record? {
    if kind == .fingerprint { return try counted(present) }
    switch operation {
    case .insert:
      guard let present else { throw Reversal.gone }
      guard present == packed(\.after) else {
        throw Reversal.changed(try differing(present, from: packed(\.after)))
      }
      return nil
    case .delete:
      guard present == nil else { throw Reversal.back }
      return packed(\.before)
    case .update:
      guard let present else { throw Reversal.gone }
      return try merged(into: present)
    }
  }

  private func packed(_ side: KeyPath<Property, [UInt8]?>) -> Record {
    var writer = RecordWriter()
    for property in properties {
      guard let value = property[keyPath: side] else { continue }
      writer.put(property.tag) { $0.raw(value) }
    }
    return writer.record
  }

  private func merged(into present: Record) throws -> Record {
    var values = try PastChange.values(of: present)
    for property in properties {
      guard values[property.tag] == property.after else { throw Reversal.changed([property.tag]) }
      values[property.tag] = property.before
    }
    return PastChange.record(values)
  }

  /// Counts of imported rows are taken back by their difference: later rows count, too.
  ///
  /// What counts nothing any more is not there.
  private func counted(_ present: Record?) throws -> Record? {
    var values = try present.map { try PastChange.values(of: $0) } ?? [:]
    func number(_ bytes: [UInt8]?) throws -> Int64 {
      guard let bytes else { return 0 }
      var reader = ByteReader(bytes.span.bytes)
      return try reader.zigzag()
    }
    for property in properties {
      let difference = try number(property.before) - number(property.after)
      let sum = try number(values[property.tag]) + difference
      // What it counted has been counted off since.
      guard sum >= 0 else { throw Reversal.changed([property.tag]) }
      var writer = ByteWriter(reserving: 10)
      writer.zigzag(sum)
      values[property.tag] = sum == 0 ? nil : writer.bytes
    }
    return values.isEmpty ? nil : PastChange.record(values)
  }

  private func differing(_ present: Record, from old: Record) throws -> [UInt8] {
    let (now, then) = (try PastChange.values(of: present), try PastChange.values(of: old))
    return Set(now.keys).union(then.keys).filter { now[$0] != then[$0] }.sorted()
  }

  private static func values(of record: Record) throws -> [UInt8: [UInt8]] {
    var values: [UInt8: [UInt8]] = [:]
    var reader = RecordReader(record.bytes.span.bytes)
    while let property = try reader.next() { values[property.tag] = property.value.copied() }
    return values
  }

  private static func record(_ values: [UInt8: [UInt8]]) -> Record {
    var writer = RecordWriter()
    for (tag, value) in values.sorted(by: { $0.key < $1.key }) { writer.put(tag) { $0.raw(value) } }
    return writer.record
  }
}

/// What stands in the way of taking a change back.
enum Reversal: Error {
  /// Properties have other values by now.
  case changed([UInt8])
  /// The entity has been deleted since.
  case gone
  /// The entity is there again.
  case back
}
