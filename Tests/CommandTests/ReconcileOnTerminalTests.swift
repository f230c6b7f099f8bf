// Goal: a person reconciles an account row by row on a terminal, and whatever ends it leaves the ledger and
// the terminal as they should be. Method: the built command runs on a pseudo terminal; keys are pressed one by
// one, and what is shown, recorded and left behind is looked at.
import DaybookPlatform
import DaybookTerminal
import Foundation
import Testing

@Suite(.serialized) struct ReconcileOnTerminalTests {
  /// Four rows of an account with 100.00 in it at first; the last one is after the statement's day.
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --opening 100")
    for (day, amount) in [("05", "10"), ("06", "20.50"), ("07", "3"), ("31", "1")] {
      try desk.done(
        "add expense \(amount) --account Checking --on 2026-01-\(day) --payee Shop\(day)")
    }
    try desk.done("edit 2026-01-07#3 --status pending")
    return desk
  }

  private let words = [
    "reconcile", "--account", "Checking", "--through", "2026-01-20", "--balance", "69.50",
  ]

  private func locked(_ desk: Desk) throws -> [Int] {
    try desk.done("list --status reconciled --json").json()["transactions"].array
      .compactMap { $0["number"].int }.sorted()
  }

  @Test func rowsAreTickedUntilNothingIsMissing() throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, words)
    try terminal.wait(for: "Difference -30.50 EUR  Ticked 100.00 of 69.50")
    try terminal.wait(for: "Shop05")
    try terminal.wait(for: "(pending) Shop07")
    #expect(!terminal.text.contains("Shop31"))
    #expect(!terminal.isAsUsual)
    terminal.press(" ")
    try terminal.wait(for: "Difference -20.50 EUR")
    terminal.press(" ")
    try terminal.wait(for: "Difference 0.00 EUR")
    // The last key is taken back, and so is the one before.
    terminal.press("u")
    try terminal.wait(for: "Difference -20.50 EUR")
    terminal.press("u")
    try terminal.wait(for: "Difference -30.50 EUR")
    terminal.press("u")
    try terminal.wait(for: "nothing to undo")
    terminal.press("a")
    try terminal.wait(for: "Difference 3.00 EUR")
    terminal.press("G ")
    try terminal.wait(for: "Difference 0.00 EUR")
    terminal.press("\r")
    try terminal.wait(for: "Reconciled 2 transactions of Checking through 2026-01-20")
    #expect(terminal.end() == 0)
    #expect(terminal.isAsUsual)
    #expect(try locked(desk) == [1, 2])
  }

  @Test func aDifferenceIsAskedAbout() throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, words)
    try terminal.wait(for: "Difference")
    terminal.press("\r")
    try terminal.wait(for: "Nothing is ticked")
    terminal.press(" \r")
    try terminal.wait(for: "The remaining difference is -20.50 EUR.")
    terminal.press("n")
    try terminal.wait(for: "Nothing was locked")
    terminal.press("\r")
    try terminal.wait(for: "y/n")
    terminal.press("y")
    try terminal.wait(for: "Reconciled 1 transaction")
    #expect(terminal.end() == 0)
    #expect(try locked(desk) == [1])
  }

  @Test func whereAllIsLockedTheDifferenceIsSaid() throws {
    let desk = try desk()
    try desk.done("reconcile 2026-01-05#1 2026-01-06#2 2026-01-07#3")
    let terminal = try PseudoTerminal(desk, words)
    try terminal.wait(for: "Nothing to reconcile")
    try terminal.wait(for: "The remaining difference is 3.00 EUR.")
    #expect(terminal.end() == 0)
  }

  @Test(arguments: [("q", 0), ("\u{1B}", 0), ("\u{3}", 130)])
  func quittingRecordsNothing(keys: String, status: Int) throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, words)
    try terminal.wait(for: "Difference")
    terminal.press("a")
    try terminal.wait(for: "Difference 3.00 EUR")
    terminal.press(keys)
    try terminal.wait(for: "Nothing was recorded.")
    #expect(terminal.end() == Int32(status))
    #expect(terminal.isAsUsual)
    #expect(try locked(desk).isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func aSignalLeavesTheTerminalAsItWas(
    number: Int32
  ) throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, words)
    try terminal.wait(for: "Difference")
    #expect(!terminal.isAsUsual)
    kill(terminal.process.processIdentifier, number)
    #expect(terminal.end() == number)
    #expect(terminal.isAsUsual)
    #expect(terminal.text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"), "\(terminal.text.suffix(40))")
    #expect(try locked(desk).isEmpty)
  }

  @Test func whatSomebodyElseRecordsIsLookedAtAgain() throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, words)
    try terminal.wait(for: "Difference")
    terminal.press("  ")
    try terminal.wait(for: "Difference 0.00 EUR")
    try desk.done("add expense 7 --account Checking --on 2026-01-04 --payee Late")
    terminal.press("\r")
    try terminal.wait(for: "changed in the meantime")
    terminal.press("g")
    try terminal.wait(for: "Late")
    terminal.press("\r")
    try terminal.wait(for: "Reconciled 2 transactions")
    #expect(terminal.end() == 0)
    #expect(try locked(desk) == [1, 2])
  }

  @Test func linesFitTheWindowWhateverItsSize() throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, words, rows: 8, columns: 40)
    try terminal.wait(for: "Difference -30.50 EUR")
    terminal.press("j")
    try terminal.wait(for: "> [ ] 2026-01-06")
    terminal.resize(rows: 30, columns: 100)
    try terminal.wait(for: "> [ ] 2026-01-06")
    terminal.press("q")
    #expect(terminal.end() == 0)
    let screens = terminal.text.components(separatedBy: "\u{1B}[H").dropFirst()
    for screen in screens.prefix(2) {
      let lines = screen.components(separatedBy: "\r\n")
      #expect(lines.count <= 8, "\(lines)")
      for line in lines {
        // The terminal puts a return of its own before each line's end.
        let plain = line.replacing(/\u{1B}\[[?0-9;]*[A-Za-z]|\r/, with: "")
        #expect(plain.count <= 40, "\(line)")
      }
    }
  }

  @Test func withoutATerminalItSaysSo() throws {
    let desk = try desk()
    let run = try desk.run(words + ["--interactive"])
    #expect(run.status == 64 && run.errors.contains("--interactive"), "\(run.errors)")
    let named = try desk.run(["reconcile", "2026-01-05#1", "--interactive"])
    #expect(named.status == 64 && named.errors.contains("--account"), "\(named.errors)")
    #expect(try locked(desk).isEmpty)
  }

  @Test func nobodyIsAskedWhoDoesNotWantToBe() throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(
      desk, words.dropLast(2) + ["--no-interactive"])
    try terminal.wait(for: "Reconciled")
    #expect(terminal.end() == 0)
  }
}

@Suite struct KeyTests {
  private func keys(_ pieces: String...) -> [Key] {
    var reader = KeyReader()
    var keys: [Key] = []
    for piece in pieces {
      reader.take(piece.utf8)
      while let key = reader.next() { keys.append(key) }
    }
    while let key = reader.next(isAtRest: true) { keys.append(key) }
    return keys
  }

  @Test func keysAreReadFromBytes() {
    #expect(
      keys("a ü\r\n\t\u{7F}") == [
        .character("a"), .character(" "), .character("ü"), .enter, .enter, .tab, .backspace,
      ])
    #expect(keys("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D") == [.up, .down, .right, .left])
    #expect(keys("\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~") == [.pageUp, .pageDown, .home, .end])
    #expect(keys("\u{3}\u{1A}") == [.control("c"), .control("z")])
    // Pieces of a key are put together; one without a name is passed over.
    #expect(keys("\u{1B}", "[", "A", "x") == [.up, .character("x")])
    #expect(keys("\u{1B}[15~q") == [.character("q")])
    #expect(keys("\u{1B}") == [.escape])
    #expect(keys("\u{1B}q") == [.escape, .character("q")])
  }
}
