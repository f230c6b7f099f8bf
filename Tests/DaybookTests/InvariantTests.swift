/// Goal: what breaks a rule of bookkeeping is found by verification, whichever way it came in, and named
/// with the commit that brought it.
/// Method: entities are restored as they are, without the decisions that would refuse them.
import Daybook
import Testing

@Suite struct InvariantTests {
  private static let account = AccountID(EntityID(high: 1, low: 1))
  private static let category = CategoryID(EntityID(high: 1, low: 2))

  private func insertion<Entity: LedgerEntity>(_ entity: Entity, number: UInt64) -> Change {
    Change(
      kind: Entity.kind, id: entity.entityID, number: number, before: nil, after: entity.record())
  }

  private func ledger(
    postings: [Posting], parent: CategoryID? = nil
  ) async throws -> Ledger {
    let euro = try #require(Currency.iso("EUR"))
    let ledger = try await Ledger.inMemory()
    let transaction = Transaction(
      id: TransactionID(EntityID(high: 1, low: 3)), number: 1,
      day: try #require(Day("2026-03-01")), type: .expense, postings: postings)
    _ = try await ledger.restore([
      insertion(
        Account(id: Self.account, number: 1, name: "Cash", kind: .asset, currency: euro), number: 1),
      insertion(
        Category(id: Self.category, number: 1, name: "Food", kind: .expense, parent: parent),
        number: 1),
      insertion(transaction, number: 1),
    ])
    return ledger
  }

  private func euros(_ units: Int64) throws -> Money {
    Money(units, try #require(Currency.iso("EUR")))
  }

  private func findings(_ ledger: Ledger) async throws -> [String] {
    let report = try await ledger.verify()
    try await ledger.close()
    return report.findings
  }

  @Test func whatKeepsToTheRulesIsSound() async throws {
    let ledger = try await ledger(postings: [
      Posting(.category(Self.category), try euros(5)),
      Posting(.account(Self.account), try euros(-5)),
    ])
    #expect(try await findings(ledger) == [])
  }

  @Test func postingsThatDoNotBalanceAreFound() async throws {
    let ledger = try await ledger(postings: [
      Posting(.category(Self.category), try euros(5)),
      Posting(.account(Self.account), try euros(-4)),
    ])
    let found = try await findings(ledger)
    #expect(found.count == 1)
    #expect(found.first?.contains("add up to 1 instead of 0, last changed by commit 1") == true)
  }

  /// Merging two accounts once made a transfer between them one from an account to itself.
  @Test func aSeriesFromAnAccountToItselfIsFound() async throws {
    let ledger = try await ledger(postings: [
      Posting(.category(Self.category), try euros(5)),
      Posting(.account(Self.account), try euros(-5)),
    ])
    let series = Series(
      id: SeriesID(EntityID(high: 1, low: 4)), number: 1, name: "Move",
      template: SeriesTemplate(
        type: .transfer, amount: try euros(5), account: Self.account, otherAccount: Self.account),
      schedule: Schedule(.month), anchor: try #require(Day("2026-03-01")))
    _ = try await ledger.restore([insertion(series, number: 1)])
    let found = try await findings(ledger)
    #expect(found.first?.contains("is a transfer from an account to itself") == true, "\(found)")
  }

  @Test func aParentThatIsMissingIsFound() async throws {
    let ledger = try await ledger(
      postings: [
        Posting(.category(Self.category), try euros(5)),
        Posting(.account(Self.account), try euros(-5)),
      ], parent: CategoryID(EntityID(high: 9, low: 9)))
    let found = try await findings(ledger)
    #expect(found.first?.contains("a missing parent") == true, "\(found)")
  }

  /// Accounts and categories are apart: the id of one that was seen does not stand for the other.
  @Test(arguments: [true, false]) func anIDOfTheOtherKindIsFound(accountFirst: Bool) async throws {
    let mistaken =
      accountFirst
      ? [
        Posting(.account(Self.account), try euros(-5)),
        Posting(.category(CategoryID(Self.account.rawValue)), try euros(5)),
      ]
      : [
        Posting(.category(Self.category), try euros(5)),
        Posting(.account(AccountID(Self.category.rawValue)), try euros(-5)),
      ]
    let ledger = try await ledger(postings: mistaken)
    let found = try await findings(ledger)
    #expect(
      found.contains { $0.contains("refers to a missing account or category") }, "\(found)")
  }
}
