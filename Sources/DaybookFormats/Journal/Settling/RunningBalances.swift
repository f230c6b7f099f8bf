/// The running balances of accounts, for checking assertions.
struct RunningBalances {
  /// Whether any assertion needs the balances.
  private(set) var isNeeded = false
  private var own: [Int: JournalSum] = [:]
  /// The balances without virtual postings.
  private var real: [Int: JournalSum] = [:]
  private var below: [Int: JournalSum] = [:]
  /// For each account, the accounts among itself and its ancestors whose inclusive balances are
  /// needed.
  private var above: [Int: [Int]] = [:]

  init(_ matter: JournalMatter, inclusive: some Sequence<Int> = EmptyCollection()) {
    var asked: Set<Int> = Set(inclusive)
    isNeeded = !asked.isEmpty
    for entry in matter.entries {
      for posting in entry.postings {
        guard let assertion = posting.assertion else { continue }
        isNeeded = true
        if assertion.isInclusive { asked.insert(posting.account) }
      }
    }
    guard !asked.isEmpty else { return }
    let names = matter.accounts.all.map(\.name)
    let numbers = Dictionary(asked.map { (names[$0], $0) }, uniquingKeysWith: { first, _ in first })
    for (account, name) in names.enumerated() {
      var rest = name[...]
      while true {
        if let number = numbers[String(rest)] { above[account, default: []].append(number) }
        guard let colon = rest.lastIndex(of: ":") else { break }
        rest = rest[..<colon]
      }
    }
  }

  /// Adds a posting.
  ///
  /// Returns `false` if a sum doesn't fit.
  mutating func add(_ amount: JournalAmount, to account: Int, isReal: Bool = true) -> Bool {
    guard amount.commodity >= 0 else { return true }
    if isReal, !real[account, default: JournalSum()].add(amount) { return false }
    guard own[account, default: JournalSum()].add(amount) else { return false }
    for parent in above[account] ?? [] {
      guard below[parent, default: JournalSum()].add(amount) else { return false }
    }
    return true
  }

  func sum(_ account: Int, isInclusive: Bool) -> JournalSum {
    (isInclusive ? below[account] : own[account]) ?? JournalSum()
  }

  /// Returns the balance in the commodity of an assertion.
  ///
  /// - Parameter isReal: Whether to ignore virtual postings.
  func balance(
    _ account: Int, _ assertion: JournalAssertion, isReal: Bool
  ) -> JournalNumber {
    held(account, assertion, isReal: isReal)[assertion.amount.commodity]
  }

  /// Returns the balance in all commodities.
  func held(_ account: Int, _ assertion: JournalAssertion, isReal: Bool) -> JournalSum {
    isReal
      ? real[account] ?? JournalSum() : sum(account, isInclusive: assertion.isInclusive)
  }

  /// Returns another commodity that the account holds, or `nil`.
  func others(_ account: Int, _ assertion: JournalAssertion) -> Int? {
    sum(account, isInclusive: assertion.isInclusive).amounts.first {
      $0.commodity != assertion.amount.commodity && !$0.number.isZero
    }?.commodity
  }
}
