// Goal: every flag of `daybook import` does what it says, to the cent. Method: files written here, one
// in each way that banks write them, are imported by the built command.
import Foundation
import Testing

@Suite struct ImportFlagTests {
  private static let flags = [
    "--date-column", "Day", "--currency", "EUR", "--account", "Checking", "--payee", "{Who}",
    "--json",
  ]

  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    return desk
  }

  private func imported(_ desk: Desk, _ file: String, _ flags: [String]) throws -> Node {
    let run = try desk.run(["import", file] + Self.flags + flags)
    try #require(run.status == 0, "\(run.errors)")
    return try run.json()
  }

  /// Day, payee and amount of each row, the oldest first, seen from the account.
  private func rows(_ desk: Desk) throws -> [String] {
    try desk.done("list --json").named()["transactions"].array.reversed().map { row in
      let own = row["postings"].array.first { $0["account"].string == "Checking" }
      return [row["day"].string, row["payee"].string, own?["amount"].string]
        .map { $0 ?? "?" }.joined(separator: " ")
    }
  }

  private func balance(_ desk: Desk) throws -> String? {
    try desk.done("balance Checking --json --today 2026-12-31").json()["balances"][0]["balance"][
      "amount"
    ]
    .string
  }

  @Test func outAndInStandInColumnsOfTheirOwn() throws {
    let desk = try desk()
    let file = try desk.write(
      "bank.csv",
      """
      Day,Who,Out,In
      2026-02-01,Rewe,30.50,
      2026-02-02,Work,,2000.00
      2026-02-03,Kiosk,1.20,0.00

      """)
    let columns = ["--debit-column", "Out", "--credit-column", "In"]
    #expect(try imported(desk, file, columns)["imported"].int == 3)
    #expect(
      try rows(desk) == [
        "2026-02-01 Rewe -30.50", "2026-02-02 Work 2000.00", "2026-02-03 Kiosk -1.20",
      ])
    #expect(try balance(desk) == "1968.30")
    // Columns that are taken for each other turn every amount round.
    let other = try self.desk()
    let turned = ["--debit-column", "In", "--credit-column", "Out"]
    #expect(
      try imported(other, try other.write("bank.csv", try text(file)), turned)["imported"].int == 3)
    #expect(try balance(other) == "-1968.30")
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func oneOfTheColumnsAloneIsNotEnough() throws {
    let desk = try desk()
    let file = try desk.write("bank.csv", "Day,Who,Out,In\n2026-02-01,Rewe,30.50,\n")
    let half = try desk.run(["import", file] + Self.flags + ["--debit-column", "Out"])
    #expect(half.status == 64, "\(half.status) \(half.errors)")
    #expect(try desk.done("list --count --json").json()["count"].int == 0)
  }

  @Test(arguments: [
    ("utf-8", [0x43, 0x61, 0x66, 0xC3, 0xA9, 0x20, 0xE2, 0x82, 0xAC] as [UInt8], "Café €"),
    ("windows-1252", [0x43, 0x61, 0x66, 0xE9, 0x20, 0x80], "Café €"),
    // These would be taken for others if nothing were said.
    ("windows-1252", [0x43, 0x61, 0x66, 0xC3, 0xA9, 0x20, 0xE2, 0x82, 0xAC], "CafÃ© â‚¬"),
    ("iso-8859-1", [0x43, 0x61, 0x66, 0xC3, 0xA9], "CafÃ©"),
    ("latin1", [0x43, 0x61, 0x66, 0xC3, 0xA9], "CafÃ©"),
  ])
  func bytesAreReadInTheEncodingThatIsSaid(name: String, bytes: [UInt8], payee: String) throws {
    let desk = try desk()
    let path = desk.folder + "/bank.csv"
    let file = Data("Day,Who,Sum\n2026-02-01,".utf8) + Data(bytes) + Data(",-3.50\n".utf8)
    try file.write(to: URL(fileURLWithPath: path))
    let flags = ["--amount-column", "Sum", "--encoding", name]
    #expect(try imported(desk, path, flags)["imported"].int == 1)
    #expect(try rows(desk) == ["2026-02-01 \(payee) -3.50"])
    #expect(try balance(desk) == "-3.50")
  }

  @Test func twoBytesALetter() throws {
    let desk = try desk()
    let path = desk.folder + "/bank.csv"
    let file = try #require(
      "Day,Who,Sum\n2026-02-01,Café 旅館,-3.50\n".data(using: .utf16LittleEndian))
    try file.write(to: URL(fileURLWithPath: path))
    #expect(
      try imported(desk, path, ["--amount-column", "Sum", "--encoding", "utf-16"])["imported"].int
        == 1)
    #expect(try rows(desk) == ["2026-02-01 Café 旅館 -3.50"])
  }

  @Test func bytesThatAreNoneOfTheEncodingRefuseTheFile() throws {
    let desk = try desk()
    let path = desk.folder + "/bank.csv"
    try (Data("Day,Who,Sum\n2026-02-01,Caf".utf8) + Data([0xE9]) + Data(",-3.50\n".utf8))
      .write(to: URL(fileURLWithPath: path))
    let words = ["import", path] + Self.flags + ["--amount-column", "Sum", "--encoding"]
    let run = try desk.run(words + ["utf-8"])
    #expect(run.status == 65, "\(run.status) \(run.errors)")
    let details = try run.error()["details"].strings
    #expect(
      details.count == 1 && details[0].contains("line 2, column 2: The byte 233"), "\(details)")
    let unknown = try desk.run(words + ["ebcdic"])
    #expect(unknown.status == 64 && unknown.errors.contains("windows-1252"), "\(unknown.errors)")
    #expect(try desk.done("list --count --json").json()["count"].int == 0)
  }

  private static let three = """
    Day,Who,Sum
    2026-02-01,Rewe,-30.50
    2026-02-02,Work,2000.00
    2026-02-02,Kiosk,-1.20

    """

  @Test func whatWasDeletedComesBackWhenAskedFor() throws {
    let desk = try desk()
    let file = try desk.write("bank.csv", Self.three)
    let columns = ["--amount-column", "Sum"]
    #expect(try imported(desk, file, columns)["imported"].int == 3)
    let row = try desk.done("search Kiosk --json").json()["transactions"][0].place
    try desk.done("delete \(try #require(row))")
    #expect(try balance(desk) == "1969.50")
    let again = try imported(desk, file, columns)
    #expect(again["imported"].int == 0 && again["duplicates"].int == 3)
    #expect(try balance(desk) == "1969.50")
    let back = try imported(desk, file, columns + ["--restore-deleted"])
    #expect(back["imported"].int == 1 && back["duplicates"].int == 2)
    #expect(try balance(desk) == "1968.30")
    // It is there again: nothing is left to bring back.
    #expect(try imported(desk, file, columns + ["--restore-deleted"])["imported"].int == 0)
    #expect(try rows(desk).count == 3)
  }

  @Test func whatIsThereIsRecordedAgainWhenAskedFor() throws {
    let desk = try desk()
    let file = try desk.write("bank.csv", Self.three)
    let columns = ["--amount-column", "Sum"]
    #expect(try imported(desk, file, columns)["imported"].int == 3)
    let twice = try imported(desk, file, columns + ["--keep-duplicates"])
    #expect(twice["imported"].int == 3 && twice["duplicates"].int == 0)
    #expect(try balance(desk) == "3936.60")
    #expect(try rows(desk).count == 6)
    #expect(try imported(desk, file, columns)["duplicates"].int == 3)
  }

  @Test func transactionsDeletedFromAJournalAreListedOrDeleted() throws {
    let desk = try desk()
    let shop = "2026-02-01 Shop\n  assets:Checking  -30.50 EUR\n  expenses:Food\n\n"
    let work = "2026-02-02 Work\n  assets:Checking  2000.00 EUR\n  income:Pay\n"
    let file = try desk.write("book.journal", shop + work)
    try desk.done("import \(file)")
    _ = try desk.write("book.journal", work)
    let listed = try desk.done("import \(file)")
    #expect(listed.output.contains("No longer in the books: 2026-02-01 “Shop” -30.50 EUR\n"))
    #expect(listed.output.contains("add --follow-deletions."))
    #expect(try balance(desk) == "1969.50")
    let dry = try desk.done("import \(file) --follow-deletions --dry-run")
    #expect(dry.output.contains("Would delete: 2026-02-01 “Shop” -30.50 EUR\n"))
    #expect(try balance(desk) == "1969.50")
    let deleted = try desk.done("import \(file) --follow-deletions")
    let counts = "Imported 0 transactions, deleted 1 transaction, skipped 1 duplicate."
    #expect(deleted.output.contains(counts))
    #expect(try balance(desk) == "2000.00")
    // A deleted transaction that is in the journal again is imported again.
    _ = try desk.write("book.journal", shop + work)
    let back = try desk.done("import \(file) --follow-deletions --json").json()
    #expect(back["imported"].int == 1 && back["duplicates"].int == 1)
    #expect(try balance(desk) == "1969.50")
  }
}
