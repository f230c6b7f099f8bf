/// Goal: the figures beside a pager's rows are right, and come without counting or adding up everything
/// again. Method: rows whose figures are known, commits that take a row in and out of a list, and how often all
/// rows were looked at.
import Daybook
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct PagerFigureTests {
  @Test func theCountOfATextIsCorrectedAndNotCountedAgain() async throws {
    let (house, account, pager) = try await shelf(30)
    pager.text = "row 1"
    await pager.settled()
    #expect(pager.count == 11)
    let rows = try house.ledger.read { try $0.transactions(limit: 30) }
    let (first, second, third) = (rows[10].id, rows[11].id, rows[12].id)
    // There and back, away after a change, gone and back, in and out: each in commits of its own.
    for text in ["else", "other", "row 10"] {
      try await house.append(.amend(first, Amendment(description: text)))
    }
    for text in ["else", "row 1", "else"] {
      try await house.append(.amend(second, Amendment(description: text)))
    }
    try await house.append(.amend(third, Amendment(description: "else")))
    try await house.append(.delete(third))
    try await house.append(.delete(rows[13].id))
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    let fresh = try await house.expense(money("1"), from: account, description: "row 1")
    try await house.append(.delete(fresh))
    await pager.refresh()
    // The count came with the rows: nothing was counted again.
    #expect(pager.count == 9 && pager.countingCount == 1)
    let filter = pager.filter
    #expect(try house.ledger.read { try $0.count(filter) } == 9)
    try await house.end()
  }

  @Test func theLastRowBeyondAnEndIsMissed() async throws {
    let (house, _, pager) = try await shelf(12)
    await pager.refresh()
    #expect(pager.hasMore && pager.rows.count == 10)
    let rows = try house.ledger.read { try $0.transactions(limit: 12) }
    try await house.append(.delete(rows[10].id))
    await pager.refresh()
    #expect(pager.hasMore && pager.count == 11)
    try await house.append(.delete(rows[11].id))
    await pager.refresh()
    #expect(!pager.hasMore && pager.count == 10)
    try await house.end()
  }

  @Test func balancesRunAlongAnAccount() async throws {
    let (house, account, pager) = try await shelf(30, pageSize: 5)
    let other = try await house.account("B")
    try await house.transfer(money("100"), from: account, to: other, on: "\(today)")
    await pager.refresh()
    #expect(pager.rows.allSatisfy { $0.balance == nil })
    pager.account = account
    await pager.settled()
    #expect(pager.rows[0].balance == total("870") && pager.rows[1].balance == total("970"))
    // A filter leaves rows out, but not what they did.
    pager.text = "row 7"
    await pager.settled()
    #expect(pager.rows.map(\.balance) == [total("977")])
    let opening = Command.setOpening(account, money("2000"))
    try await house.append(opening)
    await pager.refresh()
    #expect(pager.rows.map(\.balance) == [total("1977")])
    let keys = pager.rows.map(\.key) + [TransactionPosition(day: today, number: 1 << 39)]
    let balances = try house.ledger.read { try $0.balances(of: account, after: keys.reversed()) }
    #expect(balances == [total("1870"), total("1977")])
    try await house.end()
  }
}
