public import InterchangeFormats

/// The formats that need the system's zlib and SQLite, beside those of Interchange that need nothing.
///
/// Whoever imports files unpacks them first, then asks for the format among these:
///
/// ```swift
/// let file = try PackedFile.unpacked(RawFile(path: path))
/// let formats = FileFormats.candidates(file, among: PackedFormats.all)
/// ```
public enum PackedFormats {
  /// Every format, in the order in which they are asked.
  public static let all: [any FileFormat.Type] = FileFormats.all + [Actual.self]
}

/// Files that are packed by gzip, as GnuCash packs its own.
public enum PackedFile {
  /// The longest file that comes out, in bytes.
  public static let byteCountMax = 1 << 30

  /// The file that is in it; a file that is not packed stays as it is.
  ///
  /// - Throws: `InterchangeError` of code `format` where it is damaged, cut off, or too long unpacked.
  /// - Complexity: O(bytes that come out).
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
