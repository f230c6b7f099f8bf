/// Goal: an idempotency key stands for its commands, in every process and version. Method: the JSON form
/// that is digested is frozen for one request, with its digest; which commands differ is asked in
/// `CommandJSONTests`.
import DaybookBookkeeping
import Testing

@testable import Daybook

@Suite struct DigestTests {
  /// Change it, and keys of 400 days become errors.
  @Test func aVectorIsFrozen() throws {
    let commands: [Command] = [
      .record(.expense(money("1"), from: nil, on: today)), .closePeriod(through: today),
    ]
    #expect(
      try JSONValue(commands).line == #"""
        [{"record":{"day":"2026-02-15","status":"cleared","expense":{"amount":"1.00",\#
        "currency":"KZT"}}},{"closePeriod":{"through":"2026-02-15"}}]
        """#)
    // By Python's hashlib.
    let expected = "1a022024b0f28beb2658b0dfa7d9a208a3a1d220f445e79b0567bf9bc55475db"
    let bytes = try RequestDigest.digest(of: commands).bytes
    #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }

  @Test func aNumberBeyondJSONIsRefused() throws {
    var seen = Account(
      id: AccountID(EntityID(high: 1, low: 1)), number: .max, name: "A", currency: kzt)
    let change = { AccountChange(name: "B", seen: seen) }
    let error = #expect(throws: DaybookError.self) {
      try RequestDigest.digest(of: [.amendAccount(seen.id, change())])
    }
    #expect(error?.code == .limitExceeded)
    seen.number = 16
    #expect(throws: Never.self) {
      try RequestDigest.digest(of: [.amendAccount(seen.id, change())])
    }
  }
}
