import DaybookBookkeeping

/// Creates books from a journal after all amounts have been resolved.
struct BooksMaker {
  private let currencies: JournalCurrencies
  private var places: PlaceTable
  private var books = Books()
  /// The unknown roots, with the number of transactions that can't be imported because of each
  /// root.
  private var unknownRoots: [String: (fault: JournalFault, file: Int, count: Int)] = [:]

  /// Returns the books of a journal, with its bad lines and notices.
  static func make(
    _ matter: inout JournalMatter, _ currencies: JournalCurrencies, _ kept: [KeptAssertion],
    _ options: ReadingOptions
  ) -> FileContents {
    var maker = BooksMaker(
      currencies: currencies, places: PlaceTable(&matter, currencies, options))
    maker.books.program = "journal"
    maker.books.currencies = currencies.definitions
    maker.books.accounts = maker.places.accounts
    maker.books.categories = maker.places.categories
    matter.contents.notices += currencies.notices + maker.places.notices
    maker.books.transactions.reserveCapacity(matter.entries.count)
    for entry in matter.entries {
      if maker.hasUnknownRoot(entry, matter) { continue }
      do throws(JournalFault) {
        if let transaction = try maker.transaction(entry, &matter) {
          maker.books.transactions.append(transaction)
        }
      } catch {
        matter.note(error, file: entry.file)
      }
    }
    maker.noteUnknownRoots(&matter)
    maker.takeAssertions(kept, &matter)
    maker.takePrices(&matter)
    matter.contents.notices.sort { $0.line < $1.line }
    matter.contents.badLines.sort { $0.line < $1.line }
    matter.contents.books = maker.books
    return matter.contents
  }

  private init(currencies: JournalCurrencies, places: PlaceTable) {
    self.currencies = currencies
    self.places = places
  }

  private func transaction(
    _ entry: JournalEntry, _ matter: inout JournalMatter
  ) throws(JournalFault) -> BookTransaction? {
    var result = BookTransaction(line: entry.line, day: entry.day)
    result.valueDay = entry.valueDay
    result.status = entry.status
    result.code = entry.code
    result.payee = entry.payee
    result.description = entry.description
    result.note = entry.note
    result.tags = entry.tags
    result.reference = entry.reference
    result.postings.reserveCapacity(entry.postings.count)
    var sums: [Total] = []
    for posting in entry.postings {
      guard let amount = posting.amount, amount.commodity >= 0 else { continue }
      let money = try money(amount, posting, matter)
      let place = try place(posting, amount.commodity, matter)
      result.postings.append(BookPosting(place, money, note: posting.note))
      if let index = sums.firstIndex(where: { $0.currency == money.currency }) {
        sums[index].units += Int128(money.minorUnits)
      } else {
        sums.append(Total(money))
      }
    }
    // The `exchange` postings balance each currency.
    for sum in sums where sum.units != 0 {
      guard let money = Total(units: 0 - sum.units, currency: sum.currency).money else {
        throw JournalFault(
          entry.line, 1, .amount, "The sum of this transaction is too large.", "Check the amounts.")
      }
      result.postings.append(BookPosting(.exchange, money))
    }
    guard result.postings.count <= Limits.postingCountMax else {
      throw JournalFault(
        entry.line, 1, .tooLong,
        "A transaction can have at most \(Limits.postingCountMax) postings, but this one has "
          + "\(result.postings.count).",
        "Divide it into several transactions.")
    }
    return try moving(result, entry, &matter)
  }

  /// Returns the transaction, or `nil` if it moves no money because all amounts are zero or all
  /// postings are to the same account.
  private func moving(
    _ transaction: BookTransaction, _ entry: JournalEntry, _ matter: inout JournalMatter
  ) throws(JournalFault) -> BookTransaction? {
    var ends: Set<BookPosting.Place> = []
    var moves = false
    if let split = split(transaction) { return split }
    for posting in transaction.postings {
      if case .category = posting.place, transaction.postings.count > 1 { return transaction }
      if posting.place != .exchange { ends.insert(posting.place) }
      moves = moves || posting.amount.minorUnits != 0
    }
    if moves, ends.count > 1 { return transaction }
    let isNothing =
      !moves || (ends.count == 1 && !transaction.postings.contains { $0.place == .exchange })
    guard isNothing else {
      throw JournalFault(
        entry.line, 1, .refused, "This transaction has only one account.",
        "Add a posting for the account that the money goes to or comes from.")
    }
    matter.notice(
      entry.line, "Skipped a transaction that moves no money; its balances were imported.",
      file: entry.file)
    return nil
  }

  /// Returns the transaction for a stock split, which changes only one account and balances by
  /// cost.
  ///
  /// The new shares come from Outside.
  private func split(_ transaction: BookTransaction) -> BookTransaction? {
    let ends = Set(transaction.postings.map(\.place).filter { $0 != .exchange })
    let made = transaction.postings.filter { $0.place == .exchange }
    guard ends.count == 1, case .account = ends.first, made.count == 1,
      transaction.postings.count > 2
    else { return nil }
    var result = transaction
    for index in result.postings.indices where result.postings[index].place == .exchange {
      result.postings[index].place = .outside
    }
    return result
  }

  private func money(
    _ amount: JournalAmount, _ posting: JournalPosting, _ matter: JournalMatter
  ) throws(JournalFault) -> Money {
    guard let currency = currencies.list[amount.commodity] else {
      throw JournalFault(
        posting.line, posting.column, .currency, "The amount has no commodity.",
        "Write it after the amount, add a line such as “D 1,000.00 EUR” above, or use --currency.")
    }
    if let money = amount.number.money(currency) { return money }
    guard amount.number.shortest.scale > currency.digits else {
      throw JournalFault(
        posting.line, posting.column, .amount,
        "\(amount.number) \(currency) is too large for an amount.", "Check the amount.")
    }
    throw JournalFault(
      posting.line, posting.column, .amount,
      "\(amount.number) \(currency) has more decimals than the \(currency.digits) of \(currency).",
      "Round it, or use another commodity name for such amounts.")
  }

  private func place(
    _ posting: JournalPosting, _ commodity: Int, _ matter: JournalMatter
  ) throws(JournalFault) -> BookPosting.Place {
    switch places.place(posting.account, currencies.list[commodity]) {
    case .place(let place): return place
    case .unknown(let root): throw Self.unknown(root, posting, matter)
    case .faulty(let reason):
      throw JournalFault(posting.line, posting.column, .name, reason, "Choose other names.")
    }
  }

  // MARK: Unknown roots

  private static func unknown(
    _ root: String, _ posting: JournalPosting, _ matter: JournalMatter
  ) -> JournalFault {
    let usual = AccountRoles.usualMeaning(root)
    let word = root.contains(" ") ? "\"\(root)=" : "\(root)="
    let kind = (usual ?? .asset).rawValue + (root.contains(" ") ? "\"" : "")
    let others = usual == nil ? " (or liability, equity, income, expense)" : ""
    let letter = usual.map(AccountRoles.letter) ?? "A"
    return JournalFault(
      posting.line, posting.column, .name,
      "The account “\(matter.accounts.all[posting.account].name)” can't be classified: the kind "
        + "of accounts below “\(root)” is unknown.",
      "Use --root \(word)\(kind)\(others), or add this to the journal: account \(root)  ; "
        + "type:\(letter).")
  }

  /// Returns whether a transaction has an account below an unknown root, and counts all of its
  /// unknown roots.
  private mutating func hasUnknownRoot(_ entry: JournalEntry, _ matter: JournalMatter) -> Bool {
    var found: Set<String> = []
    for posting in entry.postings {
      guard case .unknown(let root) = places.place(posting.account, nil),
        found.insert(root).inserted
      else { continue }
      unknownRoots[
        root, default: (Self.unknown(root, posting, matter), entry.file, 0)
      ].count += 1
    }
    return !found.isEmpty
  }

  /// Records each unknown root once.
  private func noteUnknownRoots(_ matter: inout JournalMatter) {
    for (_, found) in unknownRoots.sorted(by: { $0.value.fault.line < $1.value.fault.line }) {
      var fault = found.fault
      if found.count > 1 { fault.reason += " It affects \(found.count) transactions." }
      matter.note(fault, file: found.file)
    }
  }

  // MARK: Balances and prices

  /// Adds assertions to the books, if they also hold at the end of their day.
  private mutating func takeAssertions(_ kept: [KeptAssertion], _ matter: inout JournalMatter) {
    guard !kept.isEmpty else { return }
    let balances = DayBalances(books.transactions, Set(kept.compactMap { account($0) }))
    var known: Set<BookAssertion> = []
    for assertion in kept {
      guard let name = account(assertion), !assertion.isInclusive,
        let currency = currencies.list[assertion.amount.commodity],
        let amount = assertion.amount.number.money(currency)
      else {
        let isTrivial = assertion.amount.number.isZero && !assertion.isInclusive
        if !isTrivial {
          matter.notice(
            assertion.line, "Skipped a correct balance assertion that isn't for an account.",
            file: assertion.file)
        }
        continue
      }
      guard balances.units(name, assertion.day) == Int128(amount.minorUnits) else {
        matter.notice(
          assertion.line,
          "Skipped a balance assertion that is correct at its position, but not at the end of the "
            + "day; it isn't "
            + "kept.",
          file: assertion.file)
        continue
      }
      var one = BookAssertion(line: 0, account: name, day: assertion.day, amount: amount)
      guard known.insert(one).inserted else { continue }
      one.line = assertion.line
      books.assertions.append(one)
    }
  }

  /// Returns the name of an assertion's account in the books.
  private func account(_ assertion: KeptAssertion) -> String? {
    let currency = currencies.list[assertion.amount.commodity]
    guard case .place(.account(let name)) = places.place(assertion.account, currency) else {
      return nil
    }
    return name
  }

  private mutating func takePrices(_ matter: inout JournalMatter) {
    var known: [RateID: Int] = [:]
    for price in matter.prices {
      guard price.price.commodity >= 0, let base = currencies.list[price.commodity],
        let quoted = currencies.list[price.price.commodity], base != quoted
      else {
        matter.notice(
          price.line, "Skipped a price of an unused commodity.",
          file: price.file)
        continue
      }
      var number = price.price.number.shortest
      if number.scale > 12 { number = number.rounded(to: 12).shortest }
      guard let mantissa = Int64(exactly: number.units), let scale = UInt8(exactly: number.scale),
        let quote = Quote(mantissa: mantissa, scale: scale)
      else {
        matter.notice(
          price.line, "Skipped the price \(number): it isn't above zero, or has too many digits.",
          file: price.file)
        continue
      }
      let rate = ExchangeRate(base: base, quoted: quoted, day: price.day, quote: quote)
      // The last price of a day takes precedence.
      if let index = known[rate.id] {
        books.rates[index] = rate
      } else {
        known[rate.id] = books.rates.count
        books.rates.append(rate)
      }
    }
  }
}

/// The balances of accounts at the end of each day.
private struct DayBalances {
  private var days: [String: [(day: Day, units: Int128)]] = [:]

  init(_ transactions: [BookTransaction], _ accounts: Set<String>) {
    for transaction in transactions {
      for posting in transaction.postings {
        guard case .account(let name) = posting.place, accounts.contains(name) else { continue }
        days[name, default: []].append((transaction.day, Int128(posting.amount.minorUnits)))
      }
    }
    for name in days.keys {
      days[name]?.sort { $0.day < $1.day }
      var sum: Int128 = 0
      for index in 0..<(days[name]?.count ?? 0) {
        sum += days[name]?[index].units ?? 0
        days[name]?[index].units = sum
      }
    }
  }

  func units(_ account: String, _ day: Day) -> Int128 {
    guard let sums = days[account] else { return 0 }
    var low = 0
    var high = sums.count
    while low < high {
      let middle = (low + high) / 2
      if sums[middle].day <= day { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : sums[low - 1].units
  }
}
