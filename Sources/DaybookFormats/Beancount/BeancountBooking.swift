import DaybookBookkeeping

/// Books the directives of Beancount files in date order.
///
/// It matches lots, fills in amounts, checks that transactions balance, applies `pad` directives
/// and checks `balance` directives.
struct BeancountBooking {
  /// The method by which an account reduces its lots.
  enum Method: String, Sendable {
    case strict = "STRICT"
    case strictWithSize = "STRICT_WITH_SIZE"
    case fifo = "FIFO"
    case lifo = "LIFO"
    case hifo = "HIFO"
    case none = "NONE"
  }

  var matter: JournalMatter
  let currencies: JournalCurrencies
  /// The satisfied balance assertions.
  var kept: [KeptAssertion] = []
  let settings: BeancountReader.Settings
  let methods: [Int: Method]
  var lots = BeancountLots()
  private var rounding = PlaceRounding()
  private let entries: [BeancountEntry]
  /// The booked transactions, with their indices in `entries`.
  private var booked: [(index: Int, entry: JournalEntry)] = []

  init(_ reader: BeancountReader) {
    var matter = reader.matter
    Self.useCosts(reader.entries, &matter)
    self.matter = matter
    entries = reader.entries
    settings = reader.settings
    methods = reader.methods
    currencies = matter.commodities.currencies(reader.options)
  }

  /// Marks commodities that occur only in costs and prices as used, because an inferred amount may
  /// be in such a commodity.
  private static func useCosts(_ entries: [BeancountEntry], _ matter: inout JournalMatter) {
    var digits: [Int: Int] = [:]
    for entry in entries {
      guard case .transaction(let transaction, let lots) = entry.content,
        transaction.postings.contains(where: { $0.amount == nil })
      else { continue }
      for (posting, lot) in zip(transaction.postings, lots) {
        let scale = posting.amount?.number.scale ?? 0
        if let weight = posting.weight {
          digits[weight.commodity, default: 0].raise(to: weight.number.shortest.scale)
        }
        if let commodity = lot?.commodity {
          digits[commodity, default: 0].raise(to: (lot?.perUnit?.scale ?? 0) + scale)
          digits[commodity, default: 0].raise(to: lot?.total?.scale ?? 0)
        }
      }
    }
    for (commodity, count) in digits where !matter.commodities.all[commodity].isUsed {
      matter.commodities.use(commodity, digits: min(count, JournalNumber.scaleMax))
    }
  }

  /// Books all directives.
  ///
  /// Afterwards, `matter` contains the transactions in file order.
  mutating func book() {
    let order = entries.indices.sorted {
      (entries[$0].day, entries[$0].rank, $0) < (entries[$1].day, entries[$1].rank, $1)
    }
    var resolved: [Int: JournalEntry] = [:]
    for index in order {
      guard case .transaction(var entry, let lots) = entries[index].content else { continue }
      do throws(JournalFault) {
        try book(&entry, lots)
        resolved[index] = entry
        booked.append((index, entry))
      } catch {
        matter.note(error, file: entry.file)
      }
    }
    // Balances are unknown if a transaction is missing.
    if matter.contents.badLineCount == 0 { balance(order, resolved) }
    booked.sort { $0.index < $1.index }
    matter.entries = booked.map(\.entry)
  }

  // MARK: Balances and padding

  private mutating func balance(_ order: [Int], _ resolved: [Int: JournalEntry]) {
    var asked: Set<Int> = []
    for entry in entries {
      switch entry.content {
      case .balance(let balance): asked.insert(balance.account)
      case .pad(let pad): asked.insert(pad.account)
      case .transaction: break
      }
    }
    guard !asked.isEmpty else { return }
    let pads = pad(order, resolved, RunningBalances(matter, inclusive: asked))
    var running = RunningBalances(matter, inclusive: asked)
    for index in order {
      switch entries[index].content {
      case .transaction: if let entry = resolved[index] { add(entry, &running) }
      case .pad:
        for entry in pads[index] ?? [] {
          add(entry, &running)
          booked.append((index, entry))
        }
      case .balance(let balance): check(balance, entries[index].day, running)
      }
    }
  }

  private func add(_ entry: JournalEntry, _ running: inout RunningBalances) {
    // Ignore an overflow here; it is reported when the books are created.
    for posting in entry.postings {
      if let amount = posting.amount { _ = running.add(amount, to: posting.account) }
    }
  }

  /// Returns the transactions that `pad` directives add to satisfy the next balance directive of
  /// each commodity.
  private mutating func pad(
    _ order: [Int], _ resolved: [Int: JournalEntry], _ start: RunningBalances
  ) -> [Int: [JournalEntry]] {
    var running = start
    var active: [Int: Int] = [:]
    var padded: Set<PlaceKey> = []
    var made: [Int: [JournalEntry]] = [:]
    for index in order {
      switch entries[index].content {
      case .transaction: if let entry = resolved[index] { add(entry, &running) }
      case .pad(let pad):
        active[pad.account] = index
        padded = padded.filter { $0.account != pad.account }
      case .balance(let balance):
        let key = PlaceKey(account: balance.account, commodity: balance.amount.commodity)
        let isFirst = padded.insert(key).inserted
        let held = running.sum(balance.account, isInclusive: true)[balance.amount.commodity]
        guard isFirst, let from = active[balance.account],
          let missing = balance.amount.number.subtracting(held),
          let beyond = balance.tolerance.subtracting(missing.magnitude), beyond.isNegative,
          case .pad(let pad) = entries[from].content
        else { continue }
        let amount = JournalAmount(number: missing, commodity: balance.amount.commodity)
        made[from, default: []].append(padding(pad, entries[from].day, amount, balance))
        _ = running.add(amount, to: balance.account)
      }
    }
    for index in order {
      if case .pad(let pad) = entries[index].content, made[index] == nil {
        matter.notice(pad.line, "Ignored this pad, because no balance needs it.", file: pad.file)
      }
    }
    return made
  }

  private func padding(
    _ pad: BeancountPad, _ day: Day, _ amount: JournalAmount, _ balance: BeancountBalance
  ) -> JournalEntry {
    var entry = JournalEntry(line: pad.line, file: pad.file, day: day)
    let code = matter.commodities.all[amount.commodity].name
    entry.description =
      "(Padding inserted for Balance of \(balance.amount.number) \(code.prefix(100)))"
    let other = JournalAmount(number: amount.number.negated, commodity: amount.commodity)
    entry.postings = [(pad.account, amount), (pad.source, other)].map {
      JournalPosting(line: pad.line, column: 1, account: $0.0, amount: $0.1)
    }
    return entry
  }

  private mutating func check(
    _ balance: BeancountBalance, _ day: Day, _ running: RunningBalances
  ) {
    let commodity = balance.amount.commodity
    let held = running.sum(balance.account, isInclusive: true)[commodity]
    guard let off = held.subtracting(balance.amount.number),
      let rest = balance.tolerance.subtracting(off.magnitude), !rest.isNegative
    else {
      let name = matter.accounts.all[balance.account].name
      let code = matter.commodities.all[commodity].name
      matter.note(
        JournalFault(
          balance.line, balance.column, .refused,
          "The stated balance of “\(name)” is \(balance.amount.number) \(code), but the computed "
            + "balance is "
            + "\(held.shortest).",
          "Correct the balance, or the earlier transactions."), file: balance.file)
      return
    }
    let own = running.sum(balance.account, isInclusive: false)[commodity]
    kept.append(
      KeptAssertion(
        line: balance.line, file: balance.file, day: day.adding(days: -1),
        account: balance.account, amount: balance.amount, isInclusive: !own.equals(held)))
  }

  /// Rounds an inferred amount to the decimals of its currency.
  mutating func rounded(
    _ number: JournalNumber, _ commodity: Int, _ posting: JournalPosting
  ) throws(JournalFault) -> JournalNumber {
    let key = PlaceKey(account: posting.account, commodity: commodity)
    guard let result = rounding.rounded(number, key, currencies.list[commodity]) else {
      throw JournalResolver.tooLarge(posting)
    }
    return result
  }
}

extension Int {
  /// Raises the value to `other` if `other` is greater.
  fileprivate mutating func raise(to other: Int) { if other > self { self = other } }
}
