// Goal: what people do again and again is listed for them. Method: the built command is run on a small
// ledger.
import Daybook
import Foundation
import Testing

@Suite struct PayeesAndTagsCommandTests {
  private func household() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --currency EUR --opening 100")
    try desk.done("accounts create Old --currency EUR --opening 7")
    try desk.done("categories create Coffee")
    try desk.done("categories create Books")
    let common = "--account Checking --on"
    try desk.done("add expense 3 \(common) 2026-02-01 --category Coffee --payee Café --tag treat")
    try desk.done("add expense 5 \(common) 2026-02-03 --category Books --payee CAFE --tag treat")
    try desk.done("add expense 9 \(common) 2026-02-02 --category Books --payee Cab --tag work")
    try desk.done("add expense 9 \(common) 2026-02-04 --category Books --payee Cab")
    try desk.done("add expense 2 \(common) 2026-02-05 --payee Zoo")
    return desk
  }

  @Test func payeesAndTags() throws {
    let desk = try household()
    func payees(_ words: String) throws -> ([PayeeUse], names: Node) {
      let answer = try desk.done("payees \(words) --json").json()
      return (try answer["payees"].decoded(), answer["names"])
    }
    func category(_ payee: PayeeUse, _ names: Node) -> String? {
      payee.lastCategory.flatMap { names["\($0)"].string }
    }
    let (found, names) = try payees("ca --today 2026-02-15")
    #expect(found.map(\.payee) == ["Cab", "CAFE"])
    #expect(found.map(\.count) == [2, 2])
    #expect(category(found[1], names) == "Books")
    #expect(found[1].lastAmount?.text == "-5.00")
    // Of what is later than today only where there is nothing else.
    let (earlier, before) = try payees("caf --today 2026-02-02")
    #expect("\(earlier[0].lastDay)" == "2026-02-01")
    #expect(category(earlier[0], before) == "Coffee")
    #expect(try desk.done("payees x").output == "No payees.\n")
    let tags = try desk.done("tags --json --today 2026-02-15").json()["tags"].array
    #expect(tags.map { $0["tag"].string } == ["treat", "work"])
    #expect(tags.map { $0["count"].int } == [2, 1])
    #expect(try desk.done("tags --today 2026-02-15").output.contains("treat"))
  }

  @Test func duplicatesAndDormantAccounts() throws {
    let desk = try household()
    let found = try desk.done("duplicates --json --today 2026-02-15").json()["duplicates"].array
    #expect(found.count == 1)
    #expect(found[0]["original"]["day"].string == "2026-02-02")
    #expect(found[0]["duplicate"]["day"].string == "2026-02-04")
    #expect(
      try desk.done("duplicates --within 1 --today 2026-02-15").output
        == "No duplicates found.\n")
    #expect(try desk.run("duplicates --within 900").status == 64)
    let dormant = try desk.done("accounts list --dormant 5 --json --today 2026-02-09").json()
    let accounts: [DormantAccount] = try dormant["accounts"].decoded()
    #expect(accounts.map(\.account.name) == ["Old"] && accounts[0].balance.text == "7.00")
    let later = try desk.done("accounts list --dormant 5 --today 2026-02-10").output
    #expect(later.contains("2026-02-05") && later.contains("never"))
    #expect(try desk.run("accounts list --dormant 0").status == 64)
  }
}
