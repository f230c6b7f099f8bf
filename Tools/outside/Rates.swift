import Daybook
import DaybookInterchange

/// Checks the import of the European Central Bank's reference rates.
struct ReferenceRates {
  let ledger: Ledger
  let summary: RateImporter.Summary

  init(_ places: Places) async throws {
    ledger = try await Ledger.open(at: places.scratch + "/rates.daybook")
    summary = try await RateImporter.importECB(
      CSVFile(path: places.outside("ecb-rates/eurofxref-hist.csv")), into: ledger)
  }

  func rows() throws -> String {
    try expect("days", summary.dayCount, 6_983)
    try expect("fields", summary.importedCount + summary.absentCount, 6_983 * 41)
    try expect(
      "rates in the ledger", try ledger.read { try $0.rates().count }, summary.importedCount)
    return
      "\(summary.importedCount) rates of \(summary.dayCount) days, \(summary.absentCount) absent"
  }

  func weekend() throws -> String {
    guard let euro = Currency.iso("EUR"), let dollar = Currency.iso("USD"),
      let friday = Day("2026-04-10"), let monday = Day("2026-04-13")
    else { throw Wrong("no days") }
    let money = Money(100_000_000, euro)
    let found = try ledger.read { snapshot in
      try (0..<4).map { try snapshot.convert(money, to: dollar, on: friday.adding(days: $0)) }
    }
    guard let last = found[0]?.minorUnits, let next = found[3]?.minorUnits else {
      throw Wrong("there is no rate on \(friday) or \(monday)")
    }
    try expect("Saturday's", found[1]?.minorUnits, last)
    try expect("Sunday's", found[2]?.minorUnits, last)
    guard next != last else { throw Wrong("Monday's rate is Friday's: the check shows nothing") }
    try expect("Monday's", next, 116_840_000)
    return "Saturday and Sunday are converted at Friday's rate, Monday at its own"
  }

  func crossRate() throws -> String {
    guard let dollar = Currency.iso("USD"), let yen = Currency.iso("JPY"),
      let day = Day("2026-04-13")
    else { throw Wrong("no currencies") }
    let found = try ledger.read { try $0.convert(Money(100_000, dollar), to: yen, on: day) }
    // 1,000 USD / 1.1684 × 186.75 = 159,834.17…
    try expect("1000 USD in yen", found?.minorUnits, 159_834)
    return "1000 USD are \(found.map(\.description) ?? "")"
  }

  func again() async throws -> String {
    let before = try ledger.token
    let file = CSVFile(CSVText.header)
    _ = try await RateImporter.importECB(file, into: ledger)
    try expect("the newest commit", try ledger.token, before)
    return "a rate that is there already makes no commit"
  }

  /// Opens an account in each currency with a rate on a Friday, so that a journal has balances to
  /// compare.
  func accounts() async throws -> String {
    guard let friday = Day("2026-04-10"), let euro = Currency.iso("EUR") else {
      throw Wrong("no days")
    }
    let quoted = try ledger.read { snapshot in
      try snapshot.rates(base: euro, quoted: nil).filter { $0.day == friday }.map(\.quoted)
    }
    // Each currency has a different amount.
    let commands = ([euro] + quoted.sorted()).enumerated().map { index, currency in
      Command.openAccount(
        NewAccount(
          name: currency.code, currency: currency,
          opening: Money(100_000_000 + Int64(index), currency),
          openingDay: friday))
    }
    try await ledger.append(commands)
    guard quoted.count >= 25 else { throw Wrong("only \(quoted.count) currencies have a rate") }
    return "one in each of \(commands.count) currencies"
  }

  /// Checks that the journal's rates give the same value for a million euros on a Sunday.
  func worth(_ journals: Journals, with program: String) async throws -> String {
    let tool = try Program.find(program)
    let path = try await journals.export(ledger, "ecb")
    guard let euro = Currency.iso("EUR"), let sunday = Day("2026-04-12") else {
      throw Wrong("no days")
    }
    var figures: [String] = []
    for code in ["USD", "JPY"] {
      guard let currency = Currency.iso(code) else { throw Wrong("no currencies") }
      let next = "\(sunday.adding(days: 1))"
      let words = ["-f", path, "balance", "Assets:EUR", "--flat", "-X", code]
      let output = try Program.run(
        tool,
        words
          + (program == "hledger"
            ? ["-N", "-e", next, "--format", "%(total)"]
            : ["--no-total", "--now", "\(sunday)", "--format", "%(scrub(display_total))\n"]))
      let found = output.split(whereSeparator: \.isWhitespace).map(String.init)
      guard found.count == 2, found[1] == code else { throw Wrong("\(program) writes “\(output)”") }
      let worth = try ledger.read {
        try $0.convert(Money(100_000_000, euro), to: currency, on: sunday)
      }
      let units = try Journals.minorUnits(found[0], code)
      try expect("a million euros in \(code)", units, worth.map { Int128($0.minorUnits) })
      figures.append(found.joined(separator: " "))
    }
    return "a million euros on Sunday are \(figures.joined(separator: ", or "))"
  }
}

private enum CSVText {
  static let header = "Date,USD,JPY,\n2026-04-13,1.1684,186.75,\n"
}
