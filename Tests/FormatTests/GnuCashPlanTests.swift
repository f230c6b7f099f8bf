// Goal: what GnuCash plans, schedules and budgets, is read as series and budgets where Daybook has the same.
// Method: as in GnuCashTests.

import DaybookBookkeeping
import Testing

@testable import DaybookFormats

@Suite struct GnuCashPlanTests {
  private func template(_ owner: Int, _ account: Int, credit: String, debit: String) -> String {
    """
    <trn:split>
    <split:value>0/100</split:value><split:quantity>0/1</split:quantity>
    <split:account type="guid">\(GnuCashBook.id(owner))</split:account>
    <split:slots><slot><slot:key>sched-xaction</slot:key><slot:value type="frame">
    <slot><slot:key>account</slot:key><slot:value type="guid">\(GnuCashBook.id(account))\
    </slot:value></slot>
    \(credit)\(debit)
    </slot:value></slot></split:slots></trn:split>
    """
  }

  private func numeric(_ side: String, _ value: String) -> String {
    "<slot><slot:key>\(side)-numeric</slot:key><slot:value type=\"numeric\">\(value)"
      + "</slot:value></slot>"
  }

  private func formula(_ side: String, _ value: String) -> String {
    "<slot><slot:key>\(side)-formula</slot:key><slot:value type=\"string\">\(value)"
      + "</slot:value></slot>"
  }

  private func rent(_ owner: Int, _ amount: String) -> String {
    """
    <gnc:transaction version="2.0.0"><trn:id type="guid">\(GnuCashBook.id(60))</trn:id>
    <trn:currency>\(GnuCashBook.commodity("EUR"))</trn:currency>
    <trn:description>Rent</trn:description><trn:splits>
    \(template(owner, 3, credit: formula("credit", amount), debit: formula("debit", "")))
    \(template(owner, 5, credit: numeric("credit", "0/1"), debit: numeric("debit", "82500/100")))
    </trn:splits></gnc:transaction>
    """
  }

  private func recurrence(
    _ period: String, _ start: String, every count: Int = 1, weekend: String = ""
  ) -> String {
    "<recurrence:mult>\(count)</recurrence:mult><recurrence:period_type>\(period)"
      + "</recurrence:period_type><recurrence:start><gdate>\(start)</gdate></recurrence:start>"
      + (weekend.isEmpty ? "" : "<recurrence:weekend_adj>\(weekend)</recurrence:weekend_adj>")
  }

  private func schedule(
    _ name: String, owner: Int, more: String = "", enabled: String = "y", _ recurrences: String...
  ) -> String {
    let when = recurrences.map { "<gnc:recurrence version=\"1.0.0\">\($0)</gnc:recurrence>" }
    return """
      <gnc:schedxaction version="2.0.0"><sx:id type="guid">\(GnuCashBook.id(70))</sx:id>
      <sx:name>\(name)</sx:name><sx:enabled>\(enabled)</sx:enabled>
      <sx:start><gdate>2022-01-31</gdate></sx:start>\(more)
      <sx:templ-acct type="guid">\(GnuCashBook.id(owner))</sx:templ-acct>
      <sx:schedule>\(when.joined())</sx:schedule></gnc:schedxaction>
      """
  }

  @Test func schedules() throws {
    var book = GnuCashBook.usual
    book.templates = [rent(80, "825.00"), rent(81, "rent * 2")]
    let last = "<sx:last><gdate>2022-11-30</gdate></sx:last>"
    book.rest = [
      schedule("Rent", owner: 80, more: last, recurrence("month", "2022-01-31")),
      schedule(
        "Twice", owner: 80, more: "<sx:end><gdate>2023-06-30</gdate></sx:end>",
        recurrence("week", "2022-02-07", every: 2), recurrence("year", "2022-03-01")),
      schedule(
        "Three more", owner: 80, more: last + "<sx:rem-occur>3</sx:rem-occur>",
        recurrence("end of month", "2022-01-15", every: 3, weekend: "back")),
      schedule("Off", owner: 80, enabled: "n", recurrence("month", "2022-01-31")),
      schedule("Formula", owner: 81, recurrence("month", "2022-01-31")),
      schedule("Weekday", owner: 80, recurrence("nth weekday", "2022-01-31")),
      schedule("Empty", owner: 82, recurrence("month", "2022-01-31")),
    ]
    let contents = try book.read()
    #expect(contents.badLines == [])
    let schedules = try #require(contents.books?.schedules)
    #expect(schedules.map(\.name) == ["Rent", "Twice", "Twice (2)", "Three more"])
    #expect(
      schedules.map(\.schedule) == [
        Schedule(.month, monthEnd: .lastDay), Schedule(every: 2, .week), Schedule(.year),
        Schedule(every: 3, .month, monthEnd: .lastDay),
      ])
    #expect(
      schedules.map(\.start) == [
        Day("2022-12-31"), Day("2022-02-07"), Day("2022-03-01"), Day("2023-01-31"),
      ])
    #expect(
      schedules.map(\.end) == [nil, Day("2023-06-30"), Day("2023-06-30"), Day("2023-07-31")])
    let euro = try #require(Currency.iso("EUR"))
    #expect(
      schedules[0].template.postings == [
        BookPosting(.account("Checking"), Money(-82_500, euro)),
        BookPosting(.category(["Food"], .expense), Money(82_500, euro)),
      ])
    let notices = contents.notices.map(\.message)
    for word in ["“Off” was skipped", "weekend rule", "is a formula", "“nth weekday”"] {
      #expect(notices.contains { $0.contains(word) }, "\(word)")
    }
    #expect(notices.contains { $0.contains("“Empty” was skipped") })
  }

  @Test func budgets() throws {
    var book = GnuCashBook.usual
    func frame(_ account: Int, _ amounts: [(Int, String)]) -> String {
      let slots = amounts.map {
        "<slot><slot:key>\($0.0)</slot:key><slot:value type=\"numeric\">\($0.1)</slot:value></slot>"
      }
      return "<slot><slot:key>\(GnuCashBook.id(account))</slot:key><slot:value type=\"frame\">"
        + slots.joined() + "</slot:value></slot>"
    }
    func budget(_ name: String, _ period: String, _ slots: String) -> String {
      """
      <gnc:budget version="2.0.0"><bgt:id type="guid">\(GnuCashBook.id(90))</bgt:id>
      <bgt:name>\(name)</bgt:name><bgt:description>Plan</bgt:description>
      <bgt:num-periods>12</bgt:num-periods>
      <bgt:recurrence version="1.0.0">\(period)</bgt:recurrence><bgt:slots>\(slots)
      <slot><slot:key>notes</slot:key><slot:value type="frame"></slot:value></slot>
      </bgt:slots></gnc:budget>
      """
    }
    let monthly = (0..<12).map { ($0, $0 < 6 ? "2500/1" : "300050/100") }
    book.rest = [
      budget(
        "2024", recurrence("month", "2024-01-01"),
        frame(5, monthly) + frame(6, [(1, "100/1")]) + frame(8, monthly)),
      budget("Quarters", recurrence("month", "2024-01-31", every: 3), frame(5, monthly)),
      budget("Fortnights", recurrence("week", "2024-01-05", every: 2), frame(5, monthly)),
      budget("Days", recurrence("day", "2024-01-05", every: 2), frame(5, monthly)),
    ]
    let contents = try book.read()
    let budgets = try #require(contents.books?.budgets)
    #expect(
      budgets.map(\.budget.name) == [
        "2024: Food", "2024: Food:Groceries", "Quarters: Food", "Fortnights: Food",
      ])
    #expect(budgets.prefix(2).map(\.categories) == [[["Food"]], [["Food", "Groceries"]]])
    let (quarters, fortnights) = (budgets[2].budget, budgets[3].budget)
    let (start, friday) = (try #require(Day("2024-01-31")), try #require(Day("2024-01-05")))
    #expect(quarters.period == .months(3, from: start) && quarters.end == Day("2027-01-31"))
    #expect(quarters.steps.map(\.day) == [Day("2025-07-31")])
    #expect(fortnights.period == .weeks(2, from: friday) && fortnights.start == friday)
    #expect(fortnights.end == Day("2024-06-21"))
    #expect(fortnights.steps.map(\.day) == [Day("2024-03-29")])
    let food = try #require(budgets.first?.budget)
    #expect(food.amount.description == "2500.00 EUR" && food.period == .monthly(resetDay: 1))
    #expect(food.start == Day("2024-01-01") && food.end == Day("2025-01-01"))
    let july = try #require(Day("2024-07-01"))
    #expect(food.steps == [BudgetStep(day: july, amount: Money(300_050, food.amount.currency))])
    #expect(food.note == "Plan")
    let groceries = budgets[1].budget
    #expect(groceries.amount.minorUnits == 0)
    #expect(groceries.steps.map(\.amount.minorUnits) == [10_000, 0])
    let notices = contents.notices.map(\.message)
    #expect(notices.contains { $0.contains("“2024”: skipped amounts") && $0.contains("“Salary”") })
    #expect(notices.contains { $0.contains("“Days”: its periods aren't") })
  }

  @Test(arguments: [
    ("month", 1, "2024-01-30", "2024-02-10", "2024-02-29"),
    ("month", 2, "2024-01-15", "2024-01-16", "2024-03-15"),
    ("year", 1, "2024-02-29", "2025-01-01", "2025-02-28"),
    ("day", 10, "2024-01-01", "2024-01-12", "2024-01-21"),
    ("week", 1, "2024-01-01", "2023-01-01", "2024-01-01"),
    ("month", 1, "2024-01-10", "2024-05-10", "2024-05-10"),
  ])
  func theFirstDayFromADay(
    period: String, every: Int64, start: String, from: String, first: String
  ) throws {
    var recurrence = GnuCashRecurrence()
    recurrence.period = period
    recurrence.multiplier = every
    recurrence.start = Day(start)
    #expect(recurrence.first(from: try #require(Day(from))) == Day(first))
  }
}
