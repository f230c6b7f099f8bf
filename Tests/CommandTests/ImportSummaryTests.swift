// Goal: what an import says is short and ends with the counts, however much there is to say. Method:
// files with many new names, many rows without a rate and many balances that do not follow are imported
// by the built command, and what it writes is read.
import Daybook
import Foundation
import Testing

@Suite struct ImportSummaryTests {
  private static let flags = [
    "--date-column", "Day", "--amount-column", "Sum", "--currency", "{Currency}", "--account",
    "Checking", "--category", "{Category}", "--description", "{Text}",
  ]

  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    return desk
  }

  private func file(_ rows: [String]) -> String {
    "Day,Text,Sum,Currency,Category,Balance\n" + rows.joined(separator: "\n") + "\n"
  }

  @Test("Each cause is one line with a count, and an import of nothing has a reason")
  func oneLineForEachCause() throws {
    let desk = try desk()
    let virtual = (10...29).map {
      "2026-01-\($0) a\n  Assets:A  1 EUR\n  (Plan)  1 EUR\n  Income:B\n\n"
    }
    _ = try desk.write("virtual.journal", virtual.joined())
    let refused = try desk.run(["import", "virtual.journal"])
    #expect(refused.status == 65)
    #expect(refused.errors.split(separator: "\n").filter { $0.contains("parentheses") }.count == 1)
    #expect(refused.errors.contains("line 3 and 19 more, column 3: A posting in parentheses"))
    // Scripts get all of them.
    let json = try desk.run(["import", "virtual.journal", "--json"])
    #expect(try json.error()["details"].strings.count == 20)
    let run = try desk.run(["import", "virtual.journal", "--skip-unbalanced-virtual"])
    let notes = run.lines.filter { $0.hasPrefix("Note: ") }
    #expect(notes == ["Note: line 3 and 19 more: Skipped the virtual posting (Plan)."])
    _ = try desk.write("empty.journal", "; nothing yet\naccount Assets:A\n")
    let empty = try desk.run(["import", "empty.journal"])
    #expect(
      empty.lines.dropLast().last
        == "Imported 0 transactions, because the file has none to import.",
      "\(empty.output)\(empty.errors)")
  }

  @Test("** in an include means any number of folders, and only files are included")
  func deepIncludes() throws {
    let desk = try desk()
    func entry(_ name: String) -> String { "2026-01-01 a\n  Assets:\(name)  1 EUR\n  Income:B\n" }
    for (path, name) in [
      ("y/top.journal", "Top"), ("y/2025/one.journal", "One"), ("y/2025/q[1]/deep.journal", "Deep"),
      ("y/2025/other.txt", "Text"), ("y/.hidden/no.journal", "Hidden"),
    ] {
      let folder = desk.folder + "/" + path.split(separator: "/").dropLast().joined(separator: "/")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      _ = try desk.write(path, entry(name))
    }
    func accounts(_ pattern: String, in folder: String = "") throws -> String {
      _ = try desk.write("\(folder)main.journal", "include \(pattern)  ; all\n")
      let run = try desk.run([
        "import", "\(folder)main.journal", "--format", "hledger", "--dry-run",
      ])
      return run.lines.first { $0.hasPrefix("Would create") && $0.contains("account") }
        ?? run.errors
    }
    #expect(try accounts("y/**/*.journal") == "Would create 3 accounts: One, Deep, Top.")
    #expect(try accounts("y/**/one.journal") == "Would create 1 account: One.")
    #expect(try accounts("y/**.journal") == "Would create 3 accounts: One, Deep, Top.")
    #expect(try accounts("y/**/o*.journal") == "Would create 1 account: One.")
    #expect(try accounts("y/**") == "Would create 4 accounts: One, Text, Deep, Top.")
    #expect(try accounts("y/*.journal") == "Would create 1 account: Top.")
    #expect(try accounts("y/**/none.*").contains("Couldn't find the included file"))
    // A pattern that matches the file itself leaves it out.
    #expect(try accounts("./**/*.journal", in: "y/") == "Would create 3 accounts: One, Deep, Top.")
  }

  @Test func manyNewNamesAreANumber() throws {
    let desk = try desk()
    let rows = (10...30).map { "2026-02-\($0),x,-1,EUR,Category \($0)," }.prefix(19)
    let path = try desk.write("bank.csv", file(Array(rows)))
    let rehearsal = try desk.run(["import", path, "--dry-run"] + Self.flags)
    #expect(rehearsal.output.contains("Would create 1 account: Checking."))
    let run = try desk.run(["import", path] + Self.flags)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lines.last == "" && run.lines.dropLast().last == "Imported 19 transactions.")
    #expect(run.output.contains("Created 19 categories (--verbose lists them)."))
    #expect(!run.output.contains("Category 12"))
    try desk.done("undo")
    let other = try self.desk()
    let again = try other.write("bank.csv", file(Array(rows)))
    let all = try other.run(["import", again, "--verbose"] + Self.flags)
    #expect(all.output.contains("Created 19 categories: Category 10, Category 11, "))
    #expect(all.lines.dropLast().last == "Imported 19 transactions.")
  }

  @Test func aMissingRateIsToldOnce() throws {
    let desk = try desk()
    try desk.done("accounts create Checking --currency EUR")
    let rows = (10...28).map { "2026-02-\($0),x,-1,USD,Food," } + ["2026-03-01,y,-2,GBP,Food,"]
    let path = try desk.write("bank.csv", file(rows))
    let run = try desk.run(["import", path] + Self.flags)
    #expect(run.status == 65)
    #expect(run.errors.contains("20 lines can't be imported. Nothing was recorded."))
    let told = run.errors.split(separator: "\n").filter { $0.contains("no rate") }
    #expect(told.count == 2, "\(run.errors)")
    #expect(
      told.first?.contains(
        "between USD and EUR for days from 2026-02-10 to 2026-02-28: 19 rows, the first in line 2.")
        == true, "\(run.errors)")
    #expect(told.first?.contains("daybook rate add USD EUR RATE --on 2026-02-10") == true)
    #expect(told.last?.contains("GBP and EUR on or before 2026-03-01: 1 row, line 21.") == true)
    let skipped = try desk.run(["import", path, "--skip-bad", "--json"] + Self.flags).json()
    #expect(skipped["imported"].int == 0)
    #expect(
      try skipped["missingRates"].decoded(as: [MissingRates].self).map(\.rowCount) == [19, 1])
    try desk.done("rate add USD EUR 0.9 --on 2026-02-10")
    try desk.done("rate add GBP EUR 1.1 --on 2026-02-10")
    #expect(try desk.run(["import", path, "--json"] + Self.flags).json()["imported"].int == 20)
  }

  @Test func balancesThatDoNotFollowAreCounted() throws {
    let desk = try desk()
    let rows = (10...28).map { "2026-02-\($0),x,-1,EUR,Food,5" }
    let path = try desk.write("bank.csv", file(rows))
    let run = try desk.run(["import", path, "--balance-column", "Balance"] + Self.flags)
    #expect(run.lines.filter { $0.contains("doesn't match: ") }.count == 8)
    #expect(run.output.contains("… and 10 more balances that don't match (--verbose lists all)"))
    #expect(
      run.lines.dropLast().last == "Imported 19 transactions, found 18 balances that don't match.")
  }

  @Test func manyBadLinesAreANumberAndFlagsAreNamed() throws {
    let desk = try desk()
    let rows = (1...50).map { "\(2000 + $0)-02-30,x,-1,EUR,Food," }
    let path = try desk.write("bank.csv", file(rows))
    let run = try desk.run(["import", path] + Self.flags)
    #expect(run.status == 65)
    #expect(run.errors.split(separator: "\n").filter { $0.contains("doesn't exist") }.count == 20)
    #expect(run.errors.contains("… and 30 more (--json shows all)"))
    // Rows with money in them are never to be skipped.
    #expect(!run.errors.contains("--skip-bad"))
    let json = try desk.run(["import", path, "--json"] + Self.flags)
    #expect(try json.error()["details"].strings.count == 50)
    let one = try desk.write("one.csv", file(["2026-02-01,x,-1,EUR,Food,"]))
    let missing = try desk.run(["import", one, "--no-create"] + Self.flags)
    #expect(missing.status == 1 && missing.errors.contains("leave out --no-create"))
  }

  @Test func whatAnAccountBeganWithIsToldOnce() throws {
    let desk = try desk()
    let march = try desk.write("march.csv", file(["2026-03-01,x,-1,EUR,Food,99"]))
    let flags = ["--balance-column", "Balance"] + Self.flags
    let first = try desk.run(["import", march] + flags)
    #expect(first.output.contains("run `daybook opening \"Checking\" 100.00`."))
    let again = try desk.run(["import", march] + flags)
    #expect(!again.output.contains("daybook opening"))
    #expect(again.lines.dropLast().last == "Imported 0 transactions, skipped 1 duplicate.")
  }
}
