import DaybookEntities

/// The description of one property of a kind, for the history, erasure, search, merging and the
/// journal's schema.
public struct PropertyDescription: Sendable {
  /// The tag on disk.
  public let tag: UInt8
  /// The name of the property in Swift.
  public let name: String
  /// The name of the member in JSON, or `nil` if JSON leaves it out.
  public let jsonName: String?
  /// The other traits of the property.
  public let traits: PropertyTraits
  /// The register in which the property is merged: its own tag, or the tag of the property with
  /// which it is merged.
  ///
  /// If two devices change different registers of an entity, both changes are kept. If they change
  /// the same register, one value wins as a whole.
  public var register: UInt8 { traits.register == 0 ? tag : traits.register }
  /// Whether every record has the property.
  public let isRequired: Bool
  private let read: @Sendable (RawSpan) throws -> PropertyValue
  private let encodable: @Sendable ([UInt8]) throws -> (any Encodable)?
  private let decoded: @Sendable (any Decoder) throws -> [UInt8]

  /// The words of a name in camel case, without a leading `is`.
  package static func words(_ name: String) -> String {
    var words = ""
    for letter in name {
      if letter.isUppercase { words += " " }
      words += letter.lowercased()
    }
    return words.hasPrefix("is ") ? String(words.dropFirst(3)) : words
  }

  /// Decodes a value of the property; returns the bytes if they can't be decoded.
  public func value(_ bytes: [UInt8]) -> PropertyValue {
    (try? read(bytes.span.bytes)) ?? .bytes(bytes)
  }

  /// The value's form in the JSON of the history, or `nil` if it doesn't convert back to the same
  /// bytes.
  package func apart(_ bytes: [UInt8]) -> (any Encodable)? { try? encodable(bytes) }

  /// Reads the bytes of a value from the form that ``apart(_:)`` returns.
  ///
  /// - Throws: `DecodingError` if the form is invalid.
  package func bytes(from decoder: any Decoder) throws -> [UInt8] { try decoded(decoder) }

  init<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ coding: C.Type, _ traits: PropertyTraits
  ) {
    self.tag = tag
    self.name = "\(name)"
    self.jsonName = traits.isOutsideJSON ? nil : "\(traits.jsonName ?? name)"
    self.traits = traits
    self.isRequired = C.absent == nil
    read = { try C.value($0) }
    encodable = { bytes in
      let value = try C.apart(bytes)
      return C.bytes(value) == bytes ? value : nil
    }
    decoded = { decoder in C.bytes(try C.Apart(from: decoder)) }
  }
}

extension LedgerEntity {
  /// Returns the descriptions of all properties, by ascending tag.
  ///
  /// The array is built on every call, so keep the result.
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
    precondition(tag > found.last?.tag ?? 0, "tags must ascend, but the tag of \(name) doesn't")
    found.append(PropertyDescription(tag, name, C.self, traits))
    return value
  }
}
