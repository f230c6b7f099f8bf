// Goal: journals that Daybook writes are read by it again to equal books, and by the programs they are for;
// a journal of hledger that goes in and out keeps its balances and what it prints. Method: a ledger with
// something of everything goes out, comes in to another and goes out again: both texts are equal. Programs that
// are not installed are passed over.

import Daybook
import DaybookInterchange
import Foundation
import Testing

struct JournalRoundTripTests {
  /// The books of a text, in a ledger of their own.
  static func read(_ text: String, _ format: String) async throws -> Home {
    let reader = try #require(FileFormats.named(format))
    let file = RawFile(Array(text.utf8), name: "export")
    // What is written for both programs is taken for hledger's.
    let known = format == "ledger" ? "hledger" : format
    #expect(FileFormats.candidates(file).first?.name == known)
    let contents = try reader.read(file, ReadingOptions())
    #expect(contents.badLines == [], "\(text)")
    let home = try await Home()
    try await BooksImporter().run(contents, into: home.ledger)
    return home
  }

  @Test("What is written is read again as it was", arguments: ["hledger", "ledger", "beancount"])
  func again(_ format: String) async throws {
    let home = try await RoundTripTests.household()
    let shape: ExportFormat = format == "beancount" ? .beancount : .journal
    let first = try home.export(shape)
    let second = try await Self.read(first, format)
    let out = try second.export(shape)
    let third = try await Self.read(out, format)
    // Openings are transactions now, and names have become what the format allows: from then on nothing
    // changes.
    #expect(try third.export(shape) == out)
    #expect(
      try JournalExportTests.expected(home) == JournalExportTests.expected(second), "\(first)")
    let before = Self.lines(first)
    let after = Self.lines(out)
    #expect(after.subtracting(before) == [], "\(first)\n\(out)")
    try await home.end()
    try await second.end()
    try await third.end()
  }

  /// The lines of transactions; accounts, commodities and settings of a ledger's own aside.
  private static func lines(_ text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").map(String.init).filter {
        !$0.hasPrefix("option") && !$0.contains(" open ") && !$0.contains(" commodity ")
          && !$0.hasPrefix("account") && !$0.contains("; commodity ")
          && !$0.hasPrefix("commodity ") && !$0.hasPrefix("    format ")
      })
  }

  /// Exchanges into currencies without decimals, and one between two of them, with amounts whose
  /// quotients don't end.
  private static func exchanges() async throws -> Home {
    var text = ""
    let cents = [10711, 13037, 2473, 3184, 2000, 7135, 14309, 7986, 14010, 18628, 7415, 1300]
    for (index, cent) in cents.enumerated() {
      let euro = "\(cent / 100).\(cent % 100 < 10 ? "0" : "")\(cent % 100)"
      let day = "2026-01-\(index + 10)"
      let yen = cent * 169 / 100 + index
      text +=
        "\(day) to\n  assets:giro  -\(euro) EUR @@ \(yen) JPY\n  assets:wallet  \(yen) JPY\n\n"
      text += "\(day) from\n  assets:wallet  -\(yen) JPY\n  assets:giro  \(euro) EUR\n\n"
      text += "\(day) won\n  assets:wallet  -\(yen) JPY\n  assets:seoul  \(yen * 9) KRW\n\n"
      text +=
        "\(day) fee\n  assets:giro  -\(euro) EUR\n  expenses:fee  1 EUR\n  assets:wallet  \(yen) JPY\n\n"
    }
    return try await read(text, "hledger")
  }

  @Test("bean-check accepts exchanges into currencies without decimals")
  func yen() async throws {
    let home = try await Self.exchanges()
    let text = try home.export(.beancount)
    // Beancount divides a total price first, so it must be in a currency with decimals.
    #expect(!text.split(separator: "\n").contains { $0.contains("@@") && !$0.hasSuffix(" EUR") })
    #expect(text.contains("JPY @@ "))
    let again = try await Self.read(text, "beancount")
    #expect(try JournalExportTests.expected(home) == JournalExportTests.expected(again))
    if let check = JournalExportTests.program("bean-check") {
      let path = home.path + ".beancount"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let checked = try JournalExportTests.run(check, [path])
      #expect(checked.status == 0 && checked.text.isEmpty, "\(checked.text)")
    }
    try await again.end()
    try await home.end()
  }

  @Test("The strict checks of hledger and ledger accept what is written")
  func strict() async throws {
    // With --pedantic, ledger wants declarations of tags as well.
    for (home, flag) in [
      (try await Self.exchanges(), "--pedantic"),
      (try await RoundTripTests.household(), "--strict"),
    ] {
      let path = home.path + ".journal"
      try await Exporter.export(home.ledger, as: .journal, toFile: path)
      defer { try? FileManager.default.removeItem(atPath: path) }
      for (name, flag) in [("hledger", "--strict"), ("ledger", flag)] {
        guard let tool = JournalExportTests.program(name) else { continue }
        let checked = try JournalExportTests.run(tool, ["-f", path, flag, "balance"])
        #expect(checked.status == 0, "\(name): \(checked.text)")
        #expect(!checked.text.contains("Unknown commodity"), "\(name): \(checked.text)")
      }
      try await home.end()
    }
  }

  @Test("bean-check accepts what is written, and bean-query counts the same")
  func beancount() async throws {
    guard let check = JournalExportTests.program("bean-check"),
      let query = JournalExportTests.program("bean-query")
    else {
      print("beancount is not installed (Debian: apt-get install beancount): skipped")
      return
    }
    let home = try await RoundTripTests.household()
    let path = home.path + ".beancount"
    try await Exporter.export(home.ledger, as: .beancount, toFile: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let checked = try JournalExportTests.run(check, [path])
    #expect(checked.status == 0 && checked.text.isEmpty, "\(checked.text)")
    let asked = try JournalExportTests.run(
      query,
      [
        "-f", "csv", path,
        "SELECT account, currency, sum(number) WHERE NOT account ~ '^Equity' GROUP BY account, currency",
      ])
    #expect(asked.status == 0, "\(asked.text)")
    var found: [String] = []
    var isHeader = true
    try CSVFile(asked.text).forEachRecord { record, bytes in
      defer { isHeader = false }
      let words = (0..<record.count).map {
        record.text($0, in: bytes).trimmingCharacters(in: .whitespaces)
      }
      if !isHeader, words.count == 3, words[2].contains(where: { ("1"..."9").contains($0) }) {
        found.append("\(words[2]) \(words[1])")
      }
      return true
    }
    #expect(found.sorted() == (try JournalExportTests.expected(home)))
    try await home.end()
  }

  private static func sorted(_ text: String) -> [Substring] { text.split(separator: "\n").sorted() }

  static let journal = """
    2026-01-01 * Opening
        Assets:Bank:Giro          1000.00 EUR
        Assets:Bank:Giro            50.00 USD
        Equity:Own               -1000.00 EUR
        Equity:Own                 -50.00 USD

    2026-01-02=2026-01-05 ! (17) Grocer | bread
        ; paid by card
        ; trip: Rome
        ; who:
        Expenses:Food:Bread         12.50 EUR  ; fresh
        Assets:Bank:Giro           -12.50 EUR

    2026-01-03 * Broker
        Assets:Shares                  10 AAPL @@ 150.00 USD
        Assets:Bank:Giro          -150.00 USD

    2026-01-04 * Change
        Liabilities:Card          -110.00 USD @@ 100.00 EUR
        Expenses:Travel            100.00 EUR
    """

  @Test("In from hledger and out again: the same balance and the same print")
  func hledger() async throws {
    let home = try await Self.read(Self.journal, "hledger")
    let path = home.path + ".journal"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let out = try home.export(.journal)
    let entries = out.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    for line in Self.journal.split(separator: "\n") {
      let plain = line.split(separator: " ").joined(separator: " ")
      #expect(entries.contains(plain), "\(line)\n\(out)")
    }
    if let tool = JournalExportTests.program("hledger") {
      try out.write(toFile: path, atomically: true, encoding: .utf8)
      let before = home.path + "-before.journal"
      try Self.journal.write(toFile: before, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: before) }
      let flat = ["balance", "--flat", "-N", "-O", "csv", "--layout=bare"]
      for words in [["print"], flat] {
        let old = try JournalExportTests.run(tool, ["-f", before] + words)
        let new = try JournalExportTests.run(tool, ["-f", path] + words)
        #expect(old.status == 0)
        // Accounts are listed in the order in which they are declared.
        let isPrint = words == ["print"]
        #expect(
          isPrint ? old.text == new.text : Self.sorted(old.text) == Self.sorted(new.text),
          "\(old.text)\n\(new.text)")
      }
    }
    try await home.end()
  }
}
