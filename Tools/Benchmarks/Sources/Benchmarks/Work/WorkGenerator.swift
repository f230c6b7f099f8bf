/// The generator of the work, a pure function of (seed, index): event *i* of a run over `size`
/// events is always the same.
///
/// Of the events, 93.5 % are records, 4.7 % amendments and 1.8 % deletions, mostly of recent rows.
/// Of the transactions, 80 % are expenses, 12 % income and 8 % transfers. The present moves over
/// ten years. Most days lie within the last 2 days before it, 15 % within 31 days, and 5 % anywhere
/// earlier. The only state is the set of deleted rows, so that no event refers to a deleted row.
/// Events must therefore be generated in order.
struct WorkGenerator: Sendable {
  let seed: UInt64
  let size: Int
  private(set) var nextIndex = 0
  private var deleted: [UInt64] = []

  /// The first day of the ten years, 2016-01-01.
  static let firstDay = 16_801
  static let dayCount = 3_652
  static var lastDay: Int { firstDay + dayCount - 1 }

  /// Creates a generator whose first `size` events cover ten years.
  ///
  /// Later events are at the end of that time.
  init(seed: UInt64 = 1, size: Int) {
    self.seed = seed
    self.size = size
  }

  /// The next `count` events.
  mutating func next(_ count: Int) -> [WorkEvent] {
    var events: [WorkEvent] = []
    events.reserveCapacity(count)
    for _ in 0..<count { events.append(next()) }
    return events
  }

  /// The next event.
  mutating func next() -> WorkEvent {
    let index = nextIndex
    nextIndex += 1
    if index % 64 == 0 { deleted.append(0) }
    guard !isRecord(index) else { return .record(transaction(index)) }
    var random = Random(seed: seed, index: index, stream: 1)
    let target = target(for: index, &random)
    if perMille(index) >= 982 {
      deleted[target / 64] |= 1 << UInt64(target % 64)
      return .delete(id(target))
    }
    return .amend(id(target), amendment(of: target, at: index, &random))
  }

  private func perMille(_ index: Int) -> Int {
    var random = Random(seed: seed, index: index, stream: 0)
    return random.below(1_000)
  }

  /// The first hundred events are records, so that there is always a row to refer to.
  private func isRecord(_ index: Int) -> Bool { index < 100 || perMille(index) < 935 }

  private func id(_ index: Int) -> WorkID {
    var random = Random(seed: seed, index: index, stream: 2)
    let milliseconds = 1_451_606_400_000 + UInt64(index) * 31
    return WorkID(
      high: milliseconds << 16 | 0x7000 | UInt64(random.below(4_096)),
      low: random.next() >> 2 | 1 << 63)
  }

  private func day(_ index: Int, _ random: inout Random) -> Int {
    let present = Self.firstDay + min(index * Self.dayCount / max(size, 1), Self.dayCount - 1)
    let draw = random.below(100)
    let back: Int
    if draw < 80 {
      back = random.below(3)
    } else if draw < 95 {
      back = random.below(32)
    } else {
      back = random.below(present - Self.firstDay + 1)
    }
    return max(present - back, Self.firstDay)
  }

  private func transaction(_ index: Int) -> WorkTransaction {
    var random = Random(seed: seed, index: index, stream: 3)
    let draw = random.below(100)
    let kind: WorkKind = draw < 80 ? .expense : draw < 92 ? .income : .transfer
    let account = Work.accounts.lowerBound + random.below(Work.accounts.count)
    let counter: Int
    if kind == .transfer {
      let group = (account - 1) / 5 * 5 + 1
      counter = group + (account - group + 1 + random.below(4)) % 5
    } else {
      counter = subcategory(of: kind, &random)
    }
    return WorkTransaction(
      id: id(index), day: day(index, &random), kind: kind, account: account, counter: counter,
      amount: amount(&random), description: description(&random))
  }

  private func subcategory(of kind: WorkKind, _ random: inout Random) -> Int {
    let range = kind == .income ? Work.incomeSubcategories : Work.expenseSubcategories
    return range.lowerBound + random.below(range.count)
  }

  private func amount(_ random: inout Random) -> Int64 { Int64(100 + random.below(399_901)) }

  private static let words = [
    "Market", "Bakery", "Coffee", "Books", "Garden", "Tickets", "Pharmacy", "Repair", "Station",
    "Dinner", "Groceries", "Insurance", "Streaming", "Salary", "Savings", "Cinema",
  ]

  /// A description of about 30 bytes.
  private func description(_ random: inout Random) -> String {
    let first = Self.words[random.below(Self.words.count)]
    let second = Self.words[random.below(Self.words.count)]
    return "\(first) \(second), receipt \(100_000 + random.below(900_000))"
  }

  /// A row that isn't deleted, in nine of ten cases among the last thousand events and otherwise
  /// among all.
  private func target(for index: Int, _ random: inout Random) -> Int {
    let reach = random.below(10) < 9 ? min(index, 1_000) : index
    var target = index - 1 - random.below(reach)
    while !isRecord(target) || deleted[target / 64] >> UInt64(target % 64) & 1 == 1 {
      target = target == 0 ? index - 1 : target - 1
    }
    return target
  }

  private func amendment(
    of target: Int, at index: Int, _ random: inout Random
  ) -> WorkAmendment {
    let transaction = transaction(target)
    let kind = transaction.kind
    var amendment = WorkAmendment(currency: transaction.currency)
    switch random.below(3) {
    case 0: amendment.amount = amount(&random)
    case 1 where kind != .transfer: amendment.category = subcategory(of: kind, &random)
    default: amendment.day = day(index, &random)
    }
    return amendment
  }
}

/// SplitMix64, restarted for every (seed, index, stream).
private struct Random {
  private var state: UInt64

  init(seed: UInt64, index: Int, stream: UInt64) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(index) &* 0xd134_2543_de82_ef95 &+ stream << 56
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }

  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
