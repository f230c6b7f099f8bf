// Goal: every condition, deed and order that rules have can be given and changed by commands. Method:
// the rows that a rule would change are asked of `rules preview`, and known by hand.
import Daybook
import Foundation
import Testing

@Suite struct RuleOptionsTests {
  /// Uncategorised rows, one a day from 2026-02-01 on.
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    for name in ["Cash", "Checking"] { try desk.done("accounts create \(name)") }
    try desk.done("accounts create Dollars --currency USD")
    for name in ["Rides", "Food"] { try desk.done("categories create \(name)") }
    try desk.done("categories create Pay --kind income")
    for words in [
      ["expense", "10", "--account", "Cash", "--payee", "Uber Trip", "--on", "2026-02-01"],
      ["expense", "20", "--account", "Checking", "--description", "to UBER", "--on", "2026-02-02"],
      ["expense", "30", "--account", "Cash", "--note", "uber", "--on", "2026-02-03"],
      ["income", "40", "--account", "Checking", "--payee", "Uber Trip", "--on", "2026-02-04"],
      ["expense", "15", "--account", "Dollars", "--payee", "Bolt", "--on", "2026-02-05"],
    ] {
      let run = try desk.run(["add"] + words)
      try #require(run.status == 0, "\(run.errors)")
    }
    return desk
  }

  /// The days in February of the rows that rules would change.
  private func days(_ desk: Desk, _ rules: String...) throws -> [Int] {
    let run = try desk.run(["rules", "preview", "--json"] + rules)
    return try run.json()["rows"].array.compactMap { $0["ruled"]["day"].string?.suffix(2) }
      .compactMap { Int($0) }.sorted()
  }

  /// The names of the rules in their order.
  private func order(_ desk: Desk) throws -> [String?] {
    try desk.done("rules list --json").json()["rules"].array.map { $0["name"].string }
  }

  @Test func conditionsHoldOfTheRowsTheyName() throws {
    let desk = try desk()
    let cases: [([String], [Int], String)] = [
      (["--contains", "uber"], [1, 2, 3, 4], "text contains “uber”"),
      (["--equals", "UBER"], [3], "text equals “UBER”"),
      (["--starts", "uber"], [1, 3, 4], "text starts “uber”"),
      (["--pattern", "*o ub?r"], [2], "text pattern “*o ub?r”"),
      (["--where", "payee starts uber"], [1, 4], "payee starts “uber”"),
      (["--where", "Note Equals Uber"], [3], "note equals “Uber”"),
      (["--where", "description pattern to*"], [2], "description pattern “to*”"),
      (["--where", "text contains ber tr"], [1, 4], "text contains “ber tr”"),
      (["--account", "Cash"], [1, 3], "on Cash"),
      (
        ["--account", "cash", "--account", "Dollars", "--any"], [1, 3, 5], "on Cash or on Dollars"
      ),
      (["--type", "income"], [4], "income"),
      (
        ["--type", "expense", "--contains", "uber"], [1, 2, 3], "text contains “uber” and expense"
      ),
      (["--least", "20", "--most", "30"], [2, 3], "at least 20.00, at most 30.00 EUR"),
      (["--most", "10"], [1], "at most 10.00 EUR"),
      (["--least", "15 USD"], [5], "at least 15.00 USD"),
      (["--least", "15", "--account", "Dollars"], [5], "on Dollars and at least 15.00 USD"),
      (
        ["--contains", "bolt", "--starts", "to", "--any"], [2, 5],
        "text contains “bolt” or text starts “to”"
      ),
      (
        ["--contains", "uber", "--account", "Cash", "--all"], [1, 3],
        "text contains “uber” and on Cash"
      ),
    ]
    for (flags, expected, words) in cases {
      let added = try desk.run(["rules", "add", "One", "--tag", "seen"] + flags)
      #expect(added.status == 0, "\(flags): \(added.errors)")
      #expect(try days(desk) == expected, "\(flags)")
      let list = try desk.done("rules list").output
      #expect(list.contains(words), "\(flags): \(list)")
      try desk.done("rules remove One")
    }
  }

  @Test func conditionsAreListedForScripts() throws {
    let desk = try desk()
    try desk.run([
      "rules", "add", "All", "--where", "payee starts Uber", "--account", "Cash", "--type",
      "expense", "--least", "5", "--any", "--category", "Rides", "--description", "A ride",
      "--tag", "a", "--tag", "b", "--continues",
    ])
    let answer = try desk.done("rules list --json").json()
    let rule: CategoryRule = try answer["rules"][0].decoded()
    let cash = try #require(
      rule.conditions.compactMap { if case .account(let id) = $0 { id } else { nil } }.first)
    #expect(
      rule.conditions == [
        .text(.payee, .starts, "Uber"), .account(cash), .type(.expense),
        .amount(from: Money(5_00, .eur), through: nil),
      ])
    #expect(answer["names"]["\(cash)"].string == "Cash")
    #expect(rule.matchesAny && rule.continues && rule.isEnabled)
    let category = try #require(rule.category)
    #expect(answer["names"]["\(category)"].string == "Rides" && rule.description == "A ride")
    #expect(rule.tags == ["a", "b"])
    let line = try #require(try desk.done("rules list").lines.first { $0.contains("Uber") })
    for word in ["A ride", "a, b", "continues"] { #expect(line.contains(word), "\(line)") }
  }

  @Test func deedsAreDoneInOrderUntilARuleStops() throws {
    let desk = try desk()
    try desk.run([
      "rules", "add", "Tagging", "--contains", "uber", "--tag", "ride", "--description",
      "A ride", "--continues",
    ])
    try desk.run(["rules", "add", "Cabs", "--where", "payee starts uber", "--category", "Rides"])
    try desk.done("rules add Last --contains uber --tag late --category Food")
    let rows = try desk.done("rules preview --json").named()["rows"].array
    let after = rows.first { $0["ruled"]["day"].string == "2026-02-01" }?["ruled"]
    #expect(after?["description"].string == "A ride")
    #expect(after?["tags"].strings == ["ride"])
    #expect(after?["categorizedBy"].string == "Cabs")
    let text = try desk.done("rules preview").output
    #expect(text.contains("“A ride” #ride"), "\(text)")
    try desk.done("rules edit Cabs --continues")
    let more = try desk.done("rules preview --json").named()["rows"].array
    let then = more.first { $0["ruled"]["day"].string == "2026-02-01" }?["ruled"]
    #expect(then?["tags"].strings == ["ride", "late"])
    #expect(then?["categorizedBy"].string == "Cabs")
    try desk.done("rules edit Tagging --stop")
    #expect(
      try desk.done("rules preview --json").json()["rows"][0]["ruled"]["tags"].strings == ["ride"])
  }

  @Test func rulesAreMoved() throws {
    let desk = try desk()
    for name in ["A", "B", "C"] { try desk.done("rules add \(name) --contains uber --tag \(name)") }
    let moves: [(String, [String])] = [
      ("rules move C --first", ["C", "A", "B"]), ("rules move C --last", ["A", "B", "C"]),
      ("rules move C --before b", ["A", "C", "B"]), ("rules move A --after C", ["C", "A", "B"]),
      ("rules move A --before A-", ["C", "A", "B"]),
      ("rules add D --contains x --tag d --after C", ["C", "D", "A", "B"]),
      ("rules add E --contains x --tag e --first", ["E", "C", "D", "A", "B"]),
      ("rules add F --contains x --tag f", ["E", "C", "D", "A", "B", "F"]),
    ]
    for (command, expected) in moves {
      let run = try desk.run(command)
      #expect((run.status == 0) == !command.contains("A-"), "\(command): \(run.errors)")
      #expect(try order(desk) == expected, "\(command)")
    }
    #expect(try desk.done("rules move B --first").output == "Moved rule “B” to position 1 of 6.\n")
    #expect(try desk.done("rules move B --last --json").json()["place"].int == 6)
    // The first that holds counts, and stops the others.
    let rows = try desk.done("rules preview C B --json").json()["rows"]
    #expect(rows[0]["ruled"]["tags"].strings == ["C"])
  }

  @Test func rulesAreEditedTurnedOffAndNamed() throws {
    let desk = try desk()
    try desk.done("rules add One --contains uber --tag a --tag b --category Rides --description x")
    try desk.done("rules add Two --account Dollars --category Food")
    #expect(try days(desk) == [1, 2, 3, 4, 5])
    #expect(try days(desk, "two") == [5])
    try desk.done("rules disable One")
    #expect(try days(desk) == [5])
    #expect(try desk.done("rules list").lines.contains { $0.contains("One") && $0.contains("off") })
    let off = try desk.run("rules apply One")
    #expect(off.status == 1 && off.errors.contains("daybook rules enable \"One\""), "\(off.errors)")
    try desk.done("rules enable one two")
    #expect(try days(desk) == [1, 2, 3, 4, 5])
    try desk.done("rules edit One --name First --starts to --no-tags --no-description")
    let rule = try desk.done("rules list --json").named()["rules"][0]
    #expect(rule["name"].string == "First")
    #expect(rule["conditions"].text == #"[{"match":"starts","text":"to"}]"#)
    #expect(rule["tags"].value == nil && rule["description"].value == nil)
    #expect(rule["category"].string == "Rides")
    try desk.done("rules edit First --no-category --tag c --description y")
    let bare = try desk.done("rules list --json").json()["rules"][0]
    #expect(bare["category"].value == nil)
    #expect(bare["tags"].strings == ["c"] && bare["description"].string == "y")
    #expect(bare["conditions"].text == rule["conditions"].text)
    // Only what is named is applied.
    #expect(try desk.done("rules apply Two --json").json()["outcomes"][0]["rows"].int == 1)
    #expect(try days(desk) == [2])
    #expect(try desk.done("list --category Food --json").json()["count"].int == 1)
  }

  @Test func whatIsWrongSaysWhatToDo() throws {
    let desk = try desk()
    try desk.done("rules add Rides --contains uber --tag a")
    let before = try desk.done("rules list --json").output
    let cases: [([String], Int32, String)] = [
      (["add", "Two", "--tag", "a"], 1, "--contains TEXT"),
      (["add", "rides", "--contains", "x"], 1, "daybook rules edit"),
      (["add", "Two", "--where", "payee Uber"], 64, "payee starts Uber"),
      (["add", "Two", "--where", "colour is red"], 64, "description, payee or note"),
      (["add", "Two", "--account", "Csh"], 1, "Did you mean “Cash”?"),
      (["add", "Two", "--contains", "x", "--category", "Fod"], 1, "Did you mean “Food”?"),
      (["add", "Two", "--least", "5 EUR", "--most", "6 USD"], 64, "both in the same"),
      (["add", "Two", "--least=-5"], 64, "--type"),
      (["add", "Two", "--least", "6", "--most", "5"], 64, "Swap the two amounts"),
      (["add", "Two", "--contains", "x", "--any", "--all"], 64, "--all"),
      (["add", "Two", "--contains", "x", "--first", "--last"], 64, "--first"),
      (["add", "Two", "--contains", "x", "--after", "Rids"], 1, "Did you mean “Rides”?"),
      (["add", "Two", "--type", "transfer"], 64, "income"),
      (["edit", "Rides"], 64, "--category NAME"),
      (["edit", "Rids", "--tag", "b"], 1, "Did you mean “Rides”?"),
      (["edit", "Rides", "--tag", "b", "--no-tags"], 64, "--no-tags"),
      (["move", "Rides"], 64, "--before RULE"),
      (["move", "Rides", "--after", "Rides"], 64, "another rule"),
      (["move", "Rids", "--first"], 1, "Did you mean “Rides”?"),
      (["disable", "Rides", "Rids"], 1, "Did you mean “Rides”?"),
      (["enable"], 64, "rules"),
      (["apply", "Rids"], 1, "Did you mean “Rides”?"),
      (["preview", "Rids"], 1, "Did you mean “Rides”?"),
      (["remove", "Rids"], 1, "Did you mean “Rides”?"),
    ]
    for (words, status, remedy) in cases {
      let run = try desk.run(["rules"] + words)
      #expect(run.status == status, "\(words): \(run.status) \(run.output) \(run.errors)")
      #expect(run.errors.contains(remedy), "\(words): \(run.errors)")
      #expect(try desk.done("rules list --json").output == before, "\(words)")
    }
  }
}
