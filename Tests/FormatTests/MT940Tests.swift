import DaybookBookkeeping
import Testing

@testable import DaybookFormats

// Goal: what a message says stands in the right fields. Method: small messages, one matter each.
@Suite("MT940")
struct MT940Tests {
  private let euro = Currency(code: "EUR", digits: 2) ?? Currency(packed: 0)

  private func message(_ rows: String) -> String {
    """
    :20:STARTUMS
    :25:37040044/532013000
    :28C:1/1
    :60F:C260130EUR100,00
    \(rows)
    :62F:C260131EUR90,00
    -

    """
  }

  private func row(_ rows: String) throws -> StatementRow {
    try #require(
      try readStatement(message(rows), MT940.self).statements.first?.rows.first)
  }

  @Test("The German form with SEPA's keywords, wrapped in the middle of words")
  func german() throws {
    let row = try row(
      """
      :61:2602020131DR10,00N011NONREF//ABC123
      :86:105?00FOLGELASTSCHRIFT?109310?20EREF+E-1?21MREF+M-77?22CRED+DE98
      ZZZ09999999999?23SVWZ+Bill 12 of the month o?24f May, thank you?30COBA
      DEFF?31DE89370400440532013000?32Power and Light Company of ?33Town?34992
      """)
    #expect(row.day == Day("2026-01-31"))
    #expect(row.valueDay == Day("2026-02-02"))
    #expect(row.amount == Money(-1000, euro))
    #expect(row.payee == "Power and Light Company of Town")
    #expect(row.description == "Bill 12 of the month of May, thank you")
    #expect(row.code == "E-1")
    #expect(row.reference == "mt940:ABC123")
    #expect(
      row.note.split(separator: "\n") == [
        "FOLGELASTSCHRIFT", "DE89370400440532013000", "BIC COBADEFF", "Mandate M-77",
        "Creditor DE98ZZZ09999999999",
      ])
    #expect(row.line == 5)
  }

  @Test(
    "The German form with other separators",
    arguments: [
      "020~00TRANSFER~20Rent~32Jan~3300~38PL61109010140000071219812874",
      "020<00TRANSFER<20Rent<32Jan<38PL61109010140000071219812874",
    ])
  func polish(text: String) throws {
    let row = try row(":61:260131D10,FTRFNONREF\n:86:\(text)")
    #expect(row.description == "Rent")
    #expect(row.payee.hasPrefix("Jan"))
    #expect(row.note == "TRANSFER\nPL61109010140000071219812874")
    #expect(row.reference == "mt940:")
  }

  @Test(
    "The Dutch forms",
    arguments: [
      "/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/J. Doe/REMI/Rent/EREF/E1",
      "/EREF/E1//CNTP/NL91ABNA0417164300/ABNANL2A/J. Doe///REMI/USTD//Rent/",
      "/EREF/E1/BENM//NAME/J. Doe/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/REMI/Rent",
    ])
  func dutch(text: String) throws {
    let row = try row(":61:2601310131D10,00NTRFEREF//0001\n:86:\(text)")
    #expect(row.payee == "J. Doe")
    #expect(row.description == "Rent")
    #expect(row.code == "E1")
    #expect(row.note.contains("NL91ABNA0417164300\nBIC ABNANL2A"))
  }

  @Test("Free text, and the line below the row")
  func free() throws {
    let free = try row(":61:260131D10,00NMSCREF1\nCard\n:86:Shop 12\nParis")
    #expect(free.description == "Shop 12 Paris")
    #expect(free.code == "REF1")
    #expect(free.note == "Card")
    let none = try row(":61:260131D10,00NMSCREF1\nCard")
    #expect(none.description == "Card")
  }

  @Test("The banks' own field")
  func nonSwift() throws {
    let row = try row(
      ":61:0203170320CM5000,00S05168790452\n:NS:01One\n02Two\n15Somebody\n17TEXT\n191000")
    #expect(row.description == "One Two")
    #expect(row.payee == "Somebody")
    #expect(row.note == "TEXT")
    #expect(row.day == Day("2002-03-20"))
  }

  @Test(
    "Marks",
    arguments: [
      ("C", 1, false), ("D", -1, false), ("RC", -1, false), ("RD", 1, false), ("CR", 1, false),
      ("DR", -1, false), ("RCR", -1, false), ("EC", 1, true), ("ED", -1, true),
    ])
  func marks(mark: String, sign: Int64, isPending: Bool) throws {
    let row = try row(":61:260131\(mark)10,5NTRFNONREF")
    #expect(row.amount.minorUnits == sign * 1050)
    #expect(row.isPending == isPending)
    #expect(row.isInflow == (sign > 0))
  }

  @Test(
    "Amounts",
    arguments: [
      ("0,12", 12), ("00012,", 1200), ("7", 700), ("1.5", 150), ("3,500", 350),
      ("\n10,00", 1000), (" 10,00", 1000),
    ])
  func amounts(text: String, units: Int64) throws {
    #expect(try row(":61:260131C\(text)NTRF").amount.minorUnits == units)
  }

  @Test(
    "Booking days",
    arguments: [
      ("260131", "2026-01-31", nil), ("2601310201", "2026-02-01", "2026-01-31"),
      ("2512310102", "2026-01-02", "2025-12-31"), ("2601021231", "2025-12-31", "2026-01-02"),
      ("260131260201", "2026-02-01", "2026-01-31"), ("2602300301", "2026-03-01", "2026-02-28"),
      ("9901310131", "1999-01-31", nil), ("2601310000", "2026-01-31", nil),
    ])
  func days(text: String, day: String, value: String?) throws {
    let row = try row(":61:\(text)C1,00NTRF")
    #expect(row.day == Day(day))
    #expect(row.valueDay == value.flatMap { Day($0) })
  }

  @Test(
    "Accounts",
    arguments: [
      ("DE89370400440532013000", "DE89370400440532013000", "", "", "EUR"),
      ("NL91ABNA0417164300EUR", "NL91ABNA0417164300", "", "", "EUR"),
      ("/PL61109010140000071219812874", "PL61109010140000071219812874", "", "", "EUR"),
      ("37040044/532013000CHF", "", "37040044", "532013000", "CHF"),
      ("UBRTHUHB/123002/HUF", "", "UBRTHUHB", "123002", "HUF"),
      ("0111111111EUR", "", "", "0111111111", "EUR"),
    ])
  func accounts(text: String, iban: String, bank: String, number: String, currency: String) throws {
    let statement = try #require(
      try readStatement(":20:X\n:25:\(text)\n:61:260131C1,00NTRF", MT940.self).statements.first)
    #expect(statement.account.iban == iban)
    #expect(statement.account.bank == bank)
    #expect(statement.account.number == number)
    #expect(statement.rows.first?.amount.currency.code == currency)
  }

  @Test("Headers of SWIFT, several messages and several statements")
  func messages() throws {
    let body = ":20:1\r\n:25:1/2\r\n:60F:C260101EUR1,\r\n:61:260102C1,NTRF\r\n:62F:C260102EUR2,\r\n"
    let text =
      "\u{1}{1:F01BANKDEFFXXXX0000000000}{2:O9400000N}{4:\r\n\(body)-}{5:{CHK:1}}{1:F01}{4:\r\n"
      + "\(body):20:2\r\n:25:1/3\r\n:60M:D260101EUR5,\r\n:62M:D260101EUR5,\r\n-}"
    let contents = try readStatement(text, MT940.self)
    #expect(contents.statements.map(\.rows.count) == [1, 1, 0])
    #expect(contents.statements.map { $0.difference?.units } == [0, 0, 0])
    #expect(contents.statements[0].opening?.day == Day("2026-01-02"))
    #expect(MT940.recognise(FileHead(RawFile(Array(text.utf8), name: "x"))) == .certain)
  }

  @Test("An interim report takes its currency from the floor limit")
  func interim() throws {
    let contents = try readStatement(
      ":20:1\n:25:GB29NWBK60161331926819\n:28C:1/1\n:34F:GBPD0,\n:13D:2601311730+0000\n"
        + ":61:2601310131ED0,42NCHGNONREF//9\n:86:Fee\n:90D:1GBP0,42\n-", MT940.self,
      ReadingOptions())
    let row = try #require(contents.statements.first?.rows.first)
    #expect(row.amount.description == "-0.42 GBP")
    #expect(row.isPending)
  }

  @Test("A wrapped time of day is no field")
  func wrappedTime() throws {
    let row = try row(
      ":61:260131C1,00NTRF\n:86:106?20Paid at the counter in the old town on the market, 14?2131-01\n"
        + ":26:37 Uhr?32Shop")
    #expect(row.payee == "Shop")
    #expect(row.description.hasSuffix(":26:37 Uhr"))
  }

  @Test("Original amount and charges")
  func charges() throws {
    let foreign = try row(":61:260131D10,00NTRFX\n/OCMT/USD11,5//CHGS/EUR1,/")
    #expect(foreign.original?.description == "11.50 USD")
    #expect(foreign.fee == nil)
    let fee = try row(":61:260131D10,00NTRFX\n/OCMT/EUR9,//CHGS/EUR1,/")
    #expect(fee.fee?.minorUnits == 100)
  }

  @Test(
    "Bad rows are named, and the others read",
    arguments: [
      ("261331D1,00NTRF", 5, BadLine.Code.date), ("2601311399D1,00NTRF", 11, .date),
      ("260131X1,00NTRF", 11, .direction), ("260131D1,005NTRF", 12, .amount),
      ("260131D1.000,00NTRF", 12, .amount), ("260131DNTRF", 13, .amount),
      ("260131D99999999999999999999,NTRF", 12, .amount),
    ])
  func bad(text: String, column: Int, code: BadLine.Code) throws {
    let contents = try readStatement(
      message(":61:\(text)\n:86:x\n:61:260131C1,00NTRF"), MT940.self)
    #expect(contents.statements.first?.rows.count == 1)
    #expect(contents.badLines.map(\.code) == [code])
    #expect(contents.badLines.first?.line == 5)
    #expect(contents.badLines.first?.column == column)
    #expect(contents.notices.isEmpty)
  }

  @Test("Without a currency a row is bad, and what has no field is refused")
  func refused() throws {
    let contents = try readStatement(":20:1\n:61:260131C1,00NTRF", MT940.self, ReadingOptions())
    #expect(contents.badLines.map(\.code) == [.currency])
    #expect(readingFault("Date,Amount\n1,2", MT940.self)?.code == .format)
    let head = FileHead(RawFile(Array("Date,Amount\n1,2".utf8), name: "x"))
    #expect(MT940.recognise(head) == .no)
  }

  @Test("Code pages of Windows and DOS")
  func encodings() throws {
    func description(_ letter: UInt8) throws -> String? {
      let text = Array(":20:1\n:61:260131C1,00NTRF\n:86:Caf".utf8) + [letter, 0x0A]
      var options = ReadingOptions()
      options.currency = Currency.iso("EUR")
      return try MT940.read(RawFile(text, name: "x"), options).statements.first?.rows.first?
        .description
    }
    #expect(try description(0xE9) == "Café")
    #expect(try description(0x81) == "Cafü")
  }
}
