// Goal: `daybook inbox` lists each kind of item that needs a person, with the next step. Method: the built command is run on a
// small ledger, and the commands that it names are run too.
import Daybook
import Foundation
import Testing

@Suite struct InboxCommandTests {
  @Test func whatWaitsIsListedAndSettled() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --currency EUR --opening 100")
    try desk.done("accounts create Save --currency EUR")
    try desk.done("categories create Food")
    let today = "--today 2026-02-15"
    #expect(try desk.done("inbox \(today)").output == "Nothing needs your attention.\n")
    for amount in 1...3 {
      try desk.done(
        "add expense \(amount) --account Checking --category Food --payee Rewe --on 2026-02-0\(amount)"
      )
    }
    try desk.done("add expense 9 --account Checking --payee REWE --on 2026-02-10")
    try desk.done(
      "add expense 4 --account Checking --category Food --status pending --payee Hotel --on 2026-01-02"
    )
    try desk.done("add expense 30 --account Checking --payee Out --on 2026-02-11")
    try desk.done("add income 30 --account Save --payee In --on 2026-02-12")
    let text = try desk.done("inbox \(today)").output
    #expect(text.contains("To categorise: 3"))
    #expect(text.contains("Food (3 of 3 at REWE)"))
    let answer = try desk.done("inbox \(today) --limit 1 --json").json()
    #expect(answer["uncategorized"]["count"].int == 3)
    #expect(answer["uncategorized"]["entries"].array.count == 1)
    #expect(answer["transfers"]["count"].int == 1)
    #expect(try desk.run("inbox --limit -1").status == 64)
    // The named commands settle their entries.
    for line in text.split(separator: "\n") {
      guard let start = line.range(of: "daybook ") else { continue }
      try desk.done(line[start.upperBound...].trimmingCharacters(in: .whitespaces))
    }
    let after = try desk.done("inbox \(today) --json").json()
    #expect(after["uncategorized"]["count"].int == 1)
    for section in ["pending", "transfers", "duplicates", "due", "assertions"] {
      #expect(after[section]["count"].int == 0, "\(section)")
    }
  }
}
