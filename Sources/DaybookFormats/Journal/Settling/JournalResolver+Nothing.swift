/// Assertions of 0 without a commodity (`= 0`).
///
/// In ledger, these mean that the account is empty. In hledger, `= 0` refers only to amounts
/// without a commodity, and `== 0` means that the account is empty.
extension JournalResolver {
  /// Returns the amounts that violate the assertion.
  private func held(
    _ posting: JournalPosting, _ assertion: JournalAssertion, _ matter: JournalMatter
  ) -> [JournalAmount] {
    let isReal = dialect == .ledger && posting.sort == .real
    let all = running.held(posting.account, assertion, isReal: isReal).amounts.filter {
      !$0.number.isZero
    }
    guard dialect == .hledger, !assertion.isTotal else { return all }
    return all.filter { matter.commodities.all[$0.commodity].name.isEmpty }
  }

  mutating func checkNothing(
    _ assertion: JournalAssertion, _ posting: JournalPosting, _ entry: JournalEntry,
    _ matter: inout JournalMatter
  ) throws(JournalFault) {
    let rest = held(posting, assertion, matter)
    let name = matter.accounts.all[posting.account].name
    guard rest.isEmpty else {
      throw isWrong(
        posting, assertion,
        "The stated balance of “\(name)” is zero, but the computed balance is "
          + "\(Self.words(rest, matter))."
      )
    }
    if dialect == .hledger, !assertion.isTotal {
      var whole = assertion
      whole.isTotal = true
      let others = held(posting, whole, matter)
      guard !others.isEmpty else { return }
      matter.notice(
        posting.line,
        "“= 0” names no commodity, and the balance of “\(name)” is \(Self.words(others, matter)).",
        file: entry.file)
      return
    }
    let isReal = dialect == .ledger && posting.sort == .real
    for amount in running.held(posting.account, assertion, isReal: isReal).amounts {
      kept.append(
        KeptAssertion(
          line: posting.line, file: entry.file, day: entry.day, account: posting.account,
          amount: JournalAmount(number: .zero, commodity: amount.commodity),
          isInclusive: assertion.isInclusive))
    }
  }

  /// Returns the amount that an assignment of 0 adds to the account.
  func assignedNothing(
    _ posting: JournalPosting, _ assertion: JournalAssertion, _ matter: JournalMatter
  ) throws(JournalFault) -> JournalAmount {
    let rest = held(posting, assertion, matter)
    guard rest.count <= 1 else {
      let name = matter.accounts.all[posting.account].name
      throw JournalFault(
        posting.line, assertion.column, .amount,
        "The balance of “\(name)” is \(Self.words(rest, matter)): one posting can’t set all of it "
          + "to zero.",
        "Write a posting for each commodity, with its amount.")
    }
    guard let amount = rest.first else {
      return JournalAmount(number: .zero, commodity: JournalAmount.anyCommodity)
    }
    return JournalAmount(number: amount.number.negated, commodity: amount.commodity)
  }

  private static func words(_ amounts: [JournalAmount], _ matter: JournalMatter) -> String {
    amounts.map { amount in
      let name = matter.commodities.all[amount.commodity].name
      return name.isEmpty ? "\(amount.number.shortest)" : "\(amount.number.shortest) \(name)"
    }.joined(separator: " and ")
  }
}
