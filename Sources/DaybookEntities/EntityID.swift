/// The 16-byte identity of an entity, unique across ledgers and replicas.
///
/// Ids are compared and stored as 16 big-endian bytes. Ids that increase with time, such as those
/// of version 7 in RFC 9562, are therefore sorted by time.
public struct EntityID: Hashable, Comparable, Sendable {
  /// The first eight bytes, most significant first.
  public var high: UInt64
  /// The last eight bytes, most significant first.
  public var low: UInt64

  /// The size of an id on disk, in bytes.
  public static let byteCount = 16

  /// Creates an id from its two halves.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses an id of 32 hexadecimal digits, with or without the hyphens of a UUID.
  ///
  /// - Returns: `nil` if the text isn't valid.
  public init?(_ text: some StringProtocol) {
    var digits = 0
    var high: UInt64 = 0
    var low: UInt64 = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "-") { continue }
      guard let digit = hexValue(byte).map(UInt64.init), digits < 32 else { return nil }
      if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
      digits += 1
    }
    guard digits == 32 else { return nil }
    self.init(high: high, low: low)
  }

  /// Orders ids by their bytes.
  @inlinable
  public static func < (left: EntityID, right: EntityID) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  /// Hashes both halves.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }
}

extension EntityID: CustomStringConvertible {
  /// The id in the form of a UUID, with lowercase digits in groups of 8, 4, 4, 4 and 12.
  public var description: String {
    unsafe String(unsafeUninitializedCapacity: 36) { text in
      var count = 0
      func add(_ ascii: UInt8) {
        unsafe text.initializeElement(at: count, to: ascii)
        count += 1
      }
      for position in 0..<32 {
        if position == 8 || position == 12 || position == 16 || position == 20 {
          add(UInt8(ascii: "-"))
        }
        let half = position < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (position & 15))) & 15
        add(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
      return count
    }
  }
}

extension EntityID: Codable {
  /// Decodes an id from its text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = EntityID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text)” is not an id: 32 hexadecimal digits expected")
    }
    self = id
  }

  /// Encodes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The kind of an entity, such as account or transaction, or a kind that an app defines.
///
/// Numbers 1 to 63 are reserved for Daybook, and 64 to 255 are for applications.
public struct EntityKind: RawRepresentable, Hashable, Comparable, Sendable {
  /// The kind's number in stored data.
  public var rawValue: UInt8

  /// Creates a kind with a number.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Orders kinds by number.
  @inlinable
  public static func < (left: EntityKind, right: EntityKind) -> Bool {
    left.rawValue < right.rawValue
  }
}
