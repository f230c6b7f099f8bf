// Goal: where the numbers of a file prove what its columns mean, the guess follows them, whatever the titles say; where
// they don't, it asks. Method: small tables with a balance, a fee or a mark before three digits, most of them rebuilt
// from reports about other programs.

import DaybookBookkeeping
import DaybookInterchange
import Testing

struct GuessProofTests {
  private func guess(
    _ text: String, base: String? = "EUR", _ facts: (inout MappingFacts) -> Void = { _ in }
  ) throws -> MappingGuess {
    var known = MappingFacts()
    facts(&known)
    return try ImportMapping.guess(sample: Array(text.utf8), facts: known, base: base)
  }

  private func amounts(_ text: String, _ guess: MappingGuess) throws -> [String] {
    let file = try MappedFile(CSVFile(text), mapping: guess.mapping)
    #expect(file.badLines == [])
    #expect(file.mismatches == [])
    return file.rows.map(\.amount.text)
  }

  // MARK: - Balances

  @Test(
    "A column that is the running sum of another is the balance",
    arguments: [
      "Day;Text;In/Out;Sum\n2025-02-02;A;-100,00;900,00\n2025-02-02;B;-100,00;800,00\n"
        + "2025-02-13;C;50,00;850,00\n",
      // The newest row comes first.
      "Day;Text;In/Out;Amount\n2025-02-13;C;50,00;850,00\n2025-02-02;B;-100,00;800,00\n"
        + "2025-02-02;A;-100,00;900,00\n",
      "Day;Text;Total;Change\n2025-02-02;A;900,00;-100,00\n2025-02-02;B;800,00;-100,00\n"
        + "2025-02-13;C;850,00;50,00\n",
      "2025-02-02;A;-100,00;900,00\n2025-02-02;B;-100,00;800,00\n2025-02-13;C;50,00;850,00\n",
      // A pending row has no balance.
      "Day;Text;Betrag;Summe\n2025-02-02;A;-100,00;900,00\n2025-02-02;B;-100,00;800,00\n"
        + "2025-02-13;C;50,00;\n",
    ])
  func runningSum(text: String) throws {
    let found = try guess(text)
    #expect(found.questions == [])
    #expect(Set(try amounts(text, found)) == ["-100.00", "50.00"])
    #expect(found.mapping.balance != nil)
  }

  @Test("Numbers that only count aren't amounts of a running sum")
  func counter() throws {
    let text = "Day,Quantity,Amount\n2025-02-02,1,-9.00\n2025-02-03,1,-8.00\n2025-02-04,1,-7.00\n"
    #expect(try amounts(text, try guess(text)) == ["-9.00", "-8.00", "-7.00"])
  }

  @Test("A balance shows that positive amounts are outgoing")
  func inverted() throws {
    let text = "Day,Text,Amount,Balance\n2025-02-02,A,10.00,90.00\n2025-02-03,B,5.00,85.00\n"
    let found = try guess(text)
    #expect(found.questions == [])
    #expect(try amounts(text, found) == ["-10.00", "-5.00"])
  }

  @Test("A balance that isn't an amount is told and left out")
  func badBalance() throws {
    var mapping = ImportMapping(
      date: .init(column: .name("Day")), amount: .init(column: .name("Amount")),
      currency: ColumnTemplate(literal: "EUR"), account: ColumnTemplate(literal: "A"))
    mapping.balance = .init(column: .name("Balance"))
    let text =
      "Day,Amount,Balance\n2026-02-01,1.00,1.00\n2026-02-02,1.00,n/a\n"
      + "2026-02-03,1.00,3.00\n2026-02-04,1.00,?\n"
    let file = try MappedFile(CSVFile(text), mapping: mapping)
    #expect(file.rows.count == 4 && file.badLineCount == 0)
    #expect(file.rows.map(\.statedBalance) == [100, nil, 300, nil])
    #expect(file.mismatches == [])
    #expect(file.notices.map(\.line) == [3])
    #expect(file.notices[0].message.contains("2 times") && file.notices[0].message.contains("n/a"))
  }

  // MARK: - Fees

  @Test(
    "A fee is charged if the balances include it",
    arguments: [
      // Started and completed days, a pending row without a balance.
      "Started,Text,Amount,Fee,Currency,Balance\n2026-01-02,Top-up,500.00,0.00,EUR,500.00\n"
        + "2026-01-03,Hotel,-371.33,3.71,EUR,124.96\n2026-01-16,Shop,-20.00,0.20,EUR,104.76\n",
      "Started,Text,Amount,Fee,Currency,Balance\n2026-01-16,Shop,-20.00,0.20,EUR,104.76\n"
        + "2026-01-03,Hotel,-371.33,3.71,EUR,124.96\n2026-01-02,Top-up,500.00,0.00,EUR,500.00\n",
      // A fee that is a movement of the account.
      "Started,Text,Amount,Fee,Currency,Balance\n2026-01-02,Top-up,500.00,0.00,EUR,500.00\n"
        + "2026-01-03,Hotel,-371.33,-3.71,EUR,124.96\n2026-01-16,Shop,-20.00,-0.20,EUR,104.76\n",
    ])
  func charged(text: String) throws {
    let found = try guess(text)
    #expect(found.questions == [] && found.doubts == [])
    #expect(Set(try amounts(text, found)) == ["500.00", "-375.04", "-20.20"])
  }

  @Test("A single fee among many rows is charged, too")
  func rare() throws {
    var text = "Day,Text,Amount,Fee,Balance\n"
    for row in 1...20 {
      let balance = 1_000 - row - (row >= 12 ? 2 : 0)
      text +=
        "2026-02-\(row < 10 ? "0" : "")\(row),Shop,-1.00,\(row == 12 ? 2 : 0).00,\(balance).00\n"
    }
    let found = try guess(text)
    #expect(found.mapping.fee?.amount.text == "{Fee}")
    #expect(try amounts(text, found).filter { $0 == "-3.00" }.count == 1)
  }

  @Test("Two columns of fees are charged together")
  func two() throws {
    let text = """
      Day,Text,Amount,Fee,VAT,Balance
      2026-02-01,A,100.00,0.00,0.00,100.00
      2026-02-02,B,-10.00,1.00,0.20,88.80
      2026-02-03,C,-10.00,2.00,0.40,76.40

      """
    let found = try guess(text)
    #expect(found.questions == [])
    #expect(try amounts(text, found) == ["100.00", "-11.20", "-12.40"])
  }

  @Test("A fee that the balances don't include isn't asked about; without balances, it is")
  func asked() throws {
    let included =
      "Day,Text,Amount (EUR),Fee,Balance\n2026-02-01,A,100.00,3.00,100.00\n"
      + "2026-02-02,B,-10.00,1.00,90.00\n"
    let proven = try guess(included)
    #expect(proven.questions == [] && proven.doubts.count == 1)
    #expect(try amounts(included, proven) == ["100.00", "-10.00"])
    let open = "Day,Text,Amount,Fee\n2026-02-01,A,100.00,3.00\n2026-02-02,B,-10.00,1.00\n"
    let question = try #require(try guess(open).questions.first)
    #expect(question.subject == .fee)
    #expect(question.answers.count == 3)
    #expect(question.answers.last?.fact == .ignoredColumn(.name("Fee")))
    guard case .fee(let fee) = question.answers[0].fact else {
      Issue.record("no fee")
      return
    }
    let settled = try guess(open) {
      $0.fee = fee
      $0.otherColumns = [.name("Fee")]
    }
    #expect(settled.questions == [])
    #expect(try amounts(open, settled) == ["97.00", "-11.00"])
    let ignored = try guess(open) { $0.otherColumns = [.name("Fee")] }
    #expect(try amounts(open, ignored) == ["100.00", "-10.00"])
    // A column of zeros isn't a question.
    #expect(
      try guess(open.replacing("3.00", with: "0").replacing("1.00\n", with: "0\n")).questions == [])
  }

  // MARK: - Decimal marks

  @Test(
    "A mark before three digits is read as the other numbers show",
    arguments: [
      ("-1.500;0", "-1500.00"), ("-1.500;12,50", "-1500.00"), ("-1.500;12.50", "-1.50"),
      ("-1.505;0", "-1505.00"),
    ])
  func marks(cells: String, amount: String) throws {
    let (first, second) = (cells.split(separator: ";")[0], cells.split(separator: ";")[1])
    let text = "Day;Text;Betrag (EUR)\n2026-01-02;A;\(first)\n2026-01-03;B;\(second)\n"
    let found = try guess(text)
    if second == "0", first == "-1.500" {
      #expect(found.questions.map(\.subject) == [.decimal])
      #expect(found.questions[0].answers.map(\.fact) == [.decimal(","), .decimal(".")])
      #expect(try amounts(text, guess(text) { $0.decimal = "." })[0] == "-1.50")
    } else {
      #expect(found.questions == [])
    }
    #expect(try amounts(text, found)[0] == amount)
  }

  @Test("Balances and currencies show the mark, too")
  func markProofs() throws {
    let stated = "Day;Text;Betrag (EUR);Saldo\n2026-01-02;A;-1.500;1000\n2026-01-03;B;2.500;3500\n"
    #expect(try guess(stated).questions == [])
    #expect(try amounts(stated, guess(stated)) == ["-1500.00", "2500.00"])
    let yen = "Day;Text;Amount (JPY)\n2026-01-02;A;-1.500\n2026-01-03;B;2.500\n"
    #expect(try guess(yen).questions == [])
    #expect(try amounts(yen, guess(yen)) == ["-1500", "2500"])
    let dinars = "Day;Text;Amount (KWD)\n2026-01-02;A;-1.500\n2026-01-03;B;2.500\n"
    #expect(try guess(dinars).questions == [])
    #expect(try amounts(dinars, guess(dinars)) == ["-1.500", "2.500"])
  }

  // MARK: - Signs

  @Test("CR and DR are the direction; amounts without a mark are asked about")
  func directions() throws {
    let both =
      "Day,Text,Amount\n2026-01-02,A,5.00 DR\n2026-01-05,B,2000.00 CR\n"
      + "2026-01-06,C,\"1,234.56DR\"\n"
    let found = try guess(both)
    #expect(found.questions == [])
    #expect(try amounts(both, found) == ["-5.00", "2000.00", "-1234.56"])
    let some =
      "Day,Text,Amount\n2026-01-02,A,\"20,000.00\"\n2026-01-05,B,350.10\n"
      + "2026-01-06,C,50.90Cr\n"
    #expect(try guess(some).questions.map(\.subject) == [.direction])
    let card = try guess(some) { $0.isInverted = true }
    #expect(card.questions == [])
    #expect(try amounts(some, card) == ["-20000.00", "-350.10", "50.90"])
    let plain = try guess(some) { $0.isInverted = false }
    #expect(try amounts(some, plain) == ["20000.00", "350.10", "50.90"])
    // The balances show the direction of unmarked amounts.
    let stated =
      "Day,Text,Amount,Balance\n2026-01-02,A,10.00,90.00 Cr\n2026-01-05,B,5.00,85.00 Cr\n"
      + "2026-01-06,C,50.00Cr,135.00 Cr\n"
    let proven = try guess(stated)
    #expect(proven.questions == [])
    #expect(try amounts(stated, proven) == ["-10.00", "-5.00", "50.00"])
  }

  @Test("Signs of other shapes, and values that are formulas for Excel")
  func signs() throws {
    let signs =
      "Day;Text;Betrag;Saldo\n2026-01-02;A;+1.000,00;1.000,00\n"
      + "2026-01-03;B;\u{2212}100,00;900,00\n2026-01-04;C;\u{2013}100,00;800,00\n"
      + "2026-01-05;D;5,00-;795,00\n2026-01-06;E;1,00\u{2212};794,00\n"
    #expect(
      try amounts(signs, try guess(signs)) == ["1000.00", "-100.00", "-100.00", "-5.00", "-1.00"])
    let reversed =
      "Date,Text,Amount\n12/10/2026,A,-$21.78\n12/13/2026,Rev: A,--$21.78\n"
      + "12/14/2026,B,$5.00\n"
    let found = try guess(reversed, base: "USD")
    #expect(found.questions == [])
    #expect(try amounts(reversed, found) == ["-21.78", "21.78", "5.00"])
    for text in [
      "=\"Datum\";=\"Text\";=\"Betrag\"\n=\"13.01.2026\";=\"A\";=\"-5,00\"\n",
      "\"=\"\"Datum\"\"\";\"=\"\"Text\"\"\";Betrag\n\"=\"\"13.01.2026\"\"\";\"=\"\"A\"\"\";\"=\"\"-5,00\"\"\"\n",
    ] {
      let found = try guess(text)
      #expect(found.header == ["Datum", "Text", "Betrag"])
      let file = try MappedFile(CSVFile(text), mapping: found.mapping)
      #expect(file.rows.map(\.amount.text) == ["-5.00"] && file.rows[0].description == "A")
    }
  }
}
