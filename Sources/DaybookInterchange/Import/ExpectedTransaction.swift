import Daybook

/// A transaction that a row of a bank's file can match: a pending transaction, or a due date of a
/// series.
struct ExpectedTransaction {
  var match: ImportMatch
  /// The recorded transaction, unless it hasn't been generated yet.
  var transaction: Transaction?
  var series: Series?
  var due: Day?
  /// The expected days of the row: the transaction's day, and the due date.
  var days: [Day]
  var movements: [AccountMovement]
  /// The maximum difference between the amounts, in minor units.
  var tolerance: Int64 = 0
  var words: PartyWords
}

/// The change of an account's balance by a transaction or row.
struct AccountMovement: Hashable {
  var account: AccountID
  var amount: Money

  /// Returns whether another movement has the same account, direction and currency.
  func isAlong(_ other: AccountMovement) -> Bool {
    account == other.account && amount.currency == other.amount.currency
      && (amount.minorUnits < 0) == (other.amount.minorUnits < 0)
  }
}

/// The words used to compare a row with a transaction.
struct PartyWords {
  private let payee: SearchTerm
  private let all: SearchTerm

  init(payee: String, description: String) {
    self.payee = SearchTerm(payee)
    all = SearchTerm("\(payee) \(description)")
  }

  /// The result of comparing two texts.
  enum Likeness { case similar, unknown, different }

  /// Compares the payees if both have one, and otherwise all words.
  ///
  /// Payees that begin with the same word are similar, because banks append a branch or town.
  func likeness(to other: PartyWords) -> Likeness {
    if payee.isEmpty || other.payee.isEmpty {
      if all.isEmpty || other.all.isEmpty { return .unknown }
      return all.isSimilar(to: other.all) ? .similar : .unknown
    }
    if payee.isSimilar(to: other.payee) { return .similar }
    let first = payee.scalars.split(separator: 0x20).first
    let isSame = first == other.payee.scalars.split(separator: 0x20).first
    return isSame && first.map { $0.count > 2 } ?? false ? .similar : .different
  }

  /// Returns whether all words are equal.
  func isEqual(to other: PartyWords) -> Bool { all.scalars == other.all.scalars }
}

extension Transaction {
  /// The changes of accounts' balances, one for each account.
  var accountMovements: [AccountMovement] {
    var found: [AccountMovement] = []
    for posting in postings {
      guard case .account(let id) = posting.account, id != .exchange else { continue }
      if let place = found.firstIndex(where: { $0.account == id }) {
        let (sum, isOver) = found[place].amount.minorUnits.addingReportingOverflow(
          posting.amount.minorUnits)
        if !isOver { found[place].amount = Money(sum, posting.amount.currency) }
      } else {
        found.append(AccountMovement(account: id, amount: posting.amount))
      }
    }
    return found
  }

  var words: PartyWords {
    // A row of the bank has the payee that the bank stated.
    PartyWords(payee: statedPayee?.payee ?? details.payee, description: details.description)
  }
}

extension SeriesTemplate {
  /// The changes of accounts' balances on a due date, except for changes that depend on a rate.
  fileprivate var accountMovements: [AccountMovement] {
    let moved = accountAmount ?? amount
    let out = Money(-amount.minorUnits, amount.currency)
    switch type {
    case .expense:
      return account.map {
        [AccountMovement(account: $0, amount: Money(-moved.minorUnits, moved.currency))]
      } ?? []
    case .income: return account.map { [AccountMovement(account: $0, amount: moved)] } ?? []
    case .transfer:
      return (account.map { [AccountMovement(account: $0, amount: out)] } ?? [])
        + (otherAccount.map { [AccountMovement(account: $0, amount: moved)] } ?? [])
    }
  }
}

extension Draft {
  /// The changes of accounts' balances by a row of a bank's file; see
  /// ``StatementRow/addImportRows(to:_:)``.
  var accountMovements: [AccountMovement] {
    func movement(_ account: AccountID?, _ amount: Money, isIn: Bool = true) -> [AccountMovement] {
      guard let account, amount.minorUnits != .min else { return [] }
      return [
        AccountMovement(
          account: account, amount: isIn ? amount : Money(-amount.minorUnits, amount.currency))
      ]
    }
    switch shape {
    case .entry(let entry):
      return movement(
        entry.account, entry.accountAmount ?? entry.amount,
        isIn: entry.direction == .income || entry.direction == .refund)
    case .transfer(let transfer):
      return movement(transfer.source, transfer.amount, isIn: false)
        + movement(transfer.target, transfer.targetAmount ?? transfer.amount)
    case .split(let split):
      if let amount = split.accountAmount { return movement(split.account, amount) }
      guard let first = split.parts.first else { return [] }
      // The first part has the direction of the row, and the others are fees.
      var units = Int128(first.amount.minorUnits) * (split.kind == .income ? 1 : -1)
      for fee in split.parts.dropFirst() {
        units += Int128(fee.amount.minorUnits) * (fee.isReversed ? 1 : -1)
      }
      guard let sum = Int64(exactly: units) else { return [] }
      return movement(split.account, Money(sum, first.amount.currency))
    case .postings(let postings):
      // The first posting is the row's.
      guard let first = postings.first, case .account(let id) = first.account else { return [] }
      return movement(id, first.amount)
    }
  }
}

// MARK: Expected transactions

extension ExpectedTransaction {
  /// Returns the pending transactions of a ledger, except generated transactions.
  static func pending(in snapshot: borrowing Snapshot) throws -> [ExpectedTransaction] {
    let all = try snapshot.allTransactions(TransactionFilter(status: .pending))
    return all.filter { $0.series == nil || $0.importIdentity != nil }.map { transaction in
      ExpectedTransaction(
        match: .transaction(transaction.id), transaction: transaction,
        days: [transaction.day] + (transaction.arrivalDay.map { [$0] } ?? []),
        movements: transaction.accountMovements, words: transaction.words)
    }
  }

  /// Returns posted interest and payments of loans that aren't matched with an imported row yet.
  static func interest(
    in days: ClosedRange<Day>, _ snapshot: borrowing Snapshot
  ) throws -> [ExpectedTransaction] {
    var found: [ExpectedTransaction] = []
    for terms in try snapshot.terms() {
      let series = SeriesLink(termsOf: terms.account, due: terms.from).series
      for row in try snapshot.occurrences(of: series) {
        guard let transaction = try snapshot.transaction(row.transaction),
          transaction.importIdentity == nil, transaction.status == .cleared,
          days.contains(transaction.day)
        else { continue }
        found.append(
          ExpectedTransaction(
            match: .transaction(transaction.id), transaction: transaction, due: row.due,
            days: [transaction.day], movements: transaction.accountMovements,
            words: transaction.words))
      }
    }
    return found
  }

  /// Returns the due dates of recurring transactions that aren't matched with an imported row yet,
  /// whether or not their transactions have been generated.
  ///
  /// - Complexity: O(due dates from each series' first to `days.upperBound` + its transactions).
  static func occurrences(
    in days: ClosedRange<Day>, _ snapshot: borrowing Snapshot
  ) throws -> [ExpectedTransaction] {
    let settings = try snapshot.settings()
    var found: [ExpectedTransaction] = []
    for series in try snapshot.series() {
      let template = series.template
      let movements = template.accountMovements
      if movements.isEmpty { continue }
      func expected(_ transaction: Transaction?, due: Day) -> ExpectedTransaction {
        ExpectedTransaction(
          match: .occurrence(SeriesLink(series.id, due: due)), transaction: transaction,
          series: series, due: due,
          days: [due, transaction?.day ?? series.day(for: due, holidays: settings.holidays)],
          movements: transaction?.accountMovements ?? movements, tolerance: series.tolerance,
          words: transaction?.words
            ?? PartyWords(
              payee: template.payee,
              description: template.description.isEmpty && template.payee.isEmpty
                ? series.name : template.description))
      }
      var taken: Set<Day> = []
      for row in try snapshot.occurrences(of: series.id) {
        taken.insert(row.due)
        guard let transaction = try snapshot.transaction(row.transaction),
          transaction.importIdentity == nil, transaction.status != .reconciled,
          days.contains(row.due) || days.contains(transaction.day)
        else { continue }
        found.append(expected(transaction, due: row.due))
      }
      // A due date moves by a few days, or by more in long holidays, but not by months.
      for due in series.scheduledDays(from: days.lowerBound.adding(days: -31)) {
        let day = series.day(for: due, holidays: settings.holidays)
        if min(due, day) > days.upperBound { break }
        guard max(due, day) >= days.lowerBound, !taken.contains(due),
          settings.closedThrough.map({ day > $0 }) ?? true,
          try !snapshot.isSkipped(SeriesLink(series.id, due: due))
        else { continue }
        found.append(expected(nil, due: due))
      }
    }
    return found
  }
}

extension Snapshot {
  /// Returns all transactions that match a filter, newest first.
  func allTransactions(_ filter: TransactionFilter) throws -> [Transaction] {
    var all: [Transaction] = []
    while true {
      let last = all.last.map { filter.position(of: $0) }
      let page = try transactions(filter, after: last, limit: 500)
      all += page
      if page.count < 500 { return all }
    }
  }
}
