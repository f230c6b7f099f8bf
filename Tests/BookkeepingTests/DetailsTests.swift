// Goal: a detail of a transaction, an account or a category is stated once, and works wherever the entity is recorded,
// amended, merged and written as JSON.
// Method: details in which every property has a value other than its default; reflection finds a property that the
// tables, or the details in this file, lack. The members of commands are compared with frozen lists, because digests of
// idempotency keys cover their order.

import DaybookBookkeeping
import DaybookEntities
import Foundation
import Testing

@Suite struct DetailsTests {
  private static let day = Day(rawValue: 20_500)
  private static let transaction = TransactionDetails(
    status: .pending, description: "d", payee: "p", note: "n", tags: ["t"], valueDay: day,
    code: "c", isExcludedFromTotals: true, distinctFrom: [.unassigned],
    attachments: [Attachment(name: "r.pdf", hash: .zero, byteCount: 3)])
  private static let account = AccountDetails(
    name: "n", kind: .liability, isHidden: true, note: "o", order: 7, identifiers: ["DE00"],
    isOutsideBudget: true, isExcludedFromTotals: true)
  private static let category = CategoryDetails(
    name: "n", parent: .uncategorizedIncome, isHidden: true, note: "o", order: 7,
    origins: ["actual:1:n"], carriesOverspending: true, isExcludedFromTotals: true,
    goal: EnvelopeGoal(.byDay(day), Money(1, .eur)))

  private static let plainTransaction = Transaction(
    id: .unassigned, day: day, type: .expense, postings: [])
  private static let plainAccount = Account(id: .unassigned, name: "", currency: .eur)
  private static let plainCategory = DaybookBookkeeping.Category(
    id: .unassigned, name: "", kind: .income)

  private func members(_ value: some Encodable) throws -> [String] {
    guard case .object(let members) = try JSONValue(value) else { return [] }
    return members.map(\.name)
  }

  /// The stored properties, with those that are stored together in an array of one element.
  private func propertyCount(_ details: some EntityDetails) -> Int {
    Mirror(reflecting: details).children.reduce(0) { count, property in
      let isGroup = property.label == "rare"
      let grouped = Mirror(reflecting: property.value).children.first.map { $0.value }
      return count + (isGroup ? grouped.map { Mirror(reflecting: $0).children.count } ?? 0 : 1)
    }
  }

  private func checkEveryProperty<Entity: LedgerEntity & Detailed>(
    _ full: Entity.Details, of plain: Entity
  ) throws where Entity.Details.Entity == Entity {
    // A change names each property that differs, which is each stored one.
    let change = DetailsChange<Entity>(from: Entity.blank.details, to: full)
    let names = try members(change)
    #expect(names.count == propertyCount(full))
    #expect(change == DetailsChange(from: nil, to: full))
    #expect(DetailsChange<Entity>(from: full, to: full) == DetailsChange())
    let data = try JSONEncoder().encode(change)
    #expect(try JSONDecoder().decode(DetailsChange<Entity>.self, from: data) == change)
    // The details alone, the record of the entity and its JSON have them all.
    #expect(try Set(members(full)) == Set(names))
    var entity = plain
    entity.details = full
    let read = try Entity(record: entity.record(), id: entity.entityID, number: entity.number)
    #expect(read.details == full)
    #expect(try Set(members(entity)).isSuperset(of: names))
  }

  @Test func everyPropertyArrivesEverywhere() throws {
    try checkEveryProperty(Self.transaction, of: Self.plainTransaction)
    try checkEveryProperty(Self.account, of: Self.plainAccount)
    try checkEveryProperty(Self.category, of: Self.plainCategory)
  }

  @Test func membersAreReadAndSetByName() throws {
    var amendment = Amendment()
    #expect(amendment.payee == nil && amendment.valueDay == .none)
    amendment.payee = ""
    amendment.valueDay = .some(nil)
    #expect(amendment.payee == "" && amendment.valueDay == .some(nil))
    #expect(amendment != Amendment())
    amendment.payee = nil
    amendment.valueDay = nil
    #expect(amendment == Amendment())
    var draft = Draft.expense(Money(1, .eur), on: Self.day, payee: "p")
    draft.tags.append("t")
    #expect(draft.payee == "p" && draft.details == TransactionDetails(payee: "p", tags: ["t"]))
  }

  @Test func aChangeReplacesWhatItNames() throws {
    var ledger = try Fixture()
    let id = try ledger.lunch()
    let before = try ledger.stored(id).details
    var amendment = Amendment(note: "new")
    try ledger.state.run(.amend(id, amendment))
    var expected = before
    expected.note = "new"
    #expect(try ledger.stored(id).details == expected)
    amendment.details = DetailsChange(from: nil, to: Self.transaction)
    try ledger.state.run(.amend(id, amendment))
    #expect(try ledger.stored(id).details == Self.transaction)
  }

  @Test func aContestedPropertyIsCalledByItsName() throws {
    var ledger = try Fixture()
    try ledger.state.run(.setSettings(SettingsChange(mergePolicy: .error)))
    let id = try ledger.lunch()
    var theirs = Amendment()
    theirs.valueDay = Self.day
    var mine = Amendment(seen: try ledger.stored(id))
    mine.valueDay = Self.day.adding(days: 1)
    try ledger.state.run(.amend(id, theirs))
    #expect(ledger.state.refusal(.amend(id, mine))?.message.contains("the value day of") == true)
    let seen = try #require(try ledger.state.account(ledger.cash))
    try ledger.state.run(.amendAccount(ledger.cash, AccountChange(isHidden: true)))
    // Equal to what is stored, so nothing is contested.
    try ledger.state.run(.amendAccount(ledger.cash, AccountChange(isHidden: true, seen: seen)))
    var numbers = AccountChange()
    numbers.identifiers = ["1"]
    try ledger.state.run(.amendAccount(ledger.cash, numbers))
    numbers.seen = seen
    numbers.identifiers = ["2"]
    let refusal = ledger.state.refusal(.amendAccount(ledger.cash, numbers))
    #expect(refusal?.code == .conflict && refusal?.message.contains("the numbers of") == true)
  }

  @Test func textsAndDaysBeyondTheirLimitsAreRefused() throws {
    var ledger = try Fixture()
    let id = try ledger.lunch()
    func text(_ count: Int) -> String { String(repeating: "x", count: count) }
    for (property, label, max) in [
      (\TransactionDetails.description, "description", Limits.descriptionByteCountMax),
      (\.payee, "payee", Limits.payeeByteCountMax), (\.note, "note", Limits.noteByteCountMax),
      (\.code, "code", Limits.codeByteCountMax),
    ] {
      var amendment = Amendment()
      amendment[dynamicMember: property] = text(max)
      try ledger.state.run(.amend(id, amendment))
      amendment[dynamicMember: property] = text(max + 1)
      let refusal = ledger.state.refusal(.amend(id, amendment))
      #expect(refusal?.code == .limit && refusal?.message.contains("the \(label) of") == true)
      var draft = Draft.expense(Money(1, .kzt), on: ledger.today)
      draft[dynamicMember: property] = text(max + 1)
      #expect(ledger.state.refusal(.record(draft))?.code == .limit)
    }
    var late = Amendment()
    late.valueDay = Day(rawValue: .max)
    let refusal = ledger.state.refusal(.amend(id, late))
    #expect(refusal?.code == .day && refusal?.message.contains("the value day") == true)
    let note = text(Limits.noteByteCountMax + 1)
    #expect(
      ledger.state.refusal(.amendAccount(ledger.cash, AccountChange(note: note)))?.code == .limit)
    #expect(
      ledger.state.refusal(.amendCategory(ledger.food, CategoryChange(note: note)))?.code
        == .limit)
    #expect(
      ledger.state.refusal(.createCategory(NewCategory(name: "N", kind: .income, note: note)))?.code
        == .limit)
  }

  @Test func theOrderOfMembersIsFrozen() throws {
    var draft = Draft(.postings([]), on: Self.day, id: .unassigned, details: Self.transaction)
    draft.importIdentity = ImportIdentity(reference: "r")
    draft.series = SeriesLink(.unassigned, due: Self.day)
    draft.categorizedBy = .unassigned
    draft.isConverted = true
    #expect(
      try members(draft) == [
        "id", "day", "status", "postings", "description", "payee", "note", "tags", "imported",
        "importReference", "series", "occurrence", "categorizedBy", "valueDay", "code",
        "excludedFromTotals", "distinctFrom", "attachments", "converted",
      ])
    var amendment = Amendment(day: Self.day, shape: .postings([]))
    amendment.details = DetailsChange(from: nil, to: Self.transaction)
    amendment.series = .some(nil)
    amendment.categorizedBy = .unassigned
    amendment.changesImportedTotal = true
    amendment.isConverted = true
    amendment.seen = Self.plainTransaction
    #expect(
      try members(amendment) == [
        "day", "postings", "description", "payee", "note", "tags", "status", "series",
        "categorizedBy", "valueDay", "code", "excludedFromTotals", "distinctFrom",
        "attachments", "converted", "changesImportedTotal", "seen",
      ])
    var opened = NewAccount(
      id: .unassigned, name: "", currency: .eur, opening: Money(1, .eur), openingDay: Self.day)
    opened.details = Self.account
    #expect(
      try members(opened) == [
        "id", "name", "kind", "currency", "opening", "openingDay", "note", "order", "hidden",
        "identifiers", "outsideBudget", "excludedFromTotals",
      ])
    var account = AccountChange(from: nil, to: Self.account)
    account.seen = Self.plainAccount
    #expect(
      try members(account) == [
        "name", "kind", "note", "order", "identifiers", "hidden", "outsideBudget",
        "excludedFromTotals", "seen",
      ])
    var created = NewCategory(id: .unassigned, name: "", kind: .income)
    created.details = Self.category
    #expect(
      try members(created) == [
        "id", "name", "kind", "parent", "note", "order", "origins",
        "carriesOverspending", "excludedFromTotals", "goal", "hidden",
      ])
    var category = CategoryChange(from: nil, to: Self.category)
    category.seen = Self.plainCategory
    #expect(
      try members(category) == [
        "name", "parent", "note", "order", "origins", "goal", "hidden", "carriesOverspending",
        "excludedFromTotals", "seen",
      ])
  }
}
