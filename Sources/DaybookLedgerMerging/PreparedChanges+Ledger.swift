import DaybookBookkeeping
import DaybookEntities
import DaybookMerging

extension PreparedChanges {
  /// Prepares a ledger commit's changes for other replicas.
  ///
  /// - A generated or imported transaction is marked as made, because every device that generates
  ///   or imports it uses the same id. A transaction that is restored by removing its skip mark
  ///   isn't marked as made.
  /// - The skip mark of a transaction also becomes a skip of that transaction, which wins over the
  ///   same transaction if another device has made it.
  /// - A commit that only makes transactions, or only assigns categories by rules, has independent
  ///   changes (`hasIndependentChanges`).
  init(ofLedger changes: [EntityChange]) {
    var hasIndependentChanges: Bool?
    var made: Set<EntityID> = []
    var prepared: [EntityChange] = []
    let marks = changes.filter { $0.key.kind == .fingerprint }
    let unmarked = Set(marks.filter { $0.after == nil }.map(\.key.id))
    let rows = Set(changes.filter { $0.key.kind == .transaction }.map(\.key.id))
    for var change in changes {
      switch change.key.kind {
      case .transaction:
        change.isMade = change.isMadeRow && !unmarked.contains(change.key.id)
        if change.isMade { made.insert(change.key.id) }
        hasIndependentChanges =
          hasIndependentChanges != false && (made.contains(change.key.id) || change.isOfRule)
      case .fingerprint where change.before == nil && change.key.id.isNamed:
        change.isMade = true
        if !rows.contains(change.key.id) {
          prepared.append(
            EntityChange(EntityKey(.transaction, change.key.id), before: nil, after: nil))
        }
      default: break
      }
      prepared.append(change)
    }
    self.init(prepared, hasIndependentChanges: hasIndependentChanges == true)
  }
}

extension EntityChange {
  /// Whether the change inserts a transaction whose id is derived from its contents.
  fileprivate var isMadeRow: Bool {
    guard before == nil, let after,
      let row = try? Transaction(record: after, id: key.id, number: 0)
    else { return false }
    return row.hasNamedID
  }

  /// Whether the change only sets the category or payee that a rule chose for a transaction.
  fileprivate var isOfRule: Bool {
    guard let before, let after,
      var old = try? Transaction(record: before, id: key.id, number: 0),
      let new = try? Transaction(record: after, id: key.id, number: 0),
      new.categorizedBy != nil || new.statedPayee?.rule != nil
    else { return false }
    if new.statedPayee?.rule != nil {
      old.payee = new.payee
      old.statedPayee = new.statedPayee
    }
    old.postings = new.postings
    old.type = new.type
    old.categorizedBy = new.categorizedBy
    return old == new
  }
}
