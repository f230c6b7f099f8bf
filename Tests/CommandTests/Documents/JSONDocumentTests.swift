// Goal: what Docs/JSON.md shows as the answer of a command is what it answers. Method: the command before each
// such block is run on the everyday household; ids are compared by their order of appearance.
import Foundation
import Testing

@Suite struct JSONDocumentTests {
  /// The commands of the page with their answers.
  private static let examples: [(command: String, answer: String)] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try? String(
      contentsOf: root.appendingPathComponent("Docs/JSON.md"), encoding: .utf8)
    let parts = (page ?? "").components(separatedBy: "```json answer\n")
    return zip(parts, parts.dropFirst()).map { before, after in
      let command = before.components(separatedBy: "```sh\ndaybook ").last ?? ""
      return (
        command.components(separatedBy: "\n```")[0], after.components(separatedBy: "\n```")[0]
      )
    }
  }()

  /// The text with numbers in place of ids, in order of appearance but for members.
  private func plain(_ text: String) -> String {
    var seen: [String] = []
    return text.replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) { match in
      let id = String(match.output.0)
      if !seen.contains(id) { seen.append(id) }
      return "id \(seen.firstIndex(of: id) ?? 0)"
    }
  }

  @Test func answersAreAsShown() throws {
    #expect(!Self.examples.isEmpty)
    let desk = try EverydayTests.household()
    for (command, answer) in Self.examples {
      #expect(plain(try desk.done(command).output) == plain(answer + "\n"), "\(command)")
    }
  }

  private static let reports = [
    "accounts list", "accounts list --dormant 1", "assertions", "balance",
    "balance Cash --every week", "budget", "categories list", "categories top",
    "categories trend Food", "duplicates", "history", "inbox", "info", "insights", "list", "months",
    "networth", "payees", "rate list", "recurring list", "recurring upcoming", "register Checking",
    "rules list", "search food", "settings", "tags", "mappings list", "holidays list",
  ]

  /// What has names in an answer stands in it as an id, and no id that has a name is left without.
  @Test func namesAreThoseOfIds() throws {
    let desk = try EverydayTests.household()
    for line in [
      "budget add Eating 100 --category Food",
      "rules add Bread --contains bread --category Food --tag bread",
      "recurring add Rent expense 500 --account Checking --category Food --from 2026-02-20",
      "assertions add Cash 90 --on 2026-02-14",
      "add expense 2 --account Cash --payee Bread --category Food --on 2026-02-15",
    ] { try desk.done(line) }
    var known: [String: String] = [:]
    for line in ["accounts list", "categories list", "budget", "rules list", "recurring list"] {
      let names = try desk.done("\(line) --json").json()["names"].value as? [String: String]
      known.merge(names ?? [:]) { $1 }
    }
    #expect(
      Set(known.values) == [
        "Checking", "Cash", "Dollars", "Food", "Food:Groceries", "Salary", "Eating", "Bread",
        "Rent",
      ])
    for command in Self.reports {
      let isTimeless = [
        "assertions", "history", "info", "rate", "rules", "settings", "categories list", "mappings",
        "holidays",
      ].contains { command.hasPrefix($0) }
      let run = try desk.done("\(command) --json" + (isTimeless ? "" : " --today 2026-02-15"))
      let answer = try run.json()
      let names = answer["names"].value as? [String: String] ?? [:]
      let members = answer.value as? [String: Any] ?? [:]
      let body = Node(value: members.filter { $0.key != "names" }).text
      for (id, name) in known {
        #expect(
          names[id] == (body.contains("\"\(id)\"") ? name : nil), "\(command): \(name)")
      }
      #expect(names.keys.allSatisfy { body.contains("\"\($0)\"") }, "\(command): \(names)")
    }
  }
}
