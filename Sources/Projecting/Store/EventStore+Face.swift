package import Entities
package import Journal
internal import LMDB

// What the face above needs beside closures: views that it wraps in types of its own.
extension EventStore {
  /// The newest commit and its link, with the identity of the store.
  package func newestLink() throws -> (store: EntityID, sequence: UInt64, link: Hash256) {
    let head = try openStore().journal.head()
    return (folder.identity, head.sequence, head.link)
  }

  /// The link of a commit; `nil` where it has been purged.
  package func link(at sequence: UInt64) throws -> Hash256? {
    let journal = try openStore().journal
    return try sequence < journal.floor().sequence ? nil : journal.link(at: sequence)
  }

  /// The token after a commit whose header is known.
  package func token(after header: CommitHeader) throws -> Token {
    try openStore().journal.token(after: header)
  }

  /// One commit, whole.
  package func commit(at sequence: UInt64) throws -> Commit {
    try openStore().journal.commit(at: sequence)
  }

  /// What is remembered of an idempotency key; `nil` where it was never used.
  package func lookUp(key: [UInt8]) throws -> KeyRow? {
    try openStore().journal.lookUp(key: key)
  }

  /// The token after a commit of which a key is remembered; an expired one where it has been purged.
  package func token(ofKept sequence: UInt64) throws -> Token {
    try openStore().journal.token(ofKept: sequence)
  }
}

extension CommittedTables {
  /// Gives the entities of a kind between two places of State, which lacks the pending changes, to `body`.
  ///
  /// - Parameters:
  ///   - from: the first place, the least where `nil`.
  ///   - to: the place after the last, past the greatest where `nil`.
  package func forEachEntity(
    _ kind: EntityKind, from: StatePosition? = nil, to: StatePosition? = nil,
    _ body: (StoredEntity) throws -> Void
  ) throws {
    let state = snapshot.store.state
    let lower = StateTable.rowKey(kind, from ?? StatePosition(cluster: 0, number: 0))
    var upper = TableKey()
    upper.append(u8: kind.rawValue)
    upper = upper.afterPrefix ?? StateTable.rowKey(kind, StatePosition.greatest)
    if let to { upper = StateTable.rowKey(kind, to) }
    try snapshot.withView { view in
      try lower.withBytes { (lower) throws in
        try upper.withBytes { (upper) throws in
          try view.forEach(in: state.rows, from: lower, to: upper) { key, value in
            let position = try StateTable.position(inRowKey: key)
            let stored = try state.withRecord(value, kind, position.number, in: view) {
              StoredEntity(id: $0, number: position.number, record: Record(bytes: $1.copied()))
            }
            try body(stored)
            return true
          }
        }
      }
    }
  }
}
