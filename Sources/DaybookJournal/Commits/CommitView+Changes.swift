public import DaybookEntities

/// A change, read in place.
public struct ChangeView: ~Escapable {
  /// The kind of entity.
  public let kind: EntityKind
  /// The entity's id.
  public let id: EntityID
  /// The entity's recording number.
  public let number: UInt64
  /// The operation.
  public let operation: JournalChange.Operation
  /// Whether personal text of this change has been erased.
  public let isErased: Bool
  /// The encoded properties.
  ///
  /// For an insertion or deletion, they are the packed record, unless personal text has been
  /// erased. In all other cases, they are in the long form; see ``isLongForm``.
  public let encodedProperties: RawSpan
  /// The salt, or the digest after an erasure; empty if the change has no personal text.
  let secret: RawSpan
  /// The offset of the change within its commit.
  let start: Int
  let end: Int
  /// The byte count of the head, which consists of operation, kind, number and id.
  let headByteCount: Int

  @_lifetime(copy encodedProperties, copy secret)
  init(
    kind: EntityKind, id: EntityID, number: UInt64, operation: JournalChange.Operation,
    isErased: Bool, encodedProperties: RawSpan, secret: RawSpan, start: Int, end: Int,
    headByteCount: Int
  ) {
    self.kind = kind
    self.id = id
    self.number = number
    self.operation = operation
    self.isErased = isErased
    self.encodedProperties = encodedProperties
    self.secret = secret
    self.start = start
    self.end = end
    self.headByteCount = headByteCount
  }

  /// Whether `encodedProperties` is in the long form.
  public var isLongForm: Bool { isErased || operation == .update }
}

extension CommitView {
  /// Calls `body` with every change in order, until it returns `false`.
  public func forEachChange(_ body: (ChangeView) throws -> Bool) throws {
    var reader = ByteReader(bytes)
    reader.offset = changesStart
    for _ in 0..<changeCount {
      let change: ChangeView
      do {
        change = try CommitView.change(&reader)
      } catch {
        throw ViewFault.decoding(error).error(at: sequence, schema)
      }
      guard try body(change) else { return }
    }
    guard reader.isAtEnd else {
      throw ViewFault.decoding(.invalidValue("bytes behind the last change")).error(
        at: sequence, schema)
    }
  }

  @_lifetime(copy reader)
  static func change(_ reader: inout ByteReader) throws(DecodingFault) -> ChangeView {
    let start = reader.offset
    let first = try reader.u8()
    guard let operation = JournalChange.Operation(rawValue: first & Layout.operationMask),
      first < 12
    else {
      throw .invalidValue("operation \(first)")
    }
    let kind = try reader.u8()
    let number = try reader.varint()
    let id = try reader.id()
    let headByteCount = reader.offset - start
    let isErased = first & Layout.changeErased != 0
    let secretByteCount =
      isErased
      ? Hash256.byteCount : first & Layout.changePersonal != 0 ? Layout.saltByteCount : 0
    let secret = try reader.raw(secretByteCount)
    let byteCount = try reader.count()
    let properties = try reader.raw(byteCount)
    return ChangeView(
      kind: EntityKind(rawValue: kind), id: id, number: number, operation: operation,
      isErased: isErased, encodedProperties: properties, secret: secret, start: start,
      end: reader.offset, headByteCount: headByteCount)
  }

  /// Returns a copy of the commit.
  ///
  /// - Parameter changeCountMax: The maximum number of changes to copy, beginning with the first.
  public func copied(upTo changeCountMax: Int = .max) throws -> Commit {
    var changes: [JournalChange] = []
    changes.reserveCapacity(min(changeCount, changeCountMax, 4_096))
    guard changeCountMax > 0 else { return Commit(header: try header, changes: []) }
    try forEachChange { change in
      changes.append(try change.copied())
      return changes.count < changeCountMax
    }
    return Commit(header: try header, changes: changes)
  }
}

extension ChangeView {
  /// Returns a copy of the change.
  public func copied() throws -> JournalChange {
    JournalChange(
      kind: kind, id: id, number: number, operation: operation, properties: try properties(),
      isErased: isErased)
  }

  /// Returns a copy of the differing properties.
  ///
  /// - Throws: `DecodingFault` if they are damaged.
  public func properties() throws(DecodingFault) -> [PropertyChange] {
    var list: [PropertyChange] = []
    if isLongForm {
      var scanner = LongScanner()
      while let property = try scanner.next(in: encodedProperties) {
        let erased = property.isErased
        list.append(
          PropertyChange(
            tag: property.tag,
            before: property.hasBefore && !erased ? copy(property.before) : nil,
            after: property.hasAfter && !erased ? copy(property.after) : nil, isErased: erased))
      }
    } else {
      var scanner = PropertyScanner()
      while let property = try scanner.next(in: encodedProperties) {
        let value = copy(property.valueStart..<property.end)
        list.append(
          PropertyChange(
            tag: property.tag, before: operation == .delete ? value : nil,
            after: operation == .insert ? value : nil))
      }
    }
    return list
  }

  private func copy(_ range: Range<Int>) -> [UInt8] { encodedProperties.extracting(range).copied() }
}
