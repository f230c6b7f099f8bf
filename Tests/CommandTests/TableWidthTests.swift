// Goal: a table fits every terminal from forty columns on, says everything that its columns were not
// allowed to leave out, and never cuts a figure. Method: tables of plain, wide, combining and emoji
// texts are drawn for terminals described by hand, and each line is measured.
import DaybookTerminal
import Testing

@Suite struct TableWidthTests {
  static let widths = [40, 60, 80, 200]
  static let texts = [
    "Rewe", "寿司 まさ, a place with a very long name indeed, in Berlin",
    "e\u{301}te\u{301} en Provence\u{300}", "👨‍👩‍👧 Familie 🇰🇿 ☕️ und noch viel mehr als das",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen", "",
    "한국 식당에서 점심을 먹었다 그리고 커피도 마셨다",
  ]

  private func terminal(_ columns: Int?, ascii: Bool = false) -> Terminal {
    Terminal(isTerminal: true, columns: columns, inColour: false, isASCII: ascii)
  }

  private func list() -> TextTable {
    var table = TextTable([
      .init("Place", isFlexible: false), .init("Account", yielding: .below(3)),
      .init("Category", yielding: .below(2)), .init("Payee", yielding: .below(1)),
      .init("Amount", .right), .init("", isFlexible: false),
    ])
    for (place, text) in Self.texts.enumerated() {
      table.addHeading(
        "Saturday 2026-02-14  2 transactions",
        trailing: ["-1,234,567.89 EUR", "1,234,567.89 JPY", "10.00 USD"])
      table.add([
        .init("2026-02-14#123\(place)"), "Checking → Sparkasse", "Food:Groceries", .init(text),
        "-1,234,567.89", "EUR",
      ])
      table.addRule()
    }
    return table
  }

  private func inOneLine(_ lines: [String]) -> String {
    lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  @Test(arguments: widths) func everyLineFitsAndNoFigureIsCut(columns: Int) {
    let lines = list().lines(for: terminal(columns))
    for line in lines { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
    #expect(
      lines.count { $0.contains("-1,234,567.89  EUR") || $0.contains("-1,234,567.89 EUR") } >= 14)
    #expect(lines.allSatisfy { $0.last != " " })
  }

  @Test(arguments: widths) func aChartFits(columns: Int) {
    var chart = BarChart()
    for text in Self.texts {
      chart.add(text, [.init(name: "", figure: "1,234,567.89 EUR   12.3 %", length: 5)])
    }
    let lines = chart.lines(for: terminal(columns))
    for line in lines { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
    #expect(lines.count { $0.contains("1,234,567.89 EUR") } == Self.texts.count)
  }

  @Test(arguments: widths) func sentencesFit(columns: Int) {
    for text in Self.texts {
      let lines = terminal(columns).prose("  \(text) \(text)")
      for line in lines { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
      #expect(
        lines.joined().filter { $0 != " " } == (text + text).filter { $0 != " " }, "\(lines)")
    }
    #expect(terminal(nil).prose(String(repeating: "a b ", count: 100)).count == 1)
  }

  @Test func columnsYieldInTheOrderOfTheirRanks() {
    var table = TextTable([
      .init("Name", yielding: .never), .init("Below", yielding: .below(2)),
      .init("Gone", isFlexible: false, yielding: .goes(1)), .init("Sum", .right),
    ])
    table.add(["a name of twenty col", "what stands below it", "2026-02-14", "1,000.00"])
    #expect(
      table.lines(for: terminal(66))[1]
        == "a name of twenty col  what stands below it  2026-02-14  1,000.00")
    // Texts give way first, as far as that is comfortable.
    let tight = table.lines(for: terminal(50))
    #expect(tight[0].contains("Gone") && tight[1].contains("…") && tight.count == 2, "\(tight)")
    #expect(
      table.lines(for: terminal(42)).map { $0.split(separator: " ").first } == ["Name", "a"])
    #expect(!table.lines(for: terminal(42)).joined().contains("2026-02-14"))
    #expect(
      table.lines(for: terminal(31)) == [
        "Name                       Sum", "  Below", "a name of twenty col  1,000.00",
        "  what stands below it",
      ])
  }

  @Test func whatMayNotYieldIsToldAsAList() {
    var table = TextTable([
      .init("Month", isFlexible: false), .init("Income", .right), .init("Expense", .right),
      .init("", isFlexible: false),
    ])
    table.add(["2026-01", "123,456,789.00", "-123,456,789.00", "EUR"])
    table.add(["2026-02", "1.00", "", ""])
    #expect(
      table.lines(for: terminal(40)) == [
        "Month    2026-01", "Income   123,456,789.00", "Expense  -123,456,789.00 EUR", "",
        "Month    2026-02", "Income   1.00",
      ])
  }

  @Test func textsGoOnInTheirColumn() {
    var table = TextTable([.init("What", wraps: true), .init("Sum", .right)])
    table.add(["寿司 まさ and sons", "1.00"])
    table.add(["Rewe", "2.00"])
    #expect(
      table.lines(for: terminal(16)) == [
        "What         Sum", "寿司 まさ   1.00", "and sons", "Rewe        2.00",
      ])
    #expect(table.lines(for: terminal(nil))[1] == "寿司 まさ and sons  1.00")
  }

  @Test func anEmptyColumnIsTheFirstToGo() {
    var table = TextTable([
      .init("Name", yielding: .never), .init("Kind", yielding: .below(1)),
      .init("Note", yielding: .below(2)), .init("Sum", .right),
    ])
    table.add(["a name of twenty col", "asset", "", "1,000.00"])
    #expect(
      table.lines(for: terminal(40)) == [
        "Name                  Kind        Sum", "a name of twenty col  asset  1,000.00",
      ])
    #expect(table.lines(for: terminal(50))[0].contains("Note"))
  }

  @Test func idsAreNotBroken() {
    var table = TextTable(
      [.init("", isFlexible: false), .init("", wraps: true, keepsWords: true)],
      showsTitles: false)
    table.add(["Description", "two words"])
    table.add(["Id", "01890a5d-ac96-774b-bcce-b302099a8057"])
    #expect(
      table.lines(for: terminal(40)) == [
        "Description  two words", "Id", "  01890a5d-ac96-774b-bcce-b302099a8057",
      ])
    #expect(table.lines(for: terminal(60)).count == 2)
    #expect(
      "      account: 01890a5d-ac96-774b-bcce-b302099a8057".wrapped(to: 40) == [
        "      account:", "    01890a5d-ac96-774b-bcce-b302099a8057",
      ])
  }

  @Test func colouredSentencesAreMeasuredAsTheyAreSeen() {
    let text = "\u{1B}[31mError: \u{1B}[0m" + String(repeating: "word ", count: 10)
    let lines = text.wrapped(to: 20)
    #expect(lines.count == 3)
    #expect(lines[0] == "\u{1B}[31mError: \u{1B}[0mword word")
  }

  @Test(arguments: [nil, 40, 80]) func inPlainASCII(columns: Int?) {
    var table = TextTable([.init("From → to"), .init("Share", .right)])
    table.add(["Checking → Savings, “the other” – and much more of the same sort", "–"])
    table.addRule()
    var chart = BarChart()
    chart.add("a → b", [.init(name: "", figure: "1.00", length: 3)])
    let terminal = terminal(columns, ascii: true)
    let lines =
      table.lines(for: terminal) + chart.lines(for: terminal)
      + terminal.prose("“Checking” has … – 3 × 4")
    for line in lines {
      #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
      #expect(columns == nil || DisplayWidth.of(line) <= columns ?? 0, "\(line)")
    }
    #expect("Žofie → 寿司".inASCII == "Žofie -> 寿司")
  }

  @Test(arguments: [
    (nil, false), ("C", true), ("POSIX", true), ("C.UTF-8", false), ("en_US.UTF-8", false),
    ("de_DE.ISO-8859-1", true), ("de_DE.utf8@euro", false), ("de_DE", false),
  ])
  func whichLocalesAreASCII(locale: String?, isASCII: Bool) {
    #expect(Terminal.isASCII(locale: locale) == isASCII)
  }
}
