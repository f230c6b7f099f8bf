import Entities
import SyncWire
import Synchronization

/// Whose ledger the tokens are of that were let in; a token's never changes.
///
/// Who asks again need not be looked up first: the store does so with what is asked. Whether a token is still let in is not known
/// here.
final class KnownTokens: Sendable {
  /// So many are known, some 10 MB; then all are forgotten, and looked up again as they come.
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
