internal import DaybookEngine

/// The ledger as of a past commit, for any number of reads.
///
/// Its views are built once, in a temporary folder, and deleted when the object is released. Use it
/// for a screen or a server that runs several queries on the same past state. Later commits don't
/// affect it. It can be used on any thread.
public final class PastLedger: Sendable {
  /// The token of the commit.
  public let token: Token
  private let store: PastStore
  private let cache = SnapshotCache()

  init(_ store: PastStore, of token: Token) {
    self.store = store
    self.token = token
  }

  /// Reads the ledger as of the past commit; see ``Ledger/read(_:)``.
  ///
  /// - Throws: Any error that `body` throws; ``DaybookError`` with the code `system`.
  /// - Complexity: O(1) plus the cost of `body`.
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
  /// Builds the ledger as of a past commit, for several reads; for a single read, use
  /// ``read(asOf:_:)``.
  ///
  /// The call blocks the calling thread until the views are built, so don't use it on the main
  /// actor.
  ///
  /// - Throws: ``DaybookError`` with the codes `invalidToken`, `expiredToken`, `full`, `closed` or
  ///   `system`.
  /// - Complexity: O(commits up to the token), in bounded memory and with disk space for the views.
  public func past(asOf token: Token) throws(DaybookError) -> PastLedger {
    do { return PastLedger(try store.past(asOf: token), of: token) } catch {
      throw .wrapping(error)
    }
  }
}
