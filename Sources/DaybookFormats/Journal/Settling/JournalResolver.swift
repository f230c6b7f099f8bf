import DaybookBookkeeping

/// Resolves elided amounts and balance assignments, checks balance assertions, and checks that
/// transactions balance.
struct JournalResolver {
  let dialect: JournalDialect
  let currencies: JournalCurrencies
  let skipsUnbalancedVirtual: Bool
  /// The meaning of the roots of account names, from the options.
  let roots: [String: BookRoot]
  var running: RunningBalances
  /// The satisfied assertions.
  var kept: [KeptAssertion] = []
  private var rounding = PlaceRounding()
  /// Whether balances are unknown because an earlier transaction couldn't be read.
  var isUncertain = false

  init(_ matter: JournalMatter, _ dialect: JournalDialect, _ options: ReadingOptions) {
    self.dialect = dialect
    currencies = matter.commodities.currencies(options)
    skipsUnbalancedVirtual = options.skipsUnbalancedVirtual
    roots = options.roots
    running = RunningBalances(matter)
    isUncertain = matter.contents.badLineCount > 0
  }

  /// Resolves all transactions, in the order that the program uses, and removes those with errors.
  mutating func resolve(_ matter: inout JournalMatter) {
    var order = Array(matter.entries.indices)
    if dialect == .hledger, running.isNeeded {
      let days = matter.entries.map(\.day)
      order.sort { (days[$0], $0) < (days[$1], $1) }
    }
    var isBad = [Bool](repeating: false, count: matter.entries.count)
    for index in order {
      do throws(JournalFault) {
        var entry = matter.entries[index]
        try resolve(&entry, &matter)
        matter.entries[index] = entry
      } catch {
        matter.note(error, file: matter.entries[index].file)
        isBad[index] = true
        isUncertain = true
      }
    }
    if isBad.contains(true) {
      matter.entries = zip(matter.entries, isBad).filter { !$0.1 }.map(\.0)
    }
  }

  private mutating func resolve(
    _ entry: inout JournalEntry, _ matter: inout JournalMatter
  ) throws(JournalFault) {
    if running.isNeeded { try assign(&entry, &matter) }
    if dialect == .hledger {
      if entry.postings.contains(where: { $0.sort == .balanced }) {
        try balance(&entry, matter) { $0 == .real }
        try balance(&entry, matter) { $0 == .balanced }
      } else {
        try balance(&entry, matter) { $0 == .real }
      }
    } else {
      try balance(&entry, matter) { $0 != .unbalanced }
    }
    try takeUnbalanced(&entry, &matter)
  }

  /// Resolves assignments and checks assertions, posting by posting.
  private mutating func assign(
    _ entry: inout JournalEntry, _ matter: inout JournalMatter
  ) throws(JournalFault) {
    var index = -1
    while index + 1 < entry.postings.count {
      index += 1
      if let cleared = cleared(entry.postings[index]) {
        entry.postings.insert(contentsOf: cleared, at: index)
      }
      let posting = entry.postings[index]
      if posting.amount == nil, let assertion = posting.assertion {
        guard !isUncertain else {
          throw JournalFault(
            posting.line, assertion.column, .amount,
            "The amount depends on a balance, and an earlier line of that balance can't be read.",
            "Correct the other lines first.")
        }
        entry.postings[index].amount = try assigned(posting, assertion, &matter)
      }
      guard let amount = entry.postings[index].amount else { continue }
      let isReal = posting.sort == .real
      guard running.add(amount, to: posting.account, isReal: isReal) else {
        throw Self.tooLarge(posting)
      }
      if let assertion = posting.assertion, !isUncertain {
        try check(assertion, posting, entry, &matter)
      }
    }
  }

  func isWrong(
    _ posting: JournalPosting, _ assertion: JournalAssertion, _ reason: String
  ) -> JournalFault {
    let order =
      dialect == .hledger
      ? "Balances are checked in date order, as in hledger; ledger uses the order of "
        + "lines."
      : "Balances are checked in line order, as in ledger; hledger uses the order of "
        + "days."
    return JournalFault(
      posting.line, assertion.column, .refused, reason,
      "Correct the balance, or the postings before it. \(order)")
  }

  /// Returns the amount that a balance assignment adds to its account.
  private func assigned(
    _ posting: JournalPosting, _ assertion: JournalAssertion, _ matter: inout JournalMatter
  ) throws(JournalFault) -> JournalAmount {
    guard assertion.amount.commodity >= 0 else {
      return try assignedNothing(posting, assertion, matter)
    }
    let held = balance(posting, assertion)
    guard let difference = assertion.amount.number.subtracting(held) else {
      throw Self.tooLarge(posting)
    }
    matter.commodities.use(assertion.amount.commodity, digits: 0)
    return JournalAmount(number: difference, commodity: assertion.amount.commodity)
  }

  /// Returns the balance of the account.
  ///
  /// In ledger, an assertion on a real posting doesn't include virtual postings.
  private func balance(
    _ posting: JournalPosting, _ assertion: JournalAssertion
  ) -> JournalNumber {
    running.balance(
      posting.account, assertion, isReal: dialect == .ledger && posting.sort == .real)
  }

  private mutating func check(
    _ assertion: JournalAssertion, _ posting: JournalPosting, _ entry: JournalEntry,
    _ matter: inout JournalMatter
  ) throws(JournalFault) {
    guard assertion.amount.commodity >= 0 else {
      return try checkNothing(assertion, posting, entry, &matter)
    }
    let held = balance(posting, assertion)
    let others = assertion.isTotal ? running.others(posting.account, assertion) : nil
    let name = matter.accounts.all[posting.account].name
    let code = matter.commodities.all[assertion.amount.commodity].name
    guard held.equals(assertion.amount.number), others == nil else {
      let also = others.map { ", plus an amount in “\(matter.commodities.all[$0].name)”" } ?? ""
      throw isWrong(
        posting, assertion,
        "The stated balance of “\(name)” is \(assertion.amount.number) \(code), but the computed "
          + "balance is "
          + "\(held.shortest)\(also).")
    }
    kept.append(
      KeptAssertion(
        line: posting.line, file: entry.file, day: entry.day, account: posting.account,
        amount: assertion.amount, isInclusive: assertion.isInclusive))
  }

  /// Checks that a group of postings balances, and fills in an elided amount.
  private mutating func balance(
    _ entry: inout JournalEntry, _ matter: JournalMatter,
    _ isIncluded: (JournalPosting.Sort) -> Bool
  ) throws(JournalFault) {
    var sum = JournalSum()
    var elided: Int?
    var hasPrice = false
    for (index, posting) in entry.postings.enumerated() where isIncluded(posting.sort) {
      if let amount = posting.balance {
        if amount.commodity < 0 { continue }
        guard sum.add(amount) else { throw Self.tooLarge(posting) }
        hasPrice = hasPrice || posting.weight != nil
      } else {
        guard elided == nil else {
          throw JournalFault(
            posting.line, posting.column, .amount,
            "More than one posting of this transaction has no amount.",
            "Put two spaces or a tab between account and amount, and leave out only one amount.")
        }
        elided = index
      }
    }
    if let elided {
      try fill(&entry, elided, sum)
      return
    }
    let rest = sum.amounts.filter {
      !$0.number.rounded(to: matter.commodities.balanceDigits($0.commodity)).isZero
    }
    if rest.isEmpty { return }
    if dropsRepeatedCosts(&entry, matter, isIncluded) { return }
    if balancesByLots(entry, matter, isIncluded) { return }
    // Two commodities without a price are treated as an exchange.
    if rest.count == 2, !hasPrice, rest[0].number.isNegative != rest[1].number.isNegative { return }
    let texts = rest.map { "\($0.number.shortest) \(matter.commodities.all[$0.commodity].name)" }
    throw JournalFault(
      entry.line, 1, .amount,
      "This transaction doesn't balance: it is off by \(texts.joined(separator: " and ")).",
      "Correct the amounts, or leave one of them out.")
  }

  /// Fills in the elided amount, with one posting for each commodity.
  private mutating func fill(
    _ entry: inout JournalEntry, _ index: Int, _ sum: JournalSum
  ) throws(JournalFault) {
    var made: [JournalPosting] = []
    let rest = sum.amounts.filter { !$0.number.isZero }
    for amount in rest {
      var posting = entry.postings[index]
      if !made.isEmpty { posting.note = "" }
      posting.amount = JournalAmount(
        number: try rounded(amount.number.negated, amount.commodity, posting),
        commodity: amount.commodity)
      made.append(posting)
    }
    if made.isEmpty {
      var posting = entry.postings[index]
      posting.amount = JournalAmount(
        number: .zero, commodity: sum.amounts.first?.commodity ?? JournalAmount.anyCommodity)
      made.append(posting)
    }
    if running.isNeeded {
      for (posting, amount) in zip(made, rest) {
        let exact = JournalAmount(number: amount.number.negated, commodity: amount.commodity)
        let isReal = posting.sort == .real
        guard running.add(exact, to: posting.account, isReal: isReal) else {
          throw Self.tooLarge(posting)
        }
      }
    }
    entry.postings.replaceSubrange(index...index, with: made)
  }

  /// Rounds an inferred amount to the decimals of its currency.
  ///
  /// The balance of the account remains the rounded sum of the exact amounts.
  private mutating func rounded(
    _ number: JournalNumber, _ commodity: Int, _ posting: JournalPosting
  ) throws(JournalFault) -> JournalNumber {
    let key = PlaceKey(account: posting.account, commodity: commodity)
    guard let result = rounding.rounded(number, key, currencies.list[commodity]) else {
      throw Self.tooLarge(posting)
    }
    return result
  }

  /// Rejects virtual postings that don't have to balance, or removes them.
  private func takeUnbalanced(
    _ entry: inout JournalEntry, _ matter: inout JournalMatter
  ) throws(JournalFault) {
    guard let first = entry.postings.first(where: { $0.sort == .unbalanced }) else { return }
    guard skipsUnbalancedVirtual else {
      throw JournalFault(
        first.line, first.column, .refused,
        "A posting in parentheses has no counterpart, which Daybook requires.",
        "Put the account in brackets and balance it, or skip all such postings with "
          + "--skip-unbalanced-virtual.")
    }
    for posting in entry.postings where posting.sort == .unbalanced {
      let name = matter.accounts.all[posting.account].name
      matter.notice(posting.line, "Skipped the virtual posting (\(name)).", file: entry.file)
    }
    entry.postings.removeAll { $0.sort == .unbalanced }
  }

  static func tooLarge(_ posting: JournalPosting) -> JournalFault {
    JournalFault(
      posting.line, posting.column, .amount, "The sum is too large.", "Check the amounts.")
  }
}

/// A satisfied balance assertion.
struct KeptAssertion {
  var line: Int
  var file: Int
  var day: Day
  var account: Int
  var amount: JournalAmount
  var isInclusive = false
}
