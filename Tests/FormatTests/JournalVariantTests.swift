// Goal: journals are read as hledger and ledger themselves read them, in the variants that people report to them and to
// other converters. Method: a small journal for each variant, with the figures that the program shows.

import DaybookBookkeeping
import Testing

@testable import DaybookFormats

@Suite("Variants of journals")
struct JournalVariantTests {
  private static func sums(_ read: ReadJournal) -> [String] {
    var sums: [String: Int128] = [:]
    for posting in read.books.transactions.flatMap(\.postings) {
      guard case .account(let name) = posting.place else { continue }
      sums["\(name) \(posting.amount.currency)", default: 0] += Int128(posting.amount.minorUnits)
    }
    return sums.filter { $0.value != 0 }.map { "\($0.key) \($0.value)" }.sorted()
  }

  private static func entry(_ postings: String...) -> String {
    "2026-01-01 a\n" + postings.map { "  \($0)\n" }.joined() + "\n"
  }

  @Test(
    "Amounts without a commodity have the default one and its decimal mark in hledger",
    arguments: [
      ("D $1,000.00", "2,000", "USD 200000"), ("D $1,000.00", "1,234.5", "USD 123450"),
      ("D 1.000,00 CHF", "2.000", "CHF 200000"), ("D 1.000,00 CHF", "2,5", "CHF 250"),
      ("D 1000.00 EUR", "1.50", "EUR 150"), ("D 1 000,00 EUR", "1 234,5", "EUR 123450"),
    ])
  func defaultCommodity(_ directive: String, _ amount: String, _ expected: String) throws {
    let text = directive + "\n" + Self.entry("Assets:A  \(amount)", "Income:B")
    let read = try ReadJournal(text)
    #expect(read.bad == [])
    #expect(Self.sums(read) == ["A \(expected)"])
    // In ledger, D only sets the format of reports.
    let ledger = try ReadJournal(text, LedgerFormat.self)
    #expect(ledger.books.accounts.map(\.currency.code).contains("USD") == false)
  }

  private static func including(
    _ path: String, _ text: String
  ) -> (inout ReadingOptions) -> Void {
    { options in
      options.include = { asked throws(InterchangeError) in
        guard asked == path else { return [] }
        return [RawFile(Array(text.utf8), name: path)]
      }
    }
  }

  @Test("A default commodity ends with its file, but applies to included files")
  func defaultCommodityOfFiles() throws {
    let part = "D 1.000,00 CHF\n" + Self.entry("Assets:P  2.000", "Income:B")
    let inner = try ReadJournal(
      "include p\n" + Self.entry("Assets:A  3.5", "Income:B"), HledgerFormat.self,
      Self.including("books/p", part))
    #expect(inner.bad == [])
    #expect(Self.sums(inner) == ["A X 35", "P CHF 200000"])
    let outer = try ReadJournal(
      "D 1.000,00 CHF\ninclude p\n", HledgerFormat.self,
      Self.including("books/p", Self.entry("Assets:A  3.000", "Income:B")))
    #expect(Self.sums(outer) == ["A CHF 300000"])
  }

  @Test("“apply” ends with its file", arguments: ["hledger", "ledger"])
  func applyOfFiles(_ format: String) throws {
    let read = try ReadJournal(
      "include p\n" + Self.entry("Assets:A  1 EUR", "Income:B"),
      format == "ledger" ? LedgerFormat.self : HledgerFormat.self,
      Self.including("books/p", "apply account Assets:Sub\napply tag x\n"))
    #expect(read.bad == [])
    #expect(Self.sums(read) == ["A EUR 100"])
    #expect(read.books.transactions.first?.tags == [])
  }

  @Test(
    "A comment may follow the file of an include",
    arguments: ["include p ; note", "include p\t; a; b", "include \"p\"  ;note", "include ./p"])
  func includeComment(_ line: String) throws {
    let read = try ReadJournal(
      line + "\n", HledgerFormat.self,
      Self.including("books/p", Self.entry("Assets:A  1 EUR", "Income:B")))
    #expect(read.bad == [])
    #expect(Self.sums(read) == ["A EUR 100"])
  }

  @Test("Amounts without a commodity have their own, unless the journal names none")
  func noCommodity() throws {
    let mixed =
      Self.entry("Assets:Hours  8", "Income:Work") + Self.entry("Assets:A  1 EUR", "Income:B")
    func read(_ text: String, bare: String? = nil) throws -> ReadJournal {
      try ReadJournal(text) {
        $0.currency = Currency.iso("EUR")
        $0.bareCurrency = bare.flatMap { Currency.iso($0) }
      }
    }
    let own = try read(mixed)
    #expect(own.bad == [])
    #expect(Self.sums(own) == ["A EUR 100", "Hours X 8"])
    #expect(own.notices.contains { $0.contains("without a commodity") && $0.contains("X") })
    #expect(Self.sums(try read(mixed, bare: "USD")) == ["A EUR 100", "Hours USD 800"])
    let plain = try read(Self.entry("Assets:Hours  8", "Income:Work"))
    #expect(Self.sums(plain) == ["Hours EUR 800"] && plain.notices == [])
    // A commodity named X is another one.
    let clash = try read(mixed + Self.entry("Assets:A  1 X", "Income:B"))
    #expect(Self.sums(clash) == ["A (X) X 1", "A EUR 100", "Hours X2 8"])
  }

  @Test("A split changes only one account; the new shares come from Outside")
  func split() throws {
    let hledger = try ReadJournal(
      Self.entry("Assets:Depot  -10 ABC @ 66.00 EUR", "Assets:Depot  20 ABC @ 33.00 EUR"))
    let ledger = try ReadJournal(
      Self.entry("Assets:Depot  -10 ABC {66.00 EUR}", "Assets:Depot  20 ABC {33.00 EUR}"),
      LedgerFormat.self)
    for read in [hledger, ledger] {
      #expect(read.bad == [])
      #expect(Self.sums(read) == ["Depot ABC 10"])
      #expect(read.postings.last == "2026-01-01 outside -10 ABC")
    }
    // A merger changes two commodities of one account.
    let merger = try ReadJournal(
      Self.entry("Assets:Depot  -10 ABC @@ 660 EUR", "Assets:Depot  4 XYZ @@ 660 EUR"))
    #expect(merger.bad == [])
    #expect(Self.sums(merger) == ["Depot (XYZ) XYZ 4", "Depot ABC -10"])
    // Costs that differ don't balance.
    let unequal = try ReadJournal(
      Self.entry("Assets:Depot  -10 ABC {66.00 EUR}", "Assets:Depot  20 ABC {34.00 EUR}"),
      LedgerFormat.self)
    #expect(unequal.bad.count == 1)
  }

  @Test("“== 3 XYZ” without an amount empties the account of everything else")
  func assignedTotal() throws {
    let first = "2026-01-01 a\n  Assets:A  5 EUR\n  Assets:A  2 USD\n  Income:B\n"
    let read = try ReadJournal(first + "2026-01-02 b\n  Assets:A  == 3 XYZ\n  Income:B\n")
    #expect(read.bad == [])
    #expect(Self.sums(read) == ["A (XYZ) XYZ 3"])
    let single = try ReadJournal(first + "2026-01-02 b\n  Assets:A  = 3 XYZ\n  Income:B\n")
    #expect(Self.sums(single).count == 3)
  }

  @Test("Prices may have more decimals than amounts")
  func longPrices() throws {
    let price = "0.1234567890123456789012345 EUR"
    for format: any FileFormat.Type in [HledgerFormat.self, LedgerFormat.self] {
      let read = try ReadJournal(
        "P 2026-01-01 ABC \(price)\n" + Self.entry("Assets:A  1000000 ABC @ \(price)", "Assets:B")
          + Self.entry("Assets:C  1 EUR", "Income:D"), format)
      #expect(read.bad == [])
      #expect(Self.sums(read) == ["A ABC 1000000", "B EUR -12345679", "C EUR 100"])
      #expect(read.books.rates.map { "\($0.quote)" } == ["0.123456789012"])
    }
    let amount = try ReadJournal(Self.entry("Assets:A  0.1234567890123456789 ABC", "Income:B"))
    #expect(amount.bad.first?.contains("more than 18 decimals") == true)
  }

  @Test("The commodity of a price may contain digits without quotes", arguments: ["A1B", "A1_B"])
  func unquotedPrices(_ name: String) throws {
    for format: any FileFormat.Type in [HledgerFormat.self, LedgerFormat.self] {
      let read = try ReadJournal(
        "P 2026-01-01 \(name) 48.5 EUR\nP 2026-01-02 16:31:50 \"\(name)\" $40\nP 2026-01-03 $ 0.9 EUR\n"
          + Self.entry("Assets:A  1 \"\(name)\" @ 40.00 EUR", "Assets:B")
          + Self.entry("Assets:A  1 $", "Assets:B"),
        format)
      #expect(read.bad == [])
      #expect(
        read.books.rates.map { "\($0.quote) \($0.quoted)" } == ["48.5 EUR", "40 USD", "0.9 EUR"])
    }
  }

  @Test("C defines units in ledger")
  func conversions() throws {
    let bitcoins =
      "C 1 BTC = 1000 mBTC\n" + Self.entry("Assets:A  2000 mBTC", "Income:B")
      + Self.entry("Assets:A  1.5 BTC", "Income:B")
    #expect(Self.sums(try ReadJournal(bitcoins, LedgerFormat.self)) == ["A BTC 35"])
    let hours =
      "C 1.00 h = 60 m\nC 1.00 m = 60 s\n" + Self.entry("Assets:A  1 h", "Income:B")
      + Self.entry("Assets:A  50 m", "Income:B")
    let read = try ReadJournal(hours, LedgerFormat.self)
    #expect(read.bad == [])
    #expect(Self.sums(read).map { $0.split(separator: " ").last } == ["6600"])
    // hledger ignores them.
    #expect(try Self.sums(ReadJournal(bitcoins)).count == 2)
    let circle = "C 1 AAA = 10 BBB\nC 1 BBB = 10 AAA\n" + Self.entry("Assets:A  1 AAA", "Income:B")
    #expect(try ReadJournal(circle, LedgerFormat.self).bad.isEmpty == false)
  }

  @Test("Costs may repeat what postings on a conversion account say")
  func repeatedCosts() throws {
    let read = try ReadJournal(
      Self.entry(
        "Assets:Bank  10 USD @ 0.9 EUR", "Equity:Conversion  -10 USD", "Equity:Conversion  9 EUR",
        "Assets:Euro  -9 EUR"))
    #expect(read.bad == [])
    #expect(Self.sums(read) == ["Bank USD 1000", "Euro EUR -900"])
    let wrong = try ReadJournal(
      Self.entry(
        "Assets:Bank  10 USD @ 0.9 EUR", "Equity:Conversion  -10 USD", "Equity:Conversion  8 EUR",
        "Assets:Euro  -8 EUR"))
    #expect(wrong.bad.count == 1)
  }

  @Test("What a Beancount file pushes applies to that file only")
  func pushedTags() throws {
    func entry(_ name: String) -> String {
      "2026-01-01 * \"\(name)\"\n  Assets:A  1 EUR\n  Income:B\n"
    }
    let read = try ReadJournal(
      "pushtag #outer\npushmeta who: \"me\"\ninclude \"p\"\n" + entry("a"), BeancountFormat.self,
      Self.including("books/p", "pushtag #inner\n" + entry("p")))
    #expect(read.bad == [])
    #expect(read.books.transactions.map(\.description).sorted() == ["a", "p"])
    for transaction in read.books.transactions {
      #expect(
        transaction.tags == (transaction.description == "a" ? ["outer", "who:me"] : ["inner"]))
    }
  }

  static let entities = """
    apply account business
    2026-01-01 invoice
      assets:bank  1000.00 EUR
      revenues:work
    2026-01-02 invoice
      assets:bank  5.00 EUR
      revenues:work
    end apply account
    2026-01-02 food
      personal:assets:bank  -50.00 EUR
      Kasse  50 EUR
    """

  @Test("All unknown roots are listed at once, each once")
  func unknownRoots() throws {
    let read = try ReadJournal(Self.entities)
    #expect(read.contents.badLines.map(\.line) == [3, 4, 10, 11])
    let remedies = read.contents.badLines.map(\.remedy)
    #expect(remedies[0].hasPrefix("Use --root business:assets=asset, or add"))
    #expect(remedies[1].hasPrefix("Use --root business:revenues=income, or add"))
    #expect(remedies[1].hasSuffix("account business:revenues  ; type:R."))
    #expect(remedies[3].hasPrefix("Use --root Kasse=asset (or liability"))
    #expect(read.bad[0].contains("It affects 2 transactions.") && !read.bad[2].contains("affects"))
  }

  @Test("Roots may have several parts")
  func rootsWithPaths() throws {
    let read = try ReadJournal(Self.entities) {
      $0.roots = [
        "business:assets": .asset, "business:revenues": .income, "personal": .expense,
        "personal:assets": .asset, "kasse": .asset,
      ]
    }
    #expect(read.bad == [])
    #expect(
      Self.sums(read) == ["Kasse EUR 5000", "business:bank EUR 100500", "personal:bank EUR -5000"])
    #expect(read.postings.contains("2026-01-01 income/business:work -1000.00 EUR"))
  }
}
