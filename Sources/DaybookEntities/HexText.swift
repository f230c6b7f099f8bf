/// Returns bytes as lowercase hexadecimal digits.
package func hexText(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

/// Parses hexadecimal digits of either case, or returns `nil` if the text isn't valid.
package func hexBytes(_ text: some StringProtocol) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(digits.count / 2)
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else {
      return nil
    }
    bytes.append(high << 4 | low)
  }
  return bytes
}

/// Returns a number as lowercase hexadecimal digits, with leading zeros.
package func hexText(_ number: some FixedWidthInteger & UnsignedInteger, digits count: Int)
  -> String
{
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: max(0, count - digits.count)) + digits
}

/// Returns an id as 32 lowercase hexadecimal digits, without hyphens.
package func hexText(_ id: EntityID) -> String { id.description.filter { $0 != "-" } }

/// Returns the value of a hexadecimal digit of either case, or `nil` if the byte is something else.
package func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}
