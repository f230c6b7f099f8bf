/// Goal: idempotency keys are kept for as long as is promised, and then forgotten by purges.
/// Method: a clock that the test sets.
import Daybook
import Synchronization
import Testing

@Suite struct KeyRetentionTests {
  private final class Clock: Sendable {
    let microseconds = Mutex<Int64>(1_700_000_000_000_000)
  }

  private let now = Clock()
  private static let day: Int64 = 86_400 * 1_000_000

  private func ledger() async throws -> Ledger {
    var options = Ledger.Options()
    options.adjustsEngine = { [now] engine in engine.clock = { now.microseconds.withLock { $0 } } }
    return try await Ledger.inMemory(options: options)
  }

  private func rate(_ day: Int) throws -> Command {
    let (dollar, euro) = (try #require(Currency.iso("USD")), try #require(Currency.iso("EUR")))
    let first = try #require(Day("2026-01-01"))
    return .setRate(
      ExchangeRate(
        base: dollar, quoted: euro, day: first.adding(days: day), quote: try Quote("0.9")))
  }

  private func purge(_ ledger: Ledger, keeping count: Int) async throws -> PurgeReport {
    var options = PurgeOptions()
    options.policy = .count(count)
    options.isDryRun = true
    let plan = try await ledger.purge(options)
    options.isDryRun = false
    let report = try await ledger.purge(options)
    #expect(plan == report)
    return report
  }

  @Test func keysAreForgottenAfterTheirAllowance() async throws {
    let ledger = try await ledger()
    for index in 0..<3 {
      try await ledger.append([rate(index)], key: "key \(index)")
      now.microseconds.withLock { $0 += 150 * Self.day }
    }
    // 450, 300 and 150 days later, counted to the newest commit.
    try await ledger.append(rate(9))
    // Nothing is purged of which the key is kept.
    #expect(try await purge(ledger, keeping: 100).keyCount == 0)
    #expect(try await ledger.append([rate(0)], key: "key 0").isRepeat)
    #expect(try await purge(ledger, keeping: 0).keyCount == 1)
    #expect(try await ledger.append([rate(1)], key: "key 1").isRepeat)
    #expect(try await ledger.append([rate(2)], key: "key 2").isRepeat)
    // It is new again, whatever it is used for.
    let again = try await ledger.append([rate(5)], key: "key 0")
    #expect(!again.isRepeat)
    #expect(try await ledger.verify().findings == [])
    try await ledger.close()
  }

  @Test func aClockThatRanAheadForgetsNothing() async throws {
    let ledger = try await ledger()
    try await ledger.append([rate(0)], key: "key")
    try await ledger.append(rate(1))
    now.microseconds.withLock { $0 += 10_000 * Self.day }
    #expect(try await purge(ledger, keeping: 0).keyCount == 0)
    try await ledger.close()
  }

  @Test func keysAtTheLimit() async throws {
    for (days, count) in [(399, 0), (400, 0), (401, 1)] {
      let ledger = try await ledger()
      try await ledger.append([rate(0)], key: "key")
      now.microseconds.withLock { $0 += Int64(days) * Self.day }
      try await ledger.append(rate(1))
      #expect(try await purge(ledger, keeping: 0).keyCount == count, "\(days) days")
      try await ledger.close()
    }
  }
}
