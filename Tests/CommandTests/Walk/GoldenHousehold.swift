// Goal: the household that the golden files show. Method: it is made by commands with fixed days, once a
// run of the tests; each command of the walk works on a copy of its files.
import Foundation
import Testing

/// The household of the golden files.
enum GoldenHousehold {
  private static let long = "Sparkasse Neubrandenburg-Demmin, gemeinsam"

  /// What is recorded, in order; each list is one command.
  private static let commands: [[String]] =
    [
      "init --base EUR", "accounts create Checking --opening 1000 --opening-day 2025-12-31",
      "accounts create Cash", "accounts create Dollars --currency USD --opening 50",
      "categories create Food", "categories create Groceries --parent Food",
      "categories create Household", "categories create Salary --kind income",
      "rate add EUR USD 1.25 --on 2026-01-01", "rate add EUR USD 1.2 --on 2026-02-01",
    ].map(words)
    + [
      ["accounts", "create", long, "--opening", "12345.67", "--note", "shared with Jo"],
      row("income 2400.50 --category Salary --on 2026-01-30", "--payee", "Muster GmbH & Co. KG"),
      row("expense 61.20 --category Food:Groceries --on 2026-01-12 --payee Rewe"),
      row("expense 850 --category Household --on 2026-01-02 --payee Landlord"),
      row("expense 850 --category Household --on 2026-02-02 --payee Landlord"),
      row(
        "expense 30.50 --category Food:Groceries --on 2026-02-03", "--payee", "寿司 まさ", "--note",
        "lunch with “Jo”", "--tag", "out", "--tag", "a,b"),
      row(
        "expense 1234.56 --category Household --on 2026-02-10", "--description",
        "A washing machine, delivered to the third floor, with the old one taken away"),
      row("expense --part Food=12.50 --part Household=7.30 --on 2026-02-14 --payee Rewe"),
      row("expense 4.20 --on 2026-02-14", "--payee", "Café Šárka 👨‍👩‍👧"),
      row("expense 4.20 --on 2026-02-15", "--payee", "Cafe Šárka"),
      row("transfer 100 --to Cash --on 2026-02-14"),
      ["add", "transfer", "250", "--account", "Checking", "--to", long, "--on", "2026-02-05"],
      ["add", "expense", "56", "--account", "Dollars", "--category", "Food", "--on", "2026-02-11"],
      row("expense 99 --category Food --on 2026-03-01 --payee Rewe"),
    ]
    + [
      "budget add Food 100 --category Food --start 2026-01-01 --rollover surplus",
      "budget add Everything 1500 --start 2026-01-01",
      "rules add Sushi --contains 寿司 --category Food --tag sushi",
      "rules add Cafe --contains cafe --category Food", "rules disable Sushi",
      "recurring add Rent expense 850 --account Checking --category Household --from 2026-03-02",
      "assertions add Checking 2489.30 --on 2026-01-31",
      "assertions add Cash 100 --on 2026-02-14",
      "add expense 1 --account Cash --on 2026-02-12 --note mistake", "delete 2026-02-12#14",
    ].map(words)

  private static func words(_ line: String) -> [String] {
    line.split(separator: " ").map(String.init)
  }

  private static func row(_ line: String, _ more: String...) -> [String] {
    ["add"] + words(line) + ["--account", "Checking"] + more
  }

  /// The author that history tells of, and what else must not depend on who runs the tests.
  static let environment = ["USER": "anna", "LC_ALL": "C.UTF-8"]

  /// Its files, by their names.
  private static let files = Result { () throws -> [String: Data] in
    let desk = try Desk()
    for command in commands {
      let run = try desk.run(command, environment: environment)
      try #require(run.status == 0, "\(command.joined(separator: " ")): \(run.errors)")
    }
    _ = try desk.write(
      "bank.csv", "Date,Amount,Payee\n2026-02-16,-7.50,Kiosk\n2026-02-17,-12.00,Rewe\n")
    _ = try desk.write("rates.csv", "Date,USD,\n2026-02-13,1.1,\n")
    for line in [
      "import bank.csv --preview --account Checking --save-mapping bank.json", "backup saved",
    ] { try desk.run(line, environment: environment) }
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: desk.folder) {
      let path = desk.folder + "/" + name
      if let bytes = FileManager.default.contents(atPath: path) { files[name] = bytes }
    }
    return files
  }

  /// A copy.
  static func desk() throws -> Desk {
    let desk = try Desk()
    for (name, bytes) in try files.get() {
      let file = URL(fileURLWithPath: desk.folder + "/" + name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: file)
    }
    return desk
  }
}
