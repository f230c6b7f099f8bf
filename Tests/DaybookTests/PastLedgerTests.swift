// Goal: a moment of the past is made once and asked often, and stays what it was. Method: it is asked before and
// after later commits, and compared with `read(asOf:)`.
import Daybook
import Testing

@Suite struct PastLedgerTests {
  @Test func aMomentStaysWhatItWasHoweverOftenItIsAsked() async throws {
    let house = try await House()
    let account = try await house.account("A", opening: "10")
    try await house.expense(money("3"), from: account)
    let token = try house.ledger.token
    let past = try house.ledger.past(asOf: token)
    #expect(past.token == token)
    let before = try past.read { try $0.balance(of: account, on: today) }
    #expect(before == total("7"))
    try await house.expense(money("5"), from: account)
    _ = try await house.account("B")
    for _ in 0..<3 {
      #expect(try past.read { try $0.balance(of: account, on: today) } == before)
      #expect(try past.read { try $0.accounts().map(\.name) } == ["A"])
      #expect(try past.read { $0.token } == token)
    }
    let once = try house.ledger.read(asOf: token) { try $0.balance(of: account, on: today) }
    #expect(once == before)
    try await house.end()
  }
}
