// Goal: every maximum in Limits.swift holds: one below and at it are taken, one above is refused.
// Method: for each limit a maker of a command of a given size, tried at three sizes.

import DaybookBookkeeping
import DaybookEntities
import Testing

@Suite struct LimitsTests {
  struct Limit: Sendable {
    var name: String
    var max: Int
    var make: @Sendable (inout Fixture, Int) throws -> Command
  }

  static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  static func expense(_ ledger: Fixture, _ change: (inout Draft) -> Void) throws -> Command {
    var draft = try Draft.expense(money("1", "KZT"), on: ledger.today)
    change(&draft)
    return .record(draft)
  }

  static func series(_ ledger: Fixture, _ change: (inout Series) -> Void) throws -> Command {
    var series = Series(
      id: .unassigned,
      name: "S", template: SeriesTemplate(type: .expense, amount: try money("1", "KZT")),
      schedule: Schedule(.month), anchor: ledger.today)
    change(&series)
    return .putSeries(series)
  }

  static func budget(_ ledger: Fixture, _ change: (inout Budget) -> Void) throws -> Command {
    var budget = Budget(
      id: .unassigned, name: "B", categories: [], amount: try money("1", "KZT"), period: .weekly)
    change(&budget)
    return .putBudget(budget)
  }

  static func rule(_ change: (inout CategoryRule) -> Void) -> Command {
    var rule = CategoryRule(id: .unassigned, name: "R", conditions: [.type(.expense)])
    change(&rule)
    return .putRule(rule)
  }

  static let all: [Limit] = [
    Limit(name: "name", max: Limits.nameByteCountMax) { ledger, size in
      .openAccount(NewAccount(name: text(size), currency: ledger.kzt))
    },
    Limit(name: "category name", max: Limits.nameByteCountMax) { _, size in
      .createCategory(NewCategory(name: text(size), kind: .income))
    },
    Limit(name: "description", max: Limits.descriptionByteCountMax) { ledger, size in
      try expense(ledger) { $0.description = text(size) }
    },
    Limit(name: "payee", max: Limits.payeeByteCountMax) { ledger, size in
      try expense(ledger) { $0.payee = text(size) }
    },
    Limit(name: "note", max: Limits.noteByteCountMax) { ledger, size in
      try expense(ledger) { $0.note = text(size) }
    },
    Limit(name: "account note", max: Limits.noteByteCountMax) { ledger, size in
      .amendAccount(ledger.cash, AccountChange(note: text(size)))
    },
    Limit(name: "tags", max: Limits.tagCountMax) { ledger, size in
      try expense(ledger) { $0.tags = (0..<size).map(String.init) }
    },
    Limit(name: "tag", max: Limits.tagByteCountMax) { ledger, size in
      try expense(ledger) { $0.tags = [text(size)] }
    },
    Limit(name: "attachments", max: Limits.attachmentCountMax) { ledger, size in
      try expense(ledger) {
        $0.attachments = (0..<size).map { Attachment(name: "\($0)", hash: .zero, byteCount: 1) }
      }
    },
    Limit(name: "attachment", max: Limits.nameByteCountMax) { ledger, size in
      try expense(ledger) {
        $0.attachments = [Attachment(name: text(size), hash: .zero, byteCount: 1)]
      }
    },
    Limit(name: "distinct", max: Limits.distinctCountMax) { ledger, size in
      try expense(ledger) {
        $0.distinctFrom = (0..<size).map { TransactionID(EntityID(high: 7, low: UInt64($0))) }
      }
    },
    Limit(name: "reference", max: Limits.referenceByteCountMax) { ledger, size in
      try expense(ledger) { $0.importIdentity = ImportIdentity(reference: text(size)) }
    },
    Limit(name: "postings", max: Limits.postingCountMax) { ledger, size in
      let one = try money("1", "KZT")
      var postings = (1..<size).map { _ in Posting(.category(ledger.food), one) }
      postings.append(Posting(.account(ledger.cash), Money(-100 * Int64(size - 1), ledger.kzt)))
      return .record(.postings(postings, on: ledger.today))
    },
    Limit(name: "posting note", max: Limits.postingNoteByteCountMax) { ledger, size in
      let one = try money("1", "KZT")
      return .record(
        .postings(
          [
            Posting(.category(ledger.food), one, note: text(size)),
            Posting(.account(ledger.cash), try one.negated()),
          ], on: ledger.today))
    },
    Limit(name: "parts", max: Limits.partCountMax) { ledger, size in
      let part = Draft.Part(try money("1", "KZT"), nil)
      return .record(
        .split(
          from: ledger.cash, parts: Array(repeating: part, count: size), on: ledger.today))
    },
    Limit(name: "depth", max: Limits.categoryDepthMax) { ledger, size in
      var parent: CategoryID?
      for level in 1..<size {
        let new = NewCategory(name: "L\(level)", kind: .expense, parent: parent)
        parent = try ledger.state.run(.createCategory(new)).category
      }
      return .createCategory(NewCategory(name: "last", kind: .expense, parent: parent))
    },
    Limit(name: "reconciled", max: Limits.reconcileCountMax) { ledger, size in
      let id = try ledger.lunch()
      return .reconcile(Array(repeating: id, count: size))
    },
    Limit(name: "budget categories", max: Limits.budgetCategoryCountMax) { ledger, size in
      try budget(ledger) { $0.categories = Array(repeating: ledger.food, count: size) }
    },
    Limit(name: "budget steps", max: Limits.budgetStepCountMax) { ledger, size in
      try budget(ledger) {
        let amount = Money(1, $0.amount.currency)
        $0.steps = (0..<size).map { BudgetStep(day: ledger.today.adding(days: $0), amount: amount) }
      }
    },
    Limit(name: "conditions", max: Limits.conditionCountMax) { _, size in
      rule { $0.conditions = Array(repeating: .type(.expense), count: size) }
    },
    Limit(name: "condition", max: Limits.conditionByteCountMax) { _, size in
      rule { $0.conditions = [.text(.any, .contains, text(size))] }
    },
    Limit(name: "skipped", max: Limits.skippedCountMax) { ledger, size in
      try series(ledger) {
        $0.skipped = Array(repeating: ledger.today..<ledger.today.adding(days: 1), count: size)
      }
    },
    Limit(name: "schedule", max: Limits.scheduleCountMax) { ledger, size in
      try series(ledger) { $0.schedule.count = size }
    },
    Limit(name: "ahead", max: Limits.aheadCountMax) { ledger, size in
      try series(ledger) { $0.ahead = Int64(size) }
    },
    Limit(name: "occurrences", max: Int(Limits.occurrenceCountMax)) { ledger, size in
      try series(ledger) { $0.countMax = Int64(size) }
    },
  ]

  @Test(arguments: all.indices)
  func atTheLimit(_ index: Int) throws {
    let limit = Self.all[index]
    for size in [limit.max - 1, limit.max, limit.max + 1] {
      var ledger = try Fixture()
      let command = try limit.make(&ledger, size)
      let refusal = ledger.state.refusal(command)
      if size <= limit.max {
        #expect(refusal == nil, "\(limit.name) of \(size)")
      } else {
        #expect(refusal?.code == .limit || refusal?.code == .value, "\(limit.name) of \(size)")
      }
    }
  }

  @Test func tooManyRowsAreRefusedBeforeTheyAreRead() throws {
    let ledger = try Fixture()
    let row = try ImportRow(.expense(money("1", "KZT"), on: ledger.today))
    let rows = Array(repeating: row, count: Limits.importRowCountMax + 1)
    #expect(ledger.state.refusal(.importRows(rows))?.code == .limit)
    // At the limit they are read, and refused for what they are; that takes long enough for one try.
    let (bad, count) = (
      try ImportRow(.expense(money("-1", "KZT"), on: ledger.today)), Limits.importRowCountMax
    )
    let refusal = ledger.state.refusal(.importRows(Array(repeating: bad, count: count)))
    #expect(refusal?.message.contains("\(count) of \(count) rows") == true)
  }

  @Test func aRefusedFileNamesSoManyRows() throws {
    let ledger = try Fixture()
    for count in [Limits.faultCountMax - 1, Limits.faultCountMax, Limits.faultCountMax + 1] {
      let row = try ImportRow(.expense(money("-1", "KZT"), on: ledger.today))
      let refusal = ledger.state.refusal(.importRows(Array(repeating: row, count: count)))
      #expect(refusal?.rows.count == min(count, Limits.faultCountMax))
      #expect(refusal?.message.contains("\(count) of \(count) rows") == true)
    }
  }

  @Test func aMovedTreeMayNotBecomeTooDeep() throws {
    var ledger = try Fixture()
    func chain(_ name: String, _ count: Int) throws -> [CategoryID] {
      var ids: [CategoryID] = []
      for level in 1...count {
        let new = NewCategory(name: "\(name)\(level)", kind: .expense, parent: ids.last)
        ids.append(try #require(try ledger.state.run(.createCategory(new)).category))
      }
      return ids
    }
    let (long, short) = (try chain("a", 30), try chain("b", 3))
    let tooDeep = Command.amendCategory(short[0], CategoryChange(parent: long[29]))
    #expect(ledger.state.refusal(tooDeep)?.code == .limit)
    try ledger.state.run(.amendCategory(short[0], CategoryChange(parent: long[28])))
  }
}
