import DaybookEntities
import Foundation

/// The text of a CSV file in memory, as UTF-8.
///
/// The file is read, not memory-mapped, so that the process doesn't crash if another program
/// truncates the file during reading.
public struct CSVFile: Sendable {
  /// The text as UTF-8, without a byte order mark and not yet validated.
  public let bytes: [UInt8]
  /// The path of the file, for error messages.
  public let path: String?

  /// Creates a text from bytes in memory.
  /// - Throws: `InterchangeError` with code `encoding`.
  public init(bytes: [UInt8], encoding: TextEncoding = .utf8) throws(InterchangeError) {
    self.bytes = try encoding.utf8(bytes)
    path = nil
  }

  /// Creates a text from a string.
  public init(_ text: String) {
    bytes = Array(text.utf8)
    path = nil
  }

  /// Reads a file.
  ///
  /// The encoding is guessed if `encoding` is `nil`.
  /// - Throws: `InterchangeError` with code `file` or `encoding`.
  public init(path: String, encoding: TextEncoding? = nil) throws(InterchangeError) {
    try self.init(RawFile(path: path), encoding: encoding)
  }

  /// Decodes the bytes of a file.
  ///
  /// The encoding is guessed if `encoding` is `nil`.
  /// - Throws: `InterchangeError` with code `encoding`.
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

  /// Returns the beginning of a file as UTF-8, for a preview.
  ///
  /// The last line may be incomplete.
  /// - Throws: `InterchangeError` with code `file` or `encoding`.
  public static func sample(
    path: String, encoding: TextEncoding? = nil, byteCount: Int = 65_536
  ) throws(InterchangeError) -> [UInt8] {
    try sample(of: read(path, atMost: byteCount), encoding: encoding)
  }

  /// Converts the beginning of a file to UTF-8.
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
        .file, "Couldn't read the file.", remedy: "Check the path and its permissions.",
        path: path, cause: error)
    }
  }

  /// Calls `body` for every record, in file order, until it returns `false`.
  ///
  /// The same record is reused for every call, so copy the fields you need.
  /// - Throws: The `BadLine` of the first malformed record, or any error that `body` throws.
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
