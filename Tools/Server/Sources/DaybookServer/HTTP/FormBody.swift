import Daybook
import HTTPTypes

/// A submitted form: its fields and uploaded files.
struct FormBody {
  var fields: [(name: String, value: String)] = []
  var files: [(name: String, bytes: [UInt8])] = []

  /// - Throws: ``Problem`` if the body is not a form.
  init(_ bytes: [UInt8], type: String?) throws {
    guard !bytes.isEmpty else { return }
    let parts = (type ?? "").split(separator: ";").map { $0.trimmingSpaces }
    switch parts.first?.lowercased() {
    case "application/x-www-form-urlencoded":
      guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.malformed }
      fields = try Query(Substring(text)).items
    case "multipart/form-data":
      let boundary = parts.dropFirst().first { $0.lowercased().hasPrefix("boundary=") }
      guard let boundary = boundary?.dropFirst(9).filter({ $0 != "\"" }), !boundary.isEmpty,
        boundary.utf8.count <= 70
      else { throw Self.malformed }
      try readParts(bytes, boundary: Array("--\(boundary)".utf8))
    default:
      throw Problem(
        .unsupportedMediaType, "noForm", "The body is not a form.",
        remedy: "Send it as multipart/form-data or application/x-www-form-urlencoded.")
    }
  }

  private static let malformed = Problem(
    .badRequest, "malformed", "Couldn't read the form.", remedy: "Send it again.",
    place: [.init("in", .string("body"))])
  private static let partCountMax = 1_000

  private mutating func readParts(_ bytes: [UInt8], boundary: [UInt8]) throws {
    var ends: [Int] = []
    var index = 0
    while let found = Self.find(boundary, in: bytes, from: index) {
      ends.append(found)
      index = found + boundary.count
      guard ends.count <= Self.partCountMax else { throw Self.malformed }
    }
    guard ends.count >= 2 else { throw Self.malformed }
    for (start, end) in zip(ends, ends.dropFirst()) {
      let from = start + boundary.count + 2
      guard from <= end - 2,
        let head = Self.find([13, 10, 13, 10], in: bytes, from: from - 2), head + 4 <= end - 2
      else { throw Self.malformed }
      guard let text = String(validating: bytes[from..<max(from, head)], as: UTF8.self) else {
        throw Self.malformed
      }
      let content = Array(bytes[(head + 4)..<(end - 2)])
      guard let name = Self.value("name", in: text) else { throw Self.malformed }
      if let file = Self.value("filename", in: text) {
        // Keep only the last component of a path; the client's folders are private.
        files.append((String(file.split { $0 == "/" || $0 == "\\" }.last ?? "file"), content))
      } else {
        guard let value = String(validating: content, as: UTF8.self) else { throw Self.malformed }
        fields.append((name, value))
      }
    }
  }

  private static func find(_ sought: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard let first = sought.first, start >= 0 else { return nil }
    var index = start
    while index + sought.count <= bytes.count {
      if bytes[index] == first, bytes[index..<(index + sought.count)].elementsEqual(sought) {
        return index
      }
      index += 1
    }
    return nil
  }

  /// Returns a parameter of `Content-Disposition`.
  private static func value(_ name: String, in head: String) -> String? {
    for line in head.split(whereSeparator: \.isNewline)
    where line.lowercased().hasPrefix("content-disposition:") {
      for part in line.split(separator: ";").dropFirst() {
        let sides = part.split(separator: "=", maxSplits: 1)
        guard sides.count == 2, sides[0].trimmingSpaces.lowercased() == name else { continue }
        let text = sides[1].trimmingSpaces
        return text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text
      }
    }
    return nil
  }
}
