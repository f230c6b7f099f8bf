import DaybookEntities

/// A character encoding of a text file.
public enum TextEncoding: String, Codable, Sendable, CaseIterable {
  /// UTF-8, with or without a byte order mark.
  case utf8 = "utf-8"
  /// ISO 8859-1, in which every byte stands for the code point with the same number.
  case latin1 = "iso-8859-1"
  /// Windows code page 1252, which is often called "ANSI".
  case windows1252 = "windows-1252"
  /// Windows code page 1250, used in Central Europe.
  case windows1250 = "windows-1250"
  /// UTF-16 in the byte order of its byte order mark, or little-endian without one.
  case utf16 = "utf-16"

  /// Decodes an encoding from its name.
  public init(from decoder: any Decoder) throws { self = try decoder.choice() }

  /// Returns the most likely encoding of a file that begins with `sample`.
  ///
  /// A byte order mark or many NUL bytes indicate UTF-16. Otherwise, bytes that aren't UTF-8 are
  /// decoded as Windows-1252, or as Windows-1250 if this produces Polish, Czech or Slovak words.
  /// The sample may end in the middle of a character.
  public static func guess(_ sample: [UInt8]) -> TextEncoding {
    if sample.starts(with: [0xFF, 0xFE]) || sample.starts(with: [0xFE, 0xFF]) { return .utf16 }
    let nulls = sample.prefix(512).count { $0 == 0 }
    if nulls > sample.prefix(512).count / 4 { return .utf16 }
    guard let invalid = ValidText.invalidByte(in: sample.span), invalid < sample.count - 3 else {
      return .utf8
    }
    return isCentralEuropean(sample) ? .windows1250 : .windows1252
  }

  /// Converts `bytes` to UTF-8 without a byte order mark.
  ///
  /// UTF-8 input isn't validated here, because the CSV reader validates each record.
  /// - Throws: `InterchangeError` with code `encoding` and the line if UTF-16 is malformed, or if a
  ///   byte is undefined in a Windows code page.
  public func utf8(_ bytes: consuming [UInt8]) throws(InterchangeError) -> [UInt8] {
    switch self {
    case .utf8:
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      return bytes
    case .latin1:
      return latin(bytes)
    case .windows1252:
      return try windows(bytes, Self.upperWestern, name: "windows-1252")
    case .windows1250:
      return try windows(bytes, Self.upperCentral, name: "windows-1250")
    case .utf16:
      return try wide(bytes)
    }
  }

  private func latin(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        result.append(byte)
      } else {
        result.append(0xC0 | byte >> 6)
        result.append(0x80 | byte & 0x3F)
      }
    }
    return result
  }

  private func windows(
    _ bytes: [UInt8], _ upper: [UInt16], name: String
  ) throws(InterchangeError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    var line = 1
    for byte in bytes {
      if byte == 0x0A { line += 1 }
      if byte < 0x80 {
        result.append(byte)
        continue
      }
      let code = upper[Int(byte - 0x80)]
      guard code != 0 else {
        throw InterchangeError(
          .encoding, "The byte \(byte) isn't a character in \(name).",
          remedy: "Set the file's actual encoding, such as utf-8 or iso-8859-1.", line: line)
      }
      if let scalar = Unicode.Scalar(code) {
        result.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
    return result
  }

  private func wide(_ bytes: [UInt8]) throws(InterchangeError) -> [UInt8] {
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    let start = isBigEndian || bytes.starts(with: [0xFF, 0xFE]) ? 2 : 0
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var line = 1
    var high: UInt32?
    var index = start
    func fault(_ line: Int) -> InterchangeError {
      InterchangeError(
        .encoding, "The file isn't valid UTF-16.",
        remedy: "Set the file's actual encoding, such as utf-8 or windows-1252.", line: line)
    }
    while index < bytes.count {
      guard index + 1 < bytes.count else { throw fault(line) }
      let first = UInt32(bytes[index])
      let second = UInt32(bytes[index + 1])
      index += 2
      let unit = isBigEndian ? first << 8 | second : second << 8 | first
      var code = unit
      if let pending = high {
        guard unit & 0xFC00 == 0xDC00 else { throw fault(line) }
        code = 0x1_0000 + ((pending & 0x3FF) << 10 | unit & 0x3FF)
        high = nil
      } else if unit & 0xFC00 == 0xD800 {
        high = unit
        continue
      }
      if code == 0x0A { line += 1 }
      guard let scalar = Unicode.Scalar(code), let encoded = UTF8.encode(scalar) else {
        throw fault(line)
      }
      result.append(contentsOf: encoded)
    }
    guard high == nil else { throw fault(line) }
    return result
  }
}
