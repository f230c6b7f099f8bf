import Daybook
import DaybookInterchange
import Foundation

/// Checks Daybook with data from other sources and against other programs.
///
/// Prints a line for each check. Exits with 1 if one fails.
@main
struct OutsideChecks {
  static func main() async throws {
    let report = Report()
    let places = try Places()
    defer { places.clean() }
    await berka(places, report)
    await minsapay(places, report)
    await reckon(places, report)
    await rates(places, report)
    await bankFiles(places, report)
    await statementFiles(places, report)
    await journals(places, report)
    report.finish()
    places.clean()
    exit(report.isClean ? 0 : 1)
  }

  private static func berka(_ places: Places, _ report: Report) async {
    var berka: Berka?
    await report.check("berka: import") {
      let started = ContinuousClock.now
      berka = try await Berka(places)
      return "in \(ContinuousClock.now - started)"
    }
    guard let berka else { return }
    await report.check("berka: rows") { try berka.rows() }
    await report.check("berka: net") { try berka.net() }
    await report.check("berka: accounts") { try berka.accounts() }
    await report.check("berka: months") { try berka.months() }
    await report.check("berka: k_symbol") { try berka.symbols() }
    await report.check("berka: the same file again") { try await berka.again() }
    await report.check("berka: in pieces on three devices") {
      try await BerkaShared(places, like: berka.ledger).check()
    }
    await journals(berka.ledger, "berka", places, report)
    await report.check("berka: the built command") { try BerkaCommand(places).check() }
  }

  private static func minsapay(_ places: Places, _ report: Report) async {
    var minsapay: Minsapay?
    await report.check("minsapay: import") {
      minsapay = try await Minsapay(places)
      return "done"
    }
    guard let minsapay else { return }
    await report.check("minsapay: rows") { try minsapay.rows() }
    await report.check("minsapay: zero and huge amounts") { try minsapay.extremes() }
    await report.check("minsapay: stated balances") { try minsapay.statedBalances() }
    await report.check("minsapay: final balances") { try minsapay.balances() }
    await report.check("minsapay: unknown types") { try minsapay.newYear() }
    await journals(minsapay.ledger, "minsapay", places, report)
  }

  private static func reckon(_ places: Places, _ report: Report) async {
    for test in Reckon.cases {
      await reckon(test.input, places, report) { try await Reckon.check(test, places) }
    }
    await reckon("csv/multi-line-field.csv", places, report) { try await Reckon.venmo(places) }
    await report.check("reckon: csv/bom_utf8_file.csv") { try await Reckon.empty(places) }
    await report.check("reckon: csv/simple.csv") { try Reckon.noBank(places) }
  }

  /// Checks a bank's file, then the journals exported from its ledger.
  private static func reckon(
    _ file: String, _ places: Places, _ report: Report,
    _ body: () async throws -> (ledger: Ledger, figures: String)
  ) async {
    var imported: Ledger?
    await report.check("reckon: \(file)") {
      let (ledger, figures) = try await body()
      imported = ledger
      return figures
    }
    guard let imported else { return }
    await journals(imported, "reckon: \(file)", places, report)
    // A failure to close is harmless, because the program ends soon.
    try? await imported.close()
  }

  private static func bankFiles(_ places: Places, _ report: Report) async {
    let ofx = OFXFiles(places: places)
    // If the folder is missing, a single file reports that.
    for file in (try? ofx.files()) ?? ["checking.ofx"] {
      await report.check("ofx: \(file)") { try ofx.check(file) }
    }
    let qif = QIFFiles(places: places)
    for file in (try? qif.files()) ?? ["test.qif"] {
      await report.check("qif: \(file)") { try qif.check(file) }
    }
  }

  private static func rates(_ places: Places, _ report: Report) async {
    var rates: ReferenceRates?
    await report.check("ecb: import") {
      let started = ContinuousClock.now
      rates = try await ReferenceRates(places)
      return "in \(ContinuousClock.now - started)"
    }
    guard let rates else { return }
    await report.check("ecb: rates") { try rates.rows() }
    await report.check("ecb: a weekend") { try rates.weekend() }
    await report.check("ecb: a cross rate") { try rates.crossRate() }
    await report.check("ecb: a rate again") { try await rates.again() }
    await report.check("ecb: accounts") { try await rates.accounts() }
    await journals(rates.ledger, "ecb", places, report)
    for program in Journals.programs {
      await report.check("ecb: worth by \(program)") {
        try await rates.worth(Journals(places: places), with: program)
      }
    }
  }

  /// Checks how journals are read, against the programs that they are written for.
  private static func journals(_ places: Places, _ report: Report) async {
    let differential = JournalDifferential(places: places)
    await report.check("hackclub: hledger") { try differential.hackclub(.hledger) }
    await report.check("hackclub: ledger") { try differential.hackclub(.ledger) }
    await report.check("made up: hledger") { try differential.madeUp(.hledger, seeds: 1..<21) }
    await report.check("made up: ledger") { try differential.madeUp(.ledger, seeds: 1..<21) }
    await report.check("made up: beancount") { try differential.madeUp(.beancount, seeds: 1..<9) }
  }

  private static func journals(
    _ ledger: Ledger, _ name: String, _ places: Places, _ report: Report
  ) async {
    for program in Journals.programs {
      await report.check("\(name): \(program)") {
        try await Journals(places: places).check(ledger, name, with: program)
      }
    }
    for program in Journals.programs + ["bean-check"] {
      await report.check("\(name): strict checks of \(program)") {
        try await Journals(places: places).accepted(ledger, name, by: program)
      }
    }
  }
}
