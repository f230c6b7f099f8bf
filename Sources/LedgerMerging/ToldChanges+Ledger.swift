import Bookkeeping
import Entities
import Merging

extension ToldChanges {
  /// What the others are told of what a commit changed in a ledger.
  ///
  /// - A row that a series or a file makes is made: under the same id anybody else makes it again. Not so one that
  ///   comes back with its mark taken away.
  /// - The mark of a row that is not to come is a skip of that row, too: it stands against the row that another device
  ///   makes meanwhile.
  /// - A commit that only makes rows, or gives them the categories of rules, is a set.
  init(ofLedger changes: [EntityChange]) {
    var isSet: Bool?
    var made: Set<EntityID> = []
    var told: [EntityChange] = []
    let marks = changes.filter { $0.key.kind == .fingerprint }
    let unmarked = Set(marks.filter { $0.after == nil }.map(\.key.id))
    let rows = Set(changes.filter { $0.key.kind == .transaction }.map(\.key.id))
    for var change in changes {
      switch change.key.kind {
      case .transaction:
        change.isMade = change.isMadeRow && !unmarked.contains(change.key.id)
        if change.isMade { made.insert(change.key.id) }
        isSet = isSet != false && (made.contains(change.key.id) || change.isOfRule)
      case .fingerprint where change.before == nil && change.key.id.isNamed:
        change.isMade = true
        if !rows.contains(change.key.id) {
          told.append(
            EntityChange(EntityKey(.transaction, change.key.id), before: nil, after: nil))
        }
      default: break
      }
      told.append(change)
    }
    self.init(told, isSet: isSet == true)
  }
}

extension EntityChange {
  /// Whether it inserts a row under an id that follows from what the row is.
  fileprivate var isMadeRow: Bool {
    guard before == nil, let after,
      let row = try? Transaction(record: after, id: key.id, number: 0)
    else { return false }
    return row.hasNamedID
  }

  /// Whether a rule chose the category of a row, and nothing else of it changed.
  fileprivate var isOfRule: Bool {
    guard let before, let after,
      var old = try? Transaction(record: before, id: key.id, number: 0),
      let new = try? Transaction(record: after, id: key.id, number: 0), new.categorizedBy != nil
    else { return false }
    old.postings = new.postings
    old.type = new.type
    old.categorizedBy = new.categorizedBy
    return old == new
  }
}
