/// The address of a page: a path and a query.
struct Address: Hashable, Sendable {
  var path: String
  var query: [Field] = []

  struct Field: Hashable, Sendable {
    var name: String
    var value: String
  }

  init(_ path: String, _ query: [(String, String?)] = []) {
    self.path = path
    for case (let name, let value?) in query { self.query.append(Field(name: name, value: value)) }
  }

  /// Returns a copy with a parameter replaced or, if `value` is `nil`, removed.
  func setting(_ name: String, _ value: String?) -> Address {
    var copy = self
    copy.query.removeAll { $0.name == name }
    if let value { copy.query.append(Field(name: name, value: value)) }
    return copy
  }

  /// The percent-encoded address for a link.
  var text: String {
    let parts = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
    return Self.encoded(path, keeping: "/")
      + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
  }

  private static func encoded(_ text: String, keeping kept: String = "") -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    let plain = Set("-._~".utf8).union(kept.utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
      case _ where plain.contains(byte): bytes.append(byte)
      default: bytes += [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
