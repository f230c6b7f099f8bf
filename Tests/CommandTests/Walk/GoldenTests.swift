// Goal: what every command prints can be read in one place, on a pipe, at forty, eighty and two hundred
// columns and in plain ASCII; a change of it is seen. Method: commands are run on copies of one household
// and compared with the files in Golden, which DAYBOOK_GOLDEN=write makes anew; what depends on the time
// or on chance is masked.
import Foundation
import Testing

@Suite struct GoldenTests {
  /// The commands of each file.
  ///
  /// Of several parted by `;` the last one is looked at.
  static let groups: [String: [String]] = [
    "ledger": [
      "settings", "settings --first-weekday sunday", "info",
      "init --ledger Other.daybook --base EUR",
      "sample household --count 50 --years 1 --through 2026-01-31", "mappings list",
      "mappings save Bank bank.json --for bank.csv; mappings list",
      "mappings save Bank bank.json --for bank.csv; mappings show Bank",
      "mappings save Bank bank.json --for bank.csv",
      "mappings save Bank bank.json --for bank.csv; mappings rename Bank Mine",
      "mappings save Bank bank.json --for bank.csv; mappings delete Bank",
    ],
    "recording": [
      "add expense 5 --account Checking --category Food --on 2026-02-15",
      "add expense 5 --account Chking",
      "add transfer 5 --account Checking --to Cash --on 2026-02-15",
      "edit 2026-02-03#5 --amount 31",
      "delete 2026-02-03#5", "delete 2026-02-03#99", "opening Cash 20 --on 2026-01-01",
      "reconcile 2026-02-03#5", "close --through 2026-01-31",
      "close --through 2026-01-31; reopen", "rate add EUR USD 1.3 --on 2026-02-14",
      "rate remove EUR USD --on 2026-02-01", "rate import rates.csv", "rate list",
      "rate convert 5 USD --on 2026-01-20",
      "import bank.csv --preview --account Checking",
      "import bank.csv --mapping bank.json",
    ],
    "rows": [
      "list --today 2026-02-15", "list --sections --month 2026-02 --today 2026-02-15",
      "list --account Checking --limit 3 --today 2026-02-15", "list --count",
      "list --sums --today 2026-02-15", "list --payee rewe --today 2026-02-15",
      "list --category Nowhere",
      "register Checking --today 2026-02-15",
      "register Checking Cash --limit 4 --today 2026-02-15", "search rewe",
      "search sarka", "show 2026-02-14#7", "show 2026-02-10#6",
      "duplicates --today 2026-02-15", "attachments tidy",
      "attachments add 2026-02-02#4 rates.csv; attachments list; show 2026-02-02#4",
      "attachments add 2026-02-02#4 rates.csv; attachments save 2026-02-02#4 --output copy.csv",
      "attachments add 2026-02-02#4 rates.csv; attachments remove 2026-02-02#4; attachments list",
      "inbox --today 2026-02-15",
      "transfers find --today 2026-02-15",
      "transfers link 2026-02-14#7 2026-02-10#6 --dry-run",
      "transfers unlink 2026-02-14#7 --dry-run",
      "list --output csv --month 2026-02", "list --output tsv --limit 2",
    ],
    "figures": [
      "balance --today 2026-02-15", "balance --on 2025-12-31",
      "balance Checking Dollars --every month --today 2026-02-15",
      "networth --count 3 --today 2026-02-15", "months --count 3 --today 2026-02-15",
      "networth --changes --count 3 --today 2026-02-15",
      "insights --today 2026-02-15",
      "accounts list --today 2026-02-15", "accounts list --dormant 20 --today 2026-02-15",
      "assertions list", "assertions check", "assertions add Cash 5 --on 2026-02-14",
      "assertions remove Cash --on 2026-02-14", "payees --today 2026-02-15",
      "tags --today 2026-02-15", "tags --by-month --today 2026-02-15",
      "balance --output csv --today 2026-02-15",
    ],
    "names": [
      "accounts create Purse --currency EUR", "accounts rename Cash Purse",
      "accounts numbers Cash", "accounts numbers Cash --add DE89370400440532013000",
      "accounts edit Cash --exclude-from-totals; networth --changes --count 1 --today 2026-02-15",
      "categories edit Food --exclude-from-totals; list --category Food --sums",
      "accounts correct Cash 80 --on 2026-02-15",
      "accounts correct Cash 90 --on 2026-02-15 --opening",
      "accounts close Dollars",
      "accounts close Dollars; accounts reopen Dollars", "accounts delete Cash --keep-rows",
      "accounts create Purse --currency EUR; accounts merge Cash Purse --dry-run",
      "accounts create Purse --currency EUR; accounts merge Cash Purse",
      "categories list", "categories top --year 2026 --today 2026-02-15",
      "categories trend Food --count 3 --today 2026-02-15", "categories create Rent",
      "categories rename Household Home", "categories move Groceries --top",
      "categories delete Groceries --move-to Household",
      "categories merge Groceries Household",
    ],
    "plans": [
      "budget list --today 2026-02-15", "budget show Food --today 2026-02-15",
      "budget add Fun 50 --start 2026-02-01 --today 2026-02-15",
      "budget set Food 120 --today 2026-02-15",
      "budget edit Food --note tight", "budget archive Food",
      "budget archive Food; budget unarchive Food",
      "budget delete Food", "budget invalidate", "recurring list --today 2026-02-15",
      "recurring upcoming --today 2026-02-15 --through 2026-05-31",
      "recurring forecast Checking --today 2026-02-15 --through 2026-04-30",
      "recurring add Gym expense 20 --account Checking --from 2026-02-20 --today 2026-02-15",
      "recurring add Club expense 20 --on 1,15 --weekends before --today 2026-02-15; "
        + "recurring list --today 2026-02-15",
      "holidays add 2026-12-25 2026-12-26; holidays list", "holidays remove 2026-12-25",
      "recurring edit Rent --amount 900 --today 2026-02-15",
      "recurring generate --today 2026-03-05", "recurring pause Rent --today 2026-02-15",
      "recurring pause Rent --today 2026-02-15; recurring resume Rent --today 2026-02-16",
      "recurring stop Rent --today 2026-02-15", "recurring skip Rent 2026-04-02 --today 2026-02-15",
      "recurring link Rent 2026-02-02#4 --due 2026-03-02 --today 2026-02-15",
      "recurring link Rent 2026-02-02#4 --due 2026-03-02 --today 2026-02-15; recurring unlink 2026-02-02#4",
      "recurring remove Rent",
      "rules list", "rules preview", "rules add Rewe --contains rewe --category Food:Groceries",
      "rules edit Cafe --tag coffee", "rules move Cafe --first", "rules enable Sushi",
      "rules disable Cafe",
      "rules remove Cafe", "rules apply",
    ],
    "envelopes": [
      "envelopes list --today 2026-02-15",
      "envelopes assign Food 40 --month 2026-02; envelopes --today 2026-02-15",
      "envelopes assign Food 40 --month 2026-03; envelopes --count 2 --today 2026-02-15",
      "envelopes assign Food 40 --month 2026-02; history --limit 1",
      "envelopes move 5 --from Food --to Household --month 2026-02 --note tight",
      "envelopes move 5 --to Food --month 2026-02; history --limit 1",
      "envelopes move 5 --to Food --month 2026-02; envelopes moves", "envelopes moves",
      "envelopes cover Food --month 2026-02 --today 2026-02-15",
      "envelopes cover Household --month 2026-05 --today 2026-02-15",
      "envelopes goal Food 100 --monthly; envelopes fill --month 2026-02 --today 2026-02-15; "
        + "envelopes --today 2026-02-15",
      "envelopes fill --month 2026-02 --today 2026-02-15",
      "envelopes assign Food 40 --month 2026-01; envelopes fill --last-month --today 2026-02-15",
      "envelopes fill --last-month --today 2026-02-15",
      "envelopes remove 01890a5d-ac96-774b-bcce-b302099a8057",
      "envelopes assign Food 40 --month 2026-02 --today 2026-02-15 --dry-run",
      "envelopes goals", "envelopes goal Food 100 --monthly",
      "envelopes goal Food 100 --by 2026-04-30 --today 2026-02-15 --dry-run",
      "envelopes goal Food 100 --keep; envelopes goals --today 2026-02-15",
      "envelopes goal Food 100 --monthly; envelopes --today 2026-02-15",
      "envelopes goal Food 100 --monthly; envelopes goal Food --none; history --limit 1",
      "accounts create Visa --kind liability --currency EUR; envelopes assign Visa 20 --month 2026-02",
      "accounts create Visa --kind liability --currency EUR; "
        + "add expense 50 --account Visa --category Food --on 2026-02-10; "
        + "envelopes assign Food 95 --month 2026-02; envelopes --today 2026-02-15",
      "envelopes exclude Cash; "
        + "add transfer 10 --account Checking --to Cash --category Food --on 2026-02-14",
      "add transfer 10 --account Checking --to Cash --category Food --on 2026-02-14",
      "envelopes overspending Food carry", "envelopes overspending Food cover",
      "envelopes exclude Dollars", "envelopes include Dollars",
    ],
    "interest": [
      "accounts terms show", "accounts terms set Cash --from 2026-01-01",
      "accounts terms set Cash --rate 12 --from 2026-01-01 --capitalise; accounts terms",
      "accounts terms set Cash --rate 12 --from 2026-01-01; history --limit 1",
      "accounts terms set Cash --rate 12 --from 2026-01-01; "
        + "accounts terms set Cash --rate 6@2026-02-02; interest --on 2026-02-15",
      "accounts terms set Cash --rate 12 --from 2026-01-01; interest post --today 2026-02-15; "
        + "interest post --today 2026-02-15",
      "accounts terms set Cash --rate 12 --from 2026-01-01; interest accrued Cash --on 2026-01-16",
      "accounts terms set Cash --rate 12 --from 2026-01-01; "
        + "add income 1 --account Cash --on 2026-02-01; interest link 2026-02-01#15 Cash --due 2026-02-01",
      "accounts terms set Cash --rate 12 --from 2026-01-01; accounts terms remove Cash",
      "accounts terms set Cash --rate 12 --from 2026-01-01; interest skip Cash --due 2026-02-01; "
        + "interest post --today 2026-02-15",
      "accounts terms set Cash --rate 1 --from 2026-01-01 --payments 3 --principal 5",
      "accounts create Loan --kind liability --currency EUR --opening=-1000; "
        + "accounts terms set Loan --rate 12 --from 2026-01-01 --payments 3; "
        + "loan plan Loan --today 2026-02-15; loan pay Loan --from Checking --on 2026-02-01; "
        + "loan repay Loan 300 --from Checking --on 2026-02-10; loan Loan --today 2026-02-15; "
        + "loan pay Loan --from Checking --on 2026-03-01 --amount 5000",
    ],
    "history": [
      "history --limit 3", "history --limit 1 --output csv", "undo", "undo; redo", "redo",
      "retention",
      "retention --keep-days 7",
      "purge", "retention --keep-commits 5; purge --dry-run", "erase Cash --yes",
      "undelete 01890a5d-ac96-774b-bcce-b302099a8057",
    ],
    "safekeeping": [
      "verify", "rebuild", "recover", "compact",
      "maintain --skip-verify", "backup copy",
      "restore saved --ledger Other.daybook", "export --format csv", "export --format journal",
      "export --format jsonl --output all.jsonl", "list --ledger Nowhere.daybook",
      "list --ledger Nowhere.daybook --json",
    ],
  ]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Golden")

  /// How it is looked at.
  private static let views: [(name: String, environment: [String: String])] = [
    ("on a pipe", [:]), ("40 columns", ["COLUMNS": "40"]), ("80 columns", ["COLUMNS": "80"]),
    ("200 columns", ["COLUMNS": "200"]), ("plain ASCII", ["LC_ALL": "C"]),
  ]

  @Test(arguments: groups.keys.sorted()) func walk(group: String) throws {
    var text = ""
    for line in Self.groups[group] ?? [] { text += try Self.seen(line) }
    let file = Self.folder.appendingPathComponent(group + ".txt")
    if ProcessInfo.processInfo.environment["DAYBOOK_GOLDEN"] == "write" {
      try FileManager.default.createDirectory(
        at: Self.folder, withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let golden = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let lines = text.components(separatedBy: "\n")
    // The first difference is enough to go and look.
    let place = zip(golden, lines).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(
      golden == lines,
      """
      \(group).txt, line \((place ?? min(golden.count, lines.count)) + 1):
      \(place.map { "was: \(golden[$0])\nis:  \(lines[$0])" } ?? "it has another end"))
      DAYBOOK_GOLDEN=write makes the files anew: read what changed.
      """)
  }

  @Test func everyCommandIsWalked() throws {
    let lines = Self.groups.values.flatMap { $0 }.flatMap { $0.components(separatedBy: "; ") }
    let missing = try EveryCommandTests.leaves().filter { leaf in
      !lines.contains { $0 == leaf || $0.hasPrefix(leaf + " ") }
    }
    #expect(Set(missing).subtracting(Self.unseen).isEmpty, "\(missing.sorted())")
  }

  /// What prints files for others to read (a shell's, the manual's), becomes another program, or needs a relay
  /// (`SyncCommandTests`).
  private static let unseen: Set<String> = [
    "completions", "manual", "serve", "sync now", "sync start", "sync invite", "sync join",
    "sync watch", "sync status", "sync findings", "sync devices", "sync relay", "sync leave",
  ]

  /// A command as it is seen in every way.
  private static func seen(_ line: String) throws -> String {
    let steps = line.components(separatedBy: "; ")
    var text = "$ daybook " + steps.joined(separator: "\n$ daybook ") + "\n"
    var before: [(name: String, seen: String)] = []
    // Where lines end depends on how long sizes are, which are masked.
    let shown = line == "info" ? views.filter { $0.environment["COLUMNS"] == nil } : views
    for view in shown {
      let desk = try GoldenHousehold.desk()
      for step in steps.dropLast() {
        try desk.run(step, environment: GoldenHousehold.environment)
      }
      let run = try desk.run(
        steps[steps.count - 1],
        environment: GoldenHousehold.environment.merging(view.environment) { $1 })
      var seen = run.output
      if !run.errors.isEmpty {
        seen += "[standard error]\n" + run.errors
      }
      if run.status != 0 { seen += "[exit code \(run.status)]\n" }
      seen = masked(seen.replacing(desk.folder, with: "/folder"))
      let columns = view.environment["COLUMNS"].flatMap { Int($0) }
      if let columns, columns <= 80, !line.contains("export") && !line.contains("--output") {
        for line in run.output.split(separator: "\n") {
          #expect(columnCount(line) <= columns, "\(line)")
        }
      }
      if let same = before.first(where: { $0.seen == seen }) {
        text += "-- \(view.name): as \(same.name)\n"
      } else {
        text += "-- \(view.name)\n" + seen
        before.append((view.name, seen))
      }
    }
    return text + "\n"
  }

  /// How wide a line is, where it holds nothing that combines.
  private static func columnCount(_ line: Substring) -> Int {
    line.reduce(0) { $0 + ($1.unicodeScalars.contains { $0.value > 0x2E7F } ? 2 : 1) }
  }

  /// What is made by chance or the clock, as long as it was.
  private static func masked(_ text: String) -> String {
    text.replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/) { _ in
      "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
    }
    .replacing(/\b[0-9a-f]{32,}\b/) { String(repeating: "x", count: $0.0.count) }
    .replacing(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d/) { _ in "yyyy-mm-ddThh:mm:ss" }
    .replacing(/[0-9.]+ (KB|MB|bytes)/) { "n \($0.1)" }
    .replacing(/in(\s)[0-9]+\.[0-9]/) { "in\($0.1)n.n" }
  }
}
