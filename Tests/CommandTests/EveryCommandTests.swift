// Goal: whichever command meets a ledger that is missing, foreign or damaged says so in a sentence with
// the exit code that is documented, and changes nothing. Method: the built command tells its own tree of
// commands; each of them is run, and one that is not in the list below fails the test.
import Foundation
import Testing

@Suite struct EveryCommandTests {
  /// What is written after each command, so that it is understood and comes to open the ledger.
  private static let words: [String: String] = [
    "settings": "", "info": "", "add": "expense 1 --account A", "edit": "2026-02-14#1 --note x",
    "delete": "2026-02-14#1", "transfers find": "",
    "transfers link": "2026-02-14#1 2026-02-14#2", "transfers unlink": "2026-02-14#1",
    "import": "bank.csv --guess --account A",
    "accounts list": "", "accounts create": "A --currency EUR", "accounts rename": "A B",
    "accounts numbers": "A", "accounts edit": "A --exclude-from-totals", "accounts correct": "A 5",
    "accounts close": "A", "accounts reopen": "A", "accounts delete": "A --keep-rows",
    "accounts merge": "A B",
    "categories list": "", "categories top": "", "categories trend": "Food",
    "categories create": "Food", "categories rename": "Food Meals",
    "categories move": "Food --top", "categories edit": "Food --exclude-from-totals",
    "categories delete": "Food --keep-rows",
    "categories merge": "Food Meals",
    "opening": "A 5", "rate list": "", "rate add": "EUR USD 1.1",
    "rate remove": "EUR USD --on 2026-02-14", "rate import": "rates.csv",
    "rate convert": "5 EUR",
    "reconcile": "2026-02-14#1", "assertions list": "", "assertions check": "",
    "assertions add": "A 5", "assertions remove": "A --on 2026-02-14", "networth": "",
    "attachments list": "", "attachments add": "2026-02-14#1 bank.csv",
    "attachments save": "2026-02-14#1 --output saved", "attachments remove": "2026-02-14#1",
    "attachments tidy": "", "rules list": "", "rules add": "R --contains x --tag y",
    "rules edit": "R --tag z", "rules move": "R --first", "rules enable": "R",
    "rules disable": "R", "rules remove": "R", "rules preview": "", "rules apply": "",
    "recurring list": "", "recurring add": "Rent expense 5", "recurring edit": "Rent --amount 6",
    "recurring upcoming": "", "recurring forecast": "A", "recurring generate": "",
    "recurring pause": "Rent", "recurring resume": "Rent", "recurring stop": "Rent",
    "recurring skip": "Rent 2026-03-01", "recurring link": "Rent 2026-02-14#1",
    "recurring unlink": "2026-02-14#1", "recurring remove": "Rent", "budget list": "",
    "holidays list": "", "holidays add": "2026-12-25", "holidays remove": "2026-12-25",
    "budget show": "Food", "budget add": "Food 100", "budget set": "Food 90",
    "budget edit": "Food --note x", "budget archive": "Food", "budget unarchive": "Food",
    "budget delete": "Food", "budget invalidate": "", "envelopes list": "",
    "envelopes assign": "Food 5", "envelopes move": "5 --to Food", "envelopes cover": "Food",
    "envelopes fill": "", "envelopes moves": "",
    "envelopes remove": "01890a5d-ac96-774b-bcce-b302099a8057",
    "envelopes goal": "Food 5 --monthly", "envelopes goals": "",
    "envelopes overspending": "Food carry", "envelopes exclude": "A", "envelopes include": "A",
    "accounts terms show": "", "accounts terms set": "A --rate 3 --from 2026-01-01",
    "accounts terms remove": "A", "interest accrued": "", "interest post": "",
    "interest link": "2026-02-14#1 A --due 2026-02-01", "interest skip": "A --due 2026-02-01",
    "loan plan": "A", "loan pay": "A --from B", "loan repay": "A 5 --from B",
    "close": "--through 2026-01-01",
    "reopen": "", "list": "", "search": "x", "show": "2026-02-14#1", "balance": "", "months": "",
    "insights": "", "payees": "", "tags": "", "duplicates": "", "inbox": "",
    "history": "", "undo": "",
    "redo": "", "register": "A",
    "undelete": "01890a5d-ac96-774b-bcce-b302099a8057", "retention": "", "purge": "",
    "erase": "A --yes", "verify": "", "rebuild": "", "recover": "", "compact": "",
    "maintain": "",
    "backup": "copy", "export": "--format csv", "mappings list": "", "mappings show": "Bank",
    "mappings save": "Bank bank.json --for bank.csv", "mappings rename": "Bank Other",
    "mappings delete": "Bank", "sync now": "", "sync start": "--relay http://127.0.0.1:9 --token t",
    "sync invite": "", "sync watch": "", "sync status": "", "sync findings": "",
    "sync devices": "", "sync relay": "", "sync leave": "",
  ]

  /// Those that open no ledger: they make one, or none.
  private static let makers: Set<String> = [
    "init", "restore", "sample", "serve", "sync join", "completions", "manual",
  ]

  /// A command of the tree, with what follows it.
  struct Line: CustomTestStringConvertible {
    var command: String
    var words: String
    var testDescription: String { command }
    var text: String { "\(command) \(words)" }
  }

  private static let lines = words.map { Line(command: $0.key, words: $0.value) }
    .sorted { $0.command < $1.command }

  /// A folder with the files that commands read, and no ledger.
  private func desk() throws -> Desk {
    let desk = try Desk()
    _ = try desk.write("bank.csv", "Date,Amount\n2026-02-14,-1.00\n")
    _ = try desk.write(
      "bank.json",
      #"{"date": {"column": "Date"}, "amount": {"column": "Amount"}, "currency": "EUR", "#
        + #""account": "A"}"#)
    _ = try desk.write("rates.csv", "Date,USD,\n2026-02-14,1.1,\n")
    return desk
  }

  /// The commands of the tree, by their paths.
  static func leaves() throws -> Set<String> {
    let tree = try Desk().done("--experimental-dump-help").json()["command"]
    var leaves: Set<String> = []
    func walk(_ node: Node, _ path: [String]) {
      let below = node["subcommands"].array.filter { $0["commandName"].string != "help" }
      if below.isEmpty { leaves.insert(path.joined(separator: " ")) }
      for next in below { walk(next, path + [next["commandName"].string ?? ""]) }
    }
    walk(tree, [])
    return leaves
  }

  @Test func theListHasEveryCommand() throws {
    #expect(try Self.leaves() == Set(Self.words.keys).union(Self.makers))
  }

  /// ArgumentParser itself looks at this in debug builds only.
  @Test func everyNameMeansOneThingAndOnlyTheLastWordsRepeat() throws {
    func check(_ node: Node) {
      let command = node["commandName"].string ?? ""
      let arguments = node["arguments"].array
      let names = arguments.flatMap { $0["names"].array.map(\.text) }
      #expect(Set(names).count == names.count, "\(command): \(names)")
      let words = arguments.filter { $0["kind"].string == "positional" }
      #expect(!words.dropLast().contains { $0["isRepeating"].bool == true }, "\(command)")
      for below in node["subcommands"].array { check(below) }
    }
    check(try Desk().done("--experimental-dump-help").json()["command"])
  }

  @Test(arguments: lines) func aMissingLedgerIsNamedAndNotMade(line: Line) throws {
    let desk = try desk()
    let before = try FileManager.default.contentsOfDirectory(atPath: desk.folder).sorted()
    let run = try desk.run(line.text)
    #expect(run.status == 66, "\(run.status) \(run.output) \(run.errors)")
    #expect(run.errors.contains("Household.daybook") && run.errors.contains("daybook init"))
    #expect(run.output.isEmpty)
    let json = try desk.run(line.text + " --json --ledger other/place")
    // An export to standard output has nothing to say in JSON.
    if line.command != "export" {
      #expect(json.status == 66, "\(json.errors)")
      #expect(try json.error()["code"].string == "missing")
      #expect(try json.error()["message"].string?.contains("other/place") == true)
      #expect(json.output.isEmpty)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.folder).sorted() == before)
  }

  @Test(arguments: lines) func whatIsForeignIsLeftAlone(line: Line) throws {
    let desk = try desk()
    try FileManager.default.createDirectory(
      atPath: desk.ledger, withIntermediateDirectories: false)
    try "holiday".write(toFile: desk.ledger + "/notes.txt", atomically: false, encoding: .utf8)
    let run = try desk.run(line.text)
    #expect(run.status == 65, "\(run.status) \(run.output) \(run.errors)")
    #expect(run.errors.contains("Household.daybook") && run.output.isEmpty, "\(run.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.ledger) == ["notes.txt"])
    let file = try desk.write("text.daybook", "text")
    let other = try desk.run(line.text + " --ledger text.daybook")
    #expect(other.status == 65, "\(other.status) \(other.output) \(other.errors)")
    #expect(other.errors.contains("text.daybook") && other.output.isEmpty, "\(other.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "text")
  }

  /// A small ledger, made once: its files by their names.
  private static let files = Result { () throws -> [String: Data] in
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create A")
    try desk.done("add expense 1 --account A --on 2026-02-14 --note x")
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: desk.ledger) {
      let path = desk.ledger + "/" + name
      if let bytes = FileManager.default.contents(atPath: path) { files[name] = bytes }
    }
    return files
  }

  private func household() throws -> Desk {
    let desk = try desk()
    for (name, bytes) in try Self.files.get() {
      let file = URL(fileURLWithPath: desk.ledger + "/" + name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: file)
    }
    return desk
  }

  @Test func theLedgerIsSoundBeforeItIsDamaged() throws {
    let desk = try household()
    #expect(try desk.done("verify").output.contains("No problems found"))
    #expect(try desk.done("list --count --json").json()["count"].int == 1)
  }

  @Test(arguments: lines) func damagedViewsAreSaidToBe(line: Line) throws {
    for isCut in [false, true] {
      let desk = try household()
      let path = "\(desk.ledger)/views-0001/data.mdb"
      let whole = try #require(FileManager.default.contents(atPath: path))
      let damaged =
        isCut
        ? whole.dropLast(whole.count / 2)
        : Data(repeating: 0xA5, count: 16_384) + whole.dropFirst(16_384)
      try damaged.write(to: URL(fileURLWithPath: path))
      let run = try desk.run(line.text)
      let said = run.errors + run.output
      let names = line.command == "rebuild" ? "Rebuilt the views" : "daybook rebuild"
      #expect(said.contains(names), "\(run.status): \(said)")
      if line.command == "verify" {
        #expect(run.status == 2, "\(run.status): \(said)")
        #expect(FileManager.default.contents(atPath: path) == damaged)
      }
    }
  }

  @Test func damagedViewsAreRebuilt() throws {
    let desk = try household()
    let before = try desk.done("list --json").output
    for command in ["list --json", "rebuild", "rebuild --in-place-check"] {
      let views = try #require(
        FileManager.default.contentsOfDirectory(atPath: desk.ledger)
          .first { $0.hasPrefix("views-") })
      try Data(repeating: 0xA5, count: 16_384).write(
        to: URL(fileURLWithPath: "\(desk.ledger)/\(views)/data.mdb"))
      let run = try desk.run(command)
      #expect(run.status == (command.contains("check") ? 2 : 0), "\(command): \(run.errors)")
      #expect((run.errors + run.output).contains("ebuil"), "\(command): \(run.errors)")
      let after = try desk.done("list --json")
      #expect(after.output == before && after.errors.isEmpty, "\(command): \(after.errors)")
      #expect(try desk.done("verify").output.contains("No problems found"), "\(command)")
    }
  }

  @Test(arguments: lines) func aDamagedJournalIsSaidToBe(line: Line) throws {
    let desk = try household()
    let path = "\(desk.ledger)/journal-0001/data.mdb"
    let whole = try #require(FileManager.default.contents(atPath: path))
    for (what, damaged) in [
      ("overwritten", Data(repeating: 0xA5, count: 16_384) + whole.dropFirst(16_384)),
      ("cut off", whole.dropLast(whole.count / 2)), ("emptied", Data()),
    ] {
      try damaged.write(to: URL(fileURLWithPath: path))
      let run = try desk.run(line.text)
      #expect(run.status == 2, "\(what): \(run.status) \(run.output) \(run.errors)")
      #expect(run.errors.contains("Household.daybook"), "\(what): \(run.errors)")
      #expect(FileManager.default.contents(atPath: path) == damaged, "\(what)")
    }
  }
}
