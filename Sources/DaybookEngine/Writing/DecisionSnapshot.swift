internal import DaybookEntities
internal import DaybookLMDB

/// A snapshot of the views at one commit, for the decisions of one batch.
///
/// Not `Sendable`: it belongs to the thread of the journal's stage.
final class DecisionSnapshot {
  let store: ViewsStore
  /// The head of the views in this snapshot.
  let head: ViewsHead
  private let transaction: ReadTransaction

  init(_ store: ViewsStore) throws {
    self.store = store
    var head = ViewsHead.empty
    transaction = try store.beginRead(&head)
    self.head = head
  }

  @inline(__always)
  func withView<R>(_ body: (TransactionView) throws -> R) throws -> R {
    try Self.lend(transaction, body)
  }

  @inline(__always)
  private static func lend<R>(
    _ transaction: borrowing ReadTransaction, _ body: (TransactionView) throws -> R
  ) throws -> R {
    try body(transaction.view)
  }

  func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    try withView { try store.state.entity(kind, id: id, in: $0) }
  }

  func entityCount() throws -> Int { try withView { try $0.count(of: store.state.rows) } }

  func handle(of projection: any Projection.Type) throws -> ProjectionHandle {
    try withView { try store.handle(of: projection, head, in: $0) }
  }
}
