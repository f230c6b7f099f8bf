/// Goal: reimplement accounts and their deletion. Method: follow the documentation of the commands
/// and rules 3, 8, 11 and 12 of SCENARIOS.
import Daybook

extension Oracle {
  mutating func open(_ new: NewAccount) throws {
    let name = try checkedName(new.name)
    try checkFree(name, except: nil)
    try check(new.currency)
    try check(new.opening?.currency ?? new.currency == new.currency, .currencyMismatch)
    let identifiers = try checkedIdentifiers(new.identifiers, in: new.currency, except: nil)
    let id = try id(new.id, isTaken: accounts.contains { $0.id == new.id })
    var account = Account(
      id: id, name: "", currency: new.currency, opening: new.opening, openingDay: new.openingDay)
    account.details = new.details
    account.name = name
    account.identifiers = identifiers
    try check(account.note.utf8.count <= 4000, .limit)
    try checkOpening(nil, account)
    accounts.append(account)
    accounts[accounts.count - 1].number = number(.account)
  }

  private func checkFree(_ name: String, except id: AccountID?) throws {
    for other in accounts where other.id != id && !other.isDeleted {
      try check(fold(other.name) != fold(name), .duplicateName)
    }
  }

  mutating func amend(_ id: AccountID, _ change: AccountChange) throws {
    let index = try accountIndex(id)
    var account = accounts[index]
    account.details = try details(of: change, account)
    if account.name == change.name {
      account.name = try checkedName(account.name)
      if !account.isDeleted { try checkFree(account.name, except: id) }
    }
    if account.identifiers == change.identifiers {
      account.identifiers = try checkedIdentifiers(
        account.identifiers, in: account.currency, except: id)
    }
    try check(account.note.utf8.count <= 4000, .limit)
    accounts[index] = account
  }

  /// Returns the amended details.
  ///
  /// They are listed one by one, so that it is a compile-time error to omit one.
  private func details(of change: AccountChange, _ old: Account) throws -> AccountDetails {
    let name = try amended(\.name, of: old, change)
    let kind = try amended(\.kind, of: old, change)
    let isHidden = try amended(\.isHidden, of: old, change)
    let note = try amended(\.note, of: old, change)
    let order = try amended(\.order, of: old, change)
    let identifiers = try amended(\.identifiers, of: old, change)
    let isOutside = try amended(\.isOutsideBudget, of: old, change)
    let isExcluded = try amended(\.isExcludedFromTotals, of: old, change)
    return AccountDetails.init(
      name:kind:isHidden:note:order:identifiers:isOutsideBudget:isExcludedFromTotals:
    )(
      name, kind, isHidden, note, order, identifiers, isOutside, isExcluded)
  }

  /// Returns the distinct identifiers; refuses identifiers of other accounts in the same currency.
  private func checkedIdentifiers(
    _ given: [String], in currency: Currency, except id: AccountID?
  ) throws -> [String] {
    func key(_ identifier: String) -> String {
      identifier.uppercased().filter { $0.isLetter || $0.isNumber }
    }
    try check(given.count <= 32, .limit)
    var checked: [String] = []
    for identifier in given {
      try check(identifier.utf8.count <= 100, .limit)
      try check(!key(identifier).isEmpty, .value)
      if !checked.contains(where: { key($0) == key(identifier) }) { checked.append(identifier) }
    }
    for other in accounts
    where other.id != id && !other.isDeleted && other.currency == currency {
      let isShared = other.identifiers.contains { checked.map(key).contains(key($0)) }
      try check(!isShared, .duplicateName)
    }
    return checked
  }

  mutating func setClosed(_ id: AccountID, _ isClosed: Bool) throws {
    let index = try accountIndex(id)
    try check(!accounts[index].isDeleted, .closed)
    accounts[index].isClosed = isClosed
  }

  mutating func setOpening(_ id: AccountID, _ opening: Money, _ day: Day?) throws {
    let index = try accountIndex(id)
    var account = accounts[index]
    try check(!account.isDeleted, .closed)
    try check(opening.currency == account.currency, .currencyMismatch)
    account.openingBalance = opening.minorUnits
    account.openingDay = day
    try checkOpening(accounts[index], account)
    accounts[index] = account
  }

  mutating func correct(
    _ id: AccountID, _ wanted: Money, on day: Day, by correction: BalanceCorrection
  ) throws {
    let account = accounts[try accountIndex(id)]
    try check(!account.isDeleted, .closed)
    try check(day.isInRange, .day)
    try check(wanted.currency == account.currency, .currencyMismatch)
    let missing = Int128(wanted.minorUnits) - (try balance(id, on: day).units)
    switch correction {
    case .opening:
      guard missing != 0 else { return }
      try check(account.openingDay ?? day <= day, .day)
      guard let units = Int64(exactly: Int128(account.openingBalance) + missing) else {
        throw OracleRefusal(.limit)
      }
      try setOpening(id, Money(units, account.currency), account.openingDay)
    case .transaction(let category, let description):
      let kind = try category.map { try known($0).kind }
      guard missing != 0 else { return }
      guard let units = Int64(exactly: missing.magnitude) else { throw OracleRefusal(.limit) }
      let direction: Draft.Direction =
        switch (kind ?? (missing > 0 ? .income : .expense), missing > 0) {
        case (.income, true): .income
        case (.income, false): .incomeReversal
        case (.expense, true): .refund
        case (.expense, false): .expense
        }
      let draft = Draft(
        .entry(
          .init(direction, Money(units, account.currency), account: id, category: category)),
        on: day, description: description)
      try insert(ruled(try transaction(of: draft)), verb: true)
    }
  }

  /// Refuses a change of the opening balance that affects the closed period.
  private func checkOpening(_ old: Account?, _ new: Account?) throws {
    if let day = new?.openingDay { try check(day.isInRange, .day) }
    guard let through = settings?.closedThrough else { return }
    func counted(_ account: Account?) -> [Int64] {
      guard let account, account.openingBalance != 0 else { return [] }
      guard let day = account.openingDay else { return [account.openingBalance] }
      return day <= through ? [account.openingBalance, Int64(day.rawValue)] : []
    }
    try check(counted(old) == counted(new), .closedPeriod)
  }

  mutating func delete(
    _ id: AccountID, _ policy: DeletionPolicy<AccountID>, isMerge: Bool = false
  ) throws {
    let index = try accountIndex(id)
    releaseTerms(of: id)
    switch policy {
    case .keepRows:
      accounts[index].isClosed = true
      accounts[index].isHidden = true
      accounts[index].isDeleted = true
      return
    case .withRows:
      for one in series {
        let named =
          [one.template.account, one.template.otherAccount] + one.template.parts.map(\.account)
        try check(!named.contains(id), .inUse)
      }
      try check(
        !rules.contains { $0.conditions.contains(.account(id)) || $0.transferAccount == id }, .inUse
      )
      try check(!mappings.contains { $0.account == id }, .inUse)
      try deleteRows(.account(id))
      try checkOpening(accounts[index], nil)
      allocations.removeAll { $0.account == id }
    case .move(let other):
      try check(other != id, .inUse)
      guard let heir = try usable(other, []) else { throw OracleRefusal(.builtin) }
      let account = accounts[index]
      try check(heir.currency == account.currency, .currencyMismatch)
      if account.openingBalance != 0 {
        let fits = heir.openingBalance == 0 || heir.openingDay == account.openingDay
        try check(fits, .inUse)
        let sum = heir.openingBalance.addingReportingOverflow(account.openingBalance)
        try check(!sum.overflow, .overflow)
        try setOpening(other, Money(sum.partialValue, heir.currency), account.openingDay)
        try checkOpening(account, nil)
      }
      try moveRows(.account(id), .account(other), isMerge: isMerge)
      for index in mappings.indices where mappings[index].account == id {
        mappings[index].account = other
      }
      moveRules(from: .account(id), to: .account(other))
      try movePayments(from: id, to: other)
      for index in series.indices {
        if series[index].template.account == id { series[index].template.account = other }
        if series[index].template.otherAccount == id { series[index].template.otherAccount = other }
        for part in series[index].template.parts.indices
        where series[index].template.parts[part].account == id {
          series[index].template.parts[part].account = other
        }
        let template = series[index].template
        let own = template.account ?? .outside
        try check(!template.parts.contains { $0.account == own }, .inUse)
        let isCircular = template.account == other && template.otherAccount == other
        try check(template.type != .transfer || !isCircular, .inUse)
      }
    }
    accounts[index].isClosed = true
    accounts[index].isHidden = true
    accounts[index].isDeleted = true
    accounts[index].openingBalance = 0
    accounts[index].openingDay = nil
    assertions.removeAll { $0.account == id }
  }

  mutating func merge(_ id: AccountID, into other: AccountID) throws {
    let index = try accountIndex(id)
    let stated = assertions
    let both = [id, other].allSatisfy { account in stated.contains { $0.account == account } }
    try check(id == other || !both, .inUse)
    try delete(id, .move(to: other), isMerge: true)
    let heir = try accountIndex(other)
    accounts[heir].identifiers = try checkedIdentifiers(
      accounts[heir].identifiers + accounts[index].identifiers, in: accounts[heir].currency,
      except: other)
    assertions = stated
    for index in assertions.indices where assertions[index].account == id {
      assertions[index].account = other
    }
  }

  // MARK: Transactions of deleted accounts and categories

  func touches(_ transaction: Transaction, _ account: PostingAccount) -> Bool {
    transaction.postings.contains { $0.account == account }
  }

  mutating func deleteRows(_ account: PostingAccount) throws {
    let rows = transactions.filter { touches($0, account) }.map(\.id)
    // Several transactions can be locked for different reasons, so don't expect a particular code.
    do {
      for row in rows { try delete(try index(of: row)) }
    } catch { throw OracleRefusal(nil) }
  }

  mutating func moveRows(
    _ from: PostingAccount, _ to: PostingAccount, isMerge: Bool = false
  ) throws {
    do {
      for index in transactions.indices where touches(transactions[index], from) {
        let old = transactions[index]
        var new = old
        for position in new.postings.indices where new.postings[position].account == from {
          new.postings[position].account = to
        }
        if new.type == .transfer {
          let touched = Set(new.postings.map(\.account)).subtracting([.account(.exchange)])
          try check(touched.count > 1, .inUse)
        }
        var (before, after) = (old, new)
        // A merge also moves reconciled transactions.
        if isMerge { (before.status, after.status) = (.cleared, .cleared) }
        try checkLocks(before, after)
        transactions[index] = new
        follow(index)
      }
    } catch { throw OracleRefusal(nil) }
  }
}
