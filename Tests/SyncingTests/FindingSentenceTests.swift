// Goal: each rule's finding is a sentence that somebody who shares the ledger understands, from either device. Method:
// two devices record without each other; the sentences are compared word by word.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookFindings
@testable import DaybookSync

@Suite struct FindingSentenceTests {
  private let day = Day(year: 2026, month: 3, day: 1) ?? .min
  private let id = TransactionID(EntityID(high: 7, low: 1))

  private func rent(_ pair: SharedPair, _ cents: Int64 = 90_000) -> Draft {
    var draft = Draft.expense(
      Money(cents, .eur), from: pair.bank, category: pair.home, on: day, payee: "Rent")
    draft.id = id
    return draft
  }

  private func pair() async throws -> SharedPair {
    try await SharedPair { [.record(rent($0)), .setSettings(SettingsChange(baseCurrency: .eur))] }
  }

  /// The sentences, on the phone and on the laptop.
  private func told(_ pair: SharedPair) async throws -> [[String]] {
    var told: [[String]] = []
    for device in pair.devices {
      let findings = try await device.findings()
      told.append(
        try device.ledger.read { snapshot in
          try SyncFinding.forms(of: findings, in: snapshot).map(\.text)
        })
    }
    return told
  }

  private func expect(
    _ pair: SharedPair, _ phone: String, _ laptop: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await told(pair)
    #expect(found == [[phone], [laptop]], sourceLocation: sourceLocation)
  }

  @Test func valueLost() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.amend(id, Amendment(payee: "Landlord"))],
      laptop: [.amend(id, Amendment(payee: "Smith"))])
    let row = "“\(try pair.row(id).payee), 1 March 2026, 900.00”"
    let laptopHolds = try pair.row(id).payee == "Smith"
    try await expect(
      pair,
      laptopHolds
        ? "You changed the payee of \(row) to “Landlord” while “laptop” changed it to “Smith”, which was kept."
        : "“laptop” changed the payee of \(row) to “Smith” while you changed it to “Landlord”, which was kept.",
      laptopHolds
        ? "“phone” changed the payee of \(row) to “Landlord” while you changed it to “Smith”, which was kept."
        : "You changed the payee of \(row) to “Smith” while “phone” changed it to “Landlord”, which was kept."
    )
  }

  @Test func deletionStands() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.delete(id)], laptop: [.amend(id, Amendment(amount: Money(95_000, .eur)))])
    try await expect(
      pair,
      "You deleted “Rent, 1 March 2026” while “laptop” changed its amount to 950.00. It stays deleted.",
      "“phone” deleted “Rent, 1 March 2026” while you changed its amount to 950.00. It stays deleted."
    )
  }

  @Test func deletionOfACategory() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.mergeCategories(pair.home, into: pair.fun)],
      laptop: [.amendCategory(pair.home, CategoryChange(name: "House", note: "of two"))])
    try await expect(
      pair,
      "You deleted a category while “laptop” changed its name to “House” and changed its note to "
        + "“of two”. It stays deleted.",
      "“phone” deleted a category while you changed its name to “House” and changed its note to "
        + "“of two”. It stays deleted.")
    let finding = try #require(try await pair.devices[0].findings().first)
    try await pair.phone.restore(entity: finding.entity)
    #expect(try pair.phone.read { try $0.category(pair.home)?.name } == "House")
  }

  @Test func cycle() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.amendCategory(pair.food, CategoryChange(parent: .some(pair.fun)))],
      laptop: [.amendCategory(pair.fun, CategoryChange(parent: .some(pair.food)))])
    try await expect(
      pair,
      "“laptop” moved the category “Fun” under “Fun:Food”, which was moved under it at the same time. "
        + "It stays where it was.",
      "You moved the category “Fun” under “Fun:Food”, which was moved under it at the same time. "
        + "It stays where it was.")
  }

  @Test func closedUnseen() async throws {
    let pair = try await pair()
    let late = TransactionID(EntityID(high: 7, low: 2))
    var draft = rent(pair, 700)
    draft.id = late
    draft.payee = "Baker"
    try await pair.record(phone: [.record(draft)], laptop: [.closePeriod(through: day)])
    try await expect(
      pair,
      "“laptop” closed the books through 1 March 2026 without having seen “Baker, 1 March 2026, 7.00”. "
        + "The recorded data stays in the books.",
      "You closed the books through 1 March 2026 without having seen “Baker, 1 March 2026, 7.00”. "
        + "The recorded data stays in the books.")
  }

  @Test func held() async throws {
    for isNew in [true, false] {
      let pair = try await pair()
      var draft = rent(pair, 700)
      draft.id = TransactionID(EntityID(high: 7, low: 2))
      try await pair.record(
        phone: [.closePeriod(through: day)],
        laptop: [isNew ? .record(draft) : .amend(id, Amendment(amount: Money(95_000, .eur)))])
      let done = { (who: String, closer: String) in
        isNew
          ? "\(who) recorded “Rent, 1 March 2026, 7.00” in a period that \(closer) had closed. "
            + "It isn't counted until you accept it."
          : "\(who) changed the amount of “Rent, 1 March 2026, 900.00” to 950.00 in a period that "
            + "\(closer) had closed. The change isn't counted until you accept it."
      }
      try await expect(pair, done("“laptop”", "you"), done("You", "“phone”"))
    }
    let pair = try await pair()
    try await pair.record(phone: [.closePeriod(through: day)], laptop: [.delete(id)])
    try await expect(
      pair,
      "“laptop” deleted “Rent, 1 March 2026, 900.00” in a period that you had closed. "
        + "It is not deleted until you accept the deletion.",
      "You deleted “Rent, 1 March 2026, 900.00” in a period that “phone” had closed. "
        + "It is not deleted until you accept the deletion.")
  }

  @Test func locked() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.amend(id, Amendment(status: .reconciled))],
      laptop: [.amend(id, Amendment(amount: Money(95_000, .eur)))])
    try await expect(
      pair,
      "“laptop” changed the amount of “Rent, 1 March 2026, 900.00” to 950.00 without knowing that it was "
        + "reconciled. The reconciled version was kept.",
      "You changed the amount of “Rent, 1 March 2026, 900.00” to 950.00 without knowing that it was "
        + "reconciled. The reconciled version was kept.")
  }

  @Test func sameName() async throws {
    let pair = try await pair()
    let new = Command.createCategory(NewCategory(name: "Sweets", kind: .expense))
    try await pair.record(phone: [new], laptop: [new])
    let text =
      "Two categories are called “Sweets”: each was created on a device that didn't know of the "
      + "others. Merge them, or rename one."
    try await expect(pair, text, text)
  }

  @Test func closedAccount() async throws {
    let pair = try await pair()
    var draft = rent(pair, 700)
    draft.id = TransactionID(EntityID(high: 7, low: 2))
    try await pair.record(phone: [.delete(id), .closeAccount(pair.bank)], laptop: [.record(draft)])
    let text =
      "The account “Bank” is closed, but its balance is -7.00. Perhaps a transaction was recorded on "
      + "a device that didn't know."
    try await expect(pair, text, text)
  }

  @Test func clash() async throws {
    func budget(_ pair: SharedPair, from start: Int, to end: Int) -> Command {
      var budget = Budget(
        id: BudgetID(EntityID(high: 8, low: 1)), name: "Home", categories: [pair.home],
        amount: Money(50_000, .eur), period: .monthly(resetDay: 1))
      budget.start = Day(year: 2026, month: start, day: 1)
      budget.end = Day(year: 2026, month: end, day: 1)
      return .putBudget(budget)
    }
    let pair = try await SharedPair { [budget($0, from: 1, to: 12)] }
    try await pair.record(
      phone: [budget(pair, from: 9, to: 12)], laptop: [budget(pair, from: 1, to: 6)])
    let told = try await told(pair).flatMap { $0 }
    #expect(told.count == 2)
    for text in told {
      #expect(text.contains("changed the budget “Home” in incompatible ways"), "\(text)")
      #expect(text.contains("2026, not 1 "), "\(text)")
    }
  }

  // MARK: Without a ledger

  private static let groceries = EntityID(high: 9, low: 9)
  private static let row = FindingSubject(
    kind: .transaction, id: groceries, name: "Rent", day: Day(year: 2026, month: 3, day: 1),
    amount: Money(90_000, .eur))
  private static let amount = FindingChange(
    property: "amount", wanted: .money(Money(95_000, .eur)), holds: .money(Money(90_000, .eur)))
  private static let sentences: [(FindingStatement, String)] = [
    (
      .refused(
        .thisDevice,
        [
          FindingChange(
            property: "currency", wanted: .currency(.usd), holds: .currency(.eur))
        ]),
      "You changed the currency of “Rent, 1 March 2026, 900.00” to USD, which can never change."
    ),
    (
      .restoredWhileDeleted(deleter: .device("laptop"), restorer: .unknown),
      "“laptop” deleted “Rent, 1 March 2026, 900.00” while another device recorded or restored it. "
        + "It stays deleted."
    ),
    (
      .deletedWhileReconciled(reconciler: .device("laptop"), deleter: .thisDevice),
      "“laptop” reconciled “Rent, 1 March 2026, 900.00” while you deleted it. It was not deleted."
    ),
    (
      .changedTooLate([amount]),
      "This device was offline for too long. You changed the amount of “Rent, 1 March 2026, 900.00” to "
        + "950.00, but others had made conflicting changes in the meantime: the amount is 900.00, not 950.00."
    ),
    (
      .changedTooLateAndGone([amount]),
      "This device was offline for too long. You changed the amount of “Rent, 1 March 2026, 900.00” to "
        + "950.00, but it had been deleted in the meantime. It stays deleted."
    ),
    (
      .deletedTooLate,
      "This device was offline for too long. You deleted “Rent, 1 March 2026, 900.00”, but others had "
        + "changed it in the meantime. It was not deleted."
    ),
    (
      .balanced(.money(Money(300, .eur))),
      "“Rent, 1 March 2026, 900.00” was split on two devices, and together the parts don't add up to "
        + "the bank's total. 3.00 is uncategorised now."
    ),
    (
      .changedWhileDeleted(
        deleter: .thisDevice, changer: .device("laptop"),
        [
          FindingChange(property: "isHidden", wanted: .flag(true), holds: nil),
          FindingChange(property: "note", wanted: nil, holds: .text("old")),
          FindingChange(
            property: "amount", wanted: .money(Money(500, .eur)), holds: nil, part: groceries),
        ]),
      "You deleted “Rent, 1 March 2026, 900.00” while “laptop” hid it, removed its note and changed its "
        + "amount in “Groceries” to 5.00. It stays deleted."
    ),
  ]

  @Test(arguments: sentences.indices) func eachStatementIsASentence(_ index: Int) {
    let format = FindingFormat(
      names: [Self.groceries: "Groceries"], day: { FindingFormat.english($0) }, money: { $0.text })
    let (statement, text) = Self.sentences[index]
    #expect(EnglishFindings(format).text(statement, Self.row) == text)
  }
}
