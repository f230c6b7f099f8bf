public import Daybook
import Foundation

/// The mappings that a ledger keeps, and which of them a file is for.
public struct SavedMappings: Sendable {
  /// A mapping that fits a file.
  public struct Fit: Sendable {
    /// Its id.
    public var id: MappingID
    /// Its name in the ledger.
    public var name: String
    /// The mapping, with the lines before this file's header, and with its account's name of now.
    public var mapping: ImportMapping
  }

  private let entries: [(saved: SavedMapping, account: String?)]
  /// The names, in the order in which they were recorded.
  public var names: [String] { entries.map(\.saved.name) }

  /// The mappings of a ledger.
  public init(_ snapshot: borrowing Snapshot) throws {
    var entries: [(saved: SavedMapping, account: String?)] = []
    for saved in try snapshot.mappings() {
      var account: String?
      if let id = saved.account { account = try snapshot.account(id)?.name }
      entries.append((saved, account))
    }
    self.entries = entries
  }

  /// No mappings, where there is no ledger.
  public init() { entries = [] }

  /// The mapping of a name, whatever its case, for a file: where that looks as the mapping's files do,
  /// with the lines before its header.
  ///
  /// - Throws: `InterchangeError` of code `mapping` where its text cannot be read any more.
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

  /// The mappings whose files look like this one: the same header, or, without one, as many columns
  /// whose values are what the mapping says.
  ///
  /// The header may stand further up or down than where the mapping was made: banks put a changing
  /// number of lines before it.
  public func fitting(_ file: RawFile) -> [Fit] {
    entries.compactMap { Self.fit($0, file) }
  }

  private static func fit(
    _ entry: (saved: SavedMapping, account: String?), _ file: RawFile
  ) -> Fit? {
    // A mapping that cannot be read fits nothing; `mappings show` says what is wrong with it.
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
  /// What the files of a mapping look like, seen from one of them.
  /// - Throws: `InterchangeError` where the file's header cannot be read with the mapping.
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
        .mapping, "The first row cannot be read: \(error.reason)",
        remedy: "Check the file and the mapping.", path: file.name, line: error.line)
    }
    let header = mapping.hasHeader ? record.texts(in: bytes) : []
    self.init(delimiter: mapping.delimiter, header: header, columnCount: record.count)
  }

  /// How many lines stand before the header (or the first row), or `nil` where the file is another's.
  func place(in sample: [UInt8], _ format: CSVFormat, skipping lines: Int) -> Int? {
    if matches(sample, format, after: lines) { return lines }
    if header.isEmpty { return nil }
    return (0..<Self.preambleMax).first { matches(sample, format, after: $0) }
  }

  /// The most lines that are looked through for a header.
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
  /// Whether every whole row of a sample is what the mapping says.
  fileprivate func reads(_ sample: [UInt8]) -> Bool {
    var text = sample
    // The last line may be cut.
    if let end = text.lastIndex(of: 0x0A), end > 0 { text.removeLast(text.count - end) }
    guard let file = try? CSVFile(bytes: text), let read = try? MappedFile(file, mapping: self)
    else { return false }
    return read.badLineCount == 0 && !read.rows.isEmpty
  }
}
