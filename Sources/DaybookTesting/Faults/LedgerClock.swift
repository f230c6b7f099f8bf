public import Daybook
import DaybookLMDB

/// A clock that advances only when a test moves it.
///
/// A ledger uses the clock for the times of commits and for retention by age. Pass ``today`` as the
/// `today` parameter of queries and commands.
///
/// ```swift
/// let clock = LedgerClock(at: Day("2026-02-15") ?? .min)
/// var options = Ledger.Options()
/// options.use(clock)
/// let ledger = try await Ledger.inMemory(options: options)
/// clock.advance(by: .seconds(90 * 86_400))
/// ```
public final class LedgerClock: Sendable {
  private let now: Lock<Int64>
  private static let microsecondsOfDay: Int64 = 86_400_000_000

  /// Creates a clock at the beginning of a day, in UTC.
  public init(at day: Day) { now = Lock(LedgerClock.beginning(of: day)) }

  /// The current time in microseconds since 1970-01-01 00:00 UTC.
  public var microsecondsSince1970: Int64 { now.withLock { $0 } }

  /// The current day, in UTC.
  public var today: Day {
    let days = (Double(microsecondsSince1970) / Double(LedgerClock.microsecondsOfDay)).rounded(
      .down)
    return Day(rawValue: Int32(days))
  }

  /// Moves the clock forward, or backward if the duration is negative.
  ///
  /// The time is clamped to the range of valid days.
  public func advance(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let change = Int128(seconds) * 1_000_000 + Int128(attoseconds / 1_000_000_000_000)
    now.withLock { now in
      now = Int64(
        min(
          max(Int128(now) + change, Int128(LedgerClock.beginning(of: .min))),
          Int128(LedgerClock.beginning(of: .max))))
    }
  }

  /// Sets the clock to the beginning of a day, in UTC.
  public func set(to day: Day) {
    let beginning = LedgerClock.beginning(of: day)
    now.withLock { $0 = beginning }
  }

  private static func beginning(of day: Day) -> Int64 {
    Int64(min(max(day, .min), .max).rawValue) * microsecondsOfDay
  }
}
