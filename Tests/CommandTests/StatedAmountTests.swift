// Goal: an amount that a person or a bank stated survives an edit of something else, and a converted one
// follows the rate. Method: the built command on rows between currencies, whose balances are known by hand.
import Foundation
import Testing

@Suite struct StatedAmountTests {
  /// 20 CHF charged as 21.24 EUR, and 500 USD that arrived as 441.37 EUR; the rates say 21.00 and
  /// 450.00, and from March 6 on 22.00 and 460.00.
  private func desk(stated: Bool = true) throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Eur --currency EUR --opening 1000")
    try desk.done("accounts create Card --currency EUR")
    try desk.done("accounts create Usd --currency USD --opening 1000")
    try desk.done("categories create Food")
    try desk.done("rate add CHF EUR 1.05 --on 2026-01-01")
    try desk.done("rate add USD EUR 0.90 --on 2026-01-01")
    try desk.done("rate add CHF EUR 1.10 --on 2026-03-06")
    try desk.done("rate add USD EUR 0.92 --on 2026-03-06")
    let (charged, arrived) = stated ? ("--account-amount 21.24", "--to-amount 441.37") : ("", "")
    try desk.done("add expense 20CHF --account Eur --category Food \(charged) --on 2026-03-05")
    try desk.done("add transfer 500 --account Usd --to Eur \(arrived) --on 2026-03-05")
    return desk
  }

  private func eur(_ desk: Desk) throws -> String? {
    try desk.done("balance --json --on 2026-03-31").json()["balances"].array
      .first?["balance"]["amount"].string
  }

  @Test(arguments: [
    ("2026-03-05#1", "--on 2026-03-06", "1420.13"), ("2026-03-05#2", "--on 2026-03-06", "1420.13"),
    ("2026-03-05#1", "--category Uncategorised --note x", "1420.13"),
    // The price alone.
    ("2026-03-05#1", "--amount 25CHF", "1420.13"), ("2026-03-05#2", "--amount 400", "1420.13"),
    // The amount on the account, as `register` shows it.
    ("2026-03-05#1", "--amount 20.24", "1421.13"), ("2026-03-05#1", "--amount 20.24EUR", "1421.13"),
    ("2026-03-05#1", "--account-amount 20.24 --on 2026-03-06", "1421.13"),
    ("2026-03-05#2", "--to-amount 440.37 --on 2026-03-06", "1419.13"),
    // An account in the same currency takes over the stated amount.
    ("2026-03-05#1", "--account Card", "1441.37"),
    // Parts of the same sum.
    ("2026-03-05#1", "--part Food=15CHF --part Uncategorised=5CHF", "1420.13"),
    ("2026-03-05#1", "--part Food=15CHF --part Uncategorised=6CHF", "1419.32"),
  ])
  func aStatedAmountStays(row: String, change: String, balance: String) throws {
    let desk = try desk()
    #expect(try eur(desk) == "1420.13")
    try desk.done("edit \(row) \(change)")
    #expect(try eur(desk) == balance)
    try desk.done("verify")
    try desk.done("undo")
    #expect(try eur(desk) == "1420.13")
  }

  @Test func aStatedAmountStaysThroughSeveralEdits() throws {
    let desk = try desk()
    try desk.done("edit 2026-03-05#1 --on 2026-03-06")
    try desk.done("edit 2026-03-06#1 --account Card")
    try desk.done("edit 2026-03-06#1 --part Food=15CHF --part Uncategorised=5CHF")
    try desk.done("edit 2026-03-06#1 --on 2026-03-07")
    try desk.done("edit 2026-03-07#1 --account Eur")
    #expect(try eur(desk) == "1420.13")
  }

  @Test(arguments: [
    ("2026-03-05#1", "--on 2026-03-06", "1428.00"), ("2026-03-05#2", "--on 2026-03-06", "1439.00"),
    ("2026-03-05#1", "--amount 10CHF", "1439.50"), ("2026-03-05#2", "--amount 400", "1339.00"),
    ("2026-03-05#1", "--note x", "1429.00"),
  ])
  func aConvertedAmountFollowsTheRate(row: String, change: String, balance: String) throws {
    let desk = try desk(stated: false)
    #expect(try eur(desk) == "1429.00")
    try desk.done("edit \(row) \(change)")
    #expect(try eur(desk) == balance)
  }

  @Test func aConvertedAmountThatIsStatedLaterStays() throws {
    let desk = try desk(stated: false)
    let place = "2026-03-05#1"
    #expect(try desk.done("show \(place) --json").json()["transaction"]["converted"].bool == true)
    // Another category doesn't state it.
    try desk.done("edit \(place) --no-category")
    #expect(try desk.done("show \(place) --json").json()["transaction"]["converted"].bool == true)
    // The same amount, stated.
    try desk.done("edit \(place) --amount 21")
    #expect(try desk.done("show \(place) --json").json()["transaction"]["converted"].value == nil)
    try desk.done("edit \(place) --on 2026-03-06")
    #expect(try eur(desk) == "1429.00")
  }

  @Test func theAnswerShowsBothAmounts() throws {
    let desk = try desk()
    let expense = try desk.done("edit 2026-03-05#1 --on 2026-03-06").output
    #expect(expense.contains("Eur, -20.00 CHF (-21.24 EUR), Food"), "\(expense)")
    let transfer = try desk.done("edit 2026-03-05#2 --on 2026-03-06").output
    #expect(transfer.contains("Usd → Eur, 500.00 USD (441.37 EUR)"), "\(transfer)")
    let twice = try desk.run("edit 2026-03-06#1 --amount 21 --account-amount 22")
    #expect(twice.status == 64 && twice.errors.contains("--account-amount"), "\(twice.errors)")
  }
}
