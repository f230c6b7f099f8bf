// Goal: what is drawn on a terminal fits it, whatever the text, and nothing of a bank's file can
// steer it. Method: tables, charts and bars are drawn for terminals described by hand.
import DaybookTerminal
import Testing

@Suite struct TerminalTests {
  private let narrow = Terminal(isTerminal: true, columns: 30, inColour: false)
  private let file = Terminal(isTerminal: false, columns: nil, inColour: false)

  @Test(arguments: [
    ("Cash", 4), ("", 0), ("寿司 まさ", 9), ("한국", 4), ("é", 1), ("e\u{301}", 1), ("👨‍👩‍👧", 2),
    ("🇰🇿", 2), ("ｱ", 1), ("Ａ", 2), ("–", 1), ("☕️", 2),
  ])
  func columnsOfText(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test func noTextSteersTheTerminal() {
    #expect("a\u{1B}[2Jb\r\nc\td\u{202E}e".printable == "a\u{FFFD}[2Jb c d\u{FFFD}e")
    #expect("Жанна, 寿司".printable == "Жанна, 寿司")
  }

  @Test(arguments: 1...12)
  func truncationNeverExceedsItsColumns(columns: Int) {
    let text = "寿司まさ and sons".truncated(to: columns)
    #expect(DisplayWidth.of(text) <= columns)
    #expect(text.hasSuffix("…"))
  }

  @Test func wideTextStaysAligned() {
    var table = TextTable([.init("Payee"), .init("Amount", .right)])
    table.add(["寿司 まさ", "1.00"])
    table.add(["Rewe", "1,000.00"])
    let lines = table.lines(for: file)
    #expect(lines == ["Payee        Amount", "寿司 まさ      1.00", "Rewe       1,000.00"])
    #expect(Set(lines.map(DisplayWidth.of)) == [19])
  }

  @Test func flexibleColumnsGiveWayAndFiguresDoNot() {
    var table = TextTable([
      .init("Payee"), .init("Note", yielding: .never), .init("Amount", .right),
    ])
    table.add(["A payee with a very long name", "a note that is long too", "12,345,678.90"])
    let lines = table.lines(for: narrow)
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 33 })
    #expect(lines[1].hasSuffix("12,345,678.90"))
    #expect(lines[1].contains("…"))
    #expect(!table.lines(for: file)[1].contains("…"))
  }

  @Test func noLineEndsInSpaces() {
    var table = TextTable([.init("A"), .init("B")])
    table.add(["wide cell", ""])
    #expect(table.lines(for: file).allSatisfy { $0.last != " " })
  }

  @Test func colourOnlyWhereWanted() {
    var table = TextTable([.init("A")])
    table.add([.init("x", .red)])
    #expect(table.lines(for: file).joined().contains("\u{1B}") == false)
    let coloured = Terminal(isTerminal: true, columns: 80, inColour: true)
    #expect(table.lines(for: coloured)[1] == "\u{1B}[31mx\u{1B}[0m")
  }

  @Test func barsCompare() {
    var chart = BarChart()
    chart.add("2026-01", [.init(name: "in", figure: "100", length: 100)])
    chart.add("2026-02", [.init(name: "in", figure: "50", length: 50)])
    chart.add("2026-03", [.init(name: "in", figure: "0", length: 0)])
    let lines = chart.lines(for: Terminal(isTerminal: true, columns: 36, inColour: false))
    let blocks = lines.map { $0.filter { $0 == "█" }.count }
    #expect(blocks == [18, 9, 0])
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 36 })
  }

  @Test(arguments: [5, 20, 40, 80, 200])
  func progressFitsItsLine(columns: Int) {
    let terminal = Terminal(isTerminal: true, columns: columns, inColour: false)
    for part in [-1, 0, 0.5, 1, 7] {
      let line = ProgressBar.line("Importing", part, "1234 of 20000  ", terminal)
      #expect(DisplayWidth.of(line) < columns)
    }
    let whole = ProgressBar.line("Importing", 1, "", terminal)
    #expect(columns < 40 || whole.hasSuffix("100 %"))
  }

  @Test func barsOfHugeAndTinyFigures() {
    var chart = BarChart()
    chart.add("a", [.init(name: "", figure: "", length: .max)])
    chart.add("b", [.init(name: "", figure: "", length: 1)])
    let lines = chart.lines(for: narrow)
    #expect(lines[0].contains("█"))
    #expect(lines[1].hasSuffix("▏"))
  }
}
