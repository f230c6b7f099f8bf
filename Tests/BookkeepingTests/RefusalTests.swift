// Goal: bad input is refused with its code and a message that names things, and changes nothing.
// Method: a table of commands on the scenarios' ledger, each with the code and words its refusal must
// have; every code that a command can bring about is in it.

import DaybookBookkeeping
import DaybookEntities
import Testing

@Suite struct RefusalTests {
  struct Case: Sendable {
    var code: Refusal.Code
    var words: [String]
    var make: @Sendable (inout Fixture) throws -> Command
  }

  static func draft(
    _ make: @escaping @Sendable (Fixture) throws -> Draft
  ) -> @Sendable (inout Fixture) throws -> Command {
    { ledger in .record(try make(ledger)) }
  }

  static let drafts: [Case] = [
    Case(
      code: .negative, words: ["-5.00 KZT", "refund"],
      make: draft { try .expense(money("-5", "KZT"), from: $0.cash, on: $0.today) }),
    Case(
      code: .negative, words: ["-5.00 KZT", "expense"],
      make: draft { try .refund(money("-5", "KZT"), into: $0.cash, on: $0.today) }),
    Case(
      code: .negative, words: ["income"],
      make: draft { try .income(money("-5", "KZT"), into: $0.cash, on: $0.today) }),
    Case(
      code: .negative, words: ["Cash", "positive"],
      make: draft {
        try .expense(
          money("5", "USD"), from: $0.cash, on: $0.today, accountAmount: money("-1", "KZT"))
      }),
    Case(
      code: .negative, words: ["part", "reversed"],
      make: draft {
        try .split(from: $0.cash, parts: [Draft.Part(money("-5", "KZT"), nil)], on: $0.today)
      }),
    Case(
      code: .transfer, words: ["Cash", "itself"],
      make: draft { try .transfer(money("5", "KZT"), from: $0.cash, to: $0.cash, on: $0.today) }),
    Case(
      code: .transfer, words: ["0.00 KZT", "Cash", "Bank"],
      make: draft { try .transfer(money("0", "KZT"), from: $0.cash, to: $0.bank, on: $0.today) }),
    Case(
      code: .transfer, words: ["-1.00 KZT"],
      make: draft { try .transfer(money("-1", "KZT"), from: $0.cash, to: $0.bank, on: $0.today) }),
    Case(
      code: .transfer, words: ["0.00 KZT"],
      make: draft {
        try .transfer(
          money("1", "USD"), from: $0.dollars, to: $0.bank, on: $0.today,
          targetAmount: money("0", "KZT"))
      }),
    Case(
      code: .transfer, words: ["itself"],
      make: draft { try .transfer(money("1", "KZT"), from: nil, to: nil, on: $0.today) }),
    Case(
      code: .transfer, words: ["within", "Cash"],
      make: draft {
        try .postings(
          [
            Posting(.account($0.cash), money("1", "KZT")),
            Posting(.account($0.cash), money("-1", "KZT")),
          ], on: $0.today)
      }),
    Case(
      code: .currencyMismatch, words: ["5.00 USD", "Cash", "KZT"],
      make: draft { try .transfer(money("5", "USD"), from: $0.cash, to: $0.bank, on: $0.today) }),
    Case(
      code: .currencyMismatch, words: ["Cash", "6.00 KZT"],
      make: draft {
        try .expense(
          money("5", "KZT"), from: $0.cash, on: $0.today, accountAmount: money("6", "KZT"))
      }),
    Case(
      code: .currencyMismatch, words: ["Cash", "6.00 EUR"],
      make: draft {
        try .expense(
          money("5", "USD"), from: $0.cash, on: $0.today, accountAmount: money("6", "EUR"))
      }),
    Case(
      code: .currencyMismatch, words: ["Cash", "USD", "KZT"],
      make: draft {
        try .postings(
          [
            Posting(.account($0.cash), money("1", "USD")),
            Posting(.category($0.food), money("-1", "USD")),
          ], on: $0.today)
      }),
    Case(
      code: .noRate, words: ["JPY", "KZT", "2026-02-15", "Cash"],
      make: draft { try .expense(money("5", "JPY"), from: $0.cash, on: $0.today) }),
    Case(
      code: .unbalanced, words: ["KZT", "1.00"],
      make: draft {
        try .postings(
          [
            Posting(.account($0.cash), money("2", "KZT")),
            Posting(.category($0.food), money("-1", "KZT")),
          ], on: $0.today)
      }),
    Case(
      code: .shape, words: ["two postings"],
      make: draft {
        try .postings([Posting(.account($0.cash), money("0", "KZT"))], on: $0.today)
      }),
    Case(
      code: .kind, words: ["Salary", "expense"],
      make: draft {
        try .expense(money("5", "KZT"), from: $0.cash, category: $0.salary, on: $0.today)
      }),
    Case(
      code: .missing, words: ["no account", "000000000063"],
      make: draft {
        try .expense(
          money("5", "KZT"), from: AccountID(EntityID(high: 0, low: 99)), on: $0.today)
      }),
    Case(
      code: .missing, words: ["no category"],
      make: draft {
        try .expense(
          money("5", "KZT"), from: $0.cash, category: CategoryID(EntityID(high: 9, low: 9)),
          on: $0.today)
      }),
    Case(
      code: .day, words: ["9999-12-31"],
      make: draft { try .expense(money("5", "KZT"), from: $0.cash, on: Day.max.adding(days: 1)) }),
    Case(
      code: .currency, words: ["POINTS", "define"],
      make: draft { ledger in
        let points = try #require(Currency(code: "POINTS", digits: 0))
        return .expense(Money(5, points), on: ledger.today)
      }),
    Case(
      code: .currency, words: ["USD", "2 decimals", "3"],
      make: draft { ledger in
        let usd = try #require(Currency(code: "USD", digits: 3))
        return .expense(Money(5, usd), on: ledger.today)
      }),
    Case(
      code: .overflow, words: ["KZT"],
      make: draft { .expense(Money(.max, $0.usd), from: $0.cash, on: $0.today) }),
    Case(
      code: .overflow, words: ["sum"],
      make: draft {
        .split(
          from: $0.cash,
          parts: [Draft.Part(Money(.max, $0.kzt), nil), Draft.Part(Money(5, $0.kzt), nil)],
          on: $0.today)
      }),
    Case(
      code: .duplicateID, words: ["in use"],
      make: { ledger in
        let id = try ledger.record(.expense(money("1", "KZT"), on: ledger.today))
        return .record(.expense(try money("1", "KZT"), on: ledger.today, id: id))
      }),
    Case(
      code: .missing, words: ["recurring transaction"],
      make: draft { ledger in
        var draft = try Draft.expense(money("1", "KZT"), on: ledger.today)
        draft.series = SeriesLink(SeriesID(EntityID(high: 9, low: 1)), due: ledger.today)
        return draft
      }),
  ]

  @Test(arguments: drafts.indices)
  func draftsAreRefused(_ index: Int) throws { try check(Self.drafts[index], "draft \(index)") }

  func check(_ bad: Case, _ comment: String) throws {
    var ledger = try Fixture()
    let command = try bad.make(&ledger)
    let before = ledger.state.changes
    let refusal = try #require(ledger.state.refusal(command), "\(comment): \(command)")
    #expect(refusal.code == bad.code, "\(comment): \(refusal)")
    for word in bad.words { #expect(refusal.message.contains(word), "\(comment): \(refusal)") }
    #expect(ledger.state.changes == before)
  }

  static let amendments: [Case] = [
    Case(code: .negative, words: ["refund"]) {
      try $0.amendment(Amendment(amount: money("-1", "KZT")))
    },
    Case(code: .kind, words: ["Salary", "Lunch"]) {
      try $0.amendment(Amendment(category: $0.salary))
    },
    Case(code: .shape, words: ["Lunch", "receiving"]) {
      try $0.amendment(Amendment(otherAccount: $0.bank))
    },
    Case(code: .noRate, words: ["JPY"]) { try $0.amendment(Amendment(amount: money("1", "JPY"))) },
    Case(code: .day, words: ["Lunch"]) {
      try $0.amendment(Amendment(day: Day.min.adding(days: -1)))
    },
    Case(code: .reconciled, words: ["Lunch", "unreconcile"]) { ledger in
      let id = try ledger.lunch()
      try ledger.state.run(.reconcile([id]))
      return .amend(id, Amendment(amount: try money("1", "KZT")))
    },
    Case(code: .reconciled, words: ["Lunch"]) { ledger in
      let id = try ledger.lunch()
      try ledger.state.run(.reconcile([id]))
      return .amend(id, Amendment(day: ledger.today.adding(days: 1)))
    },
    Case(code: .reconciled, words: ["Lunch", "delete"]) { ledger in
      let id = try ledger.lunch()
      try ledger.state.run(.reconcile([id]))
      return .delete(id)
    },
    Case(code: .reconciled, words: ["status"]) { ledger in
      let id = try ledger.lunch()
      try ledger.state.run(.reconcile([id]))
      return .amend(id, Amendment(status: .pending))
    },
    Case(code: .closedPeriod, words: ["Lunch", "2026-02-15", "reopen"]) { ledger in
      let id = try ledger.lunch()
      try ledger.state.run(.closePeriod(through: ledger.today))
      return .amend(id, Amendment(category: ledger.travel))
    },
    Case(code: .closedPeriod, words: ["Lunch"]) { ledger in
      let id = try ledger.lunch()
      try ledger.state.run(.closePeriod(through: ledger.today.adding(days: -1)))
      return .amend(id, Amendment(day: ledger.today.adding(days: -1)))
    },
    Case(code: .closedPeriod, words: ["delete"]) { ledger in
      let id = try ledger.lunch()
      try ledger.state.run(.closePeriod(through: ledger.today))
      return .delete(id)
    },
    Case(code: .closedPeriod, words: ["record"]) { ledger in
      try ledger.state.run(.closePeriod(through: ledger.today))
      return .record(.expense(try money("1", "KZT"), on: ledger.today))
    },
    Case(code: .closedPeriod, words: ["Cash", "opening"]) { ledger in
      try ledger.state.run(.closePeriod(through: ledger.today))
      return .setOpening(ledger.cash, Money(5, .kzt))
    },
    Case(code: .conflict, words: ["Lunch", "note"]) { ledger in
      try ledger.state.run(.setSettings(SettingsChange(mergePolicy: .error)))
      let id = try ledger.lunch()
      let seen = try ledger.stored(id)
      try ledger.state.run(.amend(id, Amendment(note: "theirs")))
      return .amend(id, Amendment(note: "mine", seen: seen))
    },
  ]

  @Test(arguments: amendments.indices)
  func amendmentsAreRefused(_ index: Int) throws {
    try check(Self.amendments[index], "amendment \(index)")
  }

  @Test func lockedRowsKeepTheirTextsFree() throws {
    var ledger = try Fixture()
    let id = try ledger.lunch()
    try ledger.state.run(.reconcile([id]))
    try ledger.state.run(.closePeriod(through: ledger.today))
    try ledger.state.run(.amend(id, Amendment(description: "d", note: "n", tags: ["t"])))
    #expect(try ledger.stored(id).note == "n")
    try ledger.state.run(.reopenPeriod(after: ledger.today.adding(days: -1)))
    // A reconciled row's category is not locked.
    try ledger.state.run(.amend(id, Amendment(category: ledger.travel)))
    try ledger.state.run(.unreconcile([id]))
    try ledger.state.run(.delete(id))
    try ledger.state.run(.reopenPeriod(after: nil))
    #expect(try ledger.state.settings().closedThrough == nil)
  }

  @Test func errorsOfStateKeepTheirCause() throws {
    var ledger = try Fixture()
    let id = try ledger.lunch()
    ledger.state.stored[.transaction]?[id.rawValue]?.record = Record(bytes: [1, 9])
    let refusal = try #require(ledger.state.refusal(.delete(id)))
    #expect(refusal.code == .state && refusal.cause is DecodingFault)
  }
}

extension Fixture {
  /// An expense of 100 KZT for lunch, paid in cash today.
  mutating func lunch() throws -> TransactionID {
    try record(
      .expense(money("100", "KZT"), from: cash, category: food, on: today, description: "Lunch"))
  }

  /// An amendment of it.
  mutating func amendment(_ amendment: Amendment) throws -> Command {
    .amend(try lunch(), amendment)
  }
}
