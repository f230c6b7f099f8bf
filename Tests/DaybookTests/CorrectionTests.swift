/// Goal: an account holds what its owner says it holds. Method: corrections of both kinds are appended, also in one
/// commit with what they correct, and the balance is asked for.
import Daybook
import Testing

@Suite struct CorrectionTests {
  @Test func aRowMakesUpTheDifference() async throws {
    let house = try await House()
    let a = try await house.append(.openAccount(NewAccount(name: "A", currency: kzt))).accounts[0]
    let food = try await house.append(
      .createCategory(NewCategory(name: "Food", kind: .expense))
    ).categories[0]
    // What is corrected may stand in the same commit.
    let receipt = try await house.append(
      .record(.income(money("100"), into: a, on: day("2026-02-01"))),
      .correctBalance(a, money("80"), on: day("2026-02-10"), by: .transaction(category: food)))
    let row = try #require(receipt.transactions.last)
    let made = try house.ledger.read { try $0.transaction(row) }
    #expect(made?.type == .expense && made?.day == day("2026-02-10"))
    #expect(made?.amount == money("-20") && made?.category == food)
    // More than is recorded comes out of the category again; without one it is income.
    _ = try await house.append(
      .correctBalance(a, money("85"), on: day("2026-02-11"), by: .transaction(category: food)),
      .correctBalance(a, money("90"), on: day("2026-02-12")))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: day("2026-02-01")) == total("100"))
      #expect(try snapshot.balance(of: a, on: day("2026-02-10")) == total("80"))
      #expect(try snapshot.balance(of: a, on: day("2026-02-11")) == total("85"))
      #expect(try snapshot.balance(of: a, on: day("2026-02-12")) == total("90"))
    }
  }

  @Test func theOpeningTakesTheDifference() async throws {
    let house = try await House()
    let a = try await house.append(
      .openAccount(
        NewAccount(
          name: "A", currency: kzt, opening: money("10"), openingDay: day("2026-01-15")))
    ).accounts[0]
    _ = try await house.append(
      .record(.income(money("100"), into: a, on: day("2026-02-01"))),
      .correctBalance(a, money("150"), on: day("2026-02-10"), by: .opening))
    let error = await #expect(throws: DaybookError.self) {
      try await house.append(.correctBalance(a, money("1"), on: day("2026-01-14"), by: .opening))
    }
    #expect(error?.message.contains("starts on 2026-01-15") == true, "\(error as Any)")
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: day("2026-01-15")) == total("50"))
      #expect(try snapshot.balance(of: a, on: day("2026-02-10")) == total("150"))
    }
  }

  @Test func whatIsRightIsLeftAlone() async throws {
    let house = try await House()
    let a = try await house.append(
      .openAccount(NewAccount(name: "A", currency: kzt, opening: money("10")))
    ).accounts[0]
    let receipt = try await house.append(
      .correctBalance(a, money("10"), on: today),
      .correctBalance(a, money("10"), on: today, by: .opening))
    #expect(receipt.transactions.isEmpty && receipt.accounts.isEmpty)
    for wrong in [
      Command.correctBalance(a, money("10", usd), on: today),
      .correctBalance(.outside, money("10"), on: today),
      .correctBalance(
        a, money("10"), on: today, by: .transaction(category: .init(.init(high: 9, low: 9)))),
    ] {
      await #expect(throws: DaybookError.self) { try await house.append(wrong) }
    }
    try await house.end()
  }

  /// The same request again gives the same outcome.
  @Test func repeatedItMakesNoSecondRow() async throws {
    let house = try await House()
    let a = try await house.append(.openAccount(NewAccount(name: "A", currency: kzt))).accounts[0]
    let command = Command.correctBalance(a, money("10"), on: today)
    let first = try await house.ledger.append(command, key: "k")
    let second = try await house.ledger.append(command, key: "k")
    #expect(second.isRepeat && second.transactions == first.transactions)
    #expect(first.transactions.count == 1)
    try await house.end()
  }
}
