import Daybook
import Interchange

/// The European Central Bank's reference rates.
struct ReferenceRates {
  let ledger: Ledger
  let summary: RateImporter.Summary

  init(_ places: Places) async throws {
    ledger = try await Ledger.open(at: places.scratch + "/rates.daybook")
    summary = try await RateImporter.importECB(
      CSVFile(path: places.outside("ecb-rates/eurofxref-hist.csv")), into: ledger)
  }

  func rows() throws -> String {
    try expect("days", summary.days, 6_983)
    try expect("fields", summary.imported + summary.absent, 6_983 * 41)
    try expect("rates in the ledger", try ledger.read { try $0.rates().count }, summary.imported)
    return "\(summary.imported) rates of \(summary.days) days, \(summary.absent) absent"
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
}

private enum CSVText {
  static let header = "Date,USD,JPY,\n2026-04-13,1.1684,186.75,\n"
}
