// Goal: an expense and an income that are the halves of one transfer can be linked, and unlinked again.
// Method: the built command imports two tables, one for each bank. The lists after imports, undo and unlinking are
// compared with the lists before them.
import Foundation
import Testing

@Suite struct TransfersTests {
  private static let giro = """
    Date,Amount,Payee
    2026-03-02,-75.00,To savings
    2026-03-05,-9.00,Bakery

    """
  private static let save = """
    Date,Amount,Payee
    2026-03-04,75.00,From giro
    2026-03-20,75.00,Gift
    2026-03-21,-1.00,Fee

    """

  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Giro --currency EUR --opening 500")
    try desk.done("accounts create Save --currency EUR")
    try load(desk)
    return desk
  }

  /// Imports both tables; rows that are already recorded are left out.
  private func load(_ desk: Desk) throws {
    for (name, text) in [("Giro", Self.giro), ("Save", Self.save)] {
      _ = try desk.write("\(name).csv", text)
      try desk.done("import \(name).csv --guess --account \(name)")
    }
  }

  private func listed(_ desk: Desk) throws -> String {
    let text = try desk.done("list --output csv").output
    return text + (try desk.done("balance --on 2026-03-03").output)
  }

  @Test func aPairIsFoundLinkedAndUnlinked() throws {
    let desk = try desk()
    let before = try listed(desk)
    let found = try desk.done("transfers --today 2026-03-31 --json").json()["transfers"].array
    #expect(found.count == 1)
    let places = try [
      #require(found[0]["paying"].place), #require(found[0]["receiving"].place),
    ]
    #expect(places[0].hasPrefix("2026-03-02#") && places[1].hasPrefix("2026-03-04#"))
    let text = try desk.done("transfers find --today 2026-03-31").output
    #expect(text.contains("daybook transfers link \(places[0]) \(places[1])"), "\(text)")
    #expect(try desk.done("transfers find --within 1 --today 2026-03-31").output.contains("No tr"))

    let trial = try desk.done("transfers link \(places[1]) \(places[0]) --dry-run").output
    #expect(trial.contains("Would link 1 transfer."))
    #expect(try listed(desk) == before)

    try desk.done("transfers link \(places[1]) \(places[0])")
    let row = try desk.done("show \(places[0]) --json").json()["transaction"]
    #expect(row["type"].string == "transfer" && row["valueDay"].string == "2026-03-04")
    #expect(try desk.done("list --count").output.contains("4"))
    let balance = try desk.done("balance --on 2026-03-03 --json").json()["balances"].array
    #expect(balance.compactMap { $0["balance"]["amount"].string } == ["425.00", "0.00"])
    // Neither half comes in again.
    try load(desk)
    #expect(try desk.done("list --count").output.contains("4"))
    #expect(try desk.done("transfers --today 2026-03-31").output.contains("No transfers found."))

    try desk.done("transfers unlink \(places[0])")
    #expect(try listed(desk) == before)
    try load(desk)
    #expect(try listed(desk) == before)

    try desk.done("transfers link --all --today 2026-03-31")
    #expect(try desk.done("list --count").output.contains("4"))
    try desk.done("undo")
    #expect(try listed(desk) == before)
    try load(desk)
    #expect(try listed(desk) == before)
    try desk.done("verify")
  }

  @Test(arguments: [
    ("2026-03-05#2 2026-03-04#3", "9.00 EUR was paid, but 75.00 EUR arrived"),
    ("2026-03-04#3 2026-03-20#4", "both are on account “Save”"),
    ("2026-03-02#1 2026-03-02#1", "they are the same"),
  ])
  func othersAreRefused(places: String, words: String) throws {
    let desk = try desk()
    let run = try desk.run("transfers link \(places)")
    #expect(run.status == 1)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func locksAreHeeded() throws {
    let desk = try desk()
    try desk.done("reconcile 2026-03-02#1")
    let one = try desk.run("transfers link 2026-03-02#1 2026-03-04#3")
    #expect(one.errors.contains("is reconciled, and"), "\(one.errors)")
    try desk.done("reconcile 2026-03-04#3")
    try desk.done("transfers link 2026-03-02#1 2026-03-04#3")
    let locked = try desk.run("transfers unlink 2026-03-02#1")
    #expect(locked.errors.contains("is reconciled; unreconcile it first"), "\(locked.errors)")
    try desk.done("reconcile 2026-03-02#1 --undo")
    try desk.done("close --through 2026-03-04")
    let closed = try desk.run("transfers unlink 2026-03-02#1")
    #expect(closed.errors.contains("closed through 2026-03-04"), "\(closed.errors)")
  }

  @Test func twoCurrenciesKeepBothAmounts() throws {
    let desk = try desk()
    try desk.done("accounts create Dollars --currency USD")
    try desk.done("add income 81 --account Dollars --on 2026-03-06")
    try desk.done("transfers link 2026-03-02#1 2026-03-06#6")
    let balance = try desk.done("balance --on 2026-03-06 --json").json()["balances"].array
    #expect(balance.compactMap { $0["balance"]["amount"].string } == ["416.00", "75.00", "81.00"])
    let run = try desk.run("edit 2026-03-02#1 --category Food")
    #expect(run.status != 0)
    // A merged account keeps what the half moved.
    try desk.done("accounts create More --currency USD")
    try desk.done("accounts merge Dollars More")
    try desk.done("transfers unlink 2026-03-02#1")
    let row = try desk.done("list --account More --json").json()["transactions"][0]
    #expect(row["type"].string == "income")
  }
}
