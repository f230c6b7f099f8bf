import Foundation

/// The results as a table of measures and contenders, with target ratios and whether they are met.
struct Report {
  var results: Results
  var names: [String]

  private static let daybook = DaybookEngine.name
  private static let withoutTexts = DaybookWithoutTextsEngine.name
  private static let sqlite = SQLiteEngine.name
  private static let grdb = GRDBStatementsEngine.name
  private static let records = GRDBRecordsEngine.name
  private static let lmdb = RawLMDBEngine.name
  private static let sqliteWithTexts = SQLiteWithTextsEngine.name
  private static let grdbWithTexts = GRDBStatementsWithTextsEngine.name
  private static let recordsWithTexts = GRDBRecordsWithTextsEngine.name

  /// A target: a measured value with its upper limit, or its lower limit if `isAtLeast`.
  private struct Bar {
    var text: String
    var measured: Double?
    var limit: Double
    var isAtLeast = false

    var cells: String {
      guard let measured, !measured.isNaN else { return " \(text) | — | — |" }
      let isMet = isAtLeast ? measured >= limit : measured <= limit
      return " \(text) | \(Report.number(measured)) | \(isMet ? "met" : "**not met**") |"
    }
  }

  func markdown() -> String {
    var lines = [
      "| measure | " + names.joined(separator: " | ") + " | bar | measured | |",
      "|---|" + String(repeating: "---:|", count: names.count) + "---|---:|---|",
    ]
    for (measure, bars) in rows() where results.values[measure] != nil {
      let cells = names.map { results.value(measure, $0).map(Self.number) ?? "" }
      let row = "| \(measure) | " + cells.joined(separator: " | ") + " |"
      let empty = "| | " + String(repeating: " |", count: names.count)
      if bars.isEmpty { lines.append(row + " | | |") }
      for (index, bar) in bars.enumerated() { lines.append((index == 0 ? row : empty) + bar.cells) }
    }
    return lines.joined(separator: "\n")
  }

  /// The ratio of Daybook's value to another contender's.
  private func ratio(
    _ measure: String, to name: String, of daybook: String = Report.daybook
  ) -> Double? {
    guard let ours = results.value(measure, daybook),
      let theirs = results.value(measure, name)
    else { return nil }
    return ours / theirs
  }

  /// The ratio of another contender's value to Daybook's, which is how many times faster Daybook
  /// is.
  private func speed(
    _ measure: String, over name: String, of daybook: String = Report.daybook
  ) -> Double? {
    ratio(measure, to: name, of: daybook).map { 1 / $0 }
  }

  private func ours(_ measure: String) -> Double? { results.value(measure, Self.daybook) }

  private func rows() -> [(String, [Bar])] {
    let oneOverMany = ours(Measure.oneTask).flatMap { one in
      ours(Measure.tasks).map { one / $0 }
    }
    let sqliteCompact = results.value(Measure.compact, Self.sqlite)
    func disk(_ measure: String, _ limit: Double) -> Bar {
      let measured = ours(measure).flatMap { ours in sqliteCompact.map { ours / $0 } }
      return Bar(text: "≤ \(limit)x SQLite after VACUUM", measured: measured, limit: limit)
    }
    func faster(
      _ measure: String, _ times: Double, than name: String, of daybook: String = Self.daybook
    ) -> Bar {
      Bar(
        text: "≥ \(Self.short(times))x \(name)",
        measured: speed(measure, over: name, of: daybook),
        limit: times, isAtLeast: true)
    }
    // Compares engines with a text index with each other, and engines without one with each other.
    func alike(
      _ plain: String, _ withTexts: String, _ bar: (_ daybook: String, _ other: String) -> Bar
    ) -> [Bar] {
      var bars: [Bar] = []
      if names.contains(withTexts) { bars.append(bar(Self.daybook, withTexts)) }
      if names.contains(Self.withoutTexts) {
        var alike = bar(Self.withoutTexts, plain)
        alike.text = "without texts: " + alike.text
        bars.append(alike)
      }
      return bars
    }
    // Compares Daybook with its text index to an engine without one.
    func mixed(_ bar: Bar) -> Bar {
      var mixed = bar
      mixed.text += ", which has no texts"
      return mixed
    }
    func fasterAlike(
      _ measure: String, _ times: Double, without: Double? = nil, _ plain: String,
      _ withTexts: String
    ) -> [Bar] {
      alike(plain, withTexts) {
        faster(measure, $1 == plain ? without ?? times : times, than: $1, of: $0)
      }
    }
    func noLonger(
      _ measure: String, _ times: Double, without: Double, _ plain: String, _ withTexts: String
    ) -> [Bar] {
      alike(plain, withTexts) {
        let limit = $1 == plain ? without : times
        return Bar(
          text: "≤ \(Self.short(limit))x \($1)", measured: ratio(measure, to: $1, of: $0),
          limit: limit)
      }
    }
    func depth(_ question: Question) -> Bar {
      let measured = ours(question.rawValue).flatMap { deep in
        ours(Question.newest.rawValue).map { deep / $0 }
      }
      return Bar(text: "≤ 2x newest", measured: measured, limit: 2)
    }
    func questions(_ questions: [Question], _ bars: (Question) -> [Bar]) -> [(String, [Bar])] {
      questions.map { ($0.rawValue, bars($0)) }
    }
    var rows: [(String, [Bar])] = [
      (
        Measure.bulk,
        fasterAlike(Measure.bulk, 7, without: 6.5, Self.grdb, Self.grdbWithTexts)
          + [mixed(faster(Measure.bulk, 5, than: Self.grdb))]
          + fasterAlike(Measure.bulk, 10, Self.records, Self.recordsWithTexts)
      ),
      (Measure.bulkProcessor, []),
      (Measure.hundred, fasterAlike(Measure.hundred, 7, Self.grdb, Self.grdbWithTexts)),
      (
        Measure.single,
        noLonger(Measure.single, 0.75, without: 0.8, Self.sqlite, Self.sqliteWithTexts)
          + noLonger(Measure.single, 0.75, without: 0.75, Self.grdb, Self.grdbWithTexts)
      ),
      (Measure.oneTask, []),
      (
        Measure.singleThenRead,
        noLonger(Measure.singleThenRead, 1.2, without: 1.3, Self.sqlite, Self.sqliteWithTexts)
      ),
      (
        Measure.tasks,
        [Bar(text: "≥ 8x one task", measured: oneOverMany, limit: 8, isAtLeast: true)]
          + fasterAlike(Measure.tasks, 15, Self.grdb, Self.grdbWithTexts)
      ),
      (
        Measure.rebuild,
        fasterAlike(Measure.rebuild, 5, Self.sqlite, Self.sqliteWithTexts)
          + [mixed(faster(Measure.rebuild, 5, than: Self.sqlite))]
      ),
      (Measure.rebuildProcessor, []),
      (Measure.rebuildMemory, []),
    ]
    rows += questions([.newest]) { [faster($0.rawValue, 5, than: Self.grdb)] }
    rows += questions([.deepKey, .deepOffset]) {
      [faster($0.rawValue, 5, than: Self.grdb), depth($0)]
    }
    rows += questions([.balance]) { [faster($0.rawValue, 3, than: Self.sqlite)] }
    rows += questions([.months, .breakdown]) {
      [
        faster($0.rawValue, 3, than: Self.sqlite),
        Bar(
          text: "≤ 3x \(Self.lmdb)", measured: ratio($0.rawValue, to: Self.lmdb), limit: 3),
      ]
    }
    rows += [
      (Measure.open, [Bar(text: "≤ 5 ms", measured: ours(Measure.open), limit: 5)]),
      (
        Measure.openMemory,
        [Bar(text: "≤ 16 MB", measured: ours(Measure.openMemory), limit: 16)]
      ),
      (Measure.compact, []),
      (Measure.rebuilt, [disk(Measure.rebuilt, 1.2)]),
      (Measure.grown, [disk(Measure.grown, 2)]),
      (Measure.flushes, [Bar(text: "≤ 2", measured: ours(Measure.flushes), limit: 2)]),
      (Measure.viewsFlushes, [Bar(text: "none", measured: ours(Measure.viewsFlushes), limit: 0)]),
      (
        Measure.bytesSingle,
        [Bar(text: "≤ 75,000", measured: ours(Measure.bytesSingle), limit: 75_000)]
      ),
      (Measure.bytesBulk, []),
      (
        Measure.imported,
        fasterAlike(Measure.imported, 5, Self.grdb, Self.grdbWithTexts)
          + [mixed(faster(Measure.imported, 5, than: Self.grdb))]
      ),
      (Measure.importedProcessor, []),
    ]
    return rows
  }

  /// A limit without trailing zeros.
  private static func short(_ bar: Double) -> String { String(format: "%g", bar) }

  /// A number with about three significant digits.
  static func number(_ value: Double) -> String {
    if value == 0 { return "0" }
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
    return String(format: "%.\(digits)f", value)
  }
}
