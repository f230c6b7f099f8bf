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

/// Answers questions about the past one at a time, off the threads that serve everybody.
///
/// The views of a moment of the past are made for the occasion, which takes as long as its history is.
final class PastReader: Sendable {
  /// So many may wait.
  static let waitingCountMax = 32
  private let queue = DispatchQueue(label: "daybook.past")
  private let waiting = Mutex(0)

  /// Runs `body` on a snapshot as of a token.
  func read<Result: Sendable>(
    _ ledger: Ledger, asOf token: Token,
    _ body: @escaping @Sendable (borrowing Snapshot) throws -> Result
  ) async throws -> Result {
    let isRoom = waiting.withLock { count in
      guard count < Self.waitingCountMax else { return false }
      count += 1
      return true
    }
    guard isRoom else { throw RateLimit.problem }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        let result = Swift.Result { try ledger.read(asOf: token, body) }
        waiting.withLock { $0 -= 1 }
        continuation.resume(with: result)
      }
    }
  }
}
