// Goal: every report is to be had as a table, CSV, TSV and JSON, with the same figures. Method: the
// built command is run on small ledgers; CSV and TSV are read back by readers written here.
import Foundation
import Testing

@Suite struct OutputTests {
  /// A ledger whose texts hold commas, quotes, line ends, tabs, backslashes and other scripts.
  static func household() throws -> Desk {
    let desk = try EverydayTests.household()
    try desk.run([
      "add", "expense", "1234.56", "--account", "Checking", "--category", "Food", "--on",
      "2026-02-10", "--payee", "寿司 \"まさ\", Berlin", "--note", "first\nsecond\tthird\\", "--tag",
      "a,b", "--tag", "c",
    ])
    try desk.done("budget add Food 100 --category Food --start 2026-01-01")
    try desk.done("rules add Sushi --contains 寿司 --tag out --category Food")
    try desk.done(
      "recurring add Rent expense 5 --account Checking --from 2026-02-20 --category Food")
    try desk.done("assertions add Checking 1 --on 2026-02-14")
    try desk.done("assertions add Cash 100 --on 2026-02-14")
    return desk
  }

  /// A reader of RFC 4180.
  static func csv(_ text: String) -> [[String]] {
    var records: [[String]] = [[""]]
    var isQuoted = false
    var characters = Array(text.unicodeScalars)[...]
    while let next = characters.popFirst() {
      switch next {
      case "\"" where isQuoted && characters.first == "\"":
        characters.removeFirst()
        records[records.count - 1][records[records.count - 1].count - 1].append("\"")
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: records[records.count - 1].append("")
      case "\n" where !isQuoted: records.append([""])
      default:
        records[records.count - 1][records[records.count - 1].count - 1].unicodeScalars
          .append(next)
      }
    }
    return records.last == [""] ? records.dropLast() : records
  }

  /// A reader of TSV with backslashes.
  static func tsv(_ text: String) -> [[String]] {
    text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map { field in
        var text = ""
        var isEscaped = false
        for character in field {
          if isEscaped {
            text.append(["t": "\t", "n": "\n", "r": "\r"][character] ?? character)
            isEscaped = false
          } else if character == "\\" {
            isEscaped = true
          } else {
            text.append(character)
          }
        }
        return text
      }
    }
  }

  /// The reports, with the names of their columns.
  static let reports: [(words: String, names: String)] = [
    (
      "list",
      "place day type status account to category payee description note tags amount currency"
    ),
    ("list --sections --limit 2", ""), ("list --count", "count"), ("search food", ""),
    ("balance", "account id kind closed deleted day amount currency"),
    ("balance Checking Dollars --every month", "day account amount currency"),
    ("months", "month income expense net transfers currency count"),
    ("payees", "payee count lastDay account category amount currency"),
    ("tags", "tag count lastDay"), ("duplicates", ""),
    ("networth --count 3", "month day worth change currency"),
    ("categories list", "path name kind id parent deleted"),
    ("categories top", "category id amount currency share"),
    ("categories trend Food", "month amount currency"),
    ("insights", "figure name amount currency usual value"),
    (
      "accounts list",
      "account id kind closed deleted opening openingDay balance currency note numbers"
    ), ("accounts list --dormant 1", "account id kind lastDay balance currency"),
    ("rate list", "day currency rate in"),
    ("rate convert 5 USD", "day currency rate in"),
    (
      "recurring list",
      "name id type account to category amount currency tolerance every rrule next state"
    ), ("recurring upcoming", "day due series type amount currency overdue transaction"),
    ("recurring forecast Checking", "day amount currency"),
    ("rules list", "name id where category transferTo payee description tags enabled continues"),
    (
      "rules preview",
      "place payee description note category newCategory rule newDescription newTags"
    ), ("assertions list", "day account id stated balance difference currency holds note"),
    ("assertions check Cash", ""),
    (
      "budget show Food",
      "from through amount carriedOver available spent remaining currency share"
    ),
    ("history --limit 1000", "sequence time author source operation kind id property before after"),
    ("settings", "name value"), ("info", "name value"),
    ("show 2026-02-10#5", "place name kind amount currency note"),
    ("budget list", "budget archived from through spent available remaining currency share"),
  ]

  @Test(arguments: reports.map(\.words)) func theFourForms(words: String) throws {
    let desk = try Self.household()
    let names = Self.reports.first { $0.words == words }?.names ?? ""
    // Some know no day.
    let knowsNoDay = ["rate list", "rules", "assertions", "history", "settings", "info", "show"]
    let isTimeless =
      knowsNoDay.contains { words.hasPrefix($0) } || words == "categories list"
    let line = words + (isTimeless ? "" : " --today 2026-02-15")
    let csv = Self.csv(try desk.done(line + " --output csv").output)
    let tsv = Self.tsv(try desk.done(line + " --output tsv").output)
    #expect(csv == tsv)
    let header = try #require(csv.first)
    if !names.isEmpty { #expect(header == names.split(separator: " ").map(String.init)) }
    #expect(Set(header).count == header.count)
    #expect(csv.allSatisfy { $0.count == header.count }, "\(csv)")
    #expect(try desk.done(line + " --output json").output == desk.done(line + " --json").output)
    #expect(try desk.done(line + " --output table").output == desk.done(line).output)
  }

  @Test func valuesAreRawAndWhole() throws {
    let desk = try Self.household()
    let narrow = ["COLUMNS": "40"]
    let run = try desk.run("list --output csv --category Food", environment: narrow)
    let rows = Self.csv(run.output)
    #expect(rows.count == 4 && run.errors.isEmpty)
    #expect(
      rows[2] == [
        "2026-02-10#5", "2026-02-10", "expense", "cleared", "Checking", "", "Food",
        "寿司 \"まさ\", Berlin", "", "first\nsecond\tthird\\", "a\\,b,c", "-1234.56", "EUR",
      ])
    #expect(!run.output.contains("\r"))
    let transfer = Self.csv(try desk.done("list --output csv --type transfer").output)[1]
    #expect(Array(transfer[4...6]) == ["Checking", "Cash", ""])
    let months = Self.csv(try desk.done("months --count 1 --today 2026-02-15 --output csv").output)
    #expect(
      months.count == 2
        && months[1] == ["2026-02", "0.00", "1274.56", "-1274.56", "100.00", "EUR", "4"])
    // Sums are for people.
    #expect(!(try desk.done("balance --output csv").output.contains("Total")))
  }

  @Test func anEmptyReportHasItsHeader() throws {
    let desk = try Desk()
    try desk.done("init")
    #expect(try desk.done("tags --output csv").output == "tag,count,lastDay\n")
    #expect(try desk.done("tags --output tsv").output == "tag\tcount\tlastDay\n")
  }

  @Test func figuresOfReportsForPrograms() throws {
    let desk = try Self.household()
    func rows(_ words: String) throws -> [[String]] {
      Self.csv(try desk.done(words + " --output csv").output)
    }
    let top = try rows("categories top --month 2026-02 --today 2026-02-15")
    #expect(top.count == 2 && top[1][0] == "Food")
    #expect(Array(top[1][2...]) == ["1274.56", "EUR", "1.000"])
    let insights = try rows("insights --today 2026-02-15")
    #expect(insights.contains(["expense", "2026-02", "1274.56", "EUR", "", ""]))
    #expect(insights.contains(["topCategory", "Food", "1274.56", "EUR", "", "1.000"]))
    let forecast = try rows("recurring forecast Checking --through 2026-02-28 --today 2026-02-15")
    #expect(forecast.last == ["2026-02-20", "1620.44", "EUR"])
    let settings = try rows("settings")
    #expect(
      settings == [
        ["name", "value"], ["base", "EUR"], ["firstWeekday", "monday"], ["closedThrough", ""],
      ])
    let budget = try rows("budget show Food --today 2026-02-15")[1]
    #expect(
      budget == [
        "2026-02-01", "2026-02-28", "100.00", "0.00", "100.00", "1274.56", "-1174.56", "EUR",
        "12.746",
      ])
    let postings = try rows("show 2026-02-10#5")
    #expect(postings.contains(["2026-02-10#5", "Checking", "account", "-1234.56", "EUR", ""]))
    let history = try rows("history --limit 1 --entity 2026-02-10#5")
    #expect(history.contains { $0[7] == "note" && $0[9] == "first\nsecond\tthird\\" }, "\(history)")
    // What does not hold is listed, and is the exit code.
    let check = try desk.run("assertions check --output csv")
    #expect(check.status == 1)
    let failing = Self.csv(check.output)
    #expect(
      failing.count == 2 && failing[1][3...7] == ["1.00", "1625.44", "1624.44", "EUR", "false"])
  }

  @Test func whatIsLeftOutGoesToStandardError() throws {
    let desk = try Self.household()
    let page = try desk.run("list --limit 2 --output csv")
    #expect(page.errors.contains("For the next, add --after"))
    #expect(Self.csv(page.output).count == 3)
    let worth = try desk.run("balance --on 2025-06-01 --output tsv")
    #expect(worth.errors.contains("Left out 50.00 USD") && !worth.output.contains("Left out"))
  }

  @Test func formsThatContradictOrAreUnknown() throws {
    let desk = try Self.household()
    let both = try desk.run("list --json --output csv")
    #expect(both.status == 64 && both.output.isEmpty && both.errors.contains("--output csv"))
    #expect(try desk.done("list --json --output json").json()["count"].int == 5)
    let unknown = try desk.run("list --output xml")
    #expect(unknown.status == 64 && unknown.errors.contains("tsv"))
    // Errors are told as the answer would have been.
    let error = try desk.run("list --account Csh --output json")
    #expect(error.status == 1)
    #expect(try error.error()["remedy"].string?.contains("Cash") == true)
    #expect(try desk.run("list --account Csh --output csv").errors.hasPrefix("Error: "))
    // An export is no report: there it names a file.
    try desk.done("export --format csv --output all.csv")
    #expect(FileManager.default.fileExists(atPath: desk.folder + "/all.csv"))
  }

  @Test func signsArePlainInACLocale() throws {
    let desk = try EverydayTests.household()
    for locale in [["LC_ALL": "C"], ["LC_ALL": "", "LANG": "POSIX"]] {
      for words in ["list --type transfer", "balance", "months", "list --account Csh"] {
        let run = try desk.run(words, environment: locale)
        let text = run.output + run.errors
        #expect(!text.isEmpty && text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
      }
    }
    let utf8 = try desk.run("list --type transfer", environment: ["LC_ALL": "C.UTF-8"])
    #expect(utf8.output.contains("Checking → Cash"))
  }

  @Test func errorsAndRemarksFitTheTerminal() throws {
    let desk = try Self.household()
    for words in ["list --account Csh", "balance --on 2025-06-01", "insights --today 2026-02-15"] {
      let run = try desk.run(words, environment: ["COLUMNS": "40"])
      for line in run.output.split(separator: "\n") { #expect(line.count <= 40, "\(line)") }
    }
  }
}
