/// Transactions that balance although their amounts and prices alone don't.
extension JournalResolver {
  /// Returns whether an exchange of lots balances by the lots' costs, as in a stock split.
  ///
  /// In ledger, lots with different costs are different commodities.
  func balancesByLots(
    _ entry: JournalEntry, _ matter: JournalMatter,
    _ isIncluded: (JournalPosting.Sort) -> Bool
  ) -> Bool {
    guard dialect == .ledger, entry.postings.contains(where: { $0.lotCost != nil }) else {
      return false
    }
    var sum = JournalSum()
    for posting in entry.postings where isIncluded(posting.sort) {
      guard let amount = posting.lotCost ?? posting.balance else { return false }
      guard amount.commodity >= 0 else { continue }
      guard sum.add(amount) else { return false }
    }
    return isZero(sum, matter)
  }

  /// Removes the costs that postings on a conversion account repeat.
  ///
  /// hledger ignores such costs: the postings balance each commodity. Returns `false`, without a
  /// change, if the transaction doesn't balance without them.
  func dropsRepeatedCosts(
    _ entry: inout JournalEntry, _ matter: JournalMatter,
    _ isIncluded: (JournalPosting.Sort) -> Bool
  ) -> Bool {
    guard dialect == .hledger, entry.postings.contains(where: { $0.weight != nil }) else {
      return false
    }
    let roles = AccountRoles(matter.accounts, roots: roots)
    let converted = entry.postings.filter { posting in
      if case .exchange = roles.role(matter.accounts.all[posting.account].name) {
        true
      } else {
        false
      }
    }.compactMap(\.amount)
    guard converted.count >= 2 else { return false }
    func isConverted(_ amount: JournalAmount) -> Bool {
      converted.contains {
        $0.commodity == amount.commodity && $0.number.magnitude.equals(amount.number.magnitude)
      }
    }
    var changed = entry
    var sum = JournalSum()
    for (index, posting) in entry.postings.enumerated() where isIncluded(posting.sort) {
      guard let amount = posting.amount else { return false }
      if let weight = posting.weight, isConverted(amount), isConverted(weight) {
        changed.postings[index].weight = nil
      }
      guard let counted = changed.postings[index].balance, counted.commodity >= 0 else { continue }
      guard sum.add(counted) else { return false }
    }
    guard isZero(sum, matter) else { return false }
    entry = changed
    return true
  }

  private func isZero(_ sum: JournalSum, _ matter: JournalMatter) -> Bool {
    sum.amounts.allSatisfy {
      $0.number.rounded(to: matter.commodities.balanceDigits($0.commodity)).isZero
    }
  }

  /// Returns postings that empty the account of the commodities that an assignment doesn't name.
  ///
  /// `== 3 XYZ` without an amount means that the account holds nothing else afterwards.
  func cleared(_ posting: JournalPosting) -> [JournalPosting]? {
    guard posting.amount == nil, let assertion = posting.assertion, assertion.isTotal,
      assertion.amount.commodity >= 0, !isUncertain
    else { return nil }
    let others = running.held(posting.account, assertion, isReal: false).amounts.filter {
      $0.commodity != assertion.amount.commodity && !$0.number.isZero
    }
    guard !others.isEmpty else { return nil }
    return others.map { other in
      var made = JournalPosting(
        line: posting.line, column: posting.column, account: posting.account, sort: posting.sort)
      made.amount = JournalAmount(number: other.number.negated, commodity: other.commodity)
      return made
    }
  }
}
