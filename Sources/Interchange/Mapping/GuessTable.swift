import Bookkeeping

/// The first records of a file, to guess from.
struct GuessTable {
  var delimiter: UInt8 = 0x2C
  var skipLines = 0
  var header: [String]?
  var rows: [[String]] = []
  var lines: [Int] = []
  var isRagged = false

  static let rowCountMax = 200

  /// Splits a sample by the delimiter that does so most evenly.
  init(sample: [UInt8]) {
    var best = -1.0
    for candidate: UInt8 in [0x2C, 0x3B, 0x09, 0x7C] {
      let (rows, lines) = Self.read(sample, candidate)
      let width = Self.mode(rows.map(\.count))
      guard width > 1, !rows.isEmpty else { continue }
      let even = Double(rows.count { $0.count == width }) / Double(rows.count)
      let score = even + Double(min(width, 50)) / 100
      guard score > best else { continue }
      best = score
      delimiter = candidate
      self.rows = rows
      self.lines = lines
    }
    let width = Self.mode(rows.map(\.count))
    let start = rows.firstIndex { $0.count >= width } ?? 0
    skipLines = start < lines.count && start > 0 ? lines[start] - 1 : max((lines.first ?? 1) - 1, 0)
    rows.removeFirst(min(start, rows.count))
    isRagged = rows.contains { $0.count != width }
  }

  private static func read(_ sample: [UInt8], _ delimiter: UInt8) -> ([[String]], [Int]) {
    var reader = CSVReader(format: CSVFormat(delimiter: delimiter))
    var record = CSVRecord()
    var rows: [[String]] = []
    var lines: [Int] = []
    let span = sample.span
    while rows.count < rowCountMax {
      do {
        guard try reader.next(&record, in: span) else { break }
        rows.append((0..<record.count).map { record.trimmedText($0, in: span) })
        lines.append(record.line)
      } catch {
        reader.skipLine(in: span)
      }
    }
    // The last row of a cut sample may be half a row.
    if sample.count >= 65_536, rows.count > 2, rows.count < rowCountMax {
      rows.removeLast()
      lines.removeLast()
    }
    return (rows, lines)
  }

  private static func mode(_ counts: [Int]) -> Int {
    var seen: [Int: Int] = [:]
    for count in counts { seen[count, default: 0] += 1 }
    return seen.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
  }

  /// Takes the first row as header where it holds neither a day nor an amount.
  mutating func findHeader() {
    guard let first = rows.first else { return }
    let filled = first.filter { !$0.isEmpty }
    let hasData = filled.contains { value in
      Self.patterns.contains { Self.day(value, $0) != nil }
        || Self.units(value, ".") != nil || Self.units(value, ",") != nil
    }
    guard !hasData, filled.count > 1, rows.count > 1 || filled.count > 2 else { return }
    header = first
    rows.removeFirst()
  }

  var width: Int { header?.count ?? rows.first?.count ?? 0 }

  /// The values of a column that are not blank.
  func values(_ column: Int) -> [String] {
    rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
  }

  func reference(_ column: Int) -> ColumnReference {
    guard let header, column < header.count, !header[column].isEmpty,
      Int(header[column]) == nil, header.count(where: { $0 == header[column] }) == 1,
      !header[column].contains(where: { "{}|".contains($0) })
    else { return .number(column + 1) }
    return .name(header[column])
  }

  /// Whether the header of a column holds one of some words.
  func isNamed(_ column: Int, _ words: [String]) -> Bool {
    guard let header, column < header.count else { return false }
    let name = header[column].lowercased()
    return words.contains { name.contains($0) }
  }

  // MARK: - Days

  static let patterns: [DatePattern] = [
    "yyyy-MM-dd*", "yyyy/M/d*", "yyyy.M.d*", "yyyyMMdd*", "d.M.yyyy*", "d/M/yyyy*", "M/d/yyyy*",
    "d-M-yyyy*", "M-d-yyyy*", "d MMM yyyy", "d-MMM-yyyy", "MMM d, yyyy", "d/M/yy", "M/d/yy",
    "d.M.yy", "d-MMM-y", "yyMMdd",
  ].compactMap { DatePattern($0) }

  static func day(_ text: String, _ pattern: DatePattern) -> Day? {
    let bytes = Array(text.utf8)
    guard let (year, month, day) = pattern.parse(0..<bytes.count, in: bytes.span) else {
      return nil
    }
    guard (1900..<2200).contains(year) else { return nil }
    return Day(year: year, month: month, day: day)
  }

  struct DateGuess {
    var column: Int
    var format: String
    var isAmbiguous: Bool
  }

  /// The first column whose values are all days, and the format in which they span least.
  func dateColumn() -> DateGuess? {
    for column in 0..<width {
      let values = values(column)
      guard !values.isEmpty, values.count * 2 > rows.count else { continue }
      var fits: [(pattern: DatePattern, span: Int)] = []
      for pattern in Self.patterns {
        let days = values.compactMap { Self.day($0, pattern) }
        guard days.count == values.count, let low = days.min(), let high = days.max() else {
          continue
        }
        fits.append((pattern, low.distance(to: high)))
      }
      guard let best = fits.min(by: { $0.span < $1.span }) else { continue }
      let differ = fits.contains { fit in
        values.contains { Self.day($0, fit.pattern) != Self.day($0, best.pattern) }
      }
      let text = best.pattern.text
      let needsRest = values.contains { value in
        DatePattern(String(text.dropLast())).map { Self.day(value, $0) == nil } ?? true
      }
      let format = text.hasSuffix("*") && !needsRest ? String(text.dropLast()) : text
      return DateGuess(column: column, format: format, isAmbiguous: differ)
    }
    return nil
  }
}
