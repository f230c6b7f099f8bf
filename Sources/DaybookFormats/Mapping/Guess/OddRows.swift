import DaybookEntities

/// Rows that differ from the others, such as a total at the end, and rules to skip them.
public struct OddRows: Hashable, Sendable {
  /// A sentence without its full stop that lists the rows and their problem.
  public var message: String
  /// The physical lines, from 1.
  ///
  /// Only the first `MappedFile.badLineCountMax` are listed.
  public var lines: [Int]
  /// Rules that skip these rows and no others; empty if no simple rules do, or if the rows may be
  /// transactions.
  public var rules: [ImportMapping.RowRule]
  /// Whether some of the rows may be transactions, so that skipping them would lose money.
  public var hasMoney: Bool
}

extension MappedFile {
  /// Groups the bad lines by problem, and returns each group with rules to skip it.
  ///
  /// - Complexity: O(*n*) in the number of the file's bytes if there are bad lines; otherwise O(1).
  public func oddRows(of file: CSVFile, mapping: ImportMapping) -> [OddRows] {
    guard !badLines.isEmpty, let cells = try? cells(of: file, mapping) else { return [] }
    var kinds: [Kind: [BadLine]] = [:]
    var order: [Kind] = []
    let date = try? RowMapper.place(of: mapping.date.column, in: header)
    let pattern = DatePattern(mapping.date.format, pivot: mapping.date.pivot)
    for line in badLines {
      var kind = Kind(code: line.code, column: line.column, hasMoney: line.hasMoney)
      // A row without a date isn't a transaction, regardless of its other problems.
      if let date, let pattern, let cells = cells[line.line], !Self.hasDay(cells, date, pattern) {
        kind = Kind(code: .date, column: date + 1, hasMoney: line.hasMoney)
      }
      if kinds[kind] == nil { order.append(kind) }
      kinds[kind, default: []].append(line)
    }
    return order.map { kind in
      let lines = kinds[kind] ?? []
      let hasMoney = lines.contains(where: \.hasMoney)
      return OddRows(
        message: message(kind, lines, cells), lines: lines.map(\.line),
        rules: hasMoney ? [] : rules(lines, cells, mapping), hasMoney: hasMoney)
    }
  }

  private static func hasDay(_ cells: [String], _ date: Int, _ pattern: DatePattern) -> Bool {
    guard date < cells.count else { return false }
    let bytes = Array(cells[date].utf8)
    return pattern.parse(0..<bytes.count, in: bytes.span) != nil
  }

  private struct Kind: Hashable {
    var code: BadLine.Code
    var column: Int?
    var hasMoney: Bool
  }

  /// Returns the cells of the bad lines, by line.
  private func cells(of file: CSVFile, _ mapping: ImportMapping) throws -> [Int: [String]] {
    let wanted = Set(badLines.map(\.line))
    let last = wanted.max() ?? 0
    var cells: [Int: [String]] = [:]
    var reader = CSVReader(format: try mapping.format())
    var record = CSVRecord()
    let bytes = file.bytes.span
    reader.skip(lines: mapping.skipLines, in: bytes)
    while true {
      do {
        guard try reader.next(&record, in: bytes), record.line <= last else { return cells }
        guard wanted.contains(record.line) else { continue }
        cells[record.line] = (0..<record.count).map { record.trimmedText($0, in: bytes) }
      } catch {
        reader.skipLine(in: bytes)
      }
    }
  }

  private func message(_ kind: Kind, _ lines: [BadLine], _ cells: [Int: [String]]) -> String {
    let count = lines.count == badLines.count ? badLineCount : lines.count
    let total = rows.count + badLineCount
    let column = kind.column.map { $0 - 1 }
    let title = column.flatMap { column in
      header.flatMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
        ?? "Column \(column + 1)"
    }
    let named = lines.prefix(5).map { line in
      let value = column.flatMap { column in
        cells[line.line].flatMap { column < $0.count ? $0[column] : nil }
      }
      let shown = value.map { $0.count > 24 ? $0.prefix(23) + "…" : $0 }
      guard let shown else { return "\(line.line)" }
      return shown.isEmpty ? "\(line.line) (blank)" : "\(line.line) (“\(shown)”)"
    }
    let places =
      (count == 1 ? "line " : "lines ")
      + (count > 5
        ? named.joined(separator: ", ") + " and \(count - 5) more" : GuessTable.list(named))
    let isOne = count == 1
    let verb = isOne ? "doesn't" : "don't"
    switch kind.code {
    case .date:
      return "\(title ?? "Day"): \(total - count) of \(total) rows have a day; \(places) \(verb)"
    case .amount:
      return
        "\(title ?? "Amount"): \(total - count) of \(total) rows have an amount; \(places) \(verb)"
    case .currency:
      return
        "\(title ?? "Currency"): \(total - count) of \(total) rows have a currency; \(places) "
        + "\(verb)"
    case .direction:
      return
        "\(title ?? "Direction"): \(total - count) of \(total) rows have a direction; \(places) "
        + "\(verb)"
    case .ragged:
      return
        "\(total - count) of \(total) rows have as many columns as the first; \(places) \(verb)"
    default: return "\(places.prefix(1).uppercased() + places.dropFirst()): \(lines[0].reason)"
    }
  }

  /// Returns rules that match the value of each bad line in the date, amount or description column.
  private func rules(
    _ lines: [BadLine], _ cells: [Int: [String]], _ mapping: ImportMapping
  ) -> [ImportMapping.RowRule] {
    let date = try? RowMapper.place(of: mapping.date.column, in: header)
    let amount = mapping.amount.column
    let column = amount.flatMap { try? RowMapper.place(of: $0, in: header) }
    guard let date, let pattern = DatePattern(mapping.date.format, pivot: mapping.date.pivot) else {
      return []
    }
    var rules: [ImportMapping.RowRule] = []
    for line in lines {
      guard let cells = cells[line.line] else { return [] }
      let day = date < cells.count ? cells[date] : ""
      var rule: ImportMapping.RowRule
      if !Self.hasDay(cells, date, pattern) {
        rule = Self.rule(mapping.date.column, day)
      } else if line.code == .amount, let amount, let column, line.column == column + 1 {
        rule = .init(column: amount, equals: [column < cells.count ? cells[column] : ""])
      } else if case .columns(let references)? = mapping.description?.parts.first,
        let reference = references.first,
        let place = try? RowMapper.place(of: reference, in: header),
        place < cells.count, !cells[place].isEmpty,
        !rows.contains(where: { $0.description == cells[place] })
      {
        rule = .init(column: reference, equals: [cells[place]])
      } else {
        return []
      }
      if !rules.contains(rule) { rules.append(rule) }
    }
    return rules.count <= 5 ? rules : []
  }

  /// Returns a rule that matches the words before the first number, if there are any, because the
  /// rest differs from month to month.
  private static func rule(_ column: ColumnReference, _ value: String) -> ImportMapping.RowRule {
    let words = value.prefix { !$0.isNumber && !"=*".contains($0) }
    let start = words.prefix(30).trimmingSuffix { $0 == " " || $0 == ":" || $0 == "(" }
    guard start.count >= 3, start.count < value.count else {
      return .init(column: column, equals: [value])
    }
    return .init(column: column, beginsWith: String(start))
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
    var text = self
    while let last = text.last, isDropped(last) { text.removeLast() }
    return text
  }
}
