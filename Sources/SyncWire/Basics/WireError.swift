import Entities

/// Why bytes of the exchange were refused: a code to switch on, where, and what to do about it.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of refusal.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The bytes end before the value does.
    case truncated
    /// There are bytes behind the value.
    case trailing
    /// A value is not one that its place allows.
    case invalid
    /// A value or a list is larger than ``WireLimits`` allows.
    case tooLarge
    /// The version of the wire is another one: update Daybook.
    case unknownVersion
    /// Bytes were changed on their way: ask for them again.
    case damaged
    /// The key does not open it: it was changed, or sealed for another ledger or with another key.
    case notAuthentic
    /// The key of this epoch is not there: the device was revoked, or has not paired.
    case missingKey
  }

  /// What kind it is.
  public var code: Code
  /// The offset of the byte at which it was noticed, from the start of what was decoded; `nil`
  /// where it is no matter of one byte.
  public var offset: Int?
  /// What was expected and found, in a sentence.
  public var message: String

  /// A refusal.
  public init(_ code: Code, at offset: Int? = nil, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// The code, the place and the sentence.
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

/// Decodes the whole of some bytes.
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
