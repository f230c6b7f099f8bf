import DaybookEntities

extension Transaction {
  /// The transaction on its own account, uncategorised, if a rule has made a transfer of it and its
  /// other half isn't known; otherwise `nil`.
  package var ownHalf: Transaction? {
    guard type == .transfer, categorizedBy != nil, halves.isEmpty, postings.count == 2 else {
      return nil
    }
    var half = self
    let isOut = postings[0].amount.minorUnits < 0
    half.type = isOut ? .expense : .income
    half.postings[1].account = .category(isOut ? .uncategorizedExpense : .uncategorizedIncome)
    half.categorizedBy = nil
    half.details.valueDay = nil
    return half
  }

  /// The postings of a transfer between the transaction's account and another one.
  ///
  /// - Returns: `nil` if the transaction wasn't imported, is reconciled or isn't on exactly one
  ///   account, or if the other account is the same one, closed, deleted or in another currency.
  func transferPostings(with other: Account) -> [Posting]? {
    guard importIdentity != nil, details.status != .reconciled, !other.isClosed, !other.isDeleted
    else { return nil }
    var own: Posting?
    for posting in postings {
      guard let id = posting.accountID, id != .exchange else { continue }
      if own != nil { return nil }
      own = posting
    }
    guard let own, let id = own.accountID, !id.isBuiltin, id != other.id,
      own.amount.currency == other.currency, own.amount.minorUnits != 0,
      own.amount.minorUnits != .min
    else { return nil }
    let arriving = Money(-own.amount.minorUnits, own.amount.currency)
    return [own, Posting(.account(other.id), arriving)]
  }

  /// Becomes a transfer that a rule made.
  mutating func becomeTransfer(_ made: [Posting], by rule: RuleID) {
    postings = SharedList(made)
    type = .transfer
    isConverted = false
    details.valueDay = nil
    categorizedBy = rule
  }
}

/// Transfers made by rules, and the rows of the other account that are their other halves.
extension BookkeepingState {
  /// The maximum number of days between the two rows of a transfer.
  private static var dayCountMax: Int { 5 }

  /// Makes one transfer of a transaction and an imported row of the other account, if a rule has
  /// made a transfer of one of them and the other one is recorded too; see `Command.linkTransfer`.
  ///
  /// Of several candidates, the nearest one is chosen, or else the one recorded first.
  ///
  /// - Returns: Whether they were linked.
  mutating func joinHalves(of id: TransactionID) throws(Refusal) -> Bool {
    let row = try required(id).entity
    guard row.status == .cleared, row.series == nil, let account = row.firstAccount,
      !account.isBuiltin
    else { return false }
    let place = row.ownHalf == nil ? account : row.postings[1].accountID ?? account
    var best: (distance: Int, number: UInt64, id: TransactionID)?
    for distance in -Self.dayCountMax...Self.dayCountMax {
      let day = row.day.adding(days: distance)
      for other in try reading({ try transactions(on: day, account: place) })
      where other.id != id && other.isOtherHalf(of: row) {
        let found = (abs(distance), other.number, other.id)
        if best.map({ (found.0, found.1) < ($0.distance, $0.number) }) ?? true { best = found }
      }
    }
    guard let best else { return false }
    do throws(Refusal) {
      _ = try linkTransfer(id, best.id)
    } catch {
      guard error.code != .state else { throw error }
      return false
    }
    return true
  }
}

extension Transaction {
  /// Whether two transactions are the halves of one transfer: a rule has made a transfer of one of
  /// them, and the other one is an imported row of its other account.
  fileprivate func isOtherHalf(of other: Transaction) -> Bool {
    guard ownHalf != nil || other.ownHalf != nil, series == nil, details.status == .cleared,
      let one = openHalf, let two = other.openHalf, let mine = one.movements.first,
      let theirs = two.movements.first, one.movements.count == 1, two.movements.count == 1
    else { return false }
    func fits(_ made: Transaction, _ account: AccountID) -> Bool {
      made.ownHalf == nil || made.postings[1].accountID == account
    }
    return mine.account != theirs.account && mine.amount.currency == theirs.amount.currency
      && mine.amount.units == -theirs.amount.units && fits(self, theirs.account)
      && fits(other, mine.account)
  }

  /// The transaction on its own account, if no person has chosen its category.
  private var openHalf: Transaction? {
    ownHalf ?? (importIdentity != nil && isOpenToRules ? self : nil)
  }
}
