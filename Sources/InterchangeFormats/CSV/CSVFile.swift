import Entities
import Foundation

/// The text of a CSV file in memory, as UTF-8.
///
/// The bytes are read, not mapped: another program that shortens the file meanwhile cannot kill the
/// reader.
public struct CSVFile: Sendable {
  /// The text as UTF-8, not yet validated, without a byte order mark.
  public let bytes: [UInt8]
  /// Where it was read from, for error messages.
  public let path: String?

  /// A text that is in memory already.
  public init(bytes: [UInt8], encoding: TextEncoding = .utf8) throws(InterchangeError) {
    self.bytes = try encoding.utf8(bytes)
    path = nil
  }

  /// A text that is in memory already.
  public init(_ text: String) {
    bytes = Array(text.utf8)
    path = nil
  }

  /// Reads a file, guessing its encoding where none is given.
  public init(path: String, encoding: TextEncoding? = nil) throws(InterchangeError) {
    try self.init(RawFile(path: path), encoding: encoding)
  }

  /// The text of a file that was read, its encoding guessed where none is given.
  public init(_ raw: RawFile, encoding: TextEncoding? = nil) throws(InterchangeError) {
    do {
      let encoding = encoding ?? TextEncoding.guess(Array(raw.bytes.prefix(65_536)))
      bytes = try encoding.utf8(raw.bytes)
    } catch {
      var error = error
      error.path = raw.name
      throw error
    }
    path = raw.name
  }

  /// The first bytes of a file as UTF-8, for a preview; the last line may be cut.
  public static func sample(
    path: String, encoding: TextEncoding? = nil, byteCount: Int = 65_536
  ) throws(InterchangeError) -> [UInt8] {
    try sample(of: read(path, atMost: byteCount), encoding: encoding)
  }

  /// The first bytes of a file as UTF-8.
  static func sample(
    of raw: consuming [UInt8], encoding: TextEncoding?
  ) throws(InterchangeError) -> [UInt8] {
    let encoding = encoding ?? TextEncoding.guess(raw)
    if encoding == .utf16, raw.count % 2 == 1 { raw.removeLast() }
    return try encoding.utf8(raw)
  }

  package static func read(_ path: String, atMost byteCount: Int? = nil) throws(InterchangeError)
    -> [UInt8]
  {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      let data = try byteCount.map { try handle.read(upToCount: $0) } ?? handle.readToEnd()
      return [UInt8](data ?? Data())
    } catch {
      throw InterchangeError(
        .file, "The file cannot be read.", remedy: "Check the path and its permissions.",
        path: path, cause: error)
    }
  }

  /// Calls `body` for every record, in file order, until it returns `false`.
  ///
  /// The record is the same object every time: take what is needed out of it.
  /// - Throws: what `CSVReader.next` throws at the first malformed record, and what `body` throws.
  public func forEachRecord(
    format: CSVFormat = CSVFormat(), skippingLines: Int = 0,
    _ body: (borrowing CSVRecord, borrowing Span<UInt8>) throws -> Bool
  ) throws {
    var reader = CSVReader(format: format)
    var record = CSVRecord()
    let span = bytes.span
    reader.skip(lines: skippingLines, in: span)
    while try reader.next(&record, in: span) {
      guard try body(record, span) else { return }
    }
  }
}
