import DaybookBookkeeping

extension BeancountBooking {
  /// Fills in the missing amounts and costs of a transaction, and checks that it balances.
  mutating func book(
    _ entry: inout JournalEntry, _ specs: [BeancountLot?]
  ) throws(JournalFault) {
    var sum = JournalSum()
    var tolerances = Tolerances(settings, matter.commodities)
    var elided: [Int] = []
    var withoutCost: Int?
    for index in entry.postings.indices {
      let posting = entry.postings[index]
      guard let amount = posting.amount else {
        elided.append(index)
        continue
      }
      tolerances.take(amount)
      var weights = [posting.weight ?? amount]
      if let spec = specs[index] {
        weights = try worth(posting, amount, spec, entry.day)
        if weights.isEmpty, !amount.number.isZero {
          guard withoutCost == nil else {
            throw JournalFault(
              posting.line, spec.column, .amount, "This transaction leaves out two costs.",
              "Write one of them.")
          }
          withoutCost = index
        }
      }
      for weight in weights {
        guard sum.add(weight) else { throw JournalResolver.tooLarge(posting) }
        if settings.infersToleranceFromCost, weight.commodity != amount.commodity {
          tolerances.take(amount, worth: weight)
        }
      }
    }
    if let withoutCost {
      guard elided.isEmpty, let spec = specs[withoutCost] else {
        throw JournalFault(
          entry.postings[withoutCost].line, specs[withoutCost]?.column, .amount,
          "This transaction leaves out a cost and an amount.", "Write one of them.")
      }
      try findCost(entry.postings[withoutCost], spec, entry.day, sum)
      return
    }
    if elided.isEmpty { return try check(entry, sum, tolerances) }
    try fill(&entry, elided, sum, tolerances)
  }

  /// Returns the weights of a posting held at cost; empty if its cost is missing.
  private mutating func worth(
    _ posting: JournalPosting, _ amount: JournalAmount, _ spec: BeancountLot, _ day: Day
  ) throws(JournalFault) -> [JournalAmount] {
    let key = PlaceKey(account: posting.account, commodity: amount.commodity)
    let method = methods[posting.account] ?? settings.booking
    if spec.isMerged {
      throw JournalFault(
        posting.line, spec.column, .amount, "Merging lots ({*}) isn't supported.", "Write the cost."
      )
    }
    if method != .none, lots.isReduction(key, amount.number) {
      do {
        return try lots.take(key, amount.number, spec, method)
      } catch {
        throw failure(error, posting, spec)
      }
    }
    guard spec.hasCost else { return [] }
    guard let commodity = spec.commodity else {
      throw JournalFault(
        posting.line, spec.column, .currency, "This cost has no commodity.",
        "Write it as {10.00 USD}.")
    }
    let units = amount.number
    var worth: JournalNumber? = .zero
    if let one = spec.perUnit { worth = units.multiplied(by: one) }
    if let all = spec.total { worth = worth?.adding(units.isNegative ? all.negated : all) }
    guard let worth else { throw JournalResolver.tooLarge(posting) }
    if !units.isZero {
      guard let one = spec.total == nil ? spec.perUnit : worth.divided(by: units) else {
        throw JournalResolver.tooLarge(posting)
      }
      lots.add(
        key, units, cost: JournalAmount(number: one, commodity: commodity), day: spec.day ?? day,
        label: spec.label)
    }
    return [JournalAmount(number: worth, commodity: commodity)]
  }

  private func failure(
    _ failure: BeancountLots.Failure, _ posting: JournalPosting, _ spec: BeancountLot
  ) -> JournalFault {
    let name = matter.accounts.all[posting.account].name
    let (reason, remedy) =
      switch failure {
      case .none: ("No lot of “\(name)” matches.", "Check the cost, date and label.")
      case .several:
        (
          "Several lots of “\(name)” match.",
          "Add a cost, date or label, or open the account with \"FIFO\"."
        )
      case .tooFew(let rest):
        ("The lots of “\(name)” are \(rest.shortest) short.", "Check the amount.")
      case .tooLarge: ("The sum is too large.", "Check the amounts.")
      }
    return JournalFault(posting.line, spec.column, .amount, reason, remedy)
  }

  /// Computes the single missing cost, so that the transaction balances.
  private mutating func findCost(
    _ posting: JournalPosting, _ spec: BeancountLot, _ day: Day, _ sum: JournalSum
  ) throws(JournalFault) {
    let rest = sum.amounts.filter { !$0.number.isZero }
    guard let amount = posting.amount, rest.count == 1,
      spec.commodity == nil || spec.commodity == rest[0].commodity,
      let cost = rest[0].number.negated.divided(by: amount.number)
    else {
      throw JournalFault(
        posting.line, spec.column, .amount, "The missing cost can't be computed.",
        "Write it as {10.00 USD}.")
    }
    lots.add(
      PlaceKey(account: posting.account, commodity: amount.commodity), amount.number,
      cost: JournalAmount(number: cost, commodity: rest[0].commodity), day: spec.day ?? day,
      label: spec.label)
  }

  private func check(
    _ entry: JournalEntry, _ sum: JournalSum, _ tolerances: Tolerances
  ) throws(JournalFault) {
    let rest = sum.amounts.filter { !tolerances.allows($0) }
    if rest.isEmpty { return }
    let texts = rest.map { "\($0.number.shortest) \(matter.commodities.all[$0.commodity].name)" }
    throw JournalFault(
      entry.line, 1, .amount,
      "This transaction doesn't balance: it is off by \(texts.joined(separator: " and ")).",
      "Correct the amounts, or leave one of them out.")
  }

  /// Fills in postings without an amount.
  ///
  /// A posting with a commodity gets the remainder in that commodity. A posting without a commodity
  /// gets the remainders in all other commodities.
  private mutating func fill(
    _ entry: inout JournalEntry, _ elided: [Int], _ sum: JournalSum, _ tolerances: Tolerances
  ) throws(JournalFault) {
    var named: Set<Int> = []
    var open: Int?
    for index in elided {
      if let commodity = entry.postings[index].weight?.commodity {
        if named.insert(commodity).inserted { continue }
      } else if open == nil {
        open = index
        continue
      }
      let posting = entry.postings[index]
      throw JournalFault(
        posting.line, posting.column, .amount,
        "More than one posting of this transaction has no amount.", "Leave out only one amount.")
    }
    var filled: [JournalPosting] = []
    for (index, posting) in entry.postings.enumerated() {
      var posting = posting
      if posting.amount != nil {
        filled.append(posting)
      } else if index == open {
        for rest in sum.amounts where !named.contains(rest.commodity) && !rest.number.isZero {
          posting.amount = try missing(rest, posting, tolerances)
          filled.append(posting)
          posting.note = ""
        }
      } else if let commodity = posting.weight?.commodity {
        posting.weight = nil
        posting.amount = try missing(
          JournalAmount(number: sum[commodity], commodity: commodity), posting, tolerances)
        filled.append(posting)
      }
    }
    entry.postings = filled
    if open == nil {
      let rest = sum.amounts.filter { !named.contains($0.commodity) }
      var left = JournalSum()
      for amount in rest where !left.add(amount) {}
      try check(entry, left, tolerances)
    }
  }

  private mutating func missing(
    _ rest: JournalAmount, _ posting: JournalPosting, _ tolerances: Tolerances
  ) throws(JournalFault) -> JournalAmount {
    var number = rest.number.negated
    if let digits = tolerances.digits(rest.commodity) { number = number.rounded(to: digits) }
    return JournalAmount(
      number: try rounded(number, rest.commodity, posting), commodity: rest.commodity)
  }
}

/// The tolerance of a transaction in each commodity.
///
/// By default, it is half a unit of the last decimal of the amounts.
struct Tolerances {
  private let settings: BeancountReader.Settings
  private let commodities: CommodityTable
  private var found: [Int: JournalNumber] = [:]

  init(_ settings: BeancountReader.Settings, _ commodities: CommodityTable) {
    self.settings = settings
    self.commodities = commodities
  }

  mutating func take(_ amount: JournalAmount) {
    if let tolerance = one(amount) { raise(amount.commodity, tolerance) }
  }

  /// Derives the tolerance for the commodity of a cost or price from the amount's tolerance.
  mutating func take(_ amount: JournalAmount, worth: JournalAmount) {
    guard let tolerance = one(amount), !amount.number.isZero,
      let product = worth.number.multiplied(by: tolerance),
      let cost = product.divided(by: amount.number)
    else { return }
    raise(worth.commodity, cost.magnitude)
  }

  private func one(_ amount: JournalAmount) -> JournalNumber? {
    guard amount.number.scale > 0 else { return nil }
    return settings.toleranceMultiplier.multiplied(
      by: JournalNumber(units: 1, scale: amount.number.scale))
  }

  private mutating func raise(_ commodity: Int, _ tolerance: JournalNumber) {
    let known = self.tolerance(commodity) ?? .zero
    guard let more = tolerance.subtracting(known), !more.isNegative else { return }
    found[commodity] = tolerance
  }

  private func tolerance(_ commodity: Int) -> JournalNumber? {
    if let known = found[commodity] { return known }
    if settings.tolerances.isEmpty { return nil }
    return settings.tolerances[commodities.all[commodity].name] ?? settings.tolerances["*"]
  }

  func allows(_ rest: JournalAmount) -> Bool {
    let tolerance = tolerance(rest.commodity) ?? .zero
    guard let left = tolerance.subtracting(rest.number.magnitude) else { return false }
    return !left.isNegative
  }

  /// Returns the number of decimals to round inferred amounts to.
  func digits(_ commodity: Int) -> Int? {
    guard let tolerance = tolerance(commodity), !tolerance.isZero,
      let quantum = tolerance.adding(tolerance)?.shortest, quantum.units < 100_000
    else { return nil }
    return quantum.scale
  }
}
