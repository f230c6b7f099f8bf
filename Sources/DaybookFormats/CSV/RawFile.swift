/// The unchanged bytes of a file, either read from a path or passed in by the caller.
///
/// An import examines the beginning of a file before it parses the rest. Keeping the bytes in
/// memory makes this possible for standard input, which can only be read once.
public struct RawFile: Sendable {
  /// The name of standard input in messages.
  public static let standardInputName = "standard input"

  /// The bytes, in any encoding.
  public let bytes: [UInt8]
  /// The path, or another name for messages.
  public let name: String

  /// Creates a file from bytes in memory.
  public init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// Reads a file.
  /// - Throws: `InterchangeError` with code `file`.
  public init(path: String) throws(InterchangeError) {
    bytes = try CSVFile.read(path)
    name = path
  }

  /// Returns the text as UTF-8.
  ///
  /// The encoding is guessed if `encoding` is `nil`.
  /// - Throws: `InterchangeError` with code `encoding`.
  public func text(_ encoding: TextEncoding? = nil) throws(InterchangeError) -> CSVFile {
    try CSVFile(self, encoding: encoding)
  }

  /// Returns the beginning of the text as UTF-8.
  ///
  /// The last line may be incomplete.
  /// - Throws: `InterchangeError` with code `encoding`.
  public func sample(
    _ encoding: TextEncoding? = nil, byteCount: Int = 65_536
  ) throws(InterchangeError) -> [UInt8] {
    do {
      return try CSVFile.sample(of: Array(bytes.prefix(byteCount)), encoding: encoding)
    } catch {
      var error = error
      error.path = name
      throw error
    }
  }
}
