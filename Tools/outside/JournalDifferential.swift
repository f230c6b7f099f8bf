import Daybook
import DaybookInterchange
import Foundation

/// Compares journals as Daybook reads them with the programs that they are written for.
struct JournalDifferential {
  let places: Places

  /// The program for each syntax.
  static let programs: [JournalMaker.Syntax: String] = [
    .hledger: "hledger", .ledger: "ledger", .beancount: "bean-query",
  ]

  /// Compares generated journals by account, commodity and month.
  func madeUp(_ syntax: JournalMaker.Syntax, seeds: Range<UInt64>) throws -> String {
    let tool = try Program.find(Self.programs[syntax] ?? "")
    var count = 0
    for seed in seeds {
      let maker = JournalMaker(syntax, seed: seed)
      let folder = "\(places.scratch)/\(syntax.rawValue)-\(seed)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/main.journal"
      try maker.text.write(toFile: path, atomically: true, encoding: .utf8)
      try maker.part.write(toFile: folder + "/part.journal", atomically: true, encoding: .utf8)
      do {
        let figures = BookFigures(try Self.books(path, syntax), isMonthly: true)
        try figures.compare(try Self.figures(tool, syntax, path))
        count += figures.figures.count
      } catch {
        throw Wrong("seed \(seed) (\(path)): \(error)")
      }
    }
    return "\(seeds.count) journals, \(count) figures of a month the same"
  }

  /// Compares a journal that people kept for years.
  func hackclub(_ syntax: JournalMaker.Syntax) throws -> String {
    let path = try places.outside("hackclub/main.ledger")
    let tool = try Program.find(Self.programs[syntax] ?? "")
    let books = try Self.books(path, syntax)
    let figures = BookFigures(books, isMonthly: true)
    try figures.compare(try Self.figures(tool, syntax, path))
    let whole = BookFigures(books).figures.count
    return "\(books.transactions.count) transactions, \(whole) accounts, "
      + "\(figures.figures.count) figures of a month the same"
  }

  static func books(_ path: String, _ syntax: JournalMaker.Syntax) throws -> Books {
    guard let format = FileFormats.named(syntax.rawValue) else { throw Wrong("no such format") }
    var options = ReadingOptions()
    options.include = { path throws(InterchangeError) in [try RawFile(path: path)] }
    let contents = try format.read(RawFile(path: path), options)
    guard let books = contents.books, contents.badLineCount == 0 else {
      throw Wrong(contents.badLines.prefix(5).map(\.description).joined(separator: "; "))
    }
    return books
  }

  /// The program's figures, with keys "account commodity month".
  private static func figures(
    _ tool: String, _ syntax: JournalMaker.Syntax, _ path: String
  ) throws -> [String: Int128] {
    var found: [String: Int128] = [:]
    func add(_ account: String, _ name: String, _ month: String, _ number: String) throws {
      let plain = name.replacing("\"", with: "").replacing(" ", with: "")
      let code = plain == "$" ? "USD" : plain
      let units = try units(number, Currency.iso(code)?.digits ?? 0)
      if units != 0 { found["\(account) \(code) \(month)", default: 0] += units }
    }
    switch syntax {
    case .hledger:
      let words = ["balance", "--flat", "-N", "-M", "-O", "csv", "--layout=tidy"]
      for row in try rows(Program.run(tool, ["-f", path] + words)) where row[4] != "" {
        try add(row[0], row[4], String(row[1].prefix(7)), row[5])
      }
    case .ledger:
      let format =
        "%(account)\t%(commodity(scrub(amount)))\t%(format_date(date, \"%Y-%m\"))\t"
        + "%(quantity(scrub(amount)))\n"
      for line in try Program.run(tool, ["-f", path, "reg", "--format", format]).split(
        separator: "\n")
      {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 else { throw Wrong("ledger writes “\(line)”") }
        try add(parts[0], parts[1], parts[2], parts[3])
      }
    case .beancount:
      let query =
        "SELECT account, year, month, currency, sum(number) GROUP BY account, year, month, currency"
      for row in try rows(Program.run(tool, ["-f", "csv", path, query])) {
        let month = (row[2].count < 2 ? "0" : "") + row[2]
        try add(row[0], row[3], "\(row[1])-\(month)", row[4])
      }
    }
    return found
  }

  /// The rows of a CSV file without its header and without whitespace around fields.
  ///
  /// - Throws: ``Wrong`` if a row isn't as wide as the header.
  private static func rows(_ text: String) throws -> [[String]] {
    var rows: [[String]] = []
    try CSVFile(text).forEachRecord { record, bytes in
      rows.append(
        (0..<record.count).map {
          record.text($0, in: bytes).trimmingCharacters(in: .whitespaces)
        })
      return true
    }
    let width = rows.first?.count ?? 0
    guard rows.allSatisfy({ $0.count == width }) else { throw Wrong("a row has too few columns") }
    return Array(rows.dropFirst())
  }

  /// Converts a number with any decimal mark to minor units with the given number of decimals.
  ///
  /// - Throws: ``Wrong`` if further decimals aren't zero.
  private static func units(_ text: String, _ digits: Int) throws -> Int128 {
    var whole = text
    var decimals = ""
    if let mark = text.lastIndex(where: { $0 == "." || $0 == "," }) {
      whole = String(text[..<mark])
      decimals = String(text[text.index(after: mark)...])
    }
    whole = whole.filter { $0 != "," && $0 != "." && $0 != " " }
    while decimals.count > digits, decimals.last == "0" { decimals.removeLast() }
    guard decimals.count <= digits,
      let units = Int128(whole + decimals + String(repeating: "0", count: digits - decimals.count))
    else { throw Wrong("“\(text)” is no amount") }
    return units
  }
}
