// Goal: a rate that is removed is used no longer, and an exported journal says what the ledger does.
// Method: the built command is run on small ledgers; figures and the journal's lines are known by hand.
import Daybook
import Foundation
import Testing

@Suite struct RatesAndExportTests {
  private func worth(_ desk: Desk, on day: String) throws -> Node {
    try desk.done("balance --base EUR --on \(day) --json").json()["worth"]
  }

  @Test func aRateThatIsRemovedIsUsedNoLonger() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Dollars --currency USD --opening 150")
    try desk.done("rate add EUR USD 1.25 --on 2026-01-01")
    try desk.done("rate add EUR USD 1.5 --on 2026-02-01")
    #expect(try worth(desk, on: "2026-01-31")["amount"].string == "120.00")
    #expect(try worth(desk, on: "2026-02-01")["amount"].string == "100.00")
    let removed = try desk.done("rate remove eur usd --on 2026-02-01 --json").json()
    #expect(try removed.decoded(as: Receipt.self).rates.count == 1)
    #expect(try worth(desk, on: "2026-02-01")["amount"].string == "120.00")
    #expect(
      try desk.done("rate list --json").json()["rates"].text
        == #"[{"base":"EUR","day":"2026-01-01","quoted":"USD","rate":"1.25"}]"#)
    let again = try desk.run("rate remove EUR USD --on 2026-02-01")
    #expect(again.status == 1 && again.errors.contains("2026-02-01"), "\(again.errors)")
    #expect(try desk.run("rate remove EUR XXQ --on 2026-01-01").status == 1)
    #expect(try desk.run("rate remove EUR USD").status == 64)
    let last = try desk.done("rate remove EUR USD --on 2026-01-01")
    #expect(last.output == "Removed the rate of EUR in USD of 2026-01-01.\n")
    let none = try worth(desk, on: "2026-02-01")
    #expect(none["amount"].string == "0.00")
    #expect(none["unconverted"][0]["amount"].string == "150.00")
    // What was removed can be taken back.
    try desk.done("undo")
    #expect(try worth(desk, on: "2026-02-01")["amount"].string == "120.00")
  }

  /// A rate between dollars and euros of 2011, and fresh ones through pounds.
  @Test func oldRatesLoseToNewOnesThroughAnotherCurrency() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Dollars --currency USD --opening 100")
    try desk.done("rate add USD EUR 0.5 --on 2011-03-04")
    func converted(_ day: String) throws -> Node {
      try desk.run(["rate", "convert", "100 USD", "EUR", "--on", day, "--json"]).json()
    }
    let old = try converted("2026-02-15")
    #expect(old["converted"]["amount"].string == "50.00")
    #expect(old["oldestDay"].string == "2011-03-04")
    let words = try desk.run(["rate", "convert", "100 USD", "EUR", "--on", "2026-02-15"])
    #expect(words.output.hasPrefix("100.00 USD = 50.00 EUR on 2026-02-15\n"))
    #expect(words.output.contains("1 USD = 0.5 EUR of 2011-03-04 (5,462 days old)"))
    #expect(
      try desk.done("networth --count 1 --today 2026-02-15").output.contains("5,462 days old"))
    #expect(try desk.done("insights --today 2026-02-15").output.contains("5,462 days old"))
    try desk.done("rate add USD GBP 0.75 --on 2026-01-20")
    try desk.done("rate add GBP EUR 1.2 --on 2026-02-01")
    let new = try converted("2026-02-15")
    #expect(new["converted"]["amount"].string == "90.00")
    #expect(new["oldestDay"].string == "2026-01-20")
    #expect(new["rates"].array.map { $0["base"].string } == ["USD", "GBP"])
    // The days before both rates keep their value, and a fresh direct rate wins again.
    #expect(try converted("2026-01-31")["converted"]["amount"].string == "50.00")
    try desk.done("rate add USD EUR 0.8 --on 2026-02-10")
    #expect(try converted("2026-02-15")["converted"]["amount"].string == "80.00")
    let worth = try desk.done("networth --count 1 --json --today 2026-02-15").json()
    #expect(worth["days"][0]["amount"]["amount"].string == "80.00")
    #expect(worth["rates"][0]["day"].string == "2026-02-10")
    let report = try desk.done("networth --count 1 --today 2026-02-15").output
    #expect(!report.contains("Old rates"))
    let missing = try desk.run(["rate", "convert", "5 USD", "CHF", "--on", "2026-02-15"])
    #expect(missing.status == 1 && missing.errors.contains("USD and CHF"))
    #expect(try desk.run(["rate", "convert", "5 USD", "XXQ"]).status == 1)
  }

  @Test func aJournalHasEveryFigure() throws {
    let desk = try EverydayTests.household()
    try desk.done("accounts create Card --currency EUR --kind liability")
    try desk.run([
      "add", "expense", "7.5", "--account", "Card", "--payee", "A [b]; c", "--note", "two",
      "--tag", "x", "--tag", "y", "--status", "pending", "--on", "2026-02-15",
    ])
    try desk.done("add transfer 10 --account Checking --to Dollars --to-amount 13 --on 2026-02-15")
    let journal = """
      ; Exported by Daybook

      commodity EUR
          format 1000.00 EUR
      commodity USD
          format 1000.00 USD

      account Equity:Opening
      account Equity:Exchange
      account Equity:Outside
      account Expenses:Uncategorised
      account Income:Uncategorised
      account Assets:Checking
          ; commodity EUR
      account Assets:Cash
          ; commodity EUR
      account Assets:Dollars
          ; commodity USD
      account Liabilities:Card
          ; commodity EUR
      account Expenses:Food
      account Expenses:Food:Groceries
      account Income:Salary

      P 2026-01-01 EUR 1.25 USD

      2026-01-31 * Opening balance
          Assets:Checking  1000.00 EUR
          Equity:Opening  -1000.00 EUR

      2026-01-31 * Opening balance
          Assets:Dollars  50.00 USD
          Equity:Opening  -50.00 USD

      2026-01-31 *
          Assets:Checking  2000.00 EUR
          Income:Salary  -2000.00 EUR

      2026-02-03 *
          Assets:Checking  -30.50 EUR
          Expenses:Food:Groceries  30.50 EUR

      2026-02-14 *
          Assets:Checking  -9.50 EUR
          Expenses:Food  9.50 EUR

      2026-02-14 *
          Assets:Checking  -100.00 EUR
          Assets:Cash  100.00 EUR

      2026-02-15 ! A (b), c
          ; two
          ; x:
          ; y:
          Liabilities:Card  -7.50 EUR
          Expenses:Uncategorised  7.50 EUR

      2026-02-15 *
          Assets:Checking  -10.00 EUR @@ 13.00 USD
          Assets:Dollars  13.00 USD


      """
    #expect(try desk.done("export --format journal").output == journal)
    let done = try desk.done("export --format journal --output out.journal --json").json()
    #expect(done["file"].string == "out.journal" && done["format"].string == "journal")
    let file = try String(contentsOfFile: desk.folder + "/out.journal", encoding: .utf8)
    #expect(file == journal)
    #expect(try desk.run("export --format journal --output out.journal").status == 73)
    try desk.done(
      "delete \(try #require(try desk.done("list --json").json()["transactions"][0].place))"
    )
    #expect(try desk.done("export --format journal --output out.journal --force").status == 0)
    #expect(
      try !String(contentsOfFile: desk.folder + "/out.journal", encoding: .utf8)
        .contains("13.00 USD"))
    #expect(try desk.run("export --format ledger").status == 64)
  }
}
