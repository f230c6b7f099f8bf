// Goal: `edit --type`, `--part-to`, negative parts and `--fee` give the figures that people count by hand.
// Method: the built command on small ledgers, with the balances and categories after each change.
import Foundation
import Testing

@Suite struct TypeChangeTests {
  private static let row = "2026-02-10#1"

  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create A --currency EUR --opening 1000")
    try desk.done("accounts create B --currency EUR --opening 500")
    try desk.done("accounts create Dollars --currency USD --opening 0")
    try desk.done("rate add EUR USD 1.10 --on 2026-01-01")
    for name in ["Food", "Bank"] { try desk.done("categories create \(name)") }
    try desk.done("categories create Salary --kind income")
    return desk
  }

  private func balances(_ desk: Desk) throws -> [String] {
    try desk.done("balance --json --today 2026-02-15").json()["balances"].array
      .compactMap { $0["balance"]["amount"].string }
  }

  @Test(arguments: [
    ("--type refund", ["1100.00", "500.00", "0.00"]),
    ("--type income --category Salary", ["1100.00", "500.00", "0.00"]),
    ("--type transfer --to B", ["900.00", "600.00", "0.00"]),
    ("--type transfer --to B --amount 90", ["910.00", "590.00", "0.00"]),
    ("--type transfer --to Dollars", ["900.00", "500.00", "110.00"]),
    ("--type transfer --to Dollars --to-amount 105", ["900.00", "500.00", "105.00"]),
    ("--type income --part Salary=200 --part Food=30", ["1170.00", "500.00", "0.00"]),
    ("--part Food=60 --part-to B=40", ["900.00", "540.00", "0.00"]),
    ("--part Food=120 --part Bank=-20", ["900.00", "500.00", "0.00"]),
  ])
  func anExpenseBecomesAnother(change: String, expected: [String]) throws {
    let desk = try desk()
    try desk.done("add expense 100 --account A --category Food --on 2026-02-10 --payee Shop")
    try desk.done("edit \(Self.row) \(change)")
    #expect(try balances(desk) == expected)
    #expect(try desk.done("show \(Self.row)").output.contains("Shop"))
    try desk.done("edit \(Self.row) --type expense --account A --category Food --amount 100")
    #expect(try balances(desk) == ["900.00", "500.00", "0.00"])
    try desk.done("undo")
    #expect(try balances(desk) == expected)
  }

  @Test(arguments: [
    ("--fee 1.50 --fee-category Bank --to B", ["898.50", "600.00", "0.00"], "1.50"),
    ("--to-amount 98.50 --fee-category Bank --to B", ["900.00", "598.50", "0.00"], "1.50"),
    (
      "--to-amount 98.50 --fee 1.50 --fee-category Bank --to B", ["900.00", "598.50", "0.00"],
      "1.50"
    ),
    ("--fee 2 --fee-category Bank --to Dollars", ["898.00", "500.00", "110.00"], "2.00"),
    (
      "--to-amount 108 --fee 2 --fee-category Bank --to Dollars", ["898.00", "500.00", "108.00"],
      "2.00"
    ),
  ])
  func aTransferCostsAFee(flags: String, expected: [String], fee: String) throws {
    let desk = try desk()
    try desk.done("add transfer 100 --account A \(flags) --on 2026-02-10")
    #expect(try balances(desk) == expected)
    let lines = try desk.done("list --category Bank --output csv").lines
    #expect(lines[1].hasSuffix(",-\(fee),EUR"), "\(lines)")
  }

  @Test(arguments: [
    ("add transfer 100 --account A --to B --fee-category Bank", "--fee"),
    ("add transfer 100 --account A --to B --to-amount 99 --fee 3", "add up"),
    ("add expense 5 --account A --fee 1", "transfer"),
    ("add expense --account A --part Food=5 --part-to A=2", "another account"),
    ("edit 2026-02-10#1 --type transfer", "--to"),
    ("edit 2026-02-10#1 --type refund --to B", "--to"),
    ("edit 2026-02-10#1 --type transfer --to B --category Food", "category"),
  ])
  func whatDoesNotFitIsRefused(command: String, words: String) throws {
    let desk = try desk()
    try desk.done("add expense 100 --account A --category Food --on 2026-02-10")
    let run = try desk.run(command)
    #expect(run.status == 1 || run.status == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try balances(desk) == ["900.00", "500.00", "0.00"])
  }

  @Test func anImportedAmountStays() throws {
    let desk = try desk()
    let file = try desk.write("a.csv", "Date,Amount,Payee\n2026-02-10,-100.00,Shop\n")
    try desk.done("import \(file) --guess --account A")
    let flipped = try desk.run("edit \(Self.row) --type refund")
    #expect(flipped.status == 1 && flipped.errors.contains("booked"), "\(flipped.errors)")
    try desk.done("edit \(Self.row) --type transfer --to B")
    #expect(try balances(desk) == ["900.00", "600.00", "0.00"])
    let again = try desk.done("import \(file) --guess --account A").output
    #expect(!again.contains("Imported 1"), "\(again)")
    #expect(try balances(desk) == ["900.00", "600.00", "0.00"])
  }
}
