/// Goal: "Balances, amendments, deletions" of the scenarios hold. Method: each is told through the
/// public API with the amounts of the text, and has the common ending.
import Daybook
import Foundation
import Testing

@Suite struct BalanceScenarios {
  @Test func anExpenseMovesTheBalanceAtOnce() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "50000")
    try await house.expense(money("5000"), from: a)
    #expect(try house.balance(a) == total("45000"))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == total("45000"))
    }
  }

  @Test func importIntoAnEmptyLedgerThenDeleteOneRow() async throws {
    let house = try await House()
    let j = try await house.account("J")
    let k = try await house.account("K")
    let h = try await house.account("H")
    let report = try await house.importRows([
      earning("500000", into: j, note: "one"), spending("98554.43", from: j, note: "two"),
      spending("2750", from: j, note: "three"), earning("60000", into: k, note: "four"),
      spending("8590.16", from: k, note: "five"), earning("100000", into: h, note: "six"),
      spending("17115.93", from: h, note: "seven"),
    ])
    #expect(report.recorded.count == 7)
    #expect(try house.balance(j) == total("398695.57"))
    #expect(try house.balance(k) == total("51409.84"))
    #expect(try house.balance(h) == total("82884.07"))
    try await house.append(.delete(report.recorded[2]))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: j, on: today) == total("401445.57"))
      #expect(try snapshot.balance(of: k, on: today) == total("51409.84"))
      #expect(try snapshot.balance(of: h, on: today) == total("82884.07"))
    }
  }

  @Test func importIntoAnAccountWithAnOpeningBalance() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "10000")
    try await house.importRows([
      earning("3000", into: a, note: "one"), spending("500", from: a, note: "two"),
    ])
    #expect(try house.balance(a) == total("12500"))
    try await house.ledger.rebuild()
    try await house.ledger.rebuild()
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == total("12500"))
      #expect(try snapshot.account(a)?.opening == money("10000"))
      // An opening balance is a property, not a row, and without a day it counts on every day.
      #expect(try snapshot.count(TransactionFilter(account: a)) == 2)
      #expect(try snapshot.balance(of: a, on: day("1999-01-01")) == total("10000"))
    }
  }

  @Test func newAccountAndCategoryInTheSameSession() async throws {
    let house = try await House()
    let n = try await house.account("N", opening: "1000")
    let gift = try await house.category("Gift", .income)
    try await house.income(money("250"), into: n, gift)
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: n, on: today) == total("1250"))
      #expect(try snapshot.transactions(TransactionFilter(account: n), limit: 10).count == 1)
    }
  }

  @Test func deletingReversesExactlyWhatRecordingDid() async throws {
    let house = try await House()
    let j = try await house.account("J", opening: "115000")
    let k = try await house.account("K", opening: "45000")
    try await house.expense(money("5000"), from: j, on: "2026-01-05")
    let transfer = try await house.transfer(money("10000"), from: j, to: k, on: "2026-01-20")
    try await house.expense(money("5000"), from: k)
    #expect(try house.balance(j) == total("100000"))
    #expect(try house.balance(k) == total("50000"))
    try await house.append(.delete(transfer))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: j, on: today) == total("110000"))
      #expect(try snapshot.balance(of: k, on: today) == total("40000"))
      #expect(try snapshot.transaction(transfer) == nil)
    }
  }

  @Test func acknowledgedMeansDurable() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100000")
    var ids: [TransactionID] = []
    for position in 1...4 {
      ids.append(try await house.expense(money("5000"), from: a, on: "2026-02-0\(position)"))
    }
    #expect(try house.balance(a) == total("80000"))
    try await house.ledger.close()
    let texts = ids.map { $0.rawValue.description }.joined(separator: " ")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = house.path as String, texts = texts as String] in
      let ledger = try await Ledger.open(at: path)
      let commands = texts.split(separator: " ").compactMap { EntityID($0) }
        .map { Command.delete(TransactionID(rawValue: $0)) }
      guard commands.count == 4 else { return }
      try await ledger.append(commands)
      kill(getpid(), SIGKILL)
    }
    house.ledger = try await Ledger.open(at: house.path, options: House.options())
    try await house.ends { snapshot throws in
      #expect(try snapshot.transactions(limit: 10) == [])
      #expect(try snapshot.balance(of: a, on: today) == total("100000"))
    }
  }
}
