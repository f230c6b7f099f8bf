// Goal: the guess takes no amount, currency, day or row for another: what competes is asked about, and what is
// given is a fact. Method: small files written here, each with one difficulty.

import DaybookBookkeeping
import DaybookInterchange
import Testing

struct GuessQuestionTests {
  private func guess(
    _ text: String, base: String? = "EUR", _ facts: (inout MappingFacts) -> Void = { _ in }
  ) throws -> MappingGuess {
    var known = MappingFacts()
    facts(&known)
    return try ImportMapping.guess(sample: Array(text.utf8), facts: known, base: base)
  }

  private func rows(_ text: String, _ guess: MappingGuess) throws -> [String] {
    try MappedFile(CSVFile(text), mapping: guess.mapping).rows.map {
      "\($0.day) \($0.amount.text) \($0.amount.currency.code)"
    }
  }

  // MARK: - Amounts and currencies

  @Test("a currency in the amount's title is the amount's, not that of a column beside it")
  func titledCurrency() throws {
    let text = """
      Datum;Empfänger;Betrag (EUR);Betrag (Fremdwährung);Fremdwährung
      2026-02-03;Diner;-46,30;-50,00;USD
      2026-02-05;Kino;-12,00;-12,00;EUR

      """
    let found = try guess(text)
    #expect(found.questions == [])
    #expect(
      try rows(text, found) == ["2026-02-03 -46.30 EUR", "2026-02-05 -12.00 EUR"])
    let one = "Datum;Text;Betrag (EUR);Fremdwährung\n2026-02-03;Diner;-50,00;USD\n"
    #expect(try rows(one, try guess(one)) == ["2026-02-03 -50.00 EUR"])
    // A foreign currency alone is not that of an amount whose title is silent.
    let silent = "Datum;Text;Betrag;Fremdwährung\n2026-02-03;Diner;-50,00;USD\n"
    let taken = try guess(silent, base: "CHF")
    #expect(taken.mapping.currency.text == "CHF")
    #expect(taken.doubts.contains { $0.contains("CHF") })
  }

  @Test("two amounts compete: both are named, and a fact settles it")
  func twoAmounts() throws {
    let text = """
      Created on,Source amount,Source currency,Target amount,Target currency
      2026-02-13,98.80,GBP,115.20,EUR
      2026-02-14,-10.00,GBP,-11.60,EUR

      """
    let found = try guess(text)
    let amount = try #require(found.questions.first { $0.subject == .amount })
    #expect(
      amount.answers.map(\.fact) == [
        .amountColumn(.name("Source amount")), .amountColumn(.name("Target amount")),
      ])
    #expect(amount.message.contains("“Source amount” and “Target amount”"))
    #expect(found.questions.contains { $0.subject == .currency })
    let settled = try guess(text) {
      $0.amountColumn = .name("Target amount")
      $0.currency = ColumnTemplate("{Target currency}")
    }
    #expect(settled.questions == [])
    #expect(try rows(text, settled) == ["2026-02-13 115.20 EUR", "2026-02-14 -11.60 EUR"])
  }

  @Test("a balance says which of two amounts is the account's")
  func followed() throws {
    let text = """
      Date,Gross,Fee,Net,Balance
      2026-02-13,100.00,-3.00,97.00,97.00
      2026-02-14,50.00,-2.00,48.00,145.00
      2026-02-15,-20.00,0.00,-20.00,125.00

      """
    let found = try guess(text)
    #expect(found.mapping.amount.column == .name("Net"))
    #expect(found.questions == [])
  }

  @Test("amounts in two currencies, or in none, are asked about")
  func currencies() throws {
    let mixed = "Date,Text,Amount\n2026-02-13,a,€ 10.00\n2026-02-14,b,£ -3.00\n"
    #expect(try guess(mixed).questions.map(\.subject) == [.currency])
    let silent = "Date,Text,Amount\n2026-02-13,a,10.00\n2026-02-14,b,-3.00\n"
    #expect(try guess(silent, base: nil).questions.map(\.subject) == [.currency])
    #expect(try guess(silent, base: "CHF").mapping.currency.text == "CHF")
    let dollars = "Date,Text,Amount\n2026-02-13,a,$10.00\n2026-02-14,b,-$3.00\n"
    #expect(try guess(dollars, base: "CAD").mapping.currency.text == "CAD")
    #expect(try guess(dollars, base: "EUR").doubts == ["“$” is read as USD."])
  }

  @Test("amounts that are never negative are asked about, and so is a card's bill")
  func direction() throws {
    let positive = "Date,Text,Amount\n2026-02-13,Shop,10.00\n2026-02-14,Bar,3.00\n"
    #expect(try guess(positive).questions.map(\.subject) == [.direction])
    let inverted = try guess(positive) { $0.isInverted = true }
    #expect(inverted.questions == [])
    #expect(try rows(positive, inverted) == ["2026-02-13 -10.00 EUR", "2026-02-14 -3.00 EUR"])
    let bill = positive + "2026-02-15,PAYMENT - THANK YOU,-13.00\n"
    #expect(try guess(bill).questions.map(\.subject) == [.direction])
    let pair = "2026-02-13,Shop,10.00,\n2026-02-14,Pay,,-80.00\n2026-02-15,Bar,3.00,\n"
    #expect(try guess(pair).questions.map(\.subject) == [.direction])
  }

  // MARK: - Days

  @Test("days that could be read either way are asked about, unless the file tells")
  func days() throws {
    let open = "Date,Text,Amount\n02/03/2026,a,10.00\n04/03/2026,b,-3.00\n"
    let question = try #require(try guess(open).questions.first)
    #expect(question.subject == .dateFormat)
    #expect(
      Set(question.answers.map(\.fact)) == [.dateFormat("d/M/yyyy"), .dateFormat("M/d/yyyy")])
    let american = try guess(open) { $0.dateFormat = "M/d/yyyy" }
    #expect(american.questions == [])
    #expect(try rows(open, american).first == "2026-02-03 10.00 EUR")
    // A day beyond the twelfth, an order of the rows, or decimals behind a comma settle it.
    #expect(try guess(open + "13/03/2026,c,-1.00\n").questions == [])
    let ordered =
      "Date,Text,Amount\n05/01/2026,a,10.00\n12/01/2026,b,-3.00\n03/02/2026,c,-1.00\n"
    let found = try guess(ordered)
    #expect(found.questions == [])
    #expect(found.mapping.date.format == "d/M/yyyy")
    let comma = "Date;Text;Sum\n02/03/2026;a;10,00\n04/03/2026;b;-3,00\n"
    #expect(try guess(comma).mapping.date.format == "d/M/yyyy")
    #expect(try guess(comma).questions == [])
  }

  @Test(
    "names of months",
    arguments: [
      ("3 Feb 26", "2026-02-03"), ("3 February 2026", "2026-02-03"),
      ("03. März 2026", "2026-03-03"),
      ("3. Mrz. 26", "2026-03-03"), ("12 févr. 2026", "2026-02-12"), ("1 août 2026", "2026-08-01"),
      ("3 de enero de 2026", "2026-01-03"), ("3-ago-2026", "2026-08-03"),
      ("14 mag 2026", "2026-05-14"), ("3 gennaio 2026", "2026-01-03"), ("3/dez/2026", "2026-12-03"),
      ("3 mrt 2026", "2026-03-03"), ("3 maja 2026", "2026-05-03"), ("3 paź 2026", "2026-10-03"),
      ("3 października 2026", "2026-10-03"), ("3 maj 2026", "2026-05-03"),
      ("3 okt. 2026", "2026-10-03"), ("3 des 2026", "2026-12-03"),
      ("3. joulukuuta 2026", "2026-12-03"),
      ("3 marras 2026", "2026-11-03"), ("3. května 2026", "2026-05-03"),
      ("3. července 2026", "2026-07-03"), ("3. června 2026", "2026-06-03"),
      ("Feb 3, 2026", "2026-02-03"), ("03FEB2026", "2026-02-03"), ("3 SEPT 2026", "2026-09-03"),
    ])
  func months(text: String, day: String) throws {
    let file = "Day;Text;Amount\n\(text);a;-1,00\n\(text);b;2,00\n"
    #expect(try rows(file, try guess(file)).first?.prefix(10) == day[...])
  }

  // MARK: - Rows

  @Test("a preamble is found before one row as before fifty", arguments: [1, 2, 50])
  func preamble(count: Int) throws {
    let head = "Konto;DE02120300000000202051\nVon;01.02.2026\nSaldo;1.234,56 EUR\n\n"
    let rows = (1...count).map { "\(format2($0 % 28 + 1)).02.2026;Kiosk;-\($0),50\n" }
    let found = try guess(head + "Datum;Text;Betrag\n" + rows.joined())
    #expect(found.mapping.skipLines == 4)
    #expect(found.header == ["Datum", "Text", "Betrag"])
    #expect(found.mapping.amount.column == .name("Betrag"))
    #expect(found.mapping.currency.text == "EUR")
  }

  private func format2(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @Test("columns are judged by most rows, and the odd ones are named with what leaves them out")
  func oddRows() throws {
    var text = "Date,Text,Amount\n"
    for day in 1...28 { text += "2026-02-\(format2(day)),Kiosk,-1.50\n" }
    text += "Total,,-42.00\n,,\n2026-03-01,Kiosk,Pending\n"
    let found = try guess(text)
    let file = CSVFile(text)
    let mapped = try MappedFile(file, mapping: found.mapping)
    #expect(mapped.rows.count == 28)
    let odd = mapped.oddRows(of: file, mapping: found.mapping)
    #expect(
      odd.map(\.message) == [
        "Date: 29 of 31 rows have a day; lines 30 (“Total”) and 31 (blank) don't",
        "Amount: 30 of 31 rows have an amount; line 32 (“Pending”) doesn't",
      ])
    #expect(odd.map(\.lines) == [[30, 31], [32]])
    var mapping = found.mapping
    mapping.skipRows = odd.flatMap(\.rules)
    let clean = try MappedFile(file, mapping: mapping)
    #expect(clean.badLineCount == 0)
    #expect(clean.rows.count == 28)
    #expect(clean.skippedCount == 3)
  }

  @Test("rows that are not booked, and rows that are balances, are asked about until it is said")
  func states() throws {
    let text = """
      Date,Text,Amount,State
      2026-02-03,Pret,-4.50,COMPLETED
      2026-02-04,Uber,-12.00,PENDING
      2026-02-05,Opening balance,100.00,COMPLETED

      """
    let found = try guess(text)
    #expect(found.questions.map(\.subject) == [.state, .balanceRow])
    let pending = ImportMapping.RowRule(column: .name("State"), equals: ["PENDING"])
    #expect(found.questions[0].answers.map(\.fact) == [.skipRows(pending), .takeRows(pending)])
    let settled = try guess(text) {
      $0.skipRows = [.init(column: .name("Text"), beginsWith: "Opening")]
      $0.takeRows = [pending]
    }
    #expect(settled.questions == [])
    #expect(try rows(text, settled).count == 2)
  }

  @Test("balances at the end of a long file are asked about too, and so are fees")
  func longFile() throws {
    var text = "Date,Text,Amount,Fee\n"
    for row in 0..<900 { text += "2026-02-\(format2(row % 28 + 1)),Kiosk,-1.50,0.10\n" }
    text += "2026-02-28,Endsaldo,100.00,0.00\n"
    let found = try guess(text)
    #expect(found.questions.map(\.subject) == [.fee, .balanceRow])
    #expect(
      try guess(text) { $0.otherColumns = [.name("Fee")] }.questions.map(\.subject)
        == [.balanceRow])
  }

  // MARK: - Texts

  @Test("payee and description are texts: no ids, no balances, not one's own account")
  func texts() throws {
    let text = """
      Auftragskonto;Buchungstag;Referenz;Begünstigter;IBAN;Verwendungszweck;Betrag;Saldo
      DE89370400440532013000;03.02.2026;2026AB123456789;Stadtwerke;DE02500105170137075030;Strom;-10,00;90,00
      DE89370400440532013000;04.02.2026;2026AB123456790;Anna;DE02120300000000202051;Pizza;5,00;95,00

      """
    let found = try guess(text)
    #expect(found.mapping.payee == ColumnTemplate("{Begünstigter}"))
    #expect(found.mapping.description == ColumnTemplate("{Verwendungszweck}"))
    #expect(found.mapping.balance?.column == .name("Saldo"))
    let bare = "03.02.2026;DE89370400440532013000;2026AB123456789;Kiosk;-1,00\n"
    #expect(try guess(bare).mapping.description == ColumnTemplate("{4}"))
  }

  @Test("what is given is a fact, and the rest is found around it")
  func facts() throws {
    let text = "a;b;c;d\n03.02.2026;04.02.2026;-1,00;Kiosk\n05.02.2026;06.02.2026;2,00;Bar\n"
    let found = try guess(text) {
      $0.dateColumn = .name("b")
      $0.hasHeader = true
    }
    #expect(found.mapping.date == .init(column: .name("b"), format: "d.M.yyyy"))
    #expect(found.mapping.amount.column == .name("c"))
    let point = "Date,Text,Amount\n2026-02-03,a,-1.234\n2026-02-04,b,2.000\n"
    #expect(try guess(point) { $0.decimal = "," }.mapping.numbers.decimal == ",")
    #expect(throws: InterchangeError.self) { try guess(text) { $0.amountColumn = .name("zz") } }
  }
}
