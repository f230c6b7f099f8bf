/// The bytes of a file as they are, read once: from a path, or handed over by whoever has them.
///
/// An import looks at a file's beginning before it reads the rest; standard input can be read only
/// once.
public struct RawFile: Sendable {
  /// The bytes, in whatever encoding.
  public let bytes: [UInt8]
  /// Its path, or what else it is called in messages.
  public let name: String

  /// Bytes that are in memory already.
  public init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// Reads a file.
  /// - Throws: `InterchangeError` of code `file`.
  public init(path: String) throws(InterchangeError) {
    bytes = try CSVFile.read(path)
    name = path
  }

  /// The text as UTF-8, its encoding guessed where none is given.
  public func text(_ encoding: TextEncoding? = nil) throws(InterchangeError) -> CSVFile {
    try CSVFile(self, encoding: encoding)
  }

  /// The beginning of the text as UTF-8; the last line may be cut.
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
