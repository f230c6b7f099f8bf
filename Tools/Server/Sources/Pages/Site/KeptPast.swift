import Daybook
import Dispatch
import Synchronization

/// Moments of the past, made one after the other, off the threads that serve everybody; the last few are kept.
final class KeptPast: Sendable {
  /// So many moments are kept.
  static let countMax = 4

  private let queue = DispatchQueue(label: "daybook.pages.past")
  private let kept = Mutex<[PastLedger]>([])

  /// Runs `body` on a snapshot as of a token.
  func read<Value: Sendable>(
    _ ledger: Ledger, asOf token: Token,
    _ body: @escaping @Sendable (borrowing Snapshot) throws -> Value
  ) async throws -> Value {
    // A token that is of no use any more is told of, whatever is kept.
    _ = try ledger.history(after: token)
    if let past = known(token) { return try past.read(body) }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(with: Result { try made(ledger, token).read(body) })
      }
    }
  }

  /// A moment that is kept; it is the last to go then.
  private func known(_ token: Token) -> PastLedger? {
    kept.withLock { kept in
      guard let index = kept.firstIndex(where: { $0.token == token }) else { return nil }
      kept.append(kept.remove(at: index))
      return kept.last
    }
  }

  private func made(_ ledger: Ledger, _ token: Token) throws -> PastLedger {
    if let past = known(token) { return past }
    let past = try ledger.past(asOf: token)
    kept.withLock { kept in
      kept.append(past)
      if kept.count > Self.countMax { kept.removeFirst() }
    }
    return past
  }
}
