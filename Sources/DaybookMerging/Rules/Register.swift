/// The smallest unit of merging: a property, several properties that belong together, or the
/// existence of an entity.
///
/// The number of a register of properties is the lowest of their tags. Numbers from 256 to 65,534
/// are for the parts into which a kind splits a property (``KindRules/parts``).
public struct Register: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of the register.
  public var rawValue: UInt16

  /// Creates a register from its number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Creates the register whose lowest tag is `tag`.
  public init(tag: UInt8) { rawValue = UInt16(tag) }

  /// The register of an entity's existence.
  public static let existence = Register(rawValue: .max)

  /// Orders registers by number.
  public static func < (left: Register, right: Register) -> Bool { left.rawValue < right.rawValue }
}

/// The value of one register.
public struct RegisterValue: Hashable, Sendable {
  /// The register.
  public var register: Register
  /// The properties, encoded as in a record; empty if all of them have their default values.
  ///
  /// For a part of a split property, the bytes can have any form.
  public var bytes: [UInt8]

  /// Creates the value of a register.
  public init(_ register: Register, _ bytes: [UInt8]) {
    self.register = register
    self.bytes = bytes
  }
}
