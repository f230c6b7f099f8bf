import DaybookEntities
import DaybookSyncWire
import Synchronization

/// Caches the id of each accepted token's ledger, which never changes.
///
/// This saves a lookup before each request. The store checks the token together with the request,
/// because the cache can't tell whether a token is still accepted.
final class KnownTokens: Sendable {
  /// The maximum number of tokens in the cache, about 10 MB; a full cache is emptied.
  static let countMax = 100_000

  private let ledgers = Mutex<[Hash256: EntityID]>([:])

  subscript(token: Hash256) -> EntityID? {
    get { ledgers.withLock { $0[token] } }
    set {
      ledgers.withLock { ledgers in
        if ledgers.count >= Self.countMax, ledgers[token] == nil { ledgers.removeAll() }
        ledgers[token] = newValue
      }
    }
  }
}
