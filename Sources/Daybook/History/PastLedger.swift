internal import Projecting

/// A ledger as it was after a commit of the past, to be asked as often as one likes.
///
/// Its views are made once, in a temporary folder, and are gone with the object: for a screen or a server that asks
/// several questions of the same moment. What is recorded meanwhile changes nothing of it. Safe to use from any
/// thread.
public final class PastLedger: Sendable {
  /// The commit that it is of.
  public let token: Token
  private let store: PastStore
  private let cache = SnapshotCache()

  init(_ store: PastStore, of token: Token) {
    self.store = store
    self.token = token
  }

  /// Answers questions about the ledger as it was then; see ``Ledger/read(_:)``.
  ///
  /// - Throws: What `body` throws; ``DaybookError`` with the code `system`.
  /// - Complexity: O(1) besides what `body` does.
  public func read<Result: ~Copyable>(_ body: (borrowing Snapshot) throws -> Result) throws
    -> Result
  {
    do {
      return try store.read { view in
        let snapshot = Snapshot(view, cache: cache)
        return try body(snapshot)
      }
    } catch {
      throw DaybookError.translating(error)
    }
  }
}

extension Ledger {
  /// The ledger as it was after a commit of the past, for several questions; ``read(asOf:_:)`` is for one.
  ///
  /// Runs on the caller's thread, which it keeps for as long as making the views takes: not for a main actor.
  ///
  /// - Throws: ``DaybookError`` with the codes `invalidToken`, `expiredToken`, `full`, `closed` or `system`.
  /// - Complexity: O(commits up to the token), in bounded memory and as much disk as the views.
  public func past(asOf token: Token) throws(DaybookError) -> PastLedger {
    do { return PastLedger(try store.past(asOf: token), of: token) } catch {
      throw .wrapping(error)
    }
  }
}
