package import Daybook

/// The app's own journal: payments from one account.
package struct Journal {
  package let ledger: Ledger
  private let account: AccountID

  package init(_ ledger: Ledger) async throws {
    let opened = try await ledger.append(
      .openAccount(NewAccount(name: "Checking", currency: .eur)))
    self.ledger = ledger
    self.account = opened.accounts[0]
  }

  package func pay(_ payee: String, _ amount: Money, on day: Day) async throws {
    try await ledger.append(.record(.expense(amount, from: account, on: day, payee: payee)))
  }

  package func balance(on day: Day) throws -> Total {
    try ledger.read { try $0.balance(of: account, on: day) }
  }
}
