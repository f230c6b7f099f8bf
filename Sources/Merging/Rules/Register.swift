/// What is merged as one: a property, several properties that belong together, or whether an entity
/// exists.
///
/// A register of properties is named by the lowest of their tags. Numbers from 256 to 65,534 are for parts
/// of a property that a kind takes apart itself (``KindRules/parts``).
public struct Register: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of the register.
  public var rawValue: UInt16

  /// A register by its number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The register whose lowest tag is `tag`.
  public init(tag: UInt8) { rawValue = UInt16(tag) }

  /// Whether an entity exists.
  public static let existence = Register(rawValue: .max)

  /// Orders registers by number.
  public static func < (left: Register, right: Register) -> Bool { left.rawValue < right.rawValue }
}

/// The value of one register.
public struct RegisterValue: Hashable, Sendable {
  /// Which register.
  public var register: Register
  /// Its properties packed as in a record: empty where all have their default.
  ///
  /// (Of a part that a kind takes apart itself: any bytes.)
  public var bytes: [UInt8]

  /// The value of a register.
  public init(_ register: Register, _ bytes: [UInt8]) {
    self.register = register
    self.bytes = bytes
  }
}
