import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging

/// A log of a ledger's commits that is written line by line, merged by the ledger's rules.
struct Log {
  private var entries: [LogEntry] = []
  private var numbers: [UInt64: UInt64] = [:]

  /// Places a commit of a replica that had seen the log up to `base`.
  mutating func place(
    _ replica: UInt64, base: UInt64, clock: Int64, hasIndependentChanges: Bool = false,
    _ changes: EntityChange...
  ) {
    numbers[replica, default: 0] += 1
    let commit = ReplicaCommit(
      replica: ReplicaID(rawValue: replica), number: numbers[replica] ?? 0, base: base,
      clock: clock, hasIndependentChanges: hasIndependentChanges, changes: changes)
    entries.append(
      LogEntry(
        position: UInt64(entries.count) + 1,
        received: max(clock, entries.last?.received ?? .min), content: .commit(commit)))
  }

  /// What the log comes to.
  func folded() throws -> Folded {
    var fold = Fold(rules: .ledger)
    try fold.fold(contentsOf: entries)
    return fold.folded
  }
}

extension EntityChange {
  /// From one state of an entity to another.
  static func change<Entity: LedgerEntity>(_ before: Entity?, _ after: Entity?) -> EntityChange {
    let id = after?.entityID ?? before?.entityID ?? EntityID(high: 0, low: 0)
    return EntityChange(
      EntityKey(Entity.kind, id), before: before?.record(), after: after?.record())
  }
}

extension Folded {
  /// An entity as it was merged, deleted or not.
  func entity<Entity: LedgerEntity>(_ like: Entity) throws -> Entity? {
    guard let state = entities[EntityKey(Entity.kind, like.entityID)] else { return nil }
    return try Entity(record: state.record, id: like.entityID, number: 0)
  }

  /// The rules by which findings were made, in their order.
  var rules: [FindingRule] { findings.values.sorted { $0.id < $1.id }.map(\.id.rule) }
}

func account(_ number: UInt64) -> AccountID { AccountID(EntityID(high: 7, low: number)) }
func category(_ number: UInt64) -> CategoryID { CategoryID(EntityID(high: 8, low: number)) }
func rule(_ number: UInt64) -> RuleID { RuleID(EntityID(high: 9, low: number)) }

func day(_ year: Int, _ month: Int, _ day: Int) -> Day {
  Day(year: year, month: month, day: day) ?? .min
}

func eur(_ units: Int64) -> Money { Money(units, .eur) }

/// A row of postings.
func row(
  _ postings: [Posting], type: TransactionType = .expense, payee: String = "",
  categorizedBy: RuleID? = nil
) -> Transaction {
  Transaction(
    id: TransactionID(EntityID(high: 1, low: 1)), day: day(2026, 5, 4),
    type: type, payee: payee, postings: postings, categorizedBy: categorizedBy)
}

/// Something bought from an account.
func expense(
  _ units: Int64, from: UInt64 = 1, _ on: UInt64 = 1, note: String = "", rule: RuleID? = nil
) -> Transaction {
  row(
    [
      Posting(.account(account(from)), eur(-units)),
      Posting(.category(category(on)), eur(units), note: note),
    ], categorizedBy: rule)
}

/// Something moved between accounts.
func transfer(_ units: Int64, from: UInt64, to: UInt64) -> Transaction {
  row(
    [
      Posting(.account(account(from)), eur(-units)), Posting(.account(account(to)), eur(units)),
    ], type: .transfer)
}
