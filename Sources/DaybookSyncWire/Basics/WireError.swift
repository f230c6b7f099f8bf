import DaybookEntities

/// The reason why bytes of the sync protocol were refused: a code to switch on, the location of the
/// error, and a message.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons for a refusal.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The bytes end before the value does.
    case truncated
    /// There are more bytes after the value.
    case trailing
    /// A value isn't allowed where it occurs.
    case invalid
    /// A value or a list is larger than ``WireLimits`` allows.
    case tooLarge
    /// The protocol version isn't supported: update Daybook.
    case unknownVersion
    /// The bytes were changed in transit: request them again.
    case damaged
    /// The key doesn't open the entry: the entry was changed, or sealed for another ledger or with
    /// another key.
    case notAuthentic
    /// The key of the entry's epoch is missing: the device was revoked, or hasn't been paired.
    case missingKey
  }

  /// The reason.
  public var code: Code
  /// The offset of the byte at which the error was detected, from the start of the decoded bytes;
  /// `nil` if the error has no single location.
  public var offset: Int?
  /// A phrase that states the expected and the actual value.
  public var message: String

  /// Creates an error.
  public init(_ code: Code, at offset: Int? = nil, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// The code, the offset and the message.
  public var description: String {
    let place = offset.map { " at byte \($0)" } ?? ""
    return "\(code.rawValue)\(place): \(message)"
  }

  init(_ fault: DecodingFault, from start: Int = 0) {
    switch fault {
    case .truncated(let byte):
      self.init(.truncated, at: start + byte, "the bytes end before the value does")
    case .overlong(let byte):
      self.init(.invalid, at: start + byte, "a number has more than 64 bits")
    case .invalidText(let byte):
      self.init(.invalid, at: start + byte, "a text is not UTF-8")
    case .invalidValue(let text):
      self.init(.invalid, text)
    }
  }
}

/// Decodes a value that must take up all bytes.
func decodeAll<Value>(
  _ bytes: [UInt8], _ body: (inout WireReader) throws(WireError) -> Value
) throws(WireError) -> Value {
  var reader = WireReader(bytes)
  let value = try body(&reader)
  guard reader.offset == bytes.count else {
    throw WireError(.trailing, at: reader.offset, "bytes follow the value")
  }
  return value
}
