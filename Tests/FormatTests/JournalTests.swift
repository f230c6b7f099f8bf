import DaybookBookkeeping
import Testing

@testable import DaybookFormats

// Goal: every construct of hledger's and ledger's journals is read as both programs read it, refused by
// line, or reported. Method: small journals, and what they become, line by line.

@Suite("Journals of hledger and ledger")
struct JournalTests {
  static let both: [any FileFormat.Type] = [HledgerFormat.self, LedgerFormat.self]

  @Test("A transaction with everything on it", arguments: [0, 1])
  func whole(_ which: Int) throws {
    let read = try ReadJournal(
      """
      ; a comment
      # another
      2026-01-31=2026/02/02 ! (17) Grocer | bread and  milk  ; trip:
        ; paid by card
        assets:Bank:Giro   -12.50 EUR
        ! expenses:Food:Bread  10 EUR  ; fresh
        Expenses:Food:Milk
      """, Self.both[which])
    #expect(read.bad == [] && read.notices == [])
    #expect(
      read.postings == [
        "2026-01-31 Bank:Giro -12.50 EUR", "2026-01-31 expense/Food:Bread 10.00 EUR",
        "2026-01-31 expense/Food:Milk 2.50 EUR",
      ])
    let transaction = try #require(read.books.transactions.first)
    #expect(transaction.line == 3)
    #expect(transaction.valueDay == Day("2026-02-02"))
    #expect(transaction.status == .pending)
    #expect(transaction.code == "17")
    #expect(transaction.payee == "Grocer" && transaction.description == "bread and milk")
    #expect(transaction.tags == ["trip"])
    #expect(transaction.note == "paid by card")
    #expect(transaction.postings[1].note == "fresh")
    #expect(read.accounts == ["Bank:Giro asset EUR"])
  }

  @Test("Roots say what accounts are")
  func roots() throws {
    let read = try ReadJournal(
      """
      account Kasse  ; type:Cash
      account Umzug  ; type:X
      account Vermögen
      2026-01-01 a
        Liabilities:Card  -1 EUR
        equity:opening balances  -1 EUR
        Revenues:Salary  -1 EUR
        Equity:Own  -1 EUR
        equity:conversion:EUR-USD:EUR  -1 EUR
        Kasse:Blau  1 EUR
        Umzug:Auto  1 EUR
        Vermögen:Haus  1 EUR
        Income  1 EUR
        Assets  1 EUR
      """
    ) { $0.roots = ["vermögen": .asset] }
    #expect(read.bad == [])
    #expect(
      read.postings == [
        "2026-01-01 Card -1.00 EUR", "2026-01-01 opening -1.00 EUR",
        "2026-01-01 income/Salary -1.00 EUR", "2026-01-01 Own -1.00 EUR",
        "2026-01-01 exchange -1.00 EUR", "2026-01-01 Kasse:Blau 1.00 EUR",
        "2026-01-01 expense/Umzug:Auto 1.00 EUR", "2026-01-01 Haus 1.00 EUR",
        "2026-01-01 income/ 1.00 EUR", "2026-01-01 Assets 1.00 EUR",
      ])
    let unknown = try ReadJournal("2026-01-01 a\n  Kasse  1 EUR\n  Assets:B\n")
    #expect(
      unknown.bad.count == 1
        && unknown.bad[0].hasPrefix("2:3 The account “Kasse” can't be classified"))
    #expect(unknown.contents.badLines[0].remedy.contains("--root Kasse=asset"))
  }

  @Test("Commodities become currencies with as many decimals as they need")
  func commodities() throws {
    let read = try ReadJournal(
      """
      commodity 1.000,00 EUR
      commodity "Fund 1"
        format "Fund 1" 1,000.0000
      2026-01-01 a
        Assets:Bank  EUR1.234,5
        Assets:Fund  1.5 "Fund 1"
        Assets:Shares  2.125 AAPL
        Assets:Dollars  $-1,234.50
        Assets:Dollars  -$1
        Assets:Yen  1234 ¥
        Assets:Grouped  1 000 000 GBP
        Assets:Big  1E3 CHF
        Equity:Opening
      """)
    #expect(read.bad == [])
    let names = read.books.currencies.map { "\($0.currency) \($0.currency.digits) \($0.name)" }
    #expect(names == ["FUND1 4 Fund 1", "AAPL 3 "])
    #expect(
      read.postings.prefix(8) == [
        "2026-01-01 Bank 1234.50 EUR", "2026-01-01 Fund 1.5000 FUND1",
        "2026-01-01 Shares 2.125 AAPL", "2026-01-01 Dollars -1234.50 USD",
        "2026-01-01 Dollars -1.00 USD", "2026-01-01 Yen 1234 JPY",
        "2026-01-01 Grouped 1000000.00 GBP", "2026-01-01 Big 1000.00 CHF",
      ])
    #expect(read.notices.contains { $0.contains("“$” was imported as USD") })
    #expect(read.notices.contains { $0.contains("“Fund 1” was imported as FUND1") })
  }

  @Test("A comma before three digits is what each program takes it for")
  func marks() throws {
    let text = "2026-01-01 a\n  Assets:A  1,000 XYZ\n  Equity:Opening\n"
    let hledger = try ReadJournal(text)
    #expect(hledger.postings[0] == "2026-01-01 A 1.000 XYZ")
    #expect(hledger.notices.contains { $0.contains("decimal-mark") })
    #expect(try ReadJournal(text, LedgerFormat.self).postings[0] == "2026-01-01 A 1000 XYZ")
    let marked = try ReadJournal("decimal-mark .\n" + text)
    #expect(marked.postings[0] == "2026-01-01 A 1000 XYZ")
    let comma = try ReadJournal(
      "decimal-mark ,\n2026-01-01 a\n  Assets:A  1.000,5 XYZ\n  Equity:Opening\n")
    #expect(comma.postings[0] == "2026-01-01 A 1000.5 XYZ")
    let both = try ReadJournal(
      "2026-01-01 a\n  Assets:A  1.000.000,5 XYZ\n  Equity:Opening\n", LedgerFormat.self)
    #expect(both.postings[0] == "2026-01-01 A 1000000.5 XYZ")
  }

  @Test("More decimals than ISO's are refused by line, zeros are not")
  func decimals() throws {
    let read = try ReadJournal(
      "2026-01-01 a\n  Assets:A  1.000 EUR\n  Assets:B  0.005 EUR\n  Equity:Opening\n")
    #expect(read.bad.count == 1)
    #expect(read.bad[0].hasPrefix("3:3 0.005 EUR has more decimals than the 2 of EUR"))
  }

  @Test("Prices go through the exchange, and each currency sums to zero")
  func prices() throws {
    let read = try ReadJournal(
      """
      2026-01-01 a
        Assets:Shares  10 AAPL @ $15.333
        Assets:Bank
      2026-01-02 b
        Assets:Shares  -4 AAPL @@ 70 USD
        Assets:Bank  70 USD
      2026-01-03 c
        Assets:Bank  -11 USD
        Assets:Euro  10 EUR
      """)
    #expect(read.bad == [])
    #expect(
      read.postings == [
        "2026-01-01 Shares 10 AAPL", "2026-01-01 Bank -153.33 USD",
        "2026-01-01 exchange -10 AAPL", "2026-01-01 exchange 153.33 USD",
        "2026-01-02 Shares -4 AAPL", "2026-01-02 Bank 70.00 USD", "2026-01-02 exchange 4 AAPL",
        "2026-01-02 exchange -70.00 USD", "2026-01-03 Bank -11.00 USD",
        "2026-01-03 Euro 10.00 EUR", "2026-01-03 exchange 11.00 USD",
        "2026-01-03 exchange -10.00 EUR",
      ])
  }

  @Test("What lots cost counts for ledger, and not for hledger")
  func lots() throws {
    let text = """
      2026-01-01 a
        Assets:Shares  -10 AAPL {$30} [2025-01-01] @ $40
        Assets:Bank  $400
        Income:Gain
      """
    let ledger = try ReadJournal(text, LedgerFormat.self)
    #expect(ledger.bad == [])
    #expect(ledger.postings.contains("2026-01-01 income/Gain -100.00 USD"))
    let hledger = try ReadJournal(text)
    #expect(hledger.bad == [])
    #expect(!hledger.postings.contains { $0.contains("Gain -100") })
    for price in ["(@) $40", "(@@) $400", "{{$300}} @ $40", "{=$1} (a note) @@ $400"] {
      let read = try ReadJournal(
        "2026-01-01 a\n  Assets:S  10 AAPL \(price)\n  Assets:B\n", LedgerFormat.self)
      #expect(read.bad == [], "\(price)")
    }
  }

  @Test("What does not balance is refused")
  func unbalanced() throws {
    let read = try ReadJournal(
      """
      2026-01-01 a
        Assets:A  1 EUR
        Assets:B  -2 EUR

      2026-01-02 b
        Assets:A  1 EUR
        Assets:B
        Assets:C

      2026-01-03 c
        Assets:A  1 EUR
        Assets:B  2 USD

      2026-01-04 d
        Assets:A  1 EUR
        Assets:B  -2 USD
        Assets:C  3 GBP
      """)
    #expect(read.books.transactions.isEmpty)
    #expect(
      read.bad == [
        "1:1 This transaction doesn't balance: it is off by -1 EUR.",
        "8:3 More than one posting of this transaction has no amount.",
        "10:1 This transaction doesn't balance: it is off by 1 EUR and 2 USD.",
        "14:1 This transaction doesn't balance: it is off by 1 EUR and -2 USD and 3 GBP.",
      ])
  }

  private static func nothing(_ first: String, _ second: String) -> String {
    "2026-01-01 a\n  Assets:A  \(first)\n  Income:B\n\n2026-01-02 b\n  Assets:A  \(second)\n  "
      + "Expenses:C\n"
  }

  @Test("A balance of 0 without a commodity is of all commodities in ledger")
  func nothingInLedger() throws {
    func read(_ first: String, _ second: String) throws -> ReadJournal {
      try ReadJournal(Self.nothing(first, second), LedgerFormat.self)
    }
    let holds = try read("10 EUR", "-10 EUR = 0")
    #expect(holds.bad == [] && holds.notices == [])
    #expect(holds.books.assertions.map(\.amount.description) == ["0.00 EUR"])
    #expect(
      try read("10 EUR", "-4 EUR = 0").bad == [
        "6:20 The stated balance of “Assets:A” is zero, but the computed balance is 6 EUR."
      ])
    #expect(
      try read("10 EUR\n  Assets:A  5 USD", "-10 EUR = 0").bad == [
        "7:21 The stated balance of “Assets:A” is zero, but the computed balance is 5 USD."
      ])
    let taken = try read("10 EUR", "= 0")
    #expect(taken.bad == [])
    #expect(
      taken.postings.suffix(2) == ["2026-01-02 A -10.00 EUR", "2026-01-02 expense/C 10.00 EUR"])
    #expect(
      try read("10 EUR\n  Assets:A  5 USD", "= 0").bad == [
        "7:13 The balance of “Assets:A” is 10 EUR and 5 USD: one posting can’t set all of it to "
          + "zero."
      ])
  }

  @Test(
    "A balance of 0 without a commodity is of amounts without one in hledger, unless it is total")
  func nothingInHledger() throws {
    let read = try ReadJournal(Self.nothing("10 EUR", "-4 EUR = 0"))
    #expect(read.bad == [] && read.books.assertions.isEmpty)
    #expect(
      read.notices == ["line 6: “= 0” names no commodity, and the balance of “Assets:A” is 6 EUR."])
    #expect(
      try ReadJournal(Self.nothing("10 EUR", "-4 EUR == 0")).bad == [
        "6:20 The stated balance of “Assets:A” is zero, but the computed balance is 6 EUR."
      ])
    let total = try ReadJournal(Self.nothing("10 EUR", "-10 EUR == 0"))
    #expect(total.books.assertions.map(\.amount.description) == ["0.00 EUR"])
    let assigned = try ReadJournal(Self.nothing("10 EUR", "= 0"))
    #expect(assigned.bad == [])
    #expect(assigned.books.transactions.count == 1)
    let bare = try ReadJournal(Self.nothing("10", "= 0")) { $0.currency = Currency.iso("EUR") }
    #expect(bare.postings.suffix(2).first == "2026-01-02 A -10.00 EUR")
    let empty = try ReadJournal("2026-01-01 a\n  Assets:A  = 0\n  Assets:B\n")
    #expect(empty.bad == [])
  }

  @Test("An amount left out is made of all commodities")
  func elided() throws {
    let read = try ReadJournal(
      "2026-01-01 a\n  Assets:A  1 EUR\n  Assets:A  2 USD\n  Assets:A  3 USD\n  Equity:Opening\n")
    #expect(
      read.postings == [
        "2026-01-01 A (EUR) 1.00 EUR", "2026-01-01 A 2.00 USD", "2026-01-01 A 3.00 USD",
        "2026-01-01 opening -1.00 EUR", "2026-01-01 opening -5.00 USD",
      ])
    #expect(read.accounts == ["A asset USD", "A (EUR) asset EUR"])
    #expect(read.notices == [])
  }

  @Test("Accounts whose names differ by their roots alone keep them")
  func sameNames() throws {
    let read = try ReadJournal(
      "2026-01-01 a\n  Assets:Visa  1 EUR\n  Liabilities:Visa  -2 EUR\n  Assets:visa  1 EUR\n")
    #expect(
      read.accounts == [
        "Visa asset EUR", "Liabilities:Visa liability EUR", "Assets:visa asset EUR",
      ])
  }
}
