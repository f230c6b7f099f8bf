import Daybook
import Foundation
import Synchronization

/// The moment that a read is about.
enum AsOf: Sendable {
  /// After a commit, by its number.
  case commit(UInt64)
  /// After the last commit before an instant, in microseconds since 1970 (UTC).
  case before(Int64)

  /// A commit's number, a day (its end, UTC), or an instant such as `2026-02-15T09:30:00Z`.
  init?(_ text: String) {
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text) {
      self = .commit(number)
    } else if let day = Day(text) {
      self = .before((Int64(day.rawValue) + 1) * 86_400_000_000)
    } else if text.utf8.count >= 20, text.utf8.count <= 40, text.hasSuffix("Z"),
      let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(
        text)
    {
      self = .before(Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) + 1)
    } else {
      return nil
    }
  }

  /// The token of the commit.
  func token(in ledger: Ledger) throws -> Token {
    switch self {
    case .commit(let sequence): return try ledger.token(at: sequence)
    case .before(let instant):
      var filter = HistoryFilter()
      filter.until = instant
      var cursor = try ledger.history(before: nil, matching: filter).cursor()
      if let entry = try cursor.next() { return entry.token }
      return try ledger.token(at: 0)
    }
  }
}

/// Answers questions about the past, off the threads that serve everybody.
///
/// The views of a moment are made for the occasion, which takes as long as its history is; so they are made one
/// after the other, and the last few are kept.
final class PastReader: Sendable {
  /// So many may wait.
  static let waitingCountMax = 32
  /// So many moments are kept.
  static let keptCountMax = 4
  private let queue = DispatchQueue(label: "daybook.past")
  private let waiting = Mutex(0)
  private let kept = Mutex<[PastLedger]>([])

  /// Runs `body` on a snapshot as of a token.
  func read<Result: Sendable>(
    _ ledger: Ledger, asOf token: Token,
    _ body: @escaping @Sendable (borrowing Snapshot) throws -> Result
  ) async throws -> Result {
    // A token that is of no use any more is told of, whatever is kept.
    _ = try ledger.history(after: token)
    if let past = known(token) { return try past.read(body) }
    let isRoom = waiting.withLock { count in
      guard count < Self.waitingCountMax else { return false }
      count += 1
      return true
    }
    guard isRoom else { throw RateLimit.problem }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        let result = Swift.Result { try made(ledger, token).read(body) }
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

  private func made(_ ledger: Ledger, _ token: Token) throws -> PastLedger {
    if let past = known(token) { return past }
    let past = try ledger.past(asOf: token)
    kept.withLock { kept in
      kept.append(past)
      if kept.count > Self.keptCountMax { kept.removeFirst() }
    }
    return past
  }
}
