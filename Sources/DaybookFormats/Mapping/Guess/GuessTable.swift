import DaybookBookkeeping
import DaybookEntities

/// The first records of a file, from which its mapping is guessed.
///
/// The table begins at the first record with a date and an amount. The guess uses only records that
/// have a date in the date column. This ignores text before the table and totals after it.
struct GuessTable {
  struct Record {
    var cells: [String]
    var line: Int
  }

  let facts: MappingFacts
  var delimiter: UInt8 = 0x2C
  var skipLines = 0
  var header: [String]?
  /// The titles, normalised for comparison with `HeaderWords`.
  var titles: [String] = []
  /// The records before the header.
  var preamble: [Record] = []
  /// The records after the header.
  var records: [Record] = []
  /// The cells of the records that have a date.
  var rows: [[String]] = []
  /// The cells of later records that have a date.
  var further: [[String]] = []
  var width = 0

  static let rowCountMax = 200
  static let furtherRowCountMax = 20_000

  /// Splits a sample into records and finds the start of its table.
  init(sample: [UInt8], facts: MappingFacts) throws(InterchangeError) {
    self.facts = facts
    var best = -1.0
    var all: [Record] = []
    for candidate in try Self.delimiters(facts) {
      let records = Self.read(sample, candidate, skipping: facts.skipLines ?? 0)
      let likely = records.filter(Self.isLikelyRow)
      let width = Self.mode((likely.isEmpty ? records : likely).map(\.cells.count))
      guard width > 1 || facts.delimiter != nil else { continue }
      let even = Double(records.count { $0.cells.count == width }) / Double(records.count)
      let score =
        Double(likely.count { $0.cells.count == width }) + even + Double(min(width, 50)) / 100
      guard score > best else { continue }
      best = score
      delimiter = candidate
      self.width = width
      all = records
    }
    findStart(in: all)
  }

  private static func delimiters(_ facts: MappingFacts) throws(InterchangeError) -> [UInt8] {
    guard let delimiter = facts.delimiter else { return [0x2C, 0x3B, 0x09, 0x7C] }
    var mapping = ImportMapping(
      date: .init(column: .number(1)), amount: .init(), currency: .init(literal: ""),
      account: .init(literal: ""))
    mapping.delimiter = delimiter
    return [try mapping.format().delimiter]
  }

  private static func read(
    _ sample: [UInt8], _ delimiter: UInt8, skipping lines: Int, atMost most: Int = rowCountMax
  ) -> [Record] {
    var format = CSVFormat(delimiter: delimiter)
    format.readsFormulas = true
    var reader = CSVReader(format: format)
    var record = CSVRecord()
    var records: [Record] = []
    let span = sample.span
    reader.skip(lines: lines, in: span)
    while records.count < most {
      do {
        guard try reader.next(&record, in: span) else {
          // If the sample is truncated, its last row may be incomplete.
          let isCut = sample.count >= 65_536 && sample.last != 0x0A && sample.last != 0x0D
          if isCut, records.count > 2 { records.removeLast() }
          return records
        }
        let cells = (0..<record.count).map { record.trimmedText($0, in: span) }
        records.append(Record(cells: cells, line: record.line))
      } catch {
        reader.skipLine(in: span)
      }
    }
    return records
  }

  /// Returns the cells of later records, which aren't used to guess the columns.
  func further(of sample: [UInt8], date: DateGuess) -> [[String]] {
    guard let last = records.last, let pattern = DatePattern(date.format),
      records.count + preamble.count + 1 >= Self.rowCountMax
    else { return [] }
    let most = Self.furtherRowCountMax + Self.rowCountMax
    let all = Self.read(sample, delimiter, skipping: facts.skipLines ?? 0, atMost: most)
    return all.filter { record in
      record.line > last.line && date.column < record.cells.count
        && Self.day(record.cells[date.column], pattern) != nil
    }.map(\.cells)
  }

  static func mode(_ counts: [Int]) -> Int {
    var seen: [Int: Int] = [:]
    for count in counts { seen[count, default: 0] += 1 }
    return seen.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
  }

  /// Returns whether a record contains a date and an amount in any columns.
  private static func isLikelyRow(_ record: Record) -> Bool {
    var hasDay = false
    var hasAmount = false
    for cell in record.cells where !cell.isEmpty {
      if !hasDay, isDay(cell) { hasDay = true } else if isAmount(cell) { hasAmount = true }
    }
    return hasDay && hasAmount
  }

  static func isAmount(_ text: String) -> Bool {
    units(text, ".") != nil || units(text, ",") != nil
  }

  /// Finds the header and the first row.
  ///
  /// The header is the record before the first row that has the most known titles. Records before
  /// the header are skipped.
  private mutating func findStart(in all: [Record]) {
    var first =
      all.firstIndex { $0.cells.count + 1 >= width && Self.isLikelyRow($0) }
      ?? all.firstIndex(where: Self.isLikelyRow) ?? all.count
    // A line about the account can also have a date and a balance, but the header follows it.
    if first < all.count, all[first].cells.count > width,
      let next = all[(first + 1)...].firstIndex(where: {
        (width - 1...width).contains($0.cells.count) && Self.isLikelyRow($0)
      }), all[(first + 1)..<next].contains(where: { Self.isHeader($0, width) })
    {
      first = next
    }
    if let place = headerPlace(in: all, before: first) {
      header = all[place].cells
      titles = all[place].cells.map { HeaderWords.folded($0) }
      skipLines = all[place].line - 1
      preamble = Array(all[..<place])
      records = Array(all[(place + 1)...])
    } else {
      skipLines = facts.skipLines ?? (first < all.count ? all[first].line - 1 : 0)
      let start = min(facts.skipLines == nil ? first : 0, all.count)
      preamble = Array(all[..<start])
      records = Array(all[start...])
    }
    width = max(header?.count ?? 0, header == nil ? width : 0)
  }

  private func headerPlace(in all: [Record], before first: Int) -> Int? {
    guard facts.hasHeader != false else { return nil }
    if facts.hasHeader == true || facts.skipLines != nil, let given = all.first {
      return facts.hasHeader == true || Self.isHeader(given, width) ? 0 : nil
    }
    var best: (place: Int, score: Int)?
    for place in 0..<min(first, all.count) where Self.isHeader(all[place], width) {
      let titles = all[place].cells.filter { !$0.isEmpty }.map { HeaderWords.folded($0) }
      let known = titles.count { title in
        HeaderWords.all.contains { words in words.contains { title.contains($0) } }
      }
      let score = known * 2 + (place == first - 1 ? 1 : 0)
      if score >= best?.score ?? 0 { best = (place, score) }
    }
    return best?.place
  }

  /// Returns whether a record could be a header.
  ///
  /// It must have about as many columns as the table, and no dates or amounts.
  private static func isHeader(_ record: Record, _ width: Int) -> Bool {
    let filled = record.cells.filter { !$0.isEmpty }
    return record.cells.count + 1 >= width && record.cells.count <= width + 2 && filled.count > 1
      && filled.count * 2 >= min(width, record.cells.count) - 1
      && !filled.contains { isDay($0) || isAmount($0) }
  }

  /// Whether some rows have fewer cells than the header, or additional empty cells.
  var isRagged: Bool {
    guard !rows.isEmpty else { return false }
    let count = header?.count ?? rows[0].count
    return rows.contains { $0.count != count }
      && rows.allSatisfy { $0.count <= count || $0[count...].allSatisfy { $0.isEmpty } }
  }

  /// Returns the values of a column that aren't blank.
  func values(_ column: Int) -> [String] {
    rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
  }

  func reference(_ column: Int) -> ColumnReference {
    guard let header, column < header.count, !header[column].isEmpty,
      Int(header[column]) == nil,
      header.count(where: { $0.lowercased() == header[column].lowercased() }) == 1,
      !header[column].contains(where: { "{}|".contains($0) })
    else { return .number(column + 1) }
    return .name(header[column])
  }

  /// Returns the name of a column for messages.
  func called(_ column: Int) -> String {
    switch reference(column) {
    case .name(let name): "“\(name)”"
    case .number(let number): "column \(number)"
    }
  }

  /// Returns the index of a column given by name or number.
  func place(of reference: ColumnReference?) throws(InterchangeError) -> Int? {
    guard let reference else { return nil }
    return try RowMapper.place(of: reference, in: header)
  }

  /// Returns whether the title of a column contains one of the words.
  func isNamed(_ column: Int, _ words: [String]) -> Bool {
    guard column < titles.count else { return false }
    return words.contains { titles[column].contains($0) }
  }
}
