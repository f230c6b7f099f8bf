import Entities

/// What is said of one property of a kind: what history, erasure, searching, merging and the journal's
/// schema ask.
public struct PropertyDescription: Sendable {
  /// The tag on disk.
  public let tag: UInt8
  /// The name, as in the type's own property.
  public let name: String
  /// The member in JSON, or `nil` where JSON leaves it out.
  public let jsonName: String?
  /// What else is said of it.
  public let traits: PropertyTraits
  /// The register that it is merged in: its own tag, or that of the property it goes with.
  ///
  /// Two devices that changed different registers of an entity both keep what they wrote; of one register one
  /// value wins whole.
  public var register: UInt8 { traits.register == 0 ? tag : traits.register }
  /// Whether every record has it.
  public let isRequired: Bool
  private let read: @Sendable (RawSpan) throws -> PropertyValue
  private let encodable: @Sendable ([UInt8]) throws -> (any Encodable)?
  private let decoded: @Sendable (any Decoder) throws -> [UInt8]

  /// Decodes a value of the property; bytes that cannot be read stay bytes.
  public func value(_ bytes: [UInt8]) -> PropertyValue {
    (try? read(bytes.span.bytes)) ?? .bytes(bytes)
  }

  /// A value of the property as the JSON of history has it; `nil` where its bytes could not be had from
  /// that again.
  package func apart(_ bytes: [UInt8]) -> (any Encodable)? { try? encodable(bytes) }

  /// The bytes of a value that ``apart(_:)`` gave.
  ///
  /// - Throws: `DecodingError` where it is none.
  package func bytes(from decoder: any Decoder) throws -> [UInt8] { try decoded(decoder) }

  init<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ coding: C.Type, _ traits: PropertyTraits
  ) {
    self.tag = tag
    self.name = "\(name)"
    self.jsonName = traits.isOutsideJSON ? nil : "\(traits.jsonName ?? name)"
    self.traits = traits
    self.isRequired = C.absent == nil
    read = { span in
      var walk = RecordWalk(value: span)
      return C.shown(try C.read(&walk), span)
    }
    encodable = { bytes in
      let value = try C.apart(bytes)
      return C.bytes(value) == bytes ? value : nil
    }
    decoded = { decoder in C.bytes(try C.Apart(from: decoder)) }
  }
}

extension LedgerEntity {
  /// Every property, tags ascending.
  ///
  /// It is put together anew each time: keep it.
  static func describeProperties() -> [PropertyDescription] {
    var p = PropertyDescriber()
    _ = blank.visit(&p)
    return p.found
  }
}

private struct PropertyDescriber: PropertyVisitor {
  typealias Failure = Never
  var found: [PropertyDescription] = []
  var id: EntityID { EntityID(high: 0, low: 0) }
  var number: UInt64 { 0 }

  @inline(never)
  mutating func callAsFunction<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) -> C.Value {
    precondition(tag > found.last?.tag ?? 0, "the tags of a table ascend; that of \(name) does not")
    found.append(PropertyDescription(tag, name, C.self, traits))
    return value
  }
}
