// Goal: every figure of the envelopes' pages is the library's, also on a past day; what is spent equals the list that it
// links to; forms work without scripts and say what is wrong. Method: pages are read and forms sent without a browser;
// the ledger is asked afterwards.
import Daybook
import DaybookFoundation
import DaybookTesting
import Foundation
import Testing

@testable import Pages

@Suite struct EnvelopesPageTests {
  private let month = today.monthOf

  /// A household with income, a parent with subcategories, a card and a goal.
  private struct Home {
    var ledger: Ledger
    var account: AccountID
    var card: AccountID
    var food: CategoryID
    var bread: CategoryID
    var fun: CategoryID
  }

  private func home() async throws -> Home {
    let ledger = try await Ledger.inMemory()
    let made = try await ledger.append([
      .setSettings(SettingsChange(baseCurrency: .eur)),
      .openAccount(
        NewAccount(name: "Checking", kind: .asset, currency: .eur, opening: Money(1_000_00, .eur))),
      .openAccount(NewAccount(name: "Visa", kind: .liability, currency: .eur)),
      .createCategory(NewCategory(name: "Food", kind: .expense)),
      .createCategory(NewCategory(name: "Fun", kind: .expense)),
    ])
    let food = made.categories[0]
    let bread = try await ledger.append([
      .createCategory(NewCategory(name: "Bread", kind: .expense, parent: food))
    ]).categories[0]
    return Home(
      ledger: ledger, account: made.accounts[0], card: made.accounts[1], food: food, bread: bread,
      fun: made.categories[1])
  }

  private func envelope(
    _ id: CategoryID, _ home: Home, in month: Month? = nil
  ) throws -> Envelope? {
    let month = month ?? self.month
    return try home.ledger.read { snapshot in
      try snapshot.envelopes(over: month..<month.adding(1), today: today)[0].envelopes
        .first { $0.category.id == id }
    }
  }

  private func text(_ total: Total, isSigned: Bool = false) -> String {
    let plain = AmountFormatStyle<Total>(locale: Locale(identifier: "en-US"))
    return (isSigned ? plain.sign(strategy: .always(showZero: false)) : plain).format(total)
  }

  /// The first amount of each cell in a row of the table.
  private func cells(_ page: String, _ id: some CustomStringConvertible) -> [String] {
    let parts = page.components(separatedBy: "<tr data-id=\"\(id)\">")
    guard parts.count > 1, let row = parts[1].components(separatedBy: "</tr>").first else {
      return []
    }
    return row.components(separatedBy: "<td").dropFirst().map { cell in
      String(cell.firstMatch(of: /<a[^>]*>([^<]*)/)?.1 ?? "–")
    }
  }

  private func shown(_ envelope: Envelope?) -> [String] {
    guard let envelope else { return ["–", "–", "–"] }
    let spent = envelope.spent.units == 0 ? "–" : text(envelope.spent)
    let isBlank = envelope.available.units == 0 && envelope.carriedOver.units == 0
    return [text(envelope.assigned), spent, isBlank ? "–" : text(envelope.available)]
  }

  @Test func everyFigureOfTheTableIsTheLibrarys() async throws {
    let household = SampleHousehold(seed: 5, transactionCount: 400, years: 2, through: today)
    let ledger = try await household.ledger()
    try await ledger.append(.setSettings(SettingsChange(baseCurrency: .eur)))
    let categories = try ledger.read { try $0.categories(.expense).map(\.id) }
    var tokens = [try ledger.token]
    for (number, id) in categories.enumerated() {
      var commands: [Command] = [
        .assign(Money(Int64(number) * 10_00, .eur), to: id, in: month.adding(number % 3 - 2))
      ]
      if number % 3 == 0 {
        let from = number == 0 ? nil : categories[0]
        commands.append(.moveMoney(Money(1_07, .eur), from: from, to: id, in: month))
      }
      if number % 5 == 0 {
        commands.append(.setGoal(EnvelopeGoal(.monthly, Money(200_00, .eur)), for: id))
      }
      let receipt = try await ledger.append(commands)
      tokens.append(receipt.token)
    }
    let asked = Asked(ledger)
    let hasOutside = try ledger.read { try NameBook($0).hasAccountsOutsideBudget }
    for token in tokens.suffix(4) {
      let isNow = token == tokens.last
      let page = await asked.get("/envelopes", asOf: isNow ? nil : "\(token.sequence)").text
      #expect(page.utf8.count < 60_000, "\(page.utf8.count)")
      let shownMonths = page.firstMatch(of: /data-months="([^"]*)"/)?.1.split(separator: " ") ?? []
      #expect(shownMonths.count > 1)
      let range = try #require(shownMonths.first.flatMap { Month($0) })
      let past = try ledger.past(asOf: token)
      let months = try past.read {
        try $0.envelopes(over: range..<range.adding(shownMonths.count), today: today)
      }
      let ids = Set(months.flatMap(\.envelopes).map(\.category.id))
      #expect(!ids.isEmpty)
      for id in ids {
        let wanted = months.flatMap { one in
          shown(one.envelopes.first { $0.category.id == id })
        }
        #expect(cells(page, id) == wanted, "\(id)")
      }
      for one in months {
        #expect(page.contains(">\(text(one.readyToAssign))<"))
        #expect(page.contains(">\(text(one.money.total))<"))
        let available = one.envelopes.reduce(0) { $0 + $1.available.units }
        #expect(page.contains(">\(text(Total(units: -available, currency: .eur)))<"))
      }
      let now = try #require(months.first { $0.month == month })
      for envelope in now.envelopes where !hasOutside && envelope.spent.units != 0 {
        let context = PageContext(
          PageRequest(path: "/"), today: today, canWrite: false, past: nil)
        let listed = try past.read {
          try EnvelopeSpending.listed(envelope.category.id, month, context, $0)
        }
        #expect(listed == envelope.spent, "the list has the same sum")
      }
    }
    try await ledger.close()
  }

  @Test func assigningReadsAmountsStrictly() async throws {
    let home = try await home()
    let asked = Asked(home.ledger)
    func assign(_ amount: String, _ locale: String) async -> (Int, String) {
      let answer = await asked.post(
        "/envelopes/assign",
        [
          ("id", "\(home.fun)"), ("month", "\(month)"), ("amount", amount),
          ("back", "/envelopes?from=2026-01"),
        ], locales: [locale])
      return (answer.status, answer.location ?? answer.text)
    }
    let good = await assign("12.50+3", "en-US")
    #expect(good.0 == 303 && good.1.hasPrefix("/envelopes?from=2026-01&done=saved&commit="))
    #expect(try envelope(home.fun, home)?.assigned.units == 15_50)
    let odd = [("12.505", "en-US"), ("12,505", "de-DE"), ("x", "en-US"), ("1.5.0", "en-US")]
    for (text, locale) in odd {
      let wrong = await assign(text, locale)
      #expect(wrong.0 == 422 && wrong.1.contains("aria-invalid=\"true\""), "\(text)")
      #expect(wrong.1.contains("value=\"\(text)\""), "the input stays")
    }
    #expect(try envelope(home.fun, home)?.assigned.units == 15_50)
    _ = await assign("1.234,5", "de-DE")
    #expect(try envelope(home.fun, home)?.assigned.units == 1_234_50)
    _ = await assign("", "en-US")
    #expect(try envelope(home.fun, home)?.assigned.units == 0)
    _ = await asked.post("/undo", [("back", "/envelopes")])
    #expect(try envelope(home.fun, home)?.assigned.units == 1_234_50)
    // The payment of a card is assigned the same way.
    let card = await asked.post(
      "/envelopes/assign", [("id", "\(home.card)"), ("month", "\(month)"), ("amount", "7")])
    #expect(card.status == 303)
    let page = await asked.get("/envelopes").text
    #expect(cells(page, home.card).contains("€7.00"))
    for path in ["assign", "move", "goal", "remove", "fill", "nothing"] {
      #expect(await asked.post("/envelopes/\(path)", []).status != 500, "\(path)")
    }
  }

  @Test func moneyIsMovedAndOverspendingCovered() async throws {
    let home = try await home()
    let asked = Asked(home.ledger)
    try await home.ledger.append([
      .assign(Money(100_00, .eur), to: home.food, in: month),
      .record(.expense(Money(30_00, .eur), from: home.account, category: home.fun, on: today)),
    ])
    let table = await asked.get("/envelopes").text
    let cover = "/envelopes/move?cover=\(home.fun)&amp;month=\(month)"
    #expect(table.contains("Overspent <a href=\"\(cover)\">Cover"))
    let form = await asked.get(
      "/envelopes/move", [("cover", "\(home.fun)"), ("month", "\(month)")])
    #expect(form.text.contains("value=\"30.00\"") && form.text.contains("Food · €100.00"))
    #expect(form.text.contains("<option value=\"\(home.fun)\" selected>"))
    func move(
      _ fields: [(String, String)]
    ) async -> (status: Int, location: String?, text: String) {
      await asked.post("/envelopes/move", fields + [("month", "\(month)"), ("key", "one")])
    }
    let same = await move([("from", "\(home.fun)"), ("to", "\(home.fun)"), ("amount", "1")])
    #expect(same.status == 422 && same.text.contains("Choose two different envelopes."))
    let zero = await move([("from", "\(home.food)"), ("to", "\(home.fun)"), ("amount", "0")])
    #expect(zero.status == 422 && zero.text.contains("greater than zero"))
    let none = await move([("from", "\(home.food)"), ("to", "\(home.fun)"), ("amount", "x")])
    #expect(none.status == 422 && none.text.contains("value=\"x\""))
    let fields = [
      ("from", "\(home.food)"), ("to", "\(home.fun)"), ("amount", "30.00"), ("reason", "Cinema"),
    ]
    let moved = await move(fields)
    #expect(moved.status == 303 && moved.location?.hasPrefix("/envelopes?done=saved") == true)
    // A form sent twice is recorded once.
    _ = await move(fields)
    #expect(try envelope(home.fun, home)?.available.units == 0)
    #expect(try envelope(home.food, home)?.available.units == 70_00)
    let page = await asked.get("/envelopes/\(home.fun)", [("month", "\(month)")]).text
    #expect(page.contains("<td>Cinema</td>") && page.contains(">+€30.00<"))
    let id = try #require(page.firstMatch(of: /name="move" value="([^"]+)"/)?.1)
    let removed = await asked.post(
      "/envelopes/remove", [("move", "\(id)"), ("back", "/envelopes")])
    #expect(removed.status == 303)
    #expect(try envelope(home.fun, home)?.available.units == -30_00)
  }

  @Test func goalsAndPolicyAreSetAndFilled() async throws {
    let home = try await home()
    let asked = Asked(home.ledger)
    func set(
      _ fields: [(String, String)]
    ) async -> (status: Int, location: String?, text: String) {
      await asked.post(
        "/envelopes/goal",
        [("id", "\(home.fun)"), ("month", "\(month)"), ("back", "/envelopes")] + fields)
    }
    #expect(await set([("goal", "monthly")]).status == 422, "an amount is needed")
    let noDay = await set([("goal", "byDay"), ("goalAmount", "9")])
    #expect(noDay.text.contains("id=\"fault-goalDay\""))
    #expect(await set([("goal", "monthly"), ("goalAmount", "-1")]).status == 422)
    let good = await set([("goal", "monthly"), ("goalAmount", "40"), ("carries", "on")])
    #expect(good.status == 303)
    let table = await asked.get("/envelopes").text
    #expect(table.contains("Goal: €40.00 each month") && table.contains("Carries overspending"))
    #expect(table.contains(">+ €40.00 missing</button>"))
    _ = await asked.post(
      "/envelopes/fill", [("fill", "\(home.fun).\(month)"), ("back", "/envelopes")])
    #expect(try envelope(home.fun, home)?.assigned.units == 40_00)
    #expect(!(await asked.get("/envelopes").text.contains("value=\"needed.\(month)\"")))
    // The next month repeats it, and all goals are filled at once.
    let next = month.adding(1)
    try await home.ledger.append([
      .assign(Money(5_00, .eur), to: home.food, in: month),
      .setGoal(EnvelopeGoal(.balance, Money(50_00, .eur)), for: home.bread),
    ])
    _ = await asked.post("/envelopes/fill", [("fill", "last.\(next)"), ("back", "/envelopes")])
    #expect(try envelope(home.fun, home, in: next)?.assigned.units == 40_00)
    #expect(try envelope(home.food, home, in: next)?.assigned.units == 5_00)
    _ = await asked.post("/envelopes/fill", [("fill", "needed.\(next)"), ("back", "/envelopes")])
    #expect(try envelope(home.bread, home, in: next)?.available.units == 50_00)
    let before = try home.ledger.token.sequence
    _ = await asked.post("/envelopes/fill", [("fill", "needed.\(next)"), ("back", "/envelopes")])
    #expect(try home.ledger.token.sequence == before, "nothing is missing any more")
  }

  @Test func parentsHaveTotals() async throws {
    let home = try await home()
    try await home.ledger.append([
      .assign(Money(10_00, .eur), to: home.food, in: month),
      .assign(Money(5_00, .eur), to: home.bread, in: month),
      .record(.expense(Money(2_00, .eur), from: home.account, category: home.bread, on: today)),
      .record(.expense(Money(4_00, .eur), from: home.account, category: home.food, on: today)),
    ])
    let asked = Asked(home.ledger)
    let page = await asked.get("/envelopes", [("from", "\(month)"), ("months", "1")]).text
    #expect(cells(page, home.food) == ["€10.00", "€4.00", "€6.00"])
    let total = try #require(
      page.firstMatch(
        of: /<tr class="sum"><th scope="row" class="depth-0"><a [^>]*>Food<.*?<\/tr>/
          .dotMatchesNewlines()))
    for text in [">€15.00<", ">€6.00<", ">€9.00<"] { #expect(total.0.contains(text), "\(text)") }
    #expect(page.contains("Food (direct)"))
    let own = await asked.get("/envelopes/\(home.food)", [("month", "\(month)")]).text
    #expect(own.contains("id=\"below\"") && own.contains(">€15.00<"))
  }

  @Test func aFirstUseSaysWhatEnvelopesAre() async throws {
    let home = try await home()
    let asked = Asked(home.ledger)
    let page = await asked.get("/envelopes").text
    #expect(page.contains("An envelope holds") && page.contains("href=\"/budgets\""))
    #expect(page.contains("Assign to Food"))
    try await home.ledger.append(.assign(Money(1_00, .eur), to: home.food, in: month))
    #expect(!(await asked.get("/envelopes").text.contains("An envelope holds")))
    let far = await asked.get("/envelopes", [("from", "2031-01")]).text
    #expect(!far.contains("An envelope holds"), "other months are used")
    let empty = try await Ledger.inMemory()
    try await empty.append(.setSettings(SettingsChange(baseCurrency: .eur)))
    #expect(await Asked(empty).get("/envelopes").text.contains("No expense categories."))
    #expect(await Asked(try await Ledger.inMemory()).get("/envelopes").text.contains("/settings"))
  }

  @Test func thePastTakesNoForms() async throws {
    let home = try await home()
    try await home.ledger.append(.assign(Money(1_00, .eur), to: home.food, in: month))
    let asked = Asked(home.ledger)
    for path in ["/envelopes", "/envelopes/\(home.food)", "/envelopes/\(home.card)"] {
      let page = await asked.get(path, asOf: "3")
      #expect(
        page.status == 200 && !page.text.contains("method=\"post\" action=\"/envelopes"), "\(path)")
      #expect(!page.text.contains("data-edit"))
    }
    #expect(await asked.get("/envelopes/move", asOf: "3").status == 404)
    let odd = [
      ("from", "x"), ("from", "0001-01"), ("from", "9999-12"), ("months", "99"), ("page", "7"),
    ]
    for query in odd {
      #expect(await asked.get("/envelopes", [query]).status == 200, "\(query)")
    }
  }

  @Test func aPageIsSmallWithManyCategories() async throws {
    let home = try await home()
    for number in 0..<150 {
      let made = try await home.ledger.append(
        .createCategory(NewCategory(name: "Category \(number)", kind: .expense)))
      try await home.ledger.append([
        .assign(Money(1_000_00, .eur), to: made.categories[0], in: month),
        .setGoal(EnvelopeGoal(.monthly, Money(2_000_00, .eur)), for: made.categories[0]),
      ])
    }
    let asked = Asked(home.ledger)
    var seen = 0
    for page in 0..<4 {
      let text = await asked.get("/envelopes", [("page", "\(page)")]).text
      #expect(text.utf8.count < 60_000, "\(text.utf8.count)")
      seen += text.matches(of: /<tr data-id=/).count
    }
    #expect(seen >= 153)
  }

  @Test func accountsOutsideTheBudgetAreToldApart() async throws {
    let home = try await home()
    let outside = try await home.ledger.append(
      .openAccount(NewAccount(name: "Trust", kind: .asset, currency: .eur))
    ).accounts[0]
    var change = AccountChange()
    change.isOutsideBudget = true
    try await home.ledger.append([
      .amendAccount(outside, change),
      .record(.expense(Money(3_00, .eur), from: outside, category: home.fun, on: today)),
      .record(.expense(Money(4_00, .eur), from: home.account, category: home.fun, on: today)),
    ])
    let page = await Asked(home.ledger).get("/envelopes/\(home.fun)").text
    #expect(page.contains("Paid outside the budget") && page.contains(">€3.00<"))
    #expect(page.contains(">€4.00<"))
    let table = await Asked(home.ledger).get("/envelopes").text
    #expect(!table.contains("href=\"/transactions?category=\(home.fun)"))
  }
}
