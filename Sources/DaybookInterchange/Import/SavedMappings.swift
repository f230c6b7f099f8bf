public import Daybook
import Foundation

/// The mappings saved in a ledger, which can be matched to files.
public struct SavedMappings: Sendable {
  /// A saved mapping that fits a file.
  public struct Fit: Sendable {
    /// The id of the saved mapping.
    public var id: MappingID
    /// The name of the saved mapping.
    public var name: String
    /// The mapping, adjusted to the position of this file's header and to the current name of its
    /// account.
    public var mapping: ImportMapping
  }

  private let entries: [(saved: SavedMapping, account: String?)]
  /// The names of the mappings, in the order in which they were recorded.
  public var names: [String] { entries.map(\.saved.name) }

  /// Loads the mappings of a ledger.
  public init(_ snapshot: borrowing Snapshot) throws {
    var entries: [(saved: SavedMapping, account: String?)] = []
    for saved in try snapshot.mappings() {
      var account: String?
      if let id = saved.account { account = try snapshot.account(id)?.name }
      entries.append((saved, account))
    }
    self.entries = entries
  }

  /// Creates an empty set of mappings, for use without a ledger.
  public init() { entries = [] }

  /// Returns the mapping with a name, ignoring case.
  ///
  /// If the file has the layout of the mapping, `skipLines` is adjusted to the position of its
  /// header.
  ///
  /// - Throws: `InterchangeError` with code `mapping` if the text of the mapping is no longer
  ///   valid.
  public func mapping(
    named name: String, for file: RawFile? = nil
  ) throws(InterchangeError) -> ImportMapping? {
    let key = Folding.key(name)
    guard let found = entries.first(where: { Folding.key($0.saved.name) == key }) else {
      return nil
    }
    if let file, let fit = Self.fit(found, file) { return fit.mapping }
    return try Self.mapping(of: found)
  }

  /// Returns the mappings whose layout matches a file.
  ///
  /// A file matches if it has the same header. If the mapping has no header, the file must have the
  /// same number of columns, and the mapping must be able to read its values. The position of the
  /// header may differ, because banks write a varying number of lines before it.
  public func fitting(_ file: RawFile) -> [Fit] {
    entries.compactMap { Self.fit($0, file) }
  }

  private static func fit(
    _ entry: (saved: SavedMapping, account: String?), _ file: RawFile
  ) -> Fit? {
    // An invalid mapping doesn't match any file. `mappings show` reports its error.
    guard var mapping = try? mapping(of: entry),
      let sample = try? file.sample(mapping.encoding),
      let format = try? mapping.format()
    else { return nil }
    let look = entry.saved.look
    guard let lines = look.place(in: sample, format, skipping: mapping.skipLines) else {
      return nil
    }
    mapping.skipLines = lines
    if look.header.isEmpty, !mapping.reads(sample) { return nil }
    return Fit(id: entry.saved.id, name: entry.saved.name, mapping: mapping)
  }

  private static func mapping(
    of entry: (saved: SavedMapping, account: String?)
  ) throws(InterchangeError) -> ImportMapping {
    do {
      var mapping = try ImportMapping(json: Data(entry.saved.contents.utf8))
      if let account = entry.account { mapping.account = ColumnTemplate(literal: account) }
      return mapping
    } catch {
      var error = error
      error.path = "the mapping “\(entry.saved.name)”"
      throw error
    }
  }
}

extension ImportLook {
  /// Creates the layout of a mapping's files from one of these files.
  /// - Throws: `InterchangeError` if the header can't be read with the mapping.
  public init(of file: RawFile, _ mapping: ImportMapping) throws(InterchangeError) {
    let sample = try file.sample(mapping.encoding)
    var reader = CSVReader(format: try mapping.format())
    var record = CSVRecord()
    let bytes = sample.span
    reader.skip(lines: mapping.skipLines, in: bytes)
    do throws(BadLine) {
      guard try reader.next(&record, in: bytes) else {
        throw BadLine(line: reader.line, code: .ragged, reason: "The file is empty.", remedy: "")
      }
    } catch {
      throw InterchangeError(
        .mapping, "Couldn't read the first row: \(error.reason)",
        remedy: "Check the file and the mapping.", path: file.name, line: error.line)
    }
    let header = mapping.hasHeader ? record.texts(in: bytes) : []
    self.init(delimiter: mapping.delimiter, header: header, columnCount: record.count)
  }

  /// Returns the number of lines before the header or the first row, or `nil` if the file has a
  /// different layout.
  func place(in sample: [UInt8], _ format: CSVFormat, skipping lines: Int) -> Int? {
    if matches(sample, format, after: lines) { return lines }
    if header.isEmpty { return nil }
    return (0..<Self.preambleMax).first { matches(sample, format, after: $0) }
  }

  /// The maximum number of lines that are searched for a header.
  private static let preambleMax = 100

  private func matches(_ sample: [UInt8], _ format: CSVFormat, after lines: Int) -> Bool {
    var reader = CSVReader(format: format)
    var record = CSVRecord()
    let bytes = sample.span
    reader.skip(lines: lines, in: bytes)
    guard (try? reader.next(&record, in: bytes)) == true else { return false }
    if header.isEmpty { return record.count == columnCount }
    guard record.count == header.count else { return false }
    return record.texts(in: bytes).map(Folding.key) == header.map(Folding.key)
  }
}

extension CSVRecord {
  fileprivate func texts(in bytes: borrowing Span<UInt8>) -> [String] {
    (0..<count).map { trimmedText($0, in: bytes) }
  }
}

extension ImportMapping {
  /// Returns whether the mapping can read all complete rows of a sample.
  fileprivate func reads(_ sample: [UInt8]) -> Bool {
    var text = sample
    // The last line may be incomplete.
    if let end = text.lastIndex(of: 0x0A), end > 0 { text.removeLast(text.count - end) }
    guard let file = try? CSVFile(bytes: text), let read = try? MappedFile(file, mapping: self)
    else { return false }
    return read.badLineCount == 0 && !read.rows.isEmpty
  }
}
