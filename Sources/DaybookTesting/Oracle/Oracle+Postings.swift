/// Goal: reimplement the postings of drafts. Method: follow rules 3, 6 and 7 of SCENARIOS.
import Daybook

extension Oracle {
  /// Converts a draft to a transaction.
  ///
  /// - Parameter old: The existing postings. These may have closed accounts or categories.
  mutating func transaction(of draft: Draft, old: [Posting] = []) throws -> Transaction {
    try check(draft.day.isInRange, .day)
    try check(draft.details)
    let postings = try postings(draft.shape, draft.day, old)
    if let rule = draft.categorizedBy { try checkThere(rule) }
    let id = try id(draft.id, isTaken: transactions.contains { $0.id == draft.id })
    var transaction = Transaction(
      id: id, day: draft.day, type: type(of: postings), details: draft.details,
      postings: postings, categorizedBy: draft.categorizedBy)
    transaction.isConverted =
      exchanges(postings) && converts(draft.shape, draft.isConverted)
    return transaction
  }

  mutating func insert(_ transaction: Transaction, verb: Bool) throws {
    for day in days(of: transaction) { try checkOpen(day) }
    var transaction = transaction
    transaction.number = number(.transaction)
    transactions.append(transaction)
  }

  func check(_ details: TransactionDetails) throws {
    try check(details.description.utf8.count <= 500, .limit)
    try check(details.payee.utf8.count <= 200, .limit)
    try check(details.note.utf8.count <= 4000, .limit)
    try check(details.valueDay?.isInRange ?? true, .day)
    try check(details.code.utf8.count <= 200, .limit)
    try check(!details.tags.contains(""), .text)
  }

  func type(of postings: [Posting]) -> TransactionType {
    let kinds = postings.compactMap { posting -> CategoryKind? in
      if case .category(let id) = posting.account { return try? known(id).kind }
      return nil
    }
    return kinds.contains(.income) ? .income : kinds.isEmpty ? .transfer : .expense
  }

  /// Returns the postings of a shape.
  ///
  /// - Parameter old: The existing postings. These may have closed accounts or categories.
  func postings(_ shape: Draft.Shape, _ day: Day, _ old: [Posting]) throws -> [Posting] {
    let made: [Posting] =
      switch shape {
      case .entry(let entry): try entryPostings(entry, day, old)
      case .transfer(let transfer): try transferPostings(transfer, day, old)
      case .split(let split): try splitPostings(split, day, old)
      case .postings(let postings): try checkedPostings(postings, old)
      }
    var sums: [Currency: Int128] = [:]
    for posting in made {
      sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
    }
    try check(sums.values.allSatisfy { $0 == 0 }, .unbalanced)
    let isTransfer = !made.contains { if case .category = $0.account { true } else { false } }
    if isTransfer {
      let touched = Set(made.map(\.account)).subtracting([.account(.exchange)])
      try check(touched.count > 1 && made.contains { $0.amount.minorUnits != 0 }, .transfer)
    }
    return made
  }

  // MARK: Accounts and categories

  func usable(_ id: AccountID?, _ old: [Posting]) throws -> Account? {
    guard let id, !id.isBuiltin else { return nil }
    let account = accounts[try accountIndex(id)]
    let isThere = old.contains { $0.account == .account(id) }
    try check(isThere || !(account.isClosed || account.isDeleted), .closed)
    return account
  }

  func usable(_ id: CategoryID?, _ kind: CategoryKind, _ old: [Posting]) throws -> Category {
    let id = id ?? (kind == .income ? .uncategorizedIncome : .uncategorizedExpense)
    let category = try known(id)
    let isThere = old.contains { $0.account == .category(id) }
    try check(isThere || !category.isDeleted, .closed)
    return category
  }

  // MARK: Shapes

  private func entryPostings(_ entry: Draft.Entry, _ day: Day, _ old: [Posting]) throws
    -> [Posting]
  {
    let amount = entry.amount
    try check(amount.minorUnits >= 0, .negative)
    let kind: CategoryKind
    let intoCategory: Int64
    switch entry.direction {
    case .expense: (kind, intoCategory) = (.expense, amount.minorUnits)
    case .refund: (kind, intoCategory) = (.expense, -amount.minorUnits)
    case .income: (kind, intoCategory) = (.income, -amount.minorUnits)
    case .incomeReversal: (kind, intoCategory) = (.income, amount.minorUnits)
    }
    let category = try usable(entry.category, kind, old)
    try check(category.kind == kind, .kind)
    let account = try usable(entry.account, old)
    try check(amount.currency)
    let last = Posting(.category(category.id), Money(intoCategory, amount.currency))
    guard let account, account.currency != amount.currency else {
      if let given = entry.accountAmount { try check(given == amount, .currencyMismatch) }
      let id = entry.account ?? .outside
      return [Posting(.account(id), Money(-intoCategory, amount.currency)), last]
    }
    let size = try arriving(entry.accountAmount, amount, account.currency, day)
    let leaves = entry.direction == .expense || entry.direction == .incomeReversal
    let moved = leaves ? -size : size
    return [
      Posting(.account(account.id), Money(moved, account.currency)),
      Posting(.account(.exchange), Money(-moved, account.currency)),
      Posting(.account(.exchange), Money(-intoCategory, amount.currency)), last,
    ]
  }

  private func transferPostings(_ transfer: Draft.Transfer, _ day: Day, _ old: [Posting]) throws
    -> [Posting]
  {
    let (source, target) = (transfer.source ?? .outside, transfer.target ?? .outside)
    let amount = transfer.amount
    try check(source != target, .transfer)
    try check(amount.minorUnits > 0 && transfer.targetAmount?.minorUnits ?? 1 > 0, .transfer)
    let from = try usable(source, old)
    let into = try usable(target, old)
    try check(amount.currency)
    try check(from == nil || from?.currency == amount.currency, .currencyMismatch)
    var arrives = amount
    if let into {
      if into.currency == amount.currency {
        try check(transfer.targetAmount ?? amount == amount, .currencyMismatch)
      } else {
        arrives = Money(
          try arriving(transfer.targetAmount, amount, into.currency, day), into.currency)
      }
    } else if let given = transfer.targetAmount {
      try check(given.currency != amount.currency || given == amount, .currencyMismatch)
      try check(given.currency)
      arrives = given
    }
    let first = Posting(.account(source), Money(-amount.minorUnits, amount.currency))
    let last = Posting(.account(target), arrives)
    if arrives.currency == amount.currency { return [first, last] }
    let back = Money(-arrives.minorUnits, arrives.currency)
    return [first, Posting(.account(.exchange), amount), Posting(.account(.exchange), back), last]
  }

  private func splitPostings(_ split: Draft.Split, _ day: Day, _ old: [Posting]) throws
    -> [Posting]
  {
    try check((1...250).contains(split.parts.count), .limit)
    let account = try usable(split.account, old)
    var parts: [Posting] = []
    // The gains of the other side by currency, and the order in which the currencies appear.
    var order: [Currency] = []
    var gains: [Currency: Int128] = [:]
    for part in split.parts {
      try check(part.amount.minorUnits >= 0, .negative)
      let place: PostingAccount
      var spends = !part.isReversed
      if let other = part.account {
        try check(part.category == nil, .shape)
        try check(other != split.account ?? .outside && other != .exchange, .transfer)
        try check(part.amount.currency)
        try check(part.note.utf8.count <= 200, .limit)
        let receiver = try usable(other, old)
        try check(
          (receiver?.currency ?? part.amount.currency) == part.amount.currency,
          .currencyMismatch)
        place = .account(other)
      } else {
        let category = try usable(part.category, split.kind, old)
        try check(part.amount.currency)
        try check(part.note.utf8.count <= 200, .limit)
        if category.kind == .income { spends.toggle() }
        place = .category(category.id)
      }
      let units = spends ? part.amount.minorUnits : -part.amount.minorUnits
      parts.append(Posting(place, Money(units, part.amount.currency), note: part.note))
      if !order.contains(part.amount.currency) { order.append(part.amount.currency) }
      gains[part.amount.currency, default: 0] -= Int128(units)
    }
    guard let account else {
      if let given = split.accountAmount {
        try check(order == [given.currency], .currencyMismatch)
        try check(gains[given.currency] == Int128(given.minorUnits), .currencyMismatch)
      }
      return try order.map {
        Posting(.account(split.account ?? .outside), Money(try fit(gains[$0] ?? 0), $0))
      } + parts
    }
    let own = gains[account.currency] ?? 0
    let foreign = order.filter { $0 != account.currency }
    if foreign.isEmpty {
      let units = try fit(own)
      if let given = split.accountAmount {
        try check(given == Money(units, account.currency), .currencyMismatch)
      }
      return [Posting(.account(account.id), Money(units, account.currency))] + parts
    }
    var gain = own
    if let given = split.accountAmount {
      try check(given.currency == account.currency, .currencyMismatch)
      gain = Int128(given.minorUnits)
    } else {
      for currency in foreign {
        gain += try required(gains[currency] ?? 0, currency, account.currency, day)
      }
    }
    var made = [
      Posting(.account(account.id), Money(try fit(gain), account.currency)),
      Posting(.account(.exchange), Money(try fit(own - gain), account.currency)),
    ]
    for currency in foreign {
      made.append(Posting(.account(.exchange), Money(try fit(gains[currency] ?? 0), currency)))
    }
    return made + parts
  }

  private func checkedPostings(_ postings: [Posting], _ old: [Posting]) throws -> [Posting] {
    try check(postings.count >= 2, .shape)
    for posting in postings {
      try check(posting.note.utf8.count <= 200, .limit)
      switch posting.account {
      case .account(let id):
        let account = try usable(id, old)
        if let account {
          try check(account.currency == posting.amount.currency, .currencyMismatch)
        } else {
          try check(posting.amount.currency)
        }
      case .category(let id):
        _ = try usable(id, .expense, old)
        try check(posting.amount.currency)
      }
    }
    return postings
  }

  private func arriving(_ given: Money?, _ amount: Money, _ target: Currency, _ day: Day) throws
    -> Int64
  {
    guard let given else {
      return try fit(try required(Int128(amount.minorUnits), amount.currency, target, day))
    }
    try check(given.currency == target, .currencyMismatch)
    try check(given.minorUnits >= 0, .negative)
    return given.minorUnits
  }

  private func required(_ units: Int128, _ from: Currency, _ to: Currency, _ day: Day) throws
    -> Int128
  {
    guard let converted = converted(units, from, to, day) else { throw OracleRefusal(.noRate) }
    return converted
  }

  private func fit(_ units: Int128) throws -> Int64 {
    guard let fitting = Int64(exactly: units) else { throw OracleRefusal(.overflow) }
    return fitting
  }
}
