public import Daybook
import Dispatch
import Synchronization

/// A reader of past states of a ledger, which uses a dedicated thread so that other requests don't
/// wait.
///
/// Building the views of a past state takes time proportional to the history before it. States are
/// therefore built one at a time, and the most recently used states are kept and shared by the
/// pages and the API.
public final class PastReader: Sendable {
  /// The maximum number of reads that may wait at once.
  static let waitingCountMax = 32
  /// The number of past states that are kept.
  static let keptCountMax = 4

  /// The ledger whose past is read.
  public let ledger: Ledger
  private let queue = DispatchQueue(label: "daybook.past")
  private let waiting = Mutex(0)
  private let kept = Mutex<[PastLedger]>([])

  /// Creates a reader that keeps no past states yet.
  public init(_ ledger: Ledger) { self.ledger = ledger }

  /// Runs `body` on a snapshot as of a token.
  ///
  /// - Throws: ``PastBusyError`` if too many reads are waiting; any error that `Ledger.past(asOf:)`
  ///   or `body` throws.
  public func read<Value: Sendable>(
    asOf token: Token, _ body: @escaping @Sendable (borrowing Snapshot) throws -> Value
  ) async throws -> Value {
    // Reject an expired token even if its state is still kept.
    _ = try ledger.history(after: token)
    if let past = known(token) { return try past.read(body) }
    let isRoom = waiting.withLock { count in
      guard count < Self.waitingCountMax else { return false }
      count += 1
      return true
    }
    guard isRoom else { throw PastBusyError() }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        let result = Result { try made(token).read(body) }
        waiting.withLock { $0 -= 1 }
        continuation.resume(with: result)
      }
    }
  }

  /// Returns a kept state and marks it as the most recently used one.
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

/// An error thrown if too many reads of past states are waiting; try again a moment later.
public struct PastBusyError: Error, CustomStringConvertible {
  /// The problem and its remedy, as sentences.
  public let description =
    "Too many requests for earlier states are waiting. Try again in a moment."
}
