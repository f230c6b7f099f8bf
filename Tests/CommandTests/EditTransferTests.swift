// Goal: `edit` reads an amount in the currency in which `list` shows it, and changes nothing else. Method:
// the built command on a transfer between currencies, whose balances are known by hand.
import Foundation
import Testing

@Suite struct EditTransferTests {
  /// 100 USD that arrived as 45,000 KZT at a rate of 450, which is 500 by now.
  private func desk() throws -> (desk: Desk, row: String) {
    let desk = try Desk()
    try desk.done("init --base KZT")
    try desk.done("accounts create Dollars --currency USD --opening 1000")
    try desk.done("accounts create Tenge --currency KZT --opening 500")
    try desk.done("rate add USD KZT 450 --on 2000-01-01")
    try desk.done("rate add USD KZT 500 --on 2026-02-01")
    let added = try desk.done(
      "add transfer 100 --account Dollars --to Tenge --to-amount 45000 --on 2026-02-10 --json"
    ).json()
    let row = try #require(added["transactions"][0]["id"].string)
    return (desk, row)
  }

  private func balances(_ desk: Desk) throws -> [String] {
    try desk.done("balance --json --today 2026-02-15").json()["balances"].array
      .compactMap { $0["balance"]["amount"].string }
  }

  @Test(arguments: [
    // Only words: what arrived stays, whatever the rate is by now.
    ("--note gift", "900.00", "45500.00"), ("--payee Bank --tag fx", "900.00", "45500.00"),
    // The amount that is listed, in its currency; what arrived was stated, and stays.
    ("--amount 200", "800.00", "45500.00"), ("--amount 200USD", "800.00", "45500.00"),
    ("--amount 200 --to-amount 90000", "800.00", "90500.00"),
    // What arrives alone.
    ("--to-amount 46000", "900.00", "46500.00"), ("--to-amount 46000KZT", "900.00", "46500.00"),
    // Another day, the same stated amount.
    ("--on 2026-01-31", "900.00", "45500.00"), ("--on 2026-02-11", "900.00", "45500.00"),
    ("--on 2026-02-11 --to-amount 45000", "900.00", "45500.00"),
  ])
  func figuresAreReadAsTheyAreListed(change: String, dollars: String, tenge: String) throws {
    let (desk, row) = try desk()
    #expect(try balances(desk) == ["900.00", "45500.00"])
    let run = try desk.run("edit \(row) \(change)")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(" USD (") && run.output.contains(" KZT)"), "\(run.output)")
    #expect(try balances(desk) == [dollars, tenge])
  }

  @Test(arguments: [
    ("--amount 90000KZT", "--to-amount"), ("--to-amount 90USD", "KZT"),
    ("--account-amount 5", "--to-amount"), ("--category Food", "transfer"),
  ])
  func whatDoesNotFitNamesTheFlag(change: String, words: String) throws {
    let (desk, row) = try desk()
    try desk.done("categories create Food")
    let run = try desk.run("edit \(row) \(change)")
    #expect(run.status == 1 || run.status == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
    for word in ["targetAmount", "accountAmount", "shape"] { #expect(!run.errors.contains(word)) }
    #expect(try balances(desk) == ["900.00", "45500.00"])
  }

  @Test func anExpenseIsReadInItsAccountsCurrencyAndInThatOfItsPrice() throws {
    let (desk, _) = try desk()
    let added = try desk.done("add expense 10USD --account Tenge --on 2026-02-12 --json").json()
    let row = try #require(added["transactions"][0]["id"].string)
    #expect(try balances(desk) == ["900.00", "40500.00"])
    // The price, at the rate.
    try desk.done("edit \(row) --amount 20USD")
    #expect(try balances(desk) == ["900.00", "35500.00"])
    // The amount on the account, as its lists show it.
    try desk.done("edit \(row) --amount 8000")
    #expect(try balances(desk) == ["900.00", "37500.00"])
    try desk.done("edit \(row) --account-amount 9000")
    #expect(try balances(desk) == ["900.00", "36500.00"])
  }
}
