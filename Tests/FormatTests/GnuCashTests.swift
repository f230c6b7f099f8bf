// Goal: a book of GnuCash is read as what it says: accounts, categories, splits, shares, rates, schedules
// and budgets; what does not fit is named. Method: small books in the form that GnuCash 4 writes (the
// form was compared with files that GnuCash 4.13 wrote), each about one thing.

import DaybookBookkeeping
import Testing

@testable import DaybookFormats

@Suite struct GnuCashTests {
  let euro = Currency.iso("EUR") ?? Currency(packed: 0)
  let dollar = Currency.iso("USD") ?? Currency(packed: 0)

  func posting(_ place: BookPosting.Place, _ units: Int64, note: String = "") -> BookPosting {
    BookPosting(place, Money(units, euro), note: note)
  }

  @Test func accountsCategoriesAndSplits() throws {
    var book = GnuCashBook.usual
    book.transaction(
      20, "2024-01-02", "Rewe &amp; Söhne", more: "<trn:num>77</trn:num>",
      slots: ["notes": "two\nlines", "color": "red"],
      GnuCashBook.split(3, "-2350/100", memo: "card 1", action: "ATM", state: "y"),
      GnuCashBook.split(6, "2000/100", memo: "veg"), GnuCashBook.split(5, "350/100"))
    book.transaction(
      21, "2024-01-31", "Employer", GnuCashBook.split(3, "250000/100", state: "c"),
      GnuCashBook.split(8, "-250000/100"))
    let contents = try book.read()
    #expect(contents.badLines == [])
    let books = try #require(contents.books)
    #expect(books.accounts.map(\.name) == ["Checking"])
    #expect(books.accounts.map(\.kind) == [.asset])
    #expect(books.categories.map(\.path) == [["Food"], ["Food", "Groceries"], ["Salary"]])
    #expect(books.categories.map(\.kind) == [.expense, .expense, .income])
    #expect(books.currencies.isEmpty)
    let first = try #require(books.transactions.first)
    #expect(first.day == Day("2024-01-02") && first.description == "Rewe & Söhne")
    #expect(first.code == "77" && first.note == "two lines" && first.status == .reconciled)
    #expect(first.reference == "gnucash:00000000000000000000000000000014")
    #expect(
      first.postings == [
        posting(.account("Checking"), -2350, note: "ATM: card 1"),
        posting(.category(["Food", "Groceries"], .expense), 2000, note: "veg"),
        posting(.category(["Food"], .expense), 350),
      ])
    let second = books.transactions[1]
    #expect(second.status == .cleared)
    #expect(second.postings.last == posting(.category(["Salary"], .income), -250_000))
    let line = book.text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
      $0.contains("<gnc:transaction")
    }
    #expect(first.line == line.map { $0 + 1 })
    #expect(contents.notices.count == 1, "the group Assets: \(contents.notices)")
  }

  @Test func namesOfAccountsAreUnique() throws {
    var book = GnuCashBook.usual
    book.account(9, "Joint", "ASSET", below: 1)
    book.account(10, "Checking", "BANK", below: 9)
    book.account(11, "Card", "CREDIT", below: 9, more: "<act:code>42</act:code>")
    book.account(12, "Opening", "EQUITY", below: 1, slots: ["equity-type": "opening-balance"])
    book.account(13, "Old", "CASH", below: 2, slots: ["hidden": "true", "notes": "gone"])
    book.transaction(
      20, "2024-01-01", "Opening", GnuCashBook.split(10, "100/1"), GnuCashBook.split(12, "-100/1"))
    let books = try #require(try book.read().books)
    #expect(
      books.accounts.map(\.name) == ["Assets:Checking", "Joint:Checking", "Card", "Old"])
    #expect(books.accounts[2].kind == .liability && books.accounts[2].note == "Code 42")
    #expect(books.accounts[3].isHidden && books.accounts[3].note == "gone")
    #expect(books.transactions.first?.postings.last == posting(.opening, -10_000))
  }

  @Test func numbersOfBanksAreKept() throws {
    var book = GnuCashBook.usual
    book.account(
      9, "Bank", "BANK", below: 1,
      more: """
        <act:slots><slot><slot:key>hbci</slot:key><slot:value type="frame">
        <slot><slot:key>account-id</slot:key><slot:value type="string">123</slot:value></slot>
        <slot><slot:key>bank-code</slot:key><slot:value type="string">50010517</slot:value></slot>
        </slot:value></slot></act:slots>
        """)
    let books = try #require(try book.read().books)
    #expect(books.accounts.last?.identifiers == ["50010517/123"])
  }

  @Test func sharesAndOtherCurrencies() throws {
    var book = GnuCashBook.usual
    book.share("BRK.B", "NYSE", "Berkshire", fraction: 10_000)
    book.prices = [
      """
      <price><price:id type="guid">\(GnuCashBook.id(50))</price:id>
      <price:commodity>\(GnuCashBook.commodity("BRK.B", "NYSE"))</price:commodity>
      <price:currency>\(GnuCashBook.commodity("USD"))</price:currency>
      <price:time><ts:date>2024-02-02 00:00:00 +0100</ts:date></price:time>
      <price:value>18050/100</price:value></price>
      """
    ]
    book.account(9, "Dollars", "BANK", in: GnuCashBook.commodity("USD"), below: 2)
    book.account(
      10, "Shares", "STOCK", in: GnuCashBook.commodity("BRK.B", "NYSE"), fraction: 10_000, below: 2)
    book.transaction(
      20, "2024-02-01", "Exchange", GnuCashBook.split(3, "-10000/100"),
      GnuCashBook.split(9, "10000/100", "10850/100"))
    book.transaction(
      21, "2024-02-02", "Buy", in: GnuCashBook.commodity("USD"),
      GnuCashBook.split(9, "-9000/100"), GnuCashBook.split(10, "9000/100", "5000/10000"))
    book.transaction(
      22, "2024-03-01", "Split", in: GnuCashBook.commodity("USD"),
      GnuCashBook.split(10, "0/100", "15000/10000"))
    let contents = try book.read()
    #expect(contents.badLines == [])
    let books = try #require(contents.books)
    let share = try #require(Currency(code: "BRKB", digits: 4))
    #expect(books.currencies == [CurrencyDefinition(currency: share, name: "Berkshire (BRK.B)")])
    #expect(books.accounts.map(\.currency) == [euro, dollar, share])
    #expect(
      books.transactions[0].postings == [
        posting(.account("Checking"), -10_000),
        BookPosting(.account("Dollars"), Money(10_850, dollar)), posting(.exchange, 10_000),
        BookPosting(.exchange, Money(-10_850, dollar)),
      ])
    #expect(
      books.transactions[1].postings == [
        BookPosting(.account("Dollars"), Money(-9_000, dollar)),
        BookPosting(.account("Shares"), Money(5_000, share)),
        BookPosting(.exchange, Money(9_000, dollar)), BookPosting(.exchange, Money(-5_000, share)),
      ])
    #expect(books.transactions[2].postings.last?.place == .outside)
    #expect(
      books.rates == [
        ExchangeRate(
          base: share, quoted: dollar, day: try #require(Day("2024-02-02")),
          quote: try Quote("180.5"))
      ])
    #expect(
      contents.notices.contains { $0.message.contains("“BRK.B” (NYSE) was imported as BRKB") })
  }

  @Test func theGainsOfSharesAreOfOneCurrency() throws {
    var book = GnuCashBook.usual
    book.share("ABC", "NYSE", "Abc", fraction: 1)
    book.account(
      10, "Shares", "STOCK", in: GnuCashBook.commodity("ABC", "NYSE"), fraction: 1, below: 2)
    book.transaction(
      20, "2024-02-01", "Gain", GnuCashBook.split(10, "500/100", "0/1"),
      GnuCashBook.split(8, "-500/100"))
    let transaction = try #require(try book.read().books?.transactions.first)
    #expect(
      transaction.postings.dropFirst() == [
        posting(.category(["Salary"], .income), -500), posting(.exchange, 500),
      ])
  }

  @Test func whatCantBeTakenIsNamed() throws {
    var book = GnuCashBook.usual
    book.account(9, "Litres", "EXPENSE", fraction: 1_000, below: 4)
    book.transaction(
      20, "2024-01-01", "Unbalanced", GnuCashBook.split(3, "-100/100"),
      GnuCashBook.split(5, "99/100"))
    book.transaction(
      21, "2024-02-30", "No day", GnuCashBook.split(3, "-1/1"), GnuCashBook.split(5, "1/1"))
    book.transaction(
      22, "2024-01-01", "Decimals", GnuCashBook.split(3, "-1001/1000"),
      GnuCashBook.split(9, "1001/1000"))
    book.transaction(
      23, "2024-01-01", "Unknown", GnuCashBook.split(3, "-1/1"), GnuCashBook.split(77, "1/1"))
    book.transaction(
      24, "2024-01-01", "Zero", GnuCashBook.split(3, "-1/0"), GnuCashBook.split(5, "1/1"))
    book.transaction(
      25, "2024-01-01", "Large", GnuCashBook.split(3, "-9223372036854775807/1"),
      GnuCashBook.split(5, "9223372036854775807/1"))
    book.transaction(
      26, "2024-01-01", "Void", GnuCashBook.split(3, "0/1", state: "v"),
      GnuCashBook.split(5, "0/1", state: "v"))
    book.transaction(27, "2024-01-01", "Nothing", GnuCashBook.split(3, "0/1"))
    book.rest = ["<gnc:GncInvoice version=\"2.0.0\"><a/></gnc:GncInvoice>"]
    let contents = try book.read()
    #expect(contents.books?.transactions.isEmpty == true)
    #expect(
      contents.badLines.map(\.code) == [.amount, .date, .amount, .name, .amount, .amount])
    let reasons = contents.badLines.map(\.reason)
    #expect(reasons[0].contains("don't add up to zero"))
    #expect(reasons[2].contains("-1001/1000 EUR has more decimals than the 2 of EUR"))
    #expect(reasons[3].contains(GnuCashBook.id(77)))
    let notices = contents.notices.map(\.message)
    #expect(notices.contains { $0.contains("Skipped the void transaction “Void” of 2024-01-01") })
    #expect(notices.contains { $0.contains("“Nothing” of 2024-01-01: it moves no money") })
    #expect(notices.contains { $0.contains("“GncInvoice” (1 time)") })
  }

  @Test func packedFilesAndDatabasesAreTold() {
    for (bytes, word) in [
      ([0x1F, 0x8B, 0x08], "gunzip"), (Array("SQLite format 3\u{0}".utf8), "XML"),
    ] {
      let file = RawFile(bytes, name: "Household.gnucash")
      #expect(GnuCash.recognise(FileHead(file)) == .possible)
      let error = #expect(throws: InterchangeError.self) {
        try GnuCash.read(file, ReadingOptions())
      }
      #expect(error?.remedy.contains(word) == true)
    }
    let text = RawFile(Array(GnuCashBook.usual.text.utf8), name: "x.xml")
    #expect(GnuCash.recognise(FileHead(text)) == .certain)
    let other = RawFile(Array("<gnc-account-example>".utf8), name: "x.gnucash")
    #expect(GnuCash.recognise(FileHead(other)) == .no)
  }

  @Test func aFileThatIsCutOffIsRefused() throws {
    var book = GnuCashBook.usual
    book.transaction(
      20, "2024-01-01", "x", GnuCashBook.split(3, "-1/1"), GnuCashBook.split(5, "1/1"))
    let bytes = Array(book.text.utf8)
    for end in stride(from: 0, to: bytes.count - 10, by: 97) {
      let file = RawFile(Array(bytes[..<end]), name: "book.gnucash")
      #expect(throws: InterchangeError.self, "\(end)") {
        try GnuCash.read(file, ReadingOptions())
      }
    }
  }
}
