import DaybookBookkeeping
import Testing

@testable import DaybookFormats

// Goal: every directive does what it does in hledger or ledger, or is reported. Method: a small journal each.

@Suite("Directives of journals")
struct JournalDirectiveTests {
  /// Two postings, the second one left out.
  static func entry(_ head: String, _ posting: String) -> String {
    "\(head)\n  \(posting)\n  Equity:Opening\n"
  }

  @Test(
    "Years", arguments: ["Y2026", "Y 2026", "year 2026", "apply year 2026", "default-year 2026"])
  func years(_ directive: String) throws {
    let entry = Self.entry("01/31=2/1 a", "Assets:A  1 EUR")
    let read = try ReadJournal("\(directive)\n" + entry)
    #expect(read.bad == [])
    #expect(read.postings.first == "2026-01-31 A 1.00 EUR")
    #expect(read.books.transactions.first?.valueDay == Day("2026-02-01"))
    let without = try ReadJournal(entry)
    #expect(without.bad.first?.hasPrefix("1:1 “01/31” has no year") == true)
  }

  @Test("A mark of directives alone is a bad line", arguments: ["\n!", "@", "! ", "!\n"])
  func markAlone(_ text: String) throws {
    let read = try ReadJournal(text)
    #expect(read.bad.count == 1)
    #expect(read.bad.first?.contains("There is no directive after") == true, "\(read.bad)")
  }

  @Test("apply account, apply tag and their ends")
  func apply() throws {
    let read = try ReadJournal(
      """
      apply account Assets
      apply tag trip:
      2026-01-01 a
        A  1 EUR
        B
      end apply tag
      end apply account
      2026-01-02 b
        Assets:A  1 EUR
        Assets:B
      end apply account
      """)
    #expect(read.postings.prefix(2) == ["2026-01-01 A 1.00 EUR", "2026-01-01 B -1.00 EUR"])
    #expect(read.books.transactions.map(\.tags) == [["trip"], []])
    #expect(read.bad == ["11:1 “end apply account” has no matching “apply”."])
  }

  @Test("Aliases, of hledger and of ledger")
  func aliases() throws {
    let text = """
      alias bank=Assets:Giro
      alias Assets:Giro=Assets:Bank
      2026-01-01 a
        bank:Sub  1 EUR
        Assets:Giro  -1 EUR
      end aliases
      2026-01-02 b
        Assets:Giro  1 EUR
        Equity:Opening
      """
    let hledger = try ReadJournal(text)
    #expect(hledger.bad == [])
    #expect(
      hledger.postings == [
        "2026-01-01 Giro:Sub 1.00 EUR", "2026-01-01 Bank -1.00 EUR", "2026-01-02 Giro 1.00 EUR",
        "2026-01-02 opening -1.00 EUR",
      ])
    let ledger = try ReadJournal(
      """
      account Assets:Giro
        note where the money is
        alias giro
        default
      2026-01-01 a
        giro:Sub  1 EUR
        giro  -1 EUR
      2026-01-02 b
        Expenses:Food  1 EUR
      """, LedgerFormat.self)
    #expect(ledger.bad == [])
    #expect(
      ledger.postings == [
        "2026-01-01 Giro:Sub 1.00 EUR", "2026-01-01 Giro -1.00 EUR",
        "2026-01-02 expense/Food 1.00 EUR", "2026-01-02 Giro -1.00 EUR",
      ])
    #expect(ledger.books.accounts.first { $0.name == "Giro" }?.note == "where the money is")
    #expect(try ReadJournal("alias /x/=y\n").bad.first?.contains("Aliases with patterns") == true)
  }

  @Test("Assertions are checked in the order of days by hledger, of lines by ledger")
  func assertions() throws {
    let text = """
      2026-01-03 a
        Assets:A  10 EUR = 10 EUR
        Equity:Opening
      2026-01-02 b
        Assets:A  5 EUR = 15 EUR
        Equity:Opening
      """
    let ledger = try ReadJournal(text, LedgerFormat.self)
    #expect(ledger.bad == [])
    // Neither holds at the end of its day.
    #expect(ledger.books.assertions.isEmpty && ledger.notices.count == 2)
    let hledger = try ReadJournal(text)
    #expect(
      hledger.bad == [
        "5:19 The stated balance of “Assets:A” is 15 EUR, but the computed balance is 5."
      ])
  }

  @Test("All four kinds of assertion, and assignments")
  func kinds() throws {
    let read = try ReadJournal(
      """
      2026-01-01 a
        Assets:A  1 EUR = 1 EUR
        Assets:A:B  2 EUR == 2 EUR
        Assets:A  0 EUR =* 3 EUR
        Equity:Opening  = -3 EUR
      2026-01-02 b
        Assets:A  = 5 EUR
        Assets:A:B  ==* 3 EUR
        Equity:Opening
      2026-01-03 c
        Assets:A  0 = 5 EUR
      """)
    #expect(read.bad == [])
    #expect(
      read.postings.suffix(3) == [
        "2026-01-02 A 4.00 EUR", "2026-01-02 A:B 1.00 EUR", "2026-01-02 opening -5.00 EUR",
      ])
    let kept = read.books.assertions.map { "\($0.line) \($0.account) \($0.day) \($0.amount)" }
    #expect(
      kept == [
        "2 A 2026-01-01 1.00 EUR", "3 A:B 2026-01-01 2.00 EUR", "7 A 2026-01-02 5.00 EUR",
        "11 A 2026-01-03 5.00 EUR",
      ])
    let faulty = try ReadJournal(
      """
      2026-01-01 a
        Assets:A  1 EUR
        Assets:A  1 USD == 1 USD
        Equity:Opening
      """)
    #expect(
      faulty.bad == [
        "3:19 The stated balance of “Assets:A” is 1 USD, but the computed balance is 1, plus an "
          + "amount in “EUR”."
      ])
  }

  @Test("Virtual postings: balanced ones in, others refused or left out")
  func virtual() throws {
    let text = """
      2026-01-01 a
        Assets:A  1 EUR
        [Assets:B]  2 EUR
        [Assets:C]  -2 EUR
        Equity:Opening
      2026-01-02 b
        Assets:A  1 EUR = 2 EUR
        (Assets:B)  7 EUR = 9 EUR
        Equity:Opening
      """
    let refused = try ReadJournal(text)
    #expect(refused.bad.count == 1 && refused.bad[0].hasPrefix("8:3 A posting in parentheses"))
    #expect(refused.postings.count == 4)
    let skipped = try ReadJournal(text) { $0.skipsUnbalancedVirtual = true }
    #expect(skipped.bad == [] && skipped.postings.count == 6)
    #expect(skipped.notices.contains("line 8: Skipped the virtual posting (Assets:B)."))
    // Each kind balances by itself in hledger, both together in ledger.
    let mixed = "2026-01-01 a\n  Assets:A  1 EUR\n  [Assets:B]  -1 EUR\n"
    #expect(try ReadJournal(mixed).bad.count == 1)
    #expect(try ReadJournal(mixed, LedgerFormat.self).bad == [])
  }

  @Test("Files are included, relative to the file that names them")
  func includes() throws {
    let read = try ReadJournal(
      "include 2026/*.journal\n" + Self.entry("2026-02-01 c", "Assets:C  1 EUR")
    ) {
      $0.include = { path throws(InterchangeError) in
        switch path {
        case "books/2026/*.journal":
          return [
            RawFile(
              Array(Self.entry("2026-01-01 a", "Assets:A  1 EUR").utf8),
              name: "books/2026/a.journal"),
            RawFile(Array("include sub/b.journal\nnonsense\n".utf8), name: "books/2026/b.journal"),
          ]
        case "books/2026/sub/b.journal":
          return [
            RawFile(
              Array(Self.entry("2026-01-02 b", "Assets:B  1 EUR").utf8),
              name: "books/2026/sub/b.journal")
          ]
        default: throw InterchangeError(.file, "no \(path)", remedy: "")
        }
      }
    }
    #expect(read.postings.count == 6)
    #expect(read.bad.count == 1)
    #expect(read.bad[0].hasPrefix("2:1 In books/2026/b.journal: “nonsense” doesn't start"))
    #expect(try ReadJournal("include x\n").bad[0].contains("Includes aren't available here"))
    let itself = try ReadJournal("include main.journal\n") {
      $0.include = { _ in [RawFile(Array("".utf8), name: "books/main.journal")] }
    }
    #expect(itself.bad[0].contains("includes itself"))
  }

  @Test("Prices become rates, the last of a day counts")
  func prices() throws {
    let read = try ReadJournal(
      """
      P 2026-01-01 USD 0.92 EUR
      P 2026/01/01 12:00:00 $ €0.93  ; noon
      P 2026-01-02 AAPL 200 USD
      P 2026-01-02 EUR 0 USD
      2026-01-03 a
        Assets:A  1 EUR
        Assets:B
      """)
    #expect(read.bad == [])
    let rates = read.books.rates.map { "\($0.day) \($0.base) \($0.quoted) \($0.quote)" }
    #expect(rates == ["2026-01-01 USD EUR 0.93"])
    #expect(read.notices.filter { $0.contains("price") }.count == 2)
  }

  @Test("The default commodity")
  func defaults() throws {
    let read = try ReadJournal("D €1.000,00\n" + Self.entry("2026-01-01 a", "Assets:A  1.234,5"))
    #expect(read.postings.first == "2026-01-01 A 1234.50 EUR")
    let none = try ReadJournal(Self.entry("2026-01-01 a", "Assets:A  1"))
    #expect(none.bad.first == "2:3 The amount has no commodity.")
    let given = try ReadJournal(Self.entry("2026-01-01 a", "Assets:A  1")) {
      $0.currency = Currency.iso("EUR")
    }
    #expect(given.postings.first == "2026-01-01 A 1.00 EUR")
  }

  @Test("Comments, rules and lists that say nothing of figures")
  func passedOver() throws {
    let read = try ReadJournal(
      """
      comment
      2026-01-01 not read
      end comment
      ~ monthly
        Expenses:Rent  900 EUR
        Assets:A
      = Expenses:Food
        (Budget)  -1
      payee Grocer
      tag trip
      commodity EUR
        note the euro
        format 1.000,00 EUR
      * a headline
      % and | more
      N $
      i 2026-01-01 08:00:00 work
      2026-01-01 a
        Assets:A  1 EUR  ; [2026-01-05] later
        Equity:Opening
      """)
    #expect(read.bad == [] && read.books.transactions.count == 1)
    #expect(
      read.contents.notices.map(\.line) == [4, 7, 9, 10, 17, 19])
  }

  @Test("Tags: anywhere in hledger's comments, in front in ledger's")
  func tags() throws {
    let text = """
      2026-01-01 a
        ; :one:two:
        ; Receipt: x.png
        ; see  http://x, or trip: Rome, so:
        ; tag: summer%2C trip
        Assets:A  1 EUR  ; who: me
        Equity:Opening
      """
    let ledger = try ReadJournal(text, LedgerFormat.self).books.transactions[0]
    #expect(ledger.tags == ["one", "two", "Receipt:x.png", "summer, trip", "who:me"])
    #expect(ledger.note == "see http://x, or trip: Rome, so:")
    let hledger = try ReadJournal(text).books.transactions[0]
    #expect(
      hledger.tags.suffix(6) == [
        "Receipt:x.png", "http://x", "trip:Rome", "so", "summer, trip", "who:me",
      ])
    #expect(hledger.note.contains("see http://x, or trip: Rome, so:"))
  }

  @Test(
    "Bad lines have their place, a reason and a remedy",
    arguments: [
      ("2026-02-30 a\n", "1:1 “2026-02-30” isn't a date"),
      ("2026-01-01x a\n", "1:11 The date isn't followed"),
      ("2026-01-01 a\n  Assets:A  12,3.4,5 EUR\n", "2:13 The decimal mark"),
      ("2026-01-01 a\n  Assets:A  1 EUR EUR\n", "2:19 Unexpected “EUR”"),
      ("2026-01-01 a\n  Assets:A  (2 * 3 EUR)\n", "2:13 Amount expressions"),
      ("2026-01-01 a\n  Assets:A  EUR\n", "2:13 “EUR” isn't an amount"),
      ("2026-01-01 a\n  Assets::A  1 EUR\n", "2:3 The account's name"),
      ("  stray\n", "1:3 This indented line"),
      ("nonsense here\n", "1:1 “nonsense” doesn't start"),
      ("test\n", "1:1 This block isn't closed"),
      ("define x=1\n", "1:1 “define” is program code"),
      ("account A  ; type:Q\n", "1:13 “Q” isn't an account type"),
      (
        "2026-01-01 é  (x\n  Assets:Ä  1.0000000000000000001 E\n", "2:13 An amount has more than 18"
      ),
    ])
  func faults(_ text: String, _ expected: String) throws {
    let read = try ReadJournal(text)
    #expect(read.bad.count >= 1)
    #expect(read.bad.first?.hasPrefix(expected) == true, "\(read.bad)")
    for bad in read.contents.badLines { #expect(!bad.remedy.isEmpty) }
  }

  @Test("Recognised by content, and by name where both could be")
  func recognised() throws {
    func names(_ text: String, _ name: String) -> [String] {
      FileFormats.candidates(RawFile(Array(text.utf8), name: name)).map { $0.name }
    }
    let entry = Self.entry("2026-01-01 a", "Assets:A  1 EUR")
    #expect(names(entry, "a.journal") == ["hledger"])
    #expect(names(entry, "a.ledger") == ["ledger"])
    #expect(names(entry, "a.txt") == ["hledger", "ledger"])
    #expect(names("bucket Assets:A\n" + entry, "a.journal") == ["ledger"])
    #expect(names("decimal-mark ,\n" + entry, "a.ledger") == ["hledger"])
    #expect(names("Date,Amount\n2026-01-01,1\n", "a.csv").isEmpty)
  }
}
