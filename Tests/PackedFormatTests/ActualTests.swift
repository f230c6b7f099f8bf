// Goal: a budget of Actual is read as what it says. Method: databases with the tables that Actual has, each
// about one thing, in a zip as Actual exports it.

import DaybookBookkeeping
import DaybookFormats
import Testing

@testable import DaybookPackedFormats

@Suite struct ActualTests {
  private func read(_ statements: String, currency: String? = "EUR") throws -> FileContents {
    let database = Packing.database(ActualSample.tables + statements)
    let zip = Packing.zip([
      ("db.sqlite", database), ("metadata.json", Array(#"{"id":"b"}"#.utf8)),
    ])
    var options = ReadingOptions()
    options.currency = currency.flatMap { Currency.iso($0) }
    let file = RawFile(zip, name: "2026-Budget.zip")
    #expect(Actual.recognise(FileHead(file)) == .certain)
    let found = FileFormats.candidates(file, among: PackedFormats.all)
    #expect(found.map { $0.name } == ["actual"])
    return try Actual.read(file, options)
  }

  private func euro(_ units: Int64) throws -> Money {
    Money(units, try #require(Currency.iso("EUR")))
  }

  @Test func transactionsOfEveryKind() throws {
    let contents = try read(
      """
      INSERT INTO notes VALUES ('account-a1', 'main'), ('c1', 'eat');
      INSERT INTO transactions (id, acct, amount, date, starting_balance_flag, category, reconciled)
        VALUES ('t0', 'a1', 100000, 20240101, 1, 'c3', 1);
      INSERT INTO transactions (id, acct, amount, date, category, description, notes, cleared,
        imported_description, financial_id) VALUES ('t1', 'a1', -2350, 20240102, 'old', 'merged',
        'Bread  and #milk ##no', 0, 'REWE SAGT DANKE', 'F1');
      INSERT INTO transactions (id, acct, amount, date, category, description)
        VALUES ('t2', 'a1', 250000, 20240131, 'c3', 'p2');
      INSERT INTO transactions (id, acct, amount, date, description, transferred_id)
        VALUES ('t3', 'a1', -5000, 20240201, 'p3', 't4'), ('t4', 'a2', 5000, 20240201, '', 't3');
      INSERT INTO transactions (id, acct, amount, date, tombstone) VALUES ('t5', 'a1', 1, 20240201, 1);
      INSERT INTO transactions (id, acct, amount, date) VALUES ('t6', 'a2', -700, 20240203);
      """)
    #expect(contents.badLines == [] && contents.notices == [])
    let books = try #require(contents.books)
    #expect(books.accounts.map(\.name) == ["Checking", "Savings", "checking (2)"])
    #expect(books.accounts[0].note == "main" && books.accounts[2].isClosed)
    #expect(
      books.categories.map(\.path) == [
        ["Usual"], ["Usual", "Food"], ["Usual", "Rent"], ["Salary"],
      ])
    #expect(books.categories[1].note == "eat")
    #expect(Set(books.categories.map(\.identity)).count == 4)
    let all = books.transactions
    #expect(all.map(\.reference) == ["t0", "t1", "t2", "t3", "t6"].map { "actual:" + $0 })
    #expect(all[0].postings[1].place == .opening && all[0].status == .reconciled)
    let food = BookPosting.Place.category(["Usual", "Food"], .expense)
    #expect(
      all[1].postings == [
        BookPosting(.account("Checking"), try euro(-2350)), BookPosting(food, try euro(2350)),
      ])
    #expect(all[1].day == Day("2024-01-02") && all[1].status == .pending)
    #expect(all[1].payee == "Rewe" && all[1].description == "Bread and #milk ##no")
    #expect(all[1].tags == ["milk"] && all[1].note == "REWE SAGT DANKE" && all[1].code == "F1")
    #expect(all[2].postings[1].place == .category(["Salary"], .income))
    #expect(all[3].postings.map(\.place) == [.account("Checking"), .account("Savings")])
    #expect(all[4].postings[1] == BookPosting(.category([], .expense), try euro(700)))
  }

  @Test func splits() throws {
    let contents = try read(
      """
      INSERT INTO transactions (id, acct, amount, date, isParent) VALUES
        ('s', 'a1', -3000, 20240105, 1), ('bad', 'a1', -100, 20240106, 1);
      INSERT INTO transactions (id, acct, amount, date, isChild, parent_id, category, notes,
        transferred_id) VALUES ('s1', 'a1', -1000, 20240105, 1, 's', 'c1', 'veg', NULL),
        ('s2', 'a1', -2000, 20240105, 1, 's', NULL, NULL, 'o'),
        ('bad1', 'a1', -99, 20240106, 1, 'bad', 'c1', NULL, NULL),
        ('lost', 'a1', -1, 20240106, 1, 'gone', 'c1', NULL, NULL);
      INSERT INTO transactions (id, acct, amount, date, transferred_id) VALUES
        ('o', 'a2', 2000, 20240105, 's2'), ('x', 'a1', -5, 20240107, 'y'),
        ('y', 'a2', 6, 20240107, 'x');
      """)
    let books = try #require(contents.books)
    #expect(books.transactions.map(\.reference) == ["actual:s", "actual:x", "actual:y"])
    #expect(
      books.transactions[0].postings == [
        BookPosting(.account("Checking"), try euro(-3000)),
        BookPosting(.category(["Usual", "Food"], .expense), try euro(1000), note: "veg"),
        BookPosting(.account("Savings"), try euro(2000)),
      ])
    #expect(books.transactions[1].postings[1].place == .outside)
    #expect(contents.badLines.map(\.code) == [.amount])
    #expect(contents.badLines.first?.reason.contains("bad") == true)
    #expect(contents.notices.count == 3, "two transfers, one orphan: \(contents.notices)")
  }

  @Test("A transfer that is linked on one side only is booked once, in any order of the rows")
  func oneSided() throws {
    let first = "('l1', 'a2', 1500, 20240116, NULL)"
    let second = "('l2', 'a1', -1500, 20240116, 'l1')"
    for rows in ["\(first), \(second)", "\(second), \(first)"] {
      let contents = try read(
        "INSERT INTO transactions (id, acct, amount, date, transferred_id) VALUES \(rows);")
      let transactions = try #require(contents.books).transactions
      #expect(contents.badLines == [] && contents.notices == [] && transactions.count == 1)
      let sums = Dictionary(
        uniqueKeysWithValues: transactions[0].postings.map { ($0.place, $0.amount) })
      #expect(
        sums == [.account("Checking"): try euro(-1500), .account("Savings"): try euro(1500)])
    }
  }

  @Test("Two rows that link the same one are booked without losing money")
  func twiceLinked() throws {
    let contents = try read(
      """
      INSERT INTO transactions (id, acct, amount, date, transferred_id) VALUES
        ('l1', 'a2', 1500, 20240116, 'l2'), ('l2', 'a1', -1500, 20240116, 'l1'),
        ('l3', 'a1', -1500, 20240116, 'l1');
      """)
    let books = try #require(contents.books)
    #expect(books.transactions.count == 2 && contents.notices.count == 1)
    let out = books.transactions.flatMap(\.postings).filter { $0.place == .account("Checking") }
    #expect(out.map(\.amount) == [try euro(-1500), try euro(-1500)])
  }

  @Test("A transfer to an account off the budget keeps its category", arguments: [true, false])
  func offBudget(isOnFirst: Bool) throws {
    let on = "('o', 'a1', -1000, 20240116, 'i', 'c1')"
    let off = "('i', 'h', 1000, 20240116, 'o', NULL)"
    let contents = try read(
      """
      INSERT INTO accounts (id, name, offbudget) VALUES ('h', 'House', 1);
      INSERT INTO transactions (id, acct, amount, date, transferred_id, category) VALUES
        \(isOnFirst ? "\(on), \(off)" : "\(off), \(on)"), ('s', 'a1', -500, 20240117, 't', 'c1'),
        ('t', 'a2', 500, 20240117, 's', NULL);
      """)
    let books = try #require(contents.books)
    #expect(contents.badLines == [] && contents.notices.count == 1, "\(contents.notices)")
    #expect(contents.notices.first?.message.hasPrefix("1 transfer between") == true)
    #expect(
      Set(books.transactions[0].postings) == [
        BookPosting(.account("Checking"), try euro(-1000)),
        BookPosting(.account("House"), try euro(1000)),
        BookPosting(.category(["Usual", "Food"], .expense), try euro(1000)),
        BookPosting(.outside, try euro(-1000)),
      ])
    // Between two accounts in the budget, a category has no meaning.
    #expect(books.transactions[1].postings.count == 2)
  }

  private static func table(_ name: String) -> String {
    "CREATE TABLE \(name) (id TEXT PRIMARY KEY, buffered INTEGER DEFAULT 0);"
  }

  /// The amounts of an envelope budget are assigned; only the newest month says whether overspending
  /// is carried.
  @Test func assignments() throws {
    let contents = try read(
      """
      \(Self.table("zero_budget_months"))
      INSERT INTO zero_budget_months VALUES ('2024-01', 500), ('2024-02', 0);
      INSERT INTO zero_budgets VALUES ('1', 202401, 'c1', 30000, 0), ('2', 202402, 'c1', -100, 1),
        ('3', 202401, 'c2', 0, 0), ('4', 202401, 'c3', 5, 0);
      """)
    let books = try #require(contents.books)
    #expect(books.budgets.isEmpty)
    let food: CategoryPath = ["Usual", "Food"]
    #expect(
      books.assignments.map(\.amount) == [try euro(30_000), try euro(-100)]
        && books.assignments.map(\.category) == [food, food]
        && books.assignments.map { "\($0.month)" } == ["2024-01", "2024-02"])
    #expect(books.categories.filter(\.carriesOverspending).map(\.path) == [food])
    let words = [
      "The budgets of 1", "1 categories carry", "The money held for the next month in 1",
    ]
    for start in words {
      #expect(contents.notices.contains { $0.message.hasPrefix(start) }, "\(contents.notices)")
    }
  }

  @Test func budgets() throws {
    let cells = """
      INSERT INTO reflect_budgets VALUES ('1', 202401, 'c1', 30000, 0), ('2', 202402, 'c1', 30000, 0),
        ('3', 202404, 'c1', 35000, 1), ('4', 202401, 'c2', 0, 0), ('5', 202401, 'c3', 5, 0);
      INSERT INTO zero_budgets VALUES ('1', 202401, 'c2', 90000, 0);
      INSERT INTO preferences VALUES ('budgetType', 'tracking');
      """
    let books = try #require(try read(cells).books)
    #expect(books.assignments.isEmpty)
    let budgets = books.budgets
    #expect(budgets.map(\.categories) == [[["Usual", "Food"]]])
    let budget = try #require(budgets.first?.budget)
    #expect(budget.name == "Usual:Food" && budget.amount.minorUnits == 30_000)
    #expect(budget.start == Day("2024-01-01") && budget.end == Day("2024-05-01"))
    #expect(budget.steps.map(\.day) == [Day("2024-03-01"), Day("2024-04-01")])
    #expect(budget.steps.map(\.amount.minorUnits) == [0, 35_000] && budget.rollover == .both)
    let report = try read(
      """
      INSERT INTO preferences VALUES ('budgetType', 'report');
      INSERT INTO reflect_budgets VALUES ('1', 202401, 'c2', 90000, 0);
      """)
    #expect(report.books?.budgets.map(\.budget.name) == ["Usual:Rent"])
    #expect(report.books?.budgets.first?.budget.rollover == Rollover.none)
  }

  @Test func schedules() throws {
    func schedule(_ id: String, _ date: String, amount: String = "-90000") -> String {
      let conditions =
        #"[{"op":"is","field":"description","value":"p1"},{"op":"is","field":"acct","value":"a1"},"#
        + #"{"op":"isapprox","field":"date","value":\#(date)},"#
        + #"{"op":"is","field":"amount","value":\#(amount)}]"#
      let actions =
        #"[{"op":"link-schedule","value":"\#(id)"},{"op":"set","field":"category","value":"c2"}]"#
      return """
        INSERT INTO rules (id, conditions, actions) VALUES ('r\(id)', '\(conditions)', '\(actions)');
        INSERT INTO schedules (id, rule, name) VALUES ('\(id)', 'r\(id)', '\(id)');
        INSERT INTO schedules_next_date VALUES ('n\(id)', '\(id)', 20240215, 1, 20240215, 1);
        """
    }
    let contents = try read(
      schedule("Rent", #"{"frequency":"monthly","start":"2024-01-15","interval":1,"patterns":[]}"#)
        + schedule(
          "Twice",
          #"{"frequency":"monthly","start":"2024-01-15","patterns":[{"type":"day","value":10},"#
            + #"{"type":"day","value":-1}],"endMode":"on_date","endDate":"2024-12-31"}"#,
          amount: #"{"num1":-100,"num2":-300}"#)
        + schedule("Weekly", #"{"frequency":"weekly","start":"2024-02-15","interval":2}"#)
        + schedule("Once", #""2024-02-15""#)
        + schedule(
          "Monday",
          #"{"frequency":"monthly","start":"2024-02-15","patterns":[{"type":"MO","value":1}]}"#))
    let schedules = try #require(contents.books?.schedules)
    #expect(schedules.map(\.name) == ["Rent", "Twice", "Twice (2)", "Weekly"])
    #expect(
      schedules.map(\.schedule) == [
        Schedule(.month), Schedule(.month), Schedule(.month, monthEnd: .lastDay),
        Schedule(every: 2, .week),
      ])
    #expect(
      schedules.map(\.start)
        == ["2024-02-15", "2024-03-10", "2024-02-29", "2024-02-15"].map {
          Day($0)
        })
    #expect(schedules[1].end == Day("2024-12-31"))
    #expect(schedules[1].template.postings[0].amount.minorUnits == -200)
    #expect(schedules[0].template.payee == "Rewe")
    let rent = BookPosting(.category(["Usual", "Rent"], .expense), try euro(90_000))
    #expect(schedules[0].template.postings[1] == rent)
    #expect(contents.notices.count == 2, "\(contents.notices)")
  }

  @Test func theCurrencyIsAskedFor() throws {
    let error = #expect(throws: InterchangeError.self) { try read("", currency: nil) }
    #expect(error?.remedy.contains("--currency") == true)
    let yen = try read(
      """
      INSERT INTO preferences VALUES ('defaultCurrencyCode', 'JPY');
      INSERT INTO transactions (id, acct, amount, date) VALUES ('t1', 'a1', -12300, 20240101),
        ('t2', 'a1', -12345, 20240101);
      """, currency: nil)
    #expect(yen.books?.transactions.first?.postings.first?.amount.description == "-123 JPY")
    #expect(yen.badLines.map(\.code) == [.amount])
  }

  @Test func whatIsNotActualsIsRefused() {
    let database = Packing.database("CREATE TABLE a (b)")
    let view = Packing.database(
      "CREATE VIEW accounts AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        + "SELECT i AS id, i AS name FROM n")
    for bytes in [database, view, Array("SQLite format 3\u{0}x".utf8), []] {
      let file = RawFile(Packing.zip([("db.sqlite", bytes)]), name: "a.zip")
      #expect(throws: InterchangeError.self) { try Actual.read(file, ReadingOptions()) }
    }
    let other = RawFile(Packing.zip([("a.txt", [1])]), name: "a.zip")
    #expect(Actual.recognise(FileHead(other)) == .no)
    #expect(throws: InterchangeError.self) { try Actual.read(other, ReadingOptions()) }
  }

  @Test func damagedDatabasesNeverTrap() {
    let database = Packing.database(
      ActualSample.tables
        + "INSERT INTO transactions (id, acct, amount, date) VALUES ('t1', 'a1', -1, 20240101);")
    var options = ReadingOptions()
    options.currency = Currency.iso("EUR")
    var place = 0
    while place < database.count {
      var damaged = database
      damaged[place] = damaged[place] &+ 0x55
      let zip = Packing.zip([("db.sqlite", damaged)], stores: true)
      _ = try? Actual.read(RawFile(zip, name: "a.zip"), options)
      place += 41
    }
  }
}
