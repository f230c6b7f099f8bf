public import Daybook
import Dispatch
import Synchronization

/// Answers questions about a ledger's past, off the threads that serve everybody.
///
/// The views of a moment are made for the occasion, which takes as long as its history is. So they are made one
/// after the other, and the last few are kept: for whatever asks, the page and the API.
public final class PastReader: Sendable {
  /// So many may wait.
  static let waitingCountMax = 32
  /// So many moments are kept.
  static let keptCountMax = 4

  /// The ledger that is asked.
  public let ledger: Ledger
  private let queue = DispatchQueue(label: "daybook.past")
  private let waiting = Mutex(0)
  private let kept = Mutex<[PastLedger]>([])

  /// A reader that has read nothing yet.
  public init(_ ledger: Ledger) { self.ledger = ledger }

  /// Runs `body` on a snapshot as of a token.
  ///
  /// - Throws: ``PastIsBusy`` where too many wait; `DaybookError` as `Ledger.past(asOf:)`; what `body` throws.
  public func read<Value: Sendable>(
    asOf token: Token, _ body: @escaping @Sendable (borrowing Snapshot) throws -> Value
  ) async throws -> Value {
    // A token that is of no use any more is told of, whatever is kept.
    _ = try ledger.history(after: token)
    if let past = known(token) { return try past.read(body) }
    let isRoom = waiting.withLock { count in
      guard count < Self.waitingCountMax else { return false }
      count += 1
      return true
    }
    guard isRoom else { throw PastIsBusy() }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        let result = Result { try made(token).read(body) }
        waiting.withLock { $0 -= 1 }
        continuation.resume(with: result)
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

  private func made(_ token: Token) throws -> PastLedger {
    if let past = known(token) { return past }
    let past = try ledger.past(asOf: token)
    kept.withLock { kept in
      kept.append(past)
      if kept.count > Self.keptCountMax { kept.removeFirst() }
    }
    return past
  }
}

/// Too many wait for moments of the past to be made; a little later there is room.
public struct PastIsBusy: Error, CustomStringConvertible {
  /// What is wrong, and what to do.
  public let description = "Too many wait for the past. Ask again in a moment."
}
