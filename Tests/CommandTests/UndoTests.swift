// Goal: undo and redo go back and forth as in an editor while history only grows, deleted rows come back
// by their place, and edit gives a row other parts or none. Method: the built command on a small ledger;
// after each step the rows that are there are compared with those known by heart.
import Foundation
import Testing

@Suite struct UndoTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create A")
    try desk.done("categories create Food")
    for day in 1...3 {
      try desk.done("add expense \(day) --account A --category Food --on 2026-01-0\(day)")
    }
    return desk
  }

  private func rows(_ desk: Desk) throws -> [String] {
    try desk.done("list --json").json()["transactions"].array.map { $0.place ?? "" }
      .reversed()
  }

  private static let (one, two, three) = ("2026-01-01#1", "2026-01-02#2", "2026-01-03#3")

  @Test func undoGoesFurtherBackAndRedoForth() throws {
    let desk = try desk()
    let (one, two, three) = (Self.one, Self.two, Self.three)
    #expect(try desk.done("undo").output.contains("recorded \(three): A, -3.00 EUR, Food"))
    #expect(try rows(desk) == [one, two])
    #expect(try desk.done("undo").output.contains("recorded \(two)"))
    #expect(try rows(desk) == [one])
    #expect(try desk.done("redo").output.contains("Redid commit"))
    #expect(try rows(desk) == [one, two])
    #expect(try desk.done("redo").output.contains(three))
    #expect(try rows(desk) == [one, two, three])
    let none = try desk.run("redo")
    #expect(none.status == 1 && none.errors.contains("nothing to redo"), "\(none.errors)")
    // Back again, over what was undone and redone.
    for left in [[one, two], [one], []] {
      try desk.done("undo")
      #expect(try rows(desk) == left)
    }
    for there in [[one], [one, two], [one, two, three]] {
      try desk.done("redo")
      #expect(try rows(desk) == there)
    }
    // History has only grown: 3 rows, and each step.
    let history = try desk.done("history --limit 100 --json").json()["commits"].array
    #expect(history.count == history.first?["sequence"].int)
    #expect(history.count >= 3 + 2 + 2 + 3 + 3)
    #expect(try desk.done("verify").output.contains("No problems found"))
  }

  @Test func whatIsRecordedAfterAnUndoEndsRedoing() throws {
    let desk = try desk()
    try desk.done("undo")
    try desk.done("add expense 9 --account A --category Food --on 2026-01-09")
    #expect(try desk.run("redo").status == 1)
    #expect(try desk.done("undo").output.contains("-9.00"))
    #expect(try desk.done("undo").output.contains("-2.00"))
    #expect(try rows(desk) == [Self.one])
  }

  @Test func anUndoByItsNumberIsARedo() throws {
    let desk = try desk()
    let undo = try desk.done("undo --json").json()
    let number = try #require(undo["sequence"].int)
    #expect(try rows(desk).count == 2)
    let redo = try desk.done("undo \(number) --json").json()
    #expect(redo["redone"].int == undo["undone"].int)
    // Both times it is the commit that recorded the row.
    #expect(redo["commit"].text == undo["commit"].text)
    #expect(redo["commit"]["changes"][0]["operation"].string == "insert")
    #expect(try rows(desk).count == 3)
    // The commit counts again, so it is the first to go.
    #expect(try desk.done("undo --json").json()["undone"].int == undo["undone"].int)
  }

  @Test func anEditIsTakenBackAndDoneAgain() throws {
    let desk = try desk()
    try desk.done("edit \(Self.one) --amount 8 --note eight")
    #expect(try desk.done("undo").output.contains("note"))
    #expect(try desk.done("show \(Self.one)").output.contains("1.00"))
    try desk.done("redo")
    #expect(try desk.done("show \(Self.one)").output.contains("8.00"))
    // A hand that puts the old value back is no undo.
    try desk.done("edit \(Self.one) --amount 1")
    try desk.done("undo")
    #expect(try desk.done("show \(Self.one)").output.contains("8.00"))
  }

  @Test func whatStandsInTheWayIsSaid() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    #expect(try desk.run("undo 0").status == 1)
    #expect(try desk.run("redo").status == 1)
    try desk.done("accounts create A")
    try desk.done("add expense 1 --account A --on 2026-01-01")
    let sequence = try desk.done("history --limit 1 --json").json()["commits"][0]["sequence"].int
    try desk.done("edit 2026-01-01#1 --amount 2")
    let run = try desk.run("undo \(sequence ?? 0)")
    #expect(run.status == 1 && !run.errors.isEmpty)
  }

  @Test func obstaclesAreNamed() throws {
    let desk = try desk()
    func newest() throws -> Int {
      let commits = try desk.done("history --limit 1 --json").json()["commits"]
      return try #require(commits[0]["sequence"].int)
    }
    // A change, a later command, and what undoing the change says.
    for (change, later, obstacle) in [
      (
        "edit \(Self.one) --payee Rewe", "edit \(Self.one) --payee Edeka",
        "a later commit changed the payee of the transaction \(Self.one), “Edeka”"
      ),
      (
        "edit \(Self.two) --payee Rewe", "delete \(Self.two)",
        "deleted the transaction \(Self.two), “Rewe”"
      ),
      ("edit \(Self.three) --note x", "delete \(Self.three)", "the transaction \(Self.three), “x”"),
      (
        "add expense 4 --account A --on 2026-01-04", "edit 2026-01-04#4 --amount 5",
        "of the transaction 2026-01-04#4;"
      ),
      (
        "recurring add Rent expense 5 --account A --from 2026-02-01",
        "recurring edit Rent --note y",
        "of the recurring transaction “Rent”"
      ),
      (
        "recurring edit Rent --name Home", "recurring remove Home",
        "deleted the recurring transaction “Home”"
      ),
      ("budget add Food 100", "budget edit Food --note y", "the note of the budget “Food”"),
      ("budget edit Food --note z", "budget delete Food", "deleted the budget “Food”"),
      (
        "rules add R --contains x --tag y", "rules edit R --tag z", "the tags of the rule “R”"
      ),
      ("rules edit R --tag y", "rules remove R", "deleted the rule “R”"),
      (
        "rate add USD EUR 0.9 --on 2026-01-01", "rate add USD EUR 0.8 --on 2026-01-01", "USD/EUR of"
      ),
      ("assertions add A 5 --on 2026-01-31", "assertions add A 6 --on 2026-01-31", "2026-01-31"),
      ("accounts rename A B", "accounts rename B C", "the name of account “C”"),
    ] {
      try desk.done(change)
      let sequence = try newest()
      try desk.done(later)
      let run = try desk.run("undo \(sequence)")
      #expect(run.status == 1 && run.errors.contains(obstacle), "\(change): \(run.errors)")
      #expect(run.errors.firstMatch(of: /[0-9a-f]{8}-?[0-9a-f]{4}/) == nil, "\(run.errors)")
    }
  }

  @Test func usersOfWhatGoesAreNamed() throws {
    let desk = try desk()
    try desk.done("categories create Fun")
    let created = try desk.done("history --limit 1 --json").json()["commits"][0]["sequence"].int
    try desk.done("edit \(Self.one) --category Fun --payee Cinema")
    let run = try desk.run("undo \(created ?? 0)")
    #expect(
      run.errors.contains("category “Fun”: the transaction \(Self.one), “Cinema” uses it"),
      "\(run.errors)")
  }

  // MARK: Deleted rows

  @Test func aDeletedRowComesBackByItsPlace() throws {
    let desk = try desk()
    try desk.done("delete \(Self.two)")
    let done = try desk.done("undelete \(Self.two)")
    #expect(done.output.contains("\(Self.two): A, -2.00 EUR, Food"), "\(done.output)")
    #expect(try rows(desk).count == 3)
    let there = try desk.run("undelete \(Self.two)")
    #expect(there.status == 1 && there.errors.contains("isn't deleted"), "\(there.errors)")
    let never = try desk.run("undelete 2026-01-02#77")
    #expect(never.status == 1 && never.errors.contains("2026-01-02#77"))
    try desk.done("delete \(Self.three)")
    let moved = try desk.run("undelete 2026-01-04#3")
    #expect(moved.status == 1 && moved.errors.contains(Self.three), "\(moved.errors)")
    let odd = try desk.run("undelete Groceries")
    #expect(odd.status == 64 && odd.errors.contains("2026-02-14#123"), "\(odd.errors)")
  }

  @Test func theLastDeletionComesBackByItself() throws {
    let desk = try desk()
    #expect(try desk.run("undelete").status == 1)
    try desk.done("delete \(Self.one)")
    try desk.done("delete \(Self.two)")
    try desk.done("add expense 9 --account A --category Food --on 2026-01-09")
    #expect(try desk.done("undelete").output.contains(Self.two))
    #expect(try desk.done("undelete").output.contains(Self.one))
    #expect(try desk.run("undelete").status == 1)
    try desk.done("delete \(Self.one) \(Self.two)")
    let run = try desk.run("undelete")
    #expect(run.status == 1 && run.errors.contains(Self.one) && run.errors.contains("undo"))
    #expect(try rows(desk).count == 2)
  }

  // MARK: Parts

  private func postings(_ desk: Desk, _ place: String) throws -> Set<String> {
    let postings = try desk.done("show \(place) --json").named()["transaction"]["postings"]
    return Set(
      postings.array.map {
        "\($0["account"].string ?? $0["category"].string ?? "") \($0["amount"].string ?? "")"
      })
  }

  @Test func editGivesARowOtherParts() throws {
    let desk = try desk()
    try desk.done("categories create Household")
    try desk.done("edit \(Self.one) --part Food=12.50 --part Household=7.30")
    #expect(
      try postings(desk, Self.one) == ["A -19.80", "Food 12.50", "Household 7.30"])
    try desk.done("edit \(Self.one) --part Food=1 --part Household=2 --part Food=3 --note three")
    #expect(try postings(desk, Self.one).contains("A -6.00"))
    let amount = try desk.run("edit \(Self.one) --amount 5")
    #expect(amount.status == 64 && amount.errors.contains("--part"), "\(amount.errors)")
    let none = try desk.run("edit \(Self.one) --no-category")
    #expect(none.status == 64 && none.errors.contains("--part"), "\(none.errors)")
    try desk.done("edit \(Self.one) --part Household=4")
    #expect(try postings(desk, Self.one) == ["A -4.00", "Household 4.00"])
    try desk.done("accounts create B")
    try desk.done("edit \(Self.one) --account B --part Household=4 --part Food=1")
    #expect(try postings(desk, Self.one) == ["B -5.00", "Household 4.00", "Food 1.00"])
  }

  @Test func editTakesACategoryAway() throws {
    let desk = try desk()
    try desk.done("edit \(Self.one) --no-category")
    #expect(try desk.done("list --uncategorised --count").output == "1\n")
    let both = try desk.run("edit \(Self.one) --no-category --category Food")
    #expect(both.status == 64)
    try desk.done("accounts create B")
    try desk.done("add transfer 5 --account A --to B --on 2026-01-05")
    for line in ["--no-category", "--part Food=5", "--category Food"] {
      let run = try desk.run("edit 2026-01-05#4 \(line)")
      #expect(run.status == 64 && run.errors.contains("transfer"), "\(run.errors)")
    }
    let mixed = try desk.run("edit \(Self.one) --part Food=5 --amount 5")
    #expect(mixed.status == 64 && mixed.errors.contains("--amount"), "\(mixed.errors)")
    let wrong = try desk.run("edit \(Self.one) --part Food")
    #expect(wrong.status == 64 && wrong.errors.contains("Food=12.50"), "\(wrong.errors)")
  }
}
