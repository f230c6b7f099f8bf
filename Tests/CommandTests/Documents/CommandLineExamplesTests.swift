// Goal: what Docs/CommandLine.md shows can be typed. Method: every command of its tables and blocks is read
// out of it and run on a copy of one household, in each form that the document allows; it has to end with
// 0, or with the code that the document tells of it, and print what the document shows.
import Foundation
import Testing

@Suite struct CommandLineExamplesTests {
  private static let document = CommandDocument("Docs/CommandLine.md")

  /// A household with something of everything, made once: its files by their names.
  private static let files = Result { () throws -> [String: Data] in
    let desk = try Desk()
    for line in [
      "init --base EUR", "accounts create Checking --opening 1000", "accounts create Cash",
      "accounts create Dollars --currency USD --opening 50", "categories create Food",
      "categories create Groceries --parent Food", "categories create Household",
      "categories create Salary --kind income", "rate add EUR USD 1.25 --on 2026-01-01",
      "add income 2000 --account Checking --category Salary --on 2026-01-31 --payee Employer",
      "add expense 23.50 --account Checking --category Food --on 2026-02-14 --payee Rewe --tag a",
      "add expense 5 --account Cash --category Food --on 2026-02-20",
      "add expense 9 --account Cash --on 2026-02-21 --payee Uber",
      "delete 2026-02-21#4", "rules add Uber --contains uber --category Food",
      "rules add Other --contains other --tag x",
      "recurring add Rent expense 500 --account Checking --category Household --from 2026-02-20",
      "budget add Food 100 --category Food", "budget add Old 5", "budget archive Old",
      "assertions add Checking 3000 --on 2026-01-31", "envelopes move 5 --to Food", "backup saved",
      "export --format csv --output journal.csv",
    ] { try desk.done(line) }
    let id = try desk.done("history --kind transaction --json").json()["commits"][0]["changes"][0]
    _ = try desk.write("deleted.id", id["id"].string ?? "")
    let move = try desk.done("envelopes moves --json").json()["moves"][0]["id"]
    _ = try desk.write("move.id", move.string ?? "")
    _ = try desk.write(
      "statement.csv", "Date,Amount,Payee\n2026-02-14,-1.00,Rewe\n2026-02-15,-2.00,Uber\n")
    _ = try desk.write("days.txt", "2026-12-25 # Christmas\n\n2026-12-26\n")
    _ = try desk.write("eurofxref-hist.csv", "Date,USD,\n2026-02-13,1.2,\n")
    try desk.run([
      "import", "statement.csv", "--preview", "--account", "Checking", "--save-mapping",
      "bank.json",
    ])
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: desk.folder) {
      let path = desk.folder + "/" + name
      if let bytes = FileManager.default.contents(atPath: path) { files[name] = bytes }
    }
    return files
  }

  private func desk() throws -> Desk {
    let desk = try Desk()
    for (name, bytes) in try Self.files.get() {
      let file = URL(fileURLWithPath: desk.folder + "/" + name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: file)
    }
    return desk
  }

  /// What stands in place of a placeholder, by the command and the word before it.
  private static let values: [String: String] = [
    "PLACE": "2026-02-14#2", "ACCOUNT": "Checking", "AMOUNT": "12.50", "DAY": "2026-02-14",
    "DUE-DAY": "2026-02-20", "FILE": "statement.csv", "FOLDER": "new", "COMMIT": "10",
    "BACKUP": "saved", "TEXT": "Rewe", "PREFIX": "R", "RULE": "Other", "CONDITIONS": "--contains",
    "A": "Checking", "B": "Cash", "C": "Food", "T": "trip", "N": "3", "X": "5", "D": "25",
    "KEY": "once", "NAME": "Food", "EUR": "EUR",
    "--rollover …": "surplus", "reopen DAY": "2025-12-31", "recurring forecast DAY": "2027-01-31",
    "USD": "USD", "COMMAND": "list",
    "--name N": "New", "--entity X": "Checking", "erase X": "Cash", "--output FILE": "out.txt",
    "--anchor FILE": "anchor.txt", "--month …": "2026-02", "--year …": "2026",
    "--from …": "2026-02-01", "--through …": "2026-02-28", "--keep-days …": "7",
    "--every …": "month", "--on DAYS": "1,15", "--file FILE": "days.txt",
    "--rrule RULE": "FREQ=MONTHLY;BYDAY=-1FR",
    "--author A": "nobody", "--note …": "x", "--move-to NAME": "Checking",
    "recurring NAME": "Rent", "rules NAME": "Uber", "rules add NAME": "New",
    "recurring add NAME": "New", "budget add NAME": "New", "budget unarchive NAME": "Old",
    "recurring link PLACE": "2026-02-20#3", "recurring skip DAY": "2026-03-20",
    "assertions remove DAY": "2026-01-31", "opening AMOUNT": "10", "--balance 1234.56": "2976.50",
    "close DAY": "2026-01-31", "--tag T": "trip", "--type T": "income",
    "undelete ID": "ID", "undelete PLACE": "2026-02-21#4", "--seed N": "1",
    "restore BACKUP": "saved", "mappings NAME": "bank", "attachments NAME": "statement.csv",
    "envelopes remove MOVE": "MOVE", "CATEGORY": "Food", "--from CATEGORY": "Household",
    "LOAN": "Mortgage", "RATE": "3", "RATE@DAY": "4@2026-02-10", "--first DAY": "2026-02-14",
    "accounts terms DAY": "2026-01-01", "accounts terms NAME": "Salary",
    "--day-count RULE": "actual/360", "interest link DAY": "2026-02-01",
    "interest skip DAY": "2026-02-01", "loan pay DAY": "2026-03-01", "loan pay X": "100",
    "URL": "http://127.0.0.1:9", "TOKEN": "token", "CODE": "04106-1050R-3GG28-A1C60-T3GFJR",
  ]

  /// The words with values in place of placeholders; nil where a placeholder is unknown.
  private func filled(_ words: [String], _ desk: Desk) throws -> [String] {
    var filled: [String] = []
    let command = words.prefix { !$0.contains { $0.isUppercase } && !$0.hasPrefix("-") }
    for (index, word) in words.enumerated() {
      let before = index > 0 ? words[index - 1] : ""
      let path = command.prefix(2).joined(separator: " ")
      let keys = ["\(before) \(word)", "\(path) \(word)", "\(command.first ?? "") \(word)", word]
      let isPlaceholder =
        word == "…" || word.allSatisfy { $0.isUppercase || $0 == "-" } && word.first != "-"
      guard let value = keys.lazy.compactMap({ Self.values[$0] }).first else {
        try #require(
          !isPlaceholder, "what stands for \(word) in “\(words.joined(separator: " "))”?")
        filled.append(word)
        continue
      }
      let file = ["ID": "deleted.id", "MOVE": "move.id"][value]
      filled.append(
        try file.map { try String(contentsOfFile: "\(desk.folder)/\($0)", encoding: .utf8) }
          ?? value)
      if word == "CONDITIONS" { filled.append("Rewe") }
    }
    return filled
  }

  private static let terms = "accounts terms set Checking --rate 12 --from 2026-01-01"
  private static let mortgage =
    "accounts create Mortgage --kind liability --opening=-1000 --currency EUR"

  /// What makes a loan, which owes interest from a day on.
  private static func loan(from day: String) -> [String] {
    [mortgage, "accounts terms set Mortgage --rate 12 --from \(day) --payments 12"]
  }

  /// What has to be done before, so that a command has something to do.
  private static let preparations: [(command: String, lines: [String])] = [
    ("accounts reopen", ["accounts close Cash"]), ("redo", ["undo"]),
    ("reopen", ["close --through 2026-01-31"]),
    ("add transfer 100 --account Checking --to Cash --category", ["envelopes exclude Cash"]),
    ("envelopes cover", ["envelopes move 50 --from Food --to Household"]),
    ("interest", [Self.terms]), ("accounts terms remove", [Self.terms]),
    ("accounts terms set ACCOUNT --rate RATE@DAY", [Self.terms]),
    ("accounts terms set LOAN", [Self.mortgage]),
    ("loan plan", Self.loan(from: "2026-02-01")), ("loan LOAN", Self.loan(from: "2026-02-01")),
    ("loan pay", Self.loan(from: "2026-02-01")),
    ("loan repay", Self.loan(from: "today")),
    ("recurring resume", ["recurring pause Rent"]), ("rules enable", ["rules disable Uber"]),
    ("recurring unlink", ["recurring link Rent 2026-02-14#2 --due 2026-02-20"]),
    ("recurring skip NAME DAY --undo", ["recurring skip Rent 2026-03-20"]),
    ("reconcile PLACE --undo", ["reconcile 2026-02-14#2"]),
    ("attachments save", ["attachments add 2026-02-14#2 statement.csv"]),
    ("attachments remove", ["attachments add 2026-02-14#2 statement.csv"]),
    ("undo COMMIT", []),
  ]

  /// Commands that end otherwise in this household, and why.
  private static let endings: [String: Int32] = [
    // The ledger keeps everything, and no policy is given.
    "purge": 1, "purge --dry-run": 1,
    // These say how something is changed, and nothing is said of what.
    "rules edit NAME": 64, "recurring edit NAME": 64, "budget edit NAME --from DAY": 64,
    "recurring edit NAME --scope series": 64, "recurring edit NAME --scope future": 64,
    "recurring edit NAME --scope all": 64, "recurring edit NAME --since DUE-DAY": 64,
    // Money moves from or to a category, or both.
    "envelopes move AMOUNT": 64, "envelopes move AMOUNT --month 2026-02": 64,
    "envelopes move AMOUNT --note N": 64,
    // A transfer needs --to, which nothing else may have; an expense has no category of income.
    "recurring add NAME transfer AMOUNT": 64, "recurring add NAME expense AMOUNT --to B": 64,
    "recurring add NAME expense AMOUNT --to-amount X": 64,
    "recurring edit NAME --to-amount X": 64,
    "recurring edit NAME --to B": 1, "recurring edit NAME --type T": 1,
    // Both are the same here; and the transaction was not linked.
    "transfers link PLACE PLACE": 1, "transfers unlink PLACE": 1,
    // The file that was attached is still there.
    "attachments save PLACE": 73, "attachments save PLACE NAME": 73,
    // The household is not shared, and no relay is there: SyncCommandTests has one.
    "sync": 1, "sync invite": 1, "sync invite --for NAME": 1, "sync watch": 1, "sync status": 1,
    "sync findings": 1, "sync findings --dismiss NAME": 1, "sync findings --dismiss all": 1,
    "sync findings --take NAME": 1, "sync findings --take all": 1,
    "sync findings --take NAME --on DAY": 1, "sync findings --take all --on DAY": 1,
    "sync devices": 1, "sync devices --revoke NAME": 1, "sync leave": 1,
    "sync relay": 1, "sync relay URL": 1,
    "sync start --relay URL": 64, "sync start --relay URL --token TOKEN": 75,
    "sync start --relay URL --device NAME": 64,
    // It makes a folder of its own, and there is one already.
    "sync join CODE --relay URL": 73, "sync join CODE --relay URL --device NAME": 73,
  ]

  /// A table's commands, but those that only name a group that has a section of its own.
  private static let synopses: [CommandSynopsis] =
    (document?.synopses ?? []).filter { !$0.text.hasSuffix(" …") || $0.text.contains("--") }

  @Test func theDocumentHasTables() {
    #expect(Self.synopses.count > 80)
    #expect((Self.document?.blocks ?? []).count >= 3)
  }

  @Test(arguments: synopses) func commandsOfTables(synopsis: CommandSynopsis) throws {
    for words in synopsis.lines {
      let line = words.joined(separator: " ")
      let desk = try desk()
      // A choice between commands of a group says that they are there.
      if words.count == 2, synopsis.text.hasPrefix(words[0] + " "),
        synopsis.text.contains("\(words[1])|")
          || synopsis.text.contains("|\(words[1])")
      {
        #expect(
          try desk.run(["help"] + words).output.contains("USAGE: daybook \(words[0])"), "\(line)")
        continue
      }
      for (command, lines) in Self.preparations where line.hasPrefix(command) {
        for before in lines { try desk.done(before) }
      }
      if line.hasPrefix("init") { try FileManager.default.removeItem(atPath: desk.ledger) }
      if line.hasPrefix("restore") { try FileManager.default.removeItem(atPath: desk.ledger) }
      let typed = try filled(words, desk)
      let run = try desk.run(typed)
      let expected = Self.endings[line] ?? 0
      #expect(
        run.status == expected,
        "\(typed.joined(separator: " ")): \(run.status) \(run.output)\(run.errors)")
    }
  }

  @Test func commandsOfBlocks() throws {
    for block in try #require(Self.document).blocks where !block.isEmpty {
      let desk = try desk()
      for example in block {
        // What goes on for ever has tests of its own.
        if example.command.contains("--follow") { continue }
        // What a shell makes of it.
        let run = try desk.run(example.command.replacing("*.csv", with: "statement.csv"))
        let code = example.output.firstMatch(of: /"exitCode": (\d+)/).flatMap { Int32($0.1) } ?? 0
        #expect(run.status == code, "\(example.command): \(run.output)\(run.errors)")
        if !example.output.isEmpty {
          #expect(run.output + run.errors == example.output, "\(example.command)")
        }
      }
    }
  }
}
