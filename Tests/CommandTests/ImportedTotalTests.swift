// Goal: `daybook edit` says that parts miss the total of an imported row and changes nothing, takes them with
// --change-total, and names a part without a category. Method: the built command on a bank's file of two rows.
import Foundation
import Testing

@Suite struct ImportedTotalTests {
  private static let paid = "2026-02-01#1"

  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("categories create Food")
    try desk.done("categories create Household")
    try desk.done("categories create Salary --kind income")
    let file = try desk.write(
      "bank.csv",
      """
      Day,Who,Amount
      2026-02-01,Market,-30.00
      2026-02-02,Work,2000.00

      """)
    let run = try desk.run([
      "import", file, "--date-column", "Day", "--amount-column", "Amount", "--payee", "{Who}",
      "--currency", "EUR", "--account", "Checking",
    ])
    try #require(run.status == 0, "\(run.errors)")
    return desk
  }

  private func postings(_ desk: Desk, _ place: String) throws -> [String] {
    try desk.done("show \(place) --json").named()["transaction"]["postings"].array.map {
      "\($0["account"].string ?? $0["category"].string ?? "") \($0["amount"].string ?? "")"
    }
  }

  @Test func partsThatMissTheTotalAreRefused() throws {
    let desk = try desk()
    try desk.done("edit \(Self.paid) --part Food=20 --part Household=10")
    let run = try desk.run("edit \(Self.paid) --part Food=25 --part Household=10")
    #expect(run.status == 1)
    for word in ["add up to 35.00 EUR", "is 30.00 EUR", "Uncategorised=", "--change-total"] {
      #expect(run.errors.contains(word), "\(run.errors)")
    }
    #expect(
      try postings(desk, Self.paid) == ["Checking -30.00", "Food 20.00", "Household 10.00"])
    let json = try desk.run("edit \(Self.paid) --part Food=25 --json")
    #expect(json.status == 1)
    try desk.done("edit \(Self.paid) --part Food=25 --part Household=10 --change-total")
    #expect(
      try postings(desk, Self.paid) == ["Checking -35.00", "Food 25.00", "Household 10.00"])
    // Taking it back and doing it again needs no flag.
    try desk.done("undo")
    try desk.done("redo")
    #expect(try postings(desk, Self.paid)[0] == "Checking -35.00")
  }

  @Test func anAmountIsChangedWithoutTheFlag() throws {
    let desk = try desk()
    try desk.done("edit \(Self.paid) --amount 31.50")
    #expect(try postings(desk, Self.paid)[0] == "Checking -31.50")
    let alone = try desk.run("edit \(Self.paid) --amount 31 --change-total")
    #expect(alone.status == 64 && alone.errors.contains("--part"), "\(alone.errors)")
    // A row that was not imported has the total of its parts.
    try desk.done("add expense 5 --account Checking --category Food --on 2026-02-03")
    try desk.done("edit 2026-02-03#3 --part Food=5 --part Household=1")
  }

  @Test(arguments: ["Uncategorised", "Uncategorized", "uncategorised", "UNCATEGORIZED"])
  func aPartHasNoCategory(word: String) throws {
    let desk = try desk()
    try desk.done("edit \(Self.paid) --part Food=20 --part \(word)=10")
    #expect(
      try postings(desk, Self.paid) == ["Checking -30.00", "Food 20.00", "Uncategorised 10.00"])
    try desk.done("edit 2026-02-02#2 --part Salary=1500 --part \(word)=500")
    let income = try desk.done("show 2026-02-02#2 --json").json()["transaction"]["postings"]
    #expect(
      income.array.last?["category"].string == "00000000-0000-0000-0000-000000000005",
      "the income without a category")
    try desk.done(
      "add expense --account Checking --part Food=1 --part \(word)=2 --on 2026-02-04")
    #expect(try desk.done("list --uncategorised --count").output == "3\n")
  }

  @Test func aCategoryOfThatNameIsMeant() throws {
    let desk = try desk()
    try desk.done("categories create Uncategorized")
    try desk.done("edit \(Self.paid) --part Food=20 --part Uncategorized=10")
    #expect(try postings(desk, Self.paid).last == "Uncategorized 10.00")
  }
}
