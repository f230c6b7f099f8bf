public import DaybookFormats

/// The file formats that require the system's zlib and SQLite, together with the formats of
/// InterchangeFormats.
///
/// Decompress a file before you determine its format:
///
/// ```swift
/// let file = try PackedFile.unpacked(RawFile(path: path))
/// let formats = FileFormats.candidates(file, among: PackedFormats.all)
/// ```
public enum PackedFormats {
  /// All formats, in the order in which they are tried.
  public static let all: [any FileFormat.Type] = FileFormats.all + [Actual.self]
}

/// Decompression of gzip files, such as GnuCash files.
public enum PackedFile {
  /// The maximum size of a decompressed file, in bytes.
  public static let byteCountMax = 1 << 30

  /// Returns the decompressed file.
  ///
  /// A file that isn't compressed is returned unchanged.
  ///
  /// - Throws: `InterchangeError` with code `format` if the file is damaged, truncated, or too
  ///   large when decompressed.
  /// - Complexity: O(*n*) in the size of the decompressed file.
  public static func unpacked(_ file: RawFile) throws(InterchangeError) -> RawFile {
    guard file.bytes.starts(with: [0x1F, 0x8B]) else { return file }
    do {
      let bytes = try Inflater.inflate(file.bytes[...], .gzip, byteCountMax: byteCountMax)
      return RawFile(bytes, name: file.name)
    } catch {
      throw error.refusal("The file", path: file.name)
    }
  }
}
