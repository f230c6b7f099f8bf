// Goal: a command is the same before and after it was JSON, and two commands that differ are different
// JSON. Method: commands of every case and with every property set go through Foundation's coders and
// through JSONValue; the lines of Docs/JSON.md are read and written again, and name every command.

import DaybookBookkeeping
import DaybookEntities
import Foundation
import Testing

@Suite struct CommandJSONTests {
  private static let a = AccountID(EntityID(high: 1, low: 1))
  private static let c = CategoryID(EntityID(high: 1, low: 2))
  private static let t = TransactionID(EntityID(high: 1, low: 3))
  private static let s = SeriesID(EntityID(high: 1, low: 4))
  private static let today = Day(rawValue: 20_500)

  static let drafts: [Draft] = {
    let one = Money(1_00, .eur)
    var full = Draft.expense(
      one, from: a, category: c, on: today, accountAmount: Money(2, .usd), id: t,
      description: "d", payee: "p", note: "n", tags: ["x", ""], status: .pending)
    full.importIdentity = ImportIdentity(reference: "r", original: EntityID(high: 9, low: 9))
    full.series = SeriesLink(s, due: today)
    full.categorizedBy = RuleID(EntityID(high: 1, low: 5))
    full.valueDay = today.adding(days: 1)
    full.code = "7"
    var marked = Draft.expense(one, on: today)
    marked.importIdentity = ImportIdentity()
    var converted = Draft.postings([Posting(.category(c), one)], on: today)
    converted.isConverted = true
    return [
      full, marked, .expense(one, from: a, on: today), .expense(one, on: today),
      .expense(Money(1_00, .usd), from: a, on: today),
      .expense(one, from: a, on: today.adding(days: 1)),
      .expense(one, from: a, on: today, tags: [""]),
      .income(one, into: a, on: today), .refund(one, into: a, on: today),
      .incomeReversal(one, from: a, on: today), .transfer(one, from: a, to: nil, on: today),
      .transfer(one, from: nil, to: a, on: today, targetAmount: Money(5, .jpy)),
      .split(from: a, parts: [.init(one, c)], on: today),
      .split(into: a, parts: [.init(one, c)], on: today),
      .split(
        from: a, parts: [.init(one, nil, note: "n", isReversed: true)], on: today,
        accountAmount: one),
      .split(from: a, parts: [.init(one, to: a), .init(one, c)], on: today),
      .split(from: a, parts: [], on: today), .postings([], on: today),
      .postings([Posting(.account(a), one, note: "n")], on: today),
      .postings([Posting(.category(c), one)], on: today), converted,
    ]
  }()

  static let commands: [Command] = {
    let one = Money(1_00, .eur)
    let link = SeriesLink(s, due: today)
    var payment = LoanPayment(of: a, from: a, on: today, amount: one, due: today, description: "d")
    payment.transaction = t
    payment.id = t
    let budget = Budget(name: "B", categories: [c], amount: one, period: .weekly)
    let series = Series(
      id: s, name: "S", template: SeriesTemplate(type: .expense, amount: one),
      schedule: Schedule(.month), anchor: today)
    let rule = CategoryRule(name: "R", conditions: [.text(.any, .contains, "x")], category: c)
    let mapping = SavedMapping(
      name: "M", contents: "{}", look: ImportLook(delimiter: ";", header: [], columnCount: 2))
    let account = Account(id: a, number: 16, name: "A", currency: .eur)
    let category = Category(id: c, number: 16, name: "C", kind: .expense)
    let row = Transaction(
      id: t, number: 7, day: today, type: .expense, postings: [Posting(.account(a), one)])
    var amendments: [Amendment] = [
      Amendment(), Amendment(type: .refund), Amendment(type: .transfer, otherAccount: a),
      Amendment(note: ""), Amendment(note: "x"), Amendment(payee: "x"),
      Amendment(description: "x"), Amendment(tags: []), Amendment(tags: ["x"]),
      Amendment(account: a), Amendment(otherAccount: a), Amendment(category: c),
      Amendment(amount: one), Amendment(accountAmount: one), Amendment(targetAmount: one),
      Amendment(day: today), Amendment(status: .pending), Amendment(seen: row),
    ]
    amendments += drafts.map { Amendment(shape: $0.shape) }
    var linked = Amendment()
    linked.series = .some(link)
    var left = Amendment()
    left.series = .some(nil)
    var ruled = Amendment()
    ruled.categorizedBy = rule.id
    var valued = Amendment()
    valued.valueDay = .some(today)
    valued.code = ""
    var unvalued = Amendment()
    unvalued.valueDay = .some(nil)
    var total = Amendment(shape: drafts[0].shape)
    total.changesImportedTotal = true
    var converted = Amendment(postings: [Posting(.category(c), one)])
    converted.isConverted = true
    amendments += [linked, left, ruled, valued, unvalued, total, converted]
    var numbered = NewAccount(name: "A", currency: .eur)
    numbered.identifiers = ["DE00"]
    var renumbered = AccountChange()
    renumbered.identifiers = []
    let chosen = ImportRow(drafts[0], choice: Amendment(note: "x"))
    var removing = ImportOptions()
    removing.removed = [t]
    let rates = Quote(mantissa: 9, scale: 1).map {
      [Command.setRate(ExchangeRate(base: .usd, quoted: .eur, day: today, quote: $0))]
    }
    let points = Currency(code: "PTS", digits: 0).map {
      [Command.defineCurrency(CurrencyDefinition(currency: $0, name: "Points"))]
    }
    return (rates ?? []) + (points ?? []) + drafts.map { .record($0) }
      + amendments.map { .amend(t, $0) }
      + drafts.map { .importRows([ImportRow($0)]) }
      + [
        .importRows([
          ImportRow(drafts[0], match: .transaction(TransactionID(EntityID(high: 1, low: 2)))),
          ImportRow(
            drafts[0],
            match: .occurrence(SeriesLink(SeriesID(EntityID(high: 1, low: 3)), due: Self.today))),
          ImportRow(drafts[0], match: .booked),
        ])
      ]
      + [
        .openAccount(NewAccount(name: "A", currency: .eur)), .openAccount(numbered),
        .amendAccount(a, renumbered), .importRows([chosen]),
        .openAccount(
          NewAccount(
            id: a, name: "A", kind: .liability, currency: .jpy, opening: Money(-5, .jpy),
            openingDay: today, note: "n", order: 2, isHidden: true)),
        .amendAccount(a, AccountChange()), .amendAccount(a, AccountChange(isHidden: false)),
        .amendAccount(
          a, AccountChange(name: "x", kind: .asset, note: "", order: 1, seen: account)),
        .closeAccount(a), .reopenAccount(a), .deleteAccount(a, .keepRows),
        .deleteAccount(a, .withRows), .deleteAccount(a, .move(to: a)),
        .mergeAccounts(a, into: AccountID(EntityID(high: 1, low: 2))),
        .setOpening(a, Money(0, .eur)), .setOpening(a, one), .setOpening(a, one, today),
        .correctBalance(a, one, on: today), .correctBalance(a, one, on: today, by: .opening),
        .correctBalance(a, one, on: today, by: .transaction(category: c, description: "d")),
        .createCategory(NewCategory(name: "C", kind: .income)),
        .createCategory(
          NewCategory(
            id: c, name: "C", kind: .expense, parent: c, note: "n", order: 1, isHidden: true)),
        .amendCategory(c, CategoryChange()), .amendCategory(c, CategoryChange(parent: .some(nil))),
        .amendCategory(c, CategoryChange(parent: .some(c))),
        .amendCategory(
          c, CategoryChange(name: "x", note: "", order: 0, isHidden: true, seen: category)),
        .deleteCategory(c, nil), .deleteCategory(c, .keepRows), .deleteCategory(c, .move(to: c)),
        .mergeCategories(c, into: .uncategorizedExpense),
        .delete(t), .reconcile([]), .reconcile([t]), .reconcile([t, t]), .unreconcile([t]),
        .closePeriod(through: today), .reopenPeriod(after: nil), .reopenPeriod(after: today),
        .removeRate(base: .usd, quoted: .eur, on: today),
        .removeRate(base: .eur, quoted: .usd, on: today),
        .setSettings(SettingsChange()), .setSettings(SettingsChange(baseCurrency: .some(nil))),
        .setSettings(
          SettingsChange(
            baseCurrency: .some(.eur), firstWeekday: 7, mergePolicy: .error,
            addedHolidays: [today, today.adding(days: 1)], removedHolidays: [today])),
        .assertBalance(a, one, on: today),
        .assertBalance(a, one, on: today, note: "n", id: AssertionID(EntityID(high: 1, low: 9))),
        .removeAssertion(AssertionID(EntityID(high: 1, low: 9))), .putBudget(budget),
        .putBudget(
          Budget(id: .unassigned, name: "B", categories: [], amount: one, period: .yearly)),
        .removeBudget(budget.id), .putSeries(series), .amendSeries(series, .seriesOnly),
        .amendSeries(series, .future(from: today)), .amendSeries(series, .all(from: today)),
        .removeSeries(s, withRows: true), .removeSeries(s, withRows: false),
        .pauseSeries(s, after: today), .resumeSeries(s, on: today), .stopSeries(s, after: today),
        .skipOccurrence(link), .unskipOccurrence(link), .generateDue(through: today),
        .link(t, link), .unlink(t), .linkTransfer(t, t), .unlinkTransfer(t),
        .putRule(rule), .removeRule(rule.id), .setRules([]),
        .setRules([rule]), .applyRules(nil), .applyRules([]), .applyRules([rule.id]),
        .putMapping(mapping), .removeMapping(mapping.id), .importRows([]),
        .assign(one, to: c, in: today.monthOf), .assignPayment(one, to: a, in: today.monthOf),
        .removeMove(AllocationID(c.rawValue)),
        .moveMoney(one, from: nil, to: c, in: today.monthOf),
        .moveMoney(
          one, from: c, to: nil, in: today.monthOf, note: "n", id: AllocationID(c.rawValue)),
        .setTerms(AccountTerms(of: a, rate: .zero, from: today)), .removeTerms(a),
        .setTerms(
          AccountTerms(
            of: a, rate: .zero, from: today, dayCount: .periods, isCapitalised: true,
            interval: .year, dueDay: 31, category: c,
            loan: LoanTerms(principal: one, paymentCount: 3, repayment: .equalPrincipal))),
        .postInterest(through: today), .postInterest(through: today, account: a),
        .payLoan(LoanPayment(of: a, from: nil, on: today)), .payLoan(payment),
        .repayLoan(LoanRepayment(of: a, from: nil, on: today, amount: nil)),
        .repayLoan(
          LoanRepayment(
            of: a, from: a, on: today, amount: one, lowersPayments: true, description: "d")),
        .importRows([ImportRow(drafts[0], line: 4, reference: "r")]),
        .importRows([], ImportOptions(skipsBadRows: true)),
        .importRows([], ImportOptions(restoresDeleted: true)),
        .importRows([], ImportOptions(keepsDuplicates: true)),
        .importRows([], removing),
      ]
  }()

  @Test(arguments: commands) func aCommandIsTheSameAgain(command: Command) throws {
    let line = try JSONValue(command).line
    #expect(try JSONDecoder().decode(Command.self, from: Data(line.utf8)) == command, "\(line)")
    #expect(try JSONValue.bytes(of: command) == Array(line.utf8))
    let data = try JSONEncoder().encode(command)
    #expect(try JSONDecoder().decode(Command.self, from: data) == command)
  }

  @Test func differentCommandsDiffer() throws {
    let lines = try Self.commands.map { try JSONValue($0).line }
    #expect(Set(lines).count == Set(Self.commands).count)
  }

  /// A property added outside of the details needs its own JSON.
  ///
  /// Add it to a command above and here too. `DetailsTests` covers the details, whose JSON follows
  /// from the tables.
  @Test func allPropertiesAreKnown() {
    func names(_ value: some Any) -> Set<String> {
      Set(Mirror(reflecting: value).children.map { $0.label ?? "" })
    }
    #expect(
      names(Draft.expense(Money(1, .eur), on: Self.today)) == [
        "shape", "day", "id", "details", "importIdentity", "series", "categorizedBy",
        "isConverted",
      ])
    #expect(
      names(Amendment()) == [
        "day", "amount", "account", "category", "otherAccount", "accountAmount", "targetAmount",
        "shape", "type", "details", "series", "categorizedBy", "isConverted",
        "changesImportedTotal",
        // Without JSON: only the decision on a changed recurring transaction sets it.
        "isOfSeries",
      ])
    #expect(
      names(NewAccount(name: "", currency: .eur)) == [
        "id", "details", "currency", "opening", "openingDay",
      ])
    #expect(names(NewCategory(name: "", kind: .income)) == ["id", "details", "kind"])
    #expect(
      names(SettingsChange()) == [
        "baseCurrency", "firstWeekday", "mergePolicy", "addedHolidays", "removedHolidays",
      ])
    #expect(
      names(ImportRow(.expense(Money(1, .eur), on: Self.today))) == [
        "draft", "line", "reference", "statement", "choice", "match",
      ])
    #expect(
      names(ImportOptions()) == [
        "skipsBadRows", "restoresDeleted", "keepsDuplicates", "removed",
      ])
  }

  /// The lines of Docs/JSON.md between fences of `jsonl`.
  private static let lines: [String] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try? String(
      contentsOf: root.appendingPathComponent("Docs/JSON.md"), encoding: .utf8)
    return (page ?? "").components(separatedBy: "```jsonl\n").dropFirst().flatMap {
      ($0.components(separatedBy: "\n```").first ?? "").components(separatedBy: "\n")
    }
  }()

  @Test(arguments: lines) func theLineIsReadAndWrittenAgain(line: String) throws {
    let command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
    #expect(try JSONValue(command).line == line)
  }

  @Test func everyCommandHasALine() throws {
    let named = Set(try Self.lines.map { try Self.name(in: $0) })
    #expect(named == Set(try Self.commands.map { try Self.name(in: JSONValue($0).line) }))
    #expect(named.count == 56)
  }

  private static func name(in line: String) throws -> String {
    try #require(line.split(separator: "\"").dropFirst().first.map(String.init))
  }

  @Test(arguments: [
    (#"{}"#, "one member"), (#"{"delete":{},"unlink":{}}"#, "one member"),
    (#"{"frobnicate":{}}"#, "frobnicate"), (#"{"delete":{}}"#, "transaction"),
    (#"{"setRules":{}}"#, "rules"), (#"{"record":{"day":"2026-02-14"}}"#, "“expense”"),
    (#"{"record":{"day":"2026-02-30","postings":[]}}"#, "2026-02-30"),
    (
      #"{"record":{"day":"2026-02-14","split":{"parts":[]},"postings":[]}}"#,
      "exactly one"
    ),
    (#"{"deleteAccount":{"account":"00","rows":"keep"}}"#, "hexadecimal"),
    (
      #"{"deleteAccount":{"account":"00000000-0000-0001-0000-000000000001","rows":"burn"}}"#,
      "“keep”"
    ),
    (#"{"setSettings":{"firstWeekday":"someday"}}"#, "monday"),
  ])
  func whatIsNoCommandIsRefused(line: String, words: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Command.self, from: Data(line.utf8))
    }
    #expect("\(String(describing: error))".contains(words), "\(String(describing: error))")
  }

  @Test func outcomesAreTheSameAgain() throws {
    let id = EntityID(high: 1, low: 2)
    var missing = MissingRates(from: .usd, to: .eur, on: Self.today, line: 3)
    missing.days = Self.today...Self.today.adding(days: 2)
    let fault = RowFault(
      index: 1, line: 3, code: .noRate, message: "m", missingRates: [missing])
    var generated = GenerationReport()
    generated.recorded = [Self.t]
    generated.faults = [OccurrenceFault(SeriesLink(Self.s, due: Self.today), .closed, "m")]
    let outcomes: [Outcome] = [
      .done, .account(Self.a), .category(Self.c), .transaction(Self.t), .rows(3),
      .entity(.budget, id), .entity(.series, id), .entity(.rule, id), .entity(.assertion, id),
      .entity(.mapping, id), .entity(.rate, id), .entity(.currency, id),
      .entity(.allocation, id), .entity(.terms, id),
      .imported(ImportReport(recorded: [Self.t], duplicates: [0], skipped: [fault])),
      .generated(generated),
    ]
    for outcome in outcomes {
      let line = try JSONValue(outcome).line
      #expect(try JSONDecoder().decode(Outcome.self, from: Data(line.utf8)) == outcome, "\(line)")
    }
  }
}
