// Goal: what banks put into several columns comes in to the cent: fees, sums of columns, amounts of two
// currencies, and currencies that are left blank. Method: files written here, one for each way, are
// imported by the built command, with flags and with a mapping file; postings and balances are compared.
import Foundation
import Testing

@Suite struct ImportAmountTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    return desk
  }

  private func imported(_ desk: Desk, _ arguments: [String]) throws -> Node {
    let run = try desk.run(["import", "bank.csv", "--json"] + arguments)
    try #require(run.status == 0, "\(run.errors)")
    return try run.json()
  }

  /// The postings of each row, the oldest first: `Checking -10.50 EUR`, in order of their names.
  private func rows(_ desk: Desk) throws -> [[String]] {
    try desk.done("list --json").named()["transactions"].array.reversed().map { row in
      row["postings"].array.map { posting in
        let name = posting["account"].string ?? posting["category"].string ?? "?"
        return "\(name) \(posting["amount"].string ?? "?") \(posting["currency"].string ?? "?")"
      }.sorted()
    }
  }

  private func balance(_ desk: Desk, _ account: String) throws -> String? {
    try desk.run(["balance", account, "--json", "--today", "2026-12-31"]).json()["balances"][0][
      "balance"][
        "amount"
      ].string
  }

  private static let columns = [
    "--date-column", "Day", "--currency", "EUR", "--account", "Checking", "--category", "{Kind}",
    "--description", "{Text}",
  ]

  @Test func aFeeIsAPostingOfItsOwn() throws {
    let desk = try desk()
    _ = try desk.write(
      "bank.csv",
      """
      Day,Text,Kind,Amount,Fee,Balance
      2026-02-01,Shop,Food,-10.00,0.50,89.50
      2026-02-02,Work,Salary,100.00,3.00,186.50
      2026-02-03,Card,,0.00,2.00,184.50
      2026-02-04,Shop,Food,-5.00,,179.50
      2026-02-05,Back,Food,-1.00,-0.25,178.75

      """)
    let flags =
      Self.columns + [
        "--amount-column", "Amount", "--fee-column", "Fee", "--fee-category", "Bank",
        "--fee-category", "Fees", "--balance-column", "Balance",
      ]
    let preview = try desk.run(["import", "bank.csv", "--preview", "--json"] + flags).json()
    #expect(
      preview["rows"].array.map { $0["amount"].string }
        == ["-10.50", "97.00", "-2.00", "-5.00", "-0.75"])
    #expect(
      preview["rows"].array.map { $0["fee"]["amount"].string } == [
        "0.50", "3.00", "2.00", nil, "-0.25",
      ])
    let node = try imported(desk, flags)
    #expect(node["imported"].int == 5 && node["balances"].strings == [], "\(node.text)")
    let rows = try rows(desk)
    #expect(rows[0] == ["Bank:Fees 0.50 EUR", "Checking -10.50 EUR", "Food 10.00 EUR"])
    #expect(rows[1] == ["Bank:Fees 3.00 EUR", "Checking 97.00 EUR", "Salary -100.00 EUR"])
    #expect(rows[2] == ["Bank:Fees 2.00 EUR", "Checking -2.00 EUR"])
    #expect(rows[3] == ["Checking -5.00 EUR", "Food 5.00 EUR"])
    #expect(rows[4] == ["Bank:Fees -0.25 EUR", "Checking -0.75 EUR", "Food 1.00 EUR"])
    #expect(try imported(desk, flags)["duplicates"].int == 5)
  }

  @Test func aFeeCanBeInTheAmountAndNegative() throws {
    let desk = try desk()
    // As payment services list it: what arrives is the gross amount and the fee, which is negative.
    _ = try desk.write(
      "bank.csv",
      "Day,Text,Kind,Net,Fee\n2026-02-01,Sale,Shop,96.50,-3.50\n2026-02-02,x,Shop,-5,0\n")
    let node = try imported(
      desk,
      Self.columns + [
        "--amount-column", "Net", "--fee-column", "Fee", "--fee-included", "--fee-inverted",
      ])
    #expect(node["createdCategories"].array.count == 3)
    #expect(
      try rows(desk)[0] == ["Checking 96.50 EUR", "Fees 3.50 EUR", "Shop -100.00 EUR"])
    #expect(try balance(desk, "Checking") == "91.50")
  }

  @Test func aTransfersFeeIsARowOfItsOwn() throws {
    let desk = try desk()
    _ = try desk.write(
      "bank.csv", "Day,To,Amount,Fee\n2026-02-01,Savings,-10,1\n2026-02-01,Savings,-20,1\n")
    _ = try desk.write(
      "bank.json",
      #"""
      {"date": {"column": "Day"}, "amount": {"column": "Amount"}, "currency": "EUR",
       "account": "Checking", "transfer": {"account": "{To}"}, "fee": {"column": "Fee"}}
      """#)
    #expect(try imported(desk, ["--mapping", "bank.json"])["imported"].int == 4)
    #expect(try balance(desk, "Savings") == "30.00")
    #expect(try balance(desk, "Checking") == "-32.00")
    // Rows of equal fees are told apart.
    _ = try desk.write("bank.csv", "Day,To,Amount,Fee\n2026-02-01,Savings,-30,1\n")
    #expect(try imported(desk, ["--mapping", "bank.json"])["imported"].int == 1)
  }

  @Test func anAmountIsComputedFromColumns() throws {
    let desk = try desk()
    _ = try desk.write(
      "bank.csv",
      "Day,Text,Kind,Net total,Amount,Fee\n2026-02-01,a,K,12.50,2.00,0.50\n2026-02-02,b,K,,-7,\n")
    #expect(
      try imported(desk, Self.columns + ["--amount-sum", "{Net total} - {Amount} − {Fee}"])[
        "imported"
      ].int == 2)
    #expect(
      try rows(desk) == [
        ["Checking 10.00 EUR", "K -10.00 EUR"], ["Checking 7.00 EUR", "K -7.00 EUR"],
      ])
    let wrong = try desk.run(["import", "bank.csv", "--amount-sum", "{Net} {Fee}"] + Self.columns)
    #expect(wrong.status == 64 && wrong.errors.contains("{Net} - {Fee}"), "\(wrong.errors)")
    let both = try desk.run(
      ["import", "bank.csv", "--amount-sum", "{Fee}", "--amount-column", "Fee"] + Self.columns)
    #expect(both.status == 64)
    _ = try desk.write("bank.csv", "Day,Text,Kind,Net total,Amount,Fee\n2026-02-01,a,K,,,\n")
    let none = try desk.run(
      ["import", "bank.csv", "--amount-sum", "{Net total} - {Fee}"] + Self.columns)
    #expect(none.status == 65 && none.errors.contains("no amount"), "\(none.errors)")
  }

  @Test func aRowHasTwoCurrencies() throws {
    let desk = try desk()
    _ = try desk.write(
      "bank.csv",
      """
      Day,Text,Kind,Amount,Fee,Original,Currency
      2026-02-01,Hotel,Travel,-46.20,0.30,-50.00,USD
      2026-02-02,Shop,Food,-5.00,,-5.00,EUR
      2026-02-03,Shop,Food,-6.00,,,
      2026-02-04,Client,Work,92.00,,100.00,USD

      """)
    let flags =
      Self.columns + [
        "--amount-column", "Amount", "--fee-column", "Fee", "--original-column", "Original",
        "--original-currency", "{Currency}",
      ]
    // No rate is needed: the file says both.
    #expect(try imported(desk, flags)["imported"].int == 4)
    let rows = try rows(desk)
    #expect(
      rows[0].filter { !$0.hasPrefix("Exchange") }
        == ["Checking -46.50 EUR", "Fees 0.30 EUR", "Travel 50.00 USD"])
    #expect(rows[1] == ["Checking -5.00 EUR", "Food 5.00 EUR"])
    #expect(rows[2] == ["Checking -6.00 EUR", "Food 6.00 EUR"])
    #expect(
      rows[3].filter { !$0.hasPrefix("Exchange") } == ["Checking 92.00 EUR", "Work -100.00 USD"])
    #expect(try balance(desk, "Checking") == "34.50")
    #expect(try imported(desk, flags)["duplicates"].int == 4)
    #expect(try desk.done("verify --json").json()["findings"].text == "[]")
  }

  @Test func aBlankCurrencyIsWhatTheMappingSays() throws {
    let desk = try desk()
    try desk.done("accounts create Checking --currency CHF")
    _ = try desk.write(
      "bank.csv", "Day,Amount,Currency\n2026-02-01,-1.00,CHF\n2026-02-02,-2.00,\n")
    let flags = [
      "--date-column", "Day", "--amount-column", "Amount", "--currency", "{Currency}", "--account",
      "Checking",
    ]
    for policy in [[], ["--blank-currency", "refuse"]] {
      let refused = try desk.run(["import", "bank.csv"] + flags + policy)
      #expect(refused.status == 65 && refused.errors.contains("line 3"), "\(refused.errors)")
      #expect(refused.errors.contains("has no currency"))
    }
    #expect(try imported(desk, flags + ["--blank-currency", "account"])["imported"].int == 2)
    #expect(try balance(desk, "Checking") == "-3.00")
    #expect(try imported(desk, flags + ["--blank-currency", "CHF"])["duplicates"].int == 2)
    let unknown = try desk.run(["import", "bank.csv", "--blank-currency", "XYZ"] + flags)
    #expect(unknown.status == 64 && unknown.errors.contains("XYZ"), "\(unknown.errors)")
    let none = try desk.run(
      ["import", "bank.csv", "--blank-currency", "account"] + flags.dropLast() + ["Nowhere"])
    #expect(none.status == 65 && none.errors.contains("no account “Nowhere”"), "\(none.errors)")
  }

  @Test func aMappingKeepsWhatFlagsSaid() throws {
    let desk = try desk()
    _ = try desk.write(
      "bank.csv", "Day,Net,Fee,Original,Currency,Own\n2026-02-01,-9,1,-12,USD,\n")
    let flags = [
      "--date-column", "Day", "--amount-sum", "{Net} - {Fee|Own}", "--currency", "{Own}",
      "--blank-currency", "EUR", "--account", "Checking", "--fee-column", "Fee", "--fee-included",
      "--fee-category", "Bank fees", "--original-column", "Original", "--original-currency",
      "{Currency}",
    ]
    let saved = try desk.run(
      ["import", "bank.csv", "--preview", "--save-mapping", "bank.json", "--json"] + flags)
    #expect(saved.status == 0, "\(saved.errors)")
    let preview = try desk.run("import bank.csv --preview --mapping bank.json --json").json()
    #expect(preview["mapping"].text == (try saved.json()["mapping"].text))
    #expect(preview["rows"].text == (try saved.json()["rows"].text))
    #expect(preview["rows"][0]["amount"].string == "-10.00")
    #expect(preview["rows"][0]["original"]["amount"].string == "12.00")
  }
}
