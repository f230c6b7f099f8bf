// Goal: figures come out as people count them. Method: the built command is run on small ledgers whose
// figures are known by hand.
import Daybook
import Foundation
import Testing

@Suite struct EverydayFigureTests {
  /// A ledger in euros with an account `Giro` of 1,000 and the categories Food and Kids.
  private func ledger() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Giro --currency EUR --opening 1000")
    for name in ["Food", "Kids"] { try desk.done("categories create \(name)") }
    return desk
  }

  // MARK: Lists

  @Test func aTransferFromOutsideIsAGain() throws {
    let desk = try ledger()
    let said = try desk.done("add transfer 5 --to Giro --on 2026-01-02")
    #expect(said.output == "Recorded 2026-01-02#1: Giro, 5.00 EUR\n")
    for words in ["list", "list --account Giro", "list --type transfer", "list --sections"] {
      let lines = try desk.done("\(words) --output csv").lines
      #expect(lines.dropFirst().first?.hasSuffix(",5.00,EUR") == true, "\(words): \(lines)")
    }
  }

  @Test func aCategoryListsItsPartsOfASplit() throws {
    let desk = try ledger()
    try desk.done("categories create Kids:School")
    try desk.done(
      "add expense --account Giro --part Food=25 --part Kids:School=10 --part Kids=3 --on 2026-02-03"
    )
    for (words, amount) in [
      ("--category Kids", "-13.00"), ("--category Kids:School", "-10.00"),
      ("--category Food", "-25.00"), ("--category Food --category Kids", "-38.00"),
      ("--category Kids --account Giro", "-38.00"), ("", "-38.00"),
    ] {
      let row = try desk.done("list \(words) --output csv").lines[1]
      #expect(row.hasSuffix(",\(amount),EUR"), "\(words): \(row)")
      let heading = try desk.done("list \(words) --sections").lines[1]
      #expect(heading.hasSuffix(" \(amount) EUR"), "\(words): \(heading)")
    }
    try desk.done("categories create Pay --kind income")
    try desk.done("add income 9 --account Giro --category Pay --on 2026-02-04")
    let heading = try desk.done("list --category Pay --sections").lines[1]
    #expect(heading.hasSuffix(" 9.00 EUR"), "\(heading)")
  }
}
