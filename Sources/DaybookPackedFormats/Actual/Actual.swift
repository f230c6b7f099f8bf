public import DaybookFormats

/// Budgets exported from Actual, as a zip archive with an SQLite database.
public enum Actual: FileFormat {
  /// The identifier `actual`.
  public static let name = "actual"
  /// The display name.
  public static let title = "Actual"
  /// The file extension `.zip`.
  public static let endings = [".zip"]

  /// The maximum size of the database, in bytes.
  public static let databaseByteCountMax = 1 << 30
  /// The maximum size of the metadata, in bytes.
  private static let metadataByteCountMax = 1 << 20

  /// Recognises zip archives that begin with one of the two files of an Actual export.
  ///
  /// Only reading the archive can confirm the format.
  public static func recognise(_ head: FileHead) -> Recognition {
    guard ZipArchive.begins(head.bytes), head.bytes.count > 30 else { return .no }
    let count = Int(head.bytes[26]) | Int(head.bytes[27]) << 8
    let name = String(decoding: head.bytes.dropFirst(30).prefix(count), as: UTF8.self)
    let isKnown = ["db.sqlite", "metadata.json"].contains { name == $0 || name.hasSuffix("/\($0)") }
    if isKnown { return .certain }
    return name.hasSuffix("/") ? .possible : .no
  }

  /// Reads a whole budget.
  /// - Throws: `InterchangeError` with code `format`.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    let archive = try ZipArchive(file)
    let content = try archive.content("db.sqlite", byteCountMax: databaseByteCountMax)
    guard let content else {
      throw InterchangeError(
        .format, "The zip has no db.sqlite: it is not a budget that Actual exported.",
        remedy: "Export it in Actual: Settings, Export data.", path: file.name)
    }
    let database = try SQLiteDatabase(content, path: file.name)
    var reader = ActualReader(database, options, path: file.name)
    let metadata = try archive.content("metadata.json", byteCountMax: metadataByteCountMax)
    reader.books.id = metadata.flatMap(id) ?? ""
    return try reader.read()
  }

  /// Returns the budget's id, which is a member of the metadata.
  private static func id(_ metadata: [UInt8]) -> String? {
    // Quotation marks within JSON texts are escaped, so `id` before a colon is the name of a
    // member.
    let parts = String(decoding: metadata, as: UTF8.self).split(
      separator: "\"", omittingEmptySubsequences: false)
    return parts.indices.dropLast(2).first {
      parts[$0] == "id" && ActualTables.trimmed(String(parts[$0 + 1])) == ":"
    }.map { String(parts[$0 + 2]) }
  }
}
