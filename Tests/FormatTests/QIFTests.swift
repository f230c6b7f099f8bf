import DaybookBookkeeping
import Testing

@testable import DaybookFormats

/// Goal: what the records of QIF mean.
///
/// Method: small files, each for one thing.
@Suite("QIF")
struct QIFTests {
  static func read(
    _ text: String, currency: String = "USD", _ change: (inout ReadingOptions) -> Void = { _ in }
  ) throws -> FileContents {
    var options = ReadingOptions()
    options.currency = .iso(currency)
    change(&options)
    return try QIF.read(RawFile(Array(text.utf8), name: "test.qif"), options)
  }

  private func rows(_ text: String, currency: String = "USD") throws -> [StatementRow] {
    let contents = try Self.read(text, currency: currency)
    #expect(contents.badLines.isEmpty)
    return contents.statements.flatMap(\.rows)
  }

  /// A file with a bit of everything.
  static let everything = """
    # A comment
    !Option:AutoSwitch
    !Account
    NChecking
    DMine
    TBank
    /2/28'2024
    $100.00
    ^
    NCard
    TCCard
    ^
    NBroker
    TInvst
    ^
    !Clear:AutoSwitch
    !Type:Cat
    NFood
    E
    ^
    !Account
    NChecking
    TBank
    ^
    !Type:Bank
    D1/31'2024
    T50.00
    POpening Balance
    L[Checking]
    CX
    ^
    D2/14'2024
    U-1,012.50
    T-1,012.50
    PShop
    A1 High St
    AYork
    MMilk
    N101
    C*
    LFood:Groceries/Holiday
    ^
    D2/15'2024
    T-30.00
    L[Card]
    ^
    D2/16'2024
    T-100.00
    PMany
    SFood/Home:Cat
    Ebread
    $-60.00
    S[Broker]
    %40
    $-40.00
    ^
    !Account
    NCard
    TCCard
    ^
    !Type:CCard
    D2/15'2024
    T30.00
    L[Checking]
    ^
    !Account
    NBroker
    TInvst
    ^
    !Type:Invst
    D2/16'2024
    NXIn
    T40.00
    L[Checking]
    ^
    D2/17'2024
    NBuy
    YACME
    I1.50
    Q20
    O1.00
    T31.00
    ^
    D2/18'2024
    NDivX
    YACME
    T5.00
    $5.00
    L[Card]
    ^
    D2/18'2024
    NShrsIn
    YACME
    Q1
    ^
    """

  @Test("A file of several accounts: rows, balances, transfers once")
  func everything() throws {
    let contents = try Self.read(Self.everything)
    #expect(contents.badLines.isEmpty)
    #expect(contents.statements.map(\.account.name) == ["Checking", "Card", "Broker"])
    #expect(contents.statements.map(\.account.kind) == [.asset, .liability, .asset])
    #expect(contents.statements.map(\.opening?.amount.minorUnits) == [5000, nil, nil])
    #expect(contents.statements.map(\.closing?.amount.minorUnits) == [10_000, nil, nil])
    #expect(
      contents.statements.map { $0.rows.map(\.amount.minorUnits) } == [
        [-101_250, -3000, -10_000], [], [-3100, 500, -500],
      ])
    let shop = try #require(contents.statements.first?.rows.first)
    #expect(shop.line == 32)
    #expect(shop.payee == "Shop")
    #expect(shop.description == "Milk")
    #expect(shop.note == "1 High St\nYork")
    #expect(shop.code == "101")
    #expect(shop.category == ["Food", "Groceries"])
    #expect(shop.tags == ["Holiday"])
    #expect(shop.reference.isEmpty)
    let usd = try #require(Currency.iso("USD"))
    let many = try #require(contents.statements.first?.rows.last)
    #expect(many.tags == ["Home", "Cat"])
    #expect(
      many.parts == [
        StatementRow.Part(Money(-6000, usd), category: ["Food"], note: "bread"),
        StatementRow.Part(Money(-4000, usd), target: "Broker"),
      ])
    let trade = try #require(contents.statements.last?.rows.first)
    #expect(trade.note == "Buy: 20 of ACME at 1.50")
    #expect(trade.fee == Money(100, usd))
    #expect(contents.statements.last?.rows.map(\.target) == [nil, nil, "Card"])
    #expect(
      contents.notices.map(\.message) == [
        "1 transfer of “Card” also appears in the other account, and was imported from there.",
        "1 transfer of “Broker” also appears in the other account, and was imported from there.",
        "Skipped the list “!Type:Cat”.",
        "Skipped the action “ShrsIn”, which moves no cash.",
      ])
  }

  @Test("A transfer that is a part of a row in both accounts is taken once")
  func twins() throws {
    let contents = try Self.read(
      """
      !Account
      NA
      TBank
      $-100.00
      /1/31'2024
      ^
      !Type:Bank
      D1/31'2024
      T-100.00
      SFood
      $-60.00
      S[B]
      $-40.00
      ^
      !Account
      NB
      TBank
      $100.00
      /1/31'2024
      ^
      !Type:Bank
      D1/31'2024
      T100.00
      S[A]
      $40.00
      SSalary
      Emonthly
      $70.00
      SFees
      $-10.00
      ^
      D1/31'2024
      T40.00
      L[A]
      ^
      """)
    #expect(contents.badLines.isEmpty)
    let usd = try #require(Currency.iso("USD"))
    let first = contents.statements[0].rows
    #expect(first.map(\.amount.minorUnits) == [-10_000] && first[0].parts.count == 2)
    let second = contents.statements[1].rows
    #expect(second.map(\.amount.minorUnits) == [6000, 4000])
    #expect(
      second[0].parts == [
        StatementRow.Part(Money(7000, usd), category: ["Salary"], note: "monthly"),
        StatementRow.Part(Money(-1000, usd), category: ["Fees"]),
      ])
    #expect(contents.statements[0].closing != nil && contents.statements[1].closing == nil)
    #expect(
      contents.notices.map(\.description) == [
        "line 22: The transfer to “A” is also part of a split there and was imported from there, "
          + "so this transaction is 60.00 USD instead of 100.00 USD."
      ])
  }

  @Test("Of two rows of one part each, which mirror each other, one is left")
  func twinsAlone() throws {
    let part = "D1/31'2024\nT-5\nSFood\n$-3\nS[B]\n$-2\n^\n"
    let other = "D1/31'2024\nT6\nS[A]\n$2\nSSalary\nEJan\n$4\n^\n"
    let contents = try Self.read(
      "!Account\nNA\n^\n!Type:Bank\n\(part)!Account\nNB\n^\n!Type:Bank\n\(other)")
    let row = try #require(contents.statements.last?.rows.first)
    #expect(row.parts.isEmpty && row.category == ["Salary"] && row.note == "Jan")
    #expect(row.amount.minorUnits == 400 && row.isInflow)
  }

  @Test(
    "Marks say whether a row was compared with a statement",
    arguments: [
      ("C*", false), ("Cc", false), ("", false), ("CX", true), ("Cx", true), ("CR", true),
    ])
  func marks(mark: String, isReconciled: Bool) throws {
    let row = try #require(try rows("!Type:Bank\nD1/31/2024\nT-5\n\(mark)\n^\n").first)
    #expect(row.isReconciled == isReconciled && !row.isPending)
    let trade = try rows("!Type:Invst\nD1/31/2024\nNSell\nYACME\nT5\n\(mark)\n^\n")
    #expect(trade.map(\.isReconciled) == [isReconciled])
  }

  @Test("Without an account the opening balance names it")
  func opening() throws {
    let contents = try Self.read(
      "!Type:Bank\nD1/31/2024\nT5\nPOpening "
        + "Balance\nL[Girokonto]\n^\nD2/1/2024\nT-1\nL[Girokonto]\n^\n"
    )
    let statement = try #require(contents.statements.first)
    #expect(statement.account.name == "Girokonto")
    #expect(statement.opening?.amount.minorUnits == 500 && statement.begins)
    #expect(statement.rows.map(\.target) == [nil])
  }

  @Test(
    "Dates of every shape",
    arguments: [
      ("2/14'2020", "2020-02-14"), ("1/ 1'00", "2000-01-01"), ("2/14/94", "1994-02-14"),
      ("2/14/21", "2021-02-14"), ("2/14'94", "2094-02-14"), ("2-14-2020", "2020-02-14"),
      ("14.02.20", "2020-02-14"), ("14.2.2020", "2020-02-14"), ("1.2.2020", "2020-02-01"),
      ("2020-02-14", "2020-02-14"), ("2020/2/1", "2020-02-01"), ("20200214", "2020-02-14"),
      ("14 Feb 2020", "2020-02-14"), ("Feb 14, 2020", "2020-02-14"), ("14-feb-20", "2020-02-14"),
      ("12/31'101", "2001-12-31"), ("31/12/2020", "2020-12-31"), ("2020-02-14 10:00", "2020-02-14"),
      ("3/3/2020", "2020-03-03"),
    ])
  func dates(text: String, day: String) throws {
    let row = try #require(try rows("!Type:Bank\nD\(text)\nT1\n^\n").first)
    #expect(row.day == Day(day))
  }

  @Test("The order of day and month is that of the whole file")
  func order() throws {
    let late = try rows("!Type:Bank\nD1/2/2024\nT1\n^\nD13/2/2024\nT1\n^\n")
    #expect(late.map(\.day) == [Day("2024-02-01"), Day("2024-02-13")])
    let early = try rows("!Type:Bank\nD1/2/2024\nT1\n^\nD1/13/2024\nT1\n^\n")
    #expect(early.map(\.day) == [Day("2024-01-02"), Day("2024-01-13")])
  }

  @Test(
    "Dates that can be read in two ways, or in none, are asked about",
    arguments: ["D1/2/2024\nT1\n^\n", "D1/13/2024\nT1\n^\nD13/1/2024\nT1\n^\n"])
  func unclear(text: String) throws {
    let error = #expect(throws: InterchangeError.self) { try Self.read("!Type:Bank\n" + text) }
    #expect(error?.remedy.contains("--date-order") == true)
    #expect(error?.line != nil)
    let told = try Self.read("!Type:Bank\n" + text) { $0.isDayFirst = true }
    #expect(told.statements.first?.rows.count == 1)
  }

  @Test(
    "Amounts with the mark of the whole file",
    arguments: [
      (["1,234.50", "1,234"], [123_450, 123_400]), (["1.234,50", "1.234"], [123_450, 123_400]),
      (["1,234"], [123_400]), (["-5,5", "1.000"], [-550, 100_000]),
      (["$5.00", "(5.00)"], [500, -500]),
      (["1'234.50", "5-"], [123_450, -500]),
    ] as [([String], [Int64])])
  func amounts(texts: [String], units: [Int64]) throws {
    let text = texts.map { "D3/3/2024\nT\($0)\n^\n" }.joined()
    #expect(try rows("!Type:Bank\n" + text).map(\.amount.minorUnits) == units)
  }

  @Test(
    "Rows that can't be read are named by line",
    arguments: [
      ("T1", 2, .date), ("D2/30/2024\nT1", 2, .date), ("Dsoon\nT1", 2, .date),
      ("D3/3/2024", 2, .amount),
      ("D3/3/2024\nTmuch", 3, .amount), ("D3/3/2024\nT1.2345", 3, .amount),
      ("D3/3/2024\nT5\nSA\n$3\nSB\n$3", 2, .amount), ("D3/3/2024\nT5\nSA\n$3", 2, .amount),
      ("D3/3/2024\nT5\nSA", 2, .amount), ("D3/3/2024\nT99999999999999999999", 3, .amount),
    ] as [(String, Int, BadLine.Code)])
  func badLines(text: String, line: Int, code: BadLine.Code) throws {
    let contents = try Self.read("!Type:Bank\n\(text)\n^\nD3/3/2024\nT1\n^\n")
    #expect(contents.badLines.map(\.line) == [line])
    #expect(contents.badLines.map(\.code) == [code])
    #expect(contents.statements.flatMap(\.rows).count == 1)
  }
}
