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
}
