internal import DaybookEngine
internal import DaybookJournal
import DaybookProjections

extension Ledger {
  /// The schema of a ledger's kinds of entities, which the journal needs.
  public static let schema = Schema(
    KindDescription.all.map { kind in
      KindDefinition(
        kind: kind.kind, name: kind.name, personalTags: TagSet(kind.personalTags),
        clusterTag: kind.clusterTag, newestVersion: kind.version,
        firstNumber: kind.firstNumber)
    } + [KindDefinition(kind: .dismissal, name: EntityKind.dismissal.name)])

  /// The built-in projections of every ledger.
  public static let projections: [any Projection.Type] = [
    Transactions.self, Balances.self, MonthlyTotals.self, CategoryTotals.self, Rates.self,
    Recurring.self, Search.self, PayeesAndTags.self, Budgets.self,
    Envelopes.self,
  ]
}
