import DaybookBookkeeping
import Testing

@testable import DaybookFormats

// Goal: every directive of beancount is read as bean-check reads it, refused by line, or reported. Method: a
// small file each, with figures that bean-query gives.

@Suite("Beancount")
struct BeancountTests {
  func read(
    _ text: String, _ change: (inout ReadingOptions) -> Void = { _ in }
  ) throws -> ReadJournal {
    try ReadJournal(text, BeancountFormat.self, change)
  }

  @Test("A transaction with everything on it")
  func whole() throws {
    let read = try read(
      """
      option "title" "Test"
      * Headline
      pushtag #trip
      pushmeta place: "Rome"
      2026/01/02 ! "Payee" "Text
        in \\"lines\\"" #tag ^link ; comment
        key: "value"
        Assets:Bank:Giro  1,000.00 USD
          cheque: 12
        Equity:Opening-Balances
      poptag #trip
      popmeta place:
      2026-01-03 * "Only text"
        ! Assets:Bank:Giro  (10 + 2 * 4.50) / 2 USD ; comment
        Expenses:Food  USD
      """)
    #expect(read.bad == [] && read.notices == [])
    #expect(
      read.postings == [
        "2026-01-02 Bank:Giro 1000.00 USD", "2026-01-02 opening -1000.00 USD",
        "2026-01-03 Bank:Giro 9.50 USD", "2026-01-03 expense/Food -9.50 USD",
      ])
    let first = read.books.transactions[0]
    #expect(first.payee == "Payee" && first.description == "Text in \"lines\"")
    #expect(first.tags == ["trip", "tag", "^link", "key:value", "place:Rome"])
    #expect(first.postings[0].note == "cheque: 12")
    let second = read.books.transactions[1]
    #expect(second.payee.isEmpty && second.description == "Only text" && second.tags.isEmpty)
    #expect(read.books.transactions.map(\.status) == [.pending, .pending])
  }

  @Test("Accounts: open, close, note, roots by option")
  func accounts() throws {
    let read = try read(
      """
      option "name_assets" "Aktiva"
      2026-01-01 open Aktiva:Bank EUR, USD
        iban: "DE89"
      2026-01-01 open Income:Gifts
      2026-01-02 note Aktiva:Bank "called"
      2026-01-03 * "a"
        Aktiva:Bank  1 USD
        Aktiva:Bank  2 USD
        Aktiva:Bank  3.00 EUR
        Liabilities:Card
      2026-02-01 close Liabilities:Card
      """)
    #expect(read.bad == [])
    #expect(
      read.accounts == [
        "Bank asset EUR", "Bank (USD) asset USD", "Card liability USD", "Card (EUR) liability EUR",
      ])
    #expect(read.books.accounts[0].note == "iban: DE89\n2026-01-02 called")
    #expect(read.books.accounts[2].isClosed && !read.books.accounts[0].isClosed)
    #expect(read.books.categories.map(\.path) == [["Gifts"]])
  }

  static let buys = """
    2020-01-03 * "Buy"
      Assets:Shares  10 HOOL {40.00 USD}
      Assets:Bank
    2020-01-04 * "Buy"
      Assets:Shares  10 HOOL {{500.00 USD}}
      Assets:Bank

    """

  @Test(
    "Lots by every way to book them",
    arguments: [
      ("FIFO", "{}", "-175.00"), ("LIFO", "{}", "-125.00"), ("HIFO", "{}", "-125.00"),
      ("STRICT", "{40.00 USD}", ""), ("STRICT", "{}", ""), ("NONE", "{40.00 USD}", "-225.00"),
    ])
  func lots(_ method: String, _ cost: String, _ gain: String) throws {
    let read = try read(
      "2020-01-01 open Assets:Shares HOOL \"\(method)\"\n" + Self.buys
        + """
        2020-01-05 * "Sell"
          Assets:Shares  -15 HOOL \(cost) @ 55 USD
          Assets:Bank  825 USD
          Income:Gains
        """)
    if gain.isEmpty {
      #expect(
        read.bad.count == 1 && read.bad[0].contains(cost == "{}" ? "Several lots" : "are 5 short"))
    } else {
      #expect(read.bad == [])
      #expect(read.postings.contains("2020-01-05 income/Gains \(gain) USD"), "\(read.postings)")
    }
  }

  @Test("Lots by cost, day, label, and all of them; a cost that is left out")
  func whichLot() throws {
    let read = try read(
      Self.buys + """
        2020-01-05 * "Sell"
          Assets:Shares  -1 HOOL {2020-01-03}
          Assets:Bank
        2020-01-06 * "Sell"
          Assets:Shares  -1 HOOL {50.00 USD}
          Assets:Bank
        2020-01-07 * "Buy for the rest"
          Assets:Others  3 HOOL {"mine"}
          Assets:Bank  -10.00 USD
        2020-01-08 * "Sell"
          Assets:Others  -3 HOOL {"mine"}
          Assets:Bank
        2020-01-09 * "Sell all"
          Assets:Shares  -18 HOOL {}
          Assets:Bank
        2020-01-10 * "Fees in the cost"
          Assets:Shares  2 HOOL {10.00 # 5.00 USD}
          Assets:Bank
        """)
    #expect(read.bad == [])
    let bank = read.postings.filter { $0.contains(" Bank ") }.map { String($0.dropFirst(16)) }
    #expect(
      bank == [
        "-400.00 USD", "-500.00 USD", "40.00 USD", "50.00 USD", "-10.00 USD", "10.00 USD",
        "810.00 USD", "-25.00 USD",
      ])
  }

  @Test("Balances are those of the morning, with what is below, within a tolerance; pads fill")
  func balances() throws {
    let read = try read(
      """
      2026-01-01 * "a"
        Assets:Bank:A  10.00 EUR
        Equity:Opening-Balances
      2026-01-02 pad Assets:Bank:A Equity:Pad
      2026-01-02 pad Assets:Bank:B Equity:Pad
      2026-01-03 balance Assets:Bank 12.50 EUR
      2026-01-03 balance Assets:Bank:A 12.50 EUR
      2026-01-03 * "b"
        Assets:Bank:A  1.00 EUR
        Assets:Bank:A  0.004 XYZ @ 100 EUR
        Expenses:Food
      2026-01-04 balance Assets:Bank:A 13.51 EUR
      2026-01-04 balance Assets:Bank:A 13.45 ~ 0.05 EUR
      2026-01-04 balance Assets:Bank:A 14 EUR
      """)
    #expect(
      read.bad == [
        "14:34 The stated balance of “Assets:Bank:A” is 14 EUR, but the computed balance is 13.5."
      ],
      "\(read.bad)")
    #expect(read.postings.contains("2026-01-02 Bank:A 2.50 EUR"))
    #expect(read.postings.contains("2026-01-03 expense/Food -1.40 EUR"))
    let kept = read.books.assertions.map { "\($0.line) \($0.account) \($0.day) \($0.amount)" }
    #expect(kept == ["7 Bank:A 2026-01-02 12.50 EUR"])
    #expect(read.notices.contains { $0.hasPrefix("line 5: Ignored this pad") })
  }

  @Test("Tolerances of transactions")
  func tolerances() throws {
    let entry = "2026-01-01 * \"a\"\n  Assets:A  3.33 USD @ 1.5 EUR\n  Assets:B  -5.00 EUR\n"
    #expect(try read(entry).bad == [])
    let off = "2026-01-01 * \"a\"\n  Assets:A  3.32 USD @ 1.5 EUR\n  Assets:B  -5.00 EUR\n"
    #expect(try read(off).bad == ["1:1 This transaction doesn't balance: it is off by -0.02 EUR."])
    #expect(try read("option \"inferred_tolerance_default\" \"EUR:0.02\"\n" + off).bad == [])
    #expect(try read("option \"inferred_tolerance_multiplier\" \"4\"\n" + off).bad == [])
  }

  @Test("Includes, prices, and what is not taken")
  func others() throws {
    let read = try read(
      """
      include "2026.beancount"
      plugin "beancount.plugins.auto"
      2026-01-01 price EUR 1.0842 USD
      2026-01-01 event "where" "Rome"
      2026-01-01 custom "budget" Expenses:Food "monthly
        more" 10 EUR
      2026-01-01 document Assets:Bank "x.pdf"
      2026-01-01 query "q" "select"
      option "documents" "x"
      2026-01-01 commodity EUR
        name: "Euro"
      2026-01-02 * "a"
        Assets:Bank  1 EUR
        Assets:Cash  -1 USD @ 1 EUR
      """
    ) {
      $0.include = { path throws(InterchangeError) in
        guard path == "books/2026.beancount" else { return [] }
        return [
          RawFile(Array("2026-01-05 * \"i\"\n  Assets:Bank  1 EUR\n  Assets:X\n".utf8), name: path)
        ]
      }
    }
    #expect(read.bad == [])
    #expect(read.books.transactions.map(\.description) == ["i", "a"])
    #expect(
      read.books.rates.map { "\($0.day) \($0.base) \($0.quoted) \($0.quote)" }
        == ["2026-01-01 EUR USD 1.0842"])
    #expect(read.contents.notices.map(\.line) == [2, 4, 5, 7, 8])
  }

  @Test(
    "Bad lines have their place, a reason and a remedy",
    arguments: [
      ("2026-02-30 * \"a\"\n", "1:1 “2026-02-30” isn't a date"),
      ("2026-01-01 opn Assets:A\n", "1:12 Unknown directive “opn”"),
      ("2026-01-01 * \"a\n", "1:14 These quotes aren't closed"),
      ("2026-01-01 * \"a\"\n  Assets:A  10\n", "2:15 A commodity is missing"),
      ("2026-01-01 * \"a\"\n  Assets  10 EUR\n", "2:3 “Assets” isn't an account"),
      ("2026-01-01 * \"a\"\n  Assets:A  10 / 0 EUR\n", "2:16 This can't be computed"),
      ("2026-01-01 * \"a\"\n  Assets:A  1 H {1 EUR\n", "2:17 The cost of a lot isn't closed"),
      (
        "2026-01-01 * \"a\"\n  Assets:A  1 H {EUR}\n  Assets:B  1 H {}\n",
        "3:17 This transaction leaves out two costs"
      ),
      (
        "2026-01-01 * \"a\"\n  Assets:A  1 EUR\n",
        "1:1 This transaction doesn't balance: it is off by 1 EUR"
      ),
      ("2026-01-01 * \"a\"\n  Assets:A\n  Assets:B\n", "3:3 More than one posting"),
      ("  stray\n", "1:3 This indented line"), ("stray\n", "1:1 “stray” doesn't start a directive"),
      (
        "2026-01-01 * \"a\"\n  Other:A  1 EUR\n  Assets:B\n",
        "2:3 The account “Other:A” can't be classified"
      ),
      ("include \"x\"\n", "1:1 Includes aren't available here: “x”"),
    ])
  func faults(_ text: String, _ expected: String) throws {
    let read = try read(text)
    #expect(read.bad.first?.hasPrefix(expected) == true, "\(read.bad)")
    for bad in read.contents.badLines { #expect(!bad.remedy.isEmpty) }
  }

  @Test("Recognised by content")
  func recognised() {
    func names(_ text: String, _ name: String) -> [String] {
      FileFormats.candidates(RawFile(Array(text.utf8), name: name)).map { $0.name }
    }
    #expect(names(Self.buys, "a.txt") == ["beancount"])
    #expect(names("2026-01-01 open Assets:A\n", "a") == ["beancount"])
    #expect(names("2026-01-01 * a\n  Assets:A  1 EUR\n  Assets:B\n", "a.ledger") == ["ledger"])
  }
}
