import DaybookBookkeeping

extension GuessTable {
  enum MoneyShape {
    case signed(Int)
    case pair(debit: Int, credit: Int)
  }

  struct MoneyGuess {
    var shape: MoneyShape
    var decimal: String
    var score: Int
    var balance: BalanceGuess?
    /// The fee that the amounts don't include according to the balances.
    var fee: FeeGuess?
    /// All columns that could be the amount, including the chosen one; empty if there is no doubt.
    var rivals: [Int] = []
    /// Whether it is unclear which of the two columns contains outgoing amounts.
    var isPairUnsure = false
    /// Whether positive amounts are outgoing according to the balances.
    var isInverted = false
    /// Whether the amounts explain the balances only with this decimal mark.
    var isDecimalProven = false

    var columns: [Int] {
      switch shape {
      case .signed(let column): [column]
      case .pair(let debit, let credit): [debit, credit]
      }
    }
  }

  /// Columns whose sum is charged in addition to the amount.
  struct FeeGuess {
    var columns: [Int]
    /// Whether negative numbers are charges.
    var isInverted = false
  }

  /// The columns named in the facts.
  private struct Given {
    var amount: Int?
    var debit: Int?
    var credit: Int?
    var balance: Int?

    var all: Set<Int> { Set([amount, debit, credit, balance].compactMap { $0 }) }
  }

  /// Returns the columns of the amount and of the balance.
  func moneyColumns(except date: Int) throws(InterchangeError) -> MoneyGuess? {
    let given = Given(
      amount: try place(of: facts.amountColumn ?? facts.amountSum?.terms.first?.columns.first),
      debit: try place(of: facts.debitColumn),
      credit: try place(of: facts.creditColumn), balance: try place(of: facts.balanceColumn))
    if let decimal = facts.decimal { return money(decimal, date, given) }
    guard let point = money(".", date, given) else { return money(",", date, given) }
    guard let comma = money(",", date, given) else { return point }
    let isProven = (point.balance?.isExact == true) != (comma.balance?.isExact == true)
    let isComma = isProven ? comma.balance?.isExact == true : comma.score > point.score
    var chosen = isComma ? comma : point
    chosen.isDecimalProven = isProven
    return chosen
  }

  private func money(_ decimal: String, _ date: Int, _ given: Given) -> MoneyGuess? {
    let all = amounts(decimal, except: date, given: given.all)
    let sums = runningSums(all, given)
    let balances = all.filter { one in
      given.balance.map { $0 == one.column }
        ?? (isNamed(one.column, HeaderWords.balance) || sums.contains(one.column))
    }
    let taken = facts.otherColumns.compactMap { try? place(of: $0) }
    let columns = all.filter { one in
      !taken.contains(one.column) && !balances.contains { $0.column == one.column }
    }
    guard var guess = shape(columns, balances, decimal, given) else { return nil }
    let others = columns.filter { !guess.columns.contains($0.column) && isUntitled($0.column) }
    let followers = balances + (rows.count > 2 || header == nil ? others : [])
    var amounts = amounts(of: guess.shape, in: columns)
    if let fee = facts.fee, !fee.isIncluded { amounts = charged(amounts, fee, decimal) }
    guess.balance = balance(of: amounts, among: followers)
    findFee(of: amounts, among: followers, in: all, &guess)
    if case .signed(let column) = guess.shape, facts.isInverted == nil, facts.fee == nil {
      findDirection(columns.first { $0.column == column }, among: followers, &guess)
    }
    if case .pair(let debit, let credit) = guess.shape, given.all.isEmpty,
      way(debit) == nil || way(credit) == nil
    {
      if guess.balance == nil,
        let turned = balance(of: amounts.map { $0.map { -$0 } }, among: followers)
      {
        guess.shape = .pair(debit: credit, credit: debit)
        guess.balance = turned
      }
      guess.isPairUnsure = guess.balance == nil
    }
    if guess.balance == nil, rows.count == 1, let only = balances.first, balances.count == 1,
      only.units.first ?? nil != nil
    {
      guess.balance = BalanceGuess(column: only.column, isNewestFirst: false)
    }
    return guess
  }

  /// Returns the columns that are the running sum of another column, regardless of their titles.
  private func runningSums(_ columns: [Amounts], _ given: Given) -> Set<Int> {
    guard given.balance == nil, rows.count > 1 else { return [] }
    let likely = columns.filter { !isBeside($0.column) && $0.score >= 4 }
    return Set(
      likely.map(\.column).filter { sum in
        !given.all.contains(sum)
          && likely.contains { one in
            one.column != sum
              && balance(of: one.units, among: likely.filter { $0.column == sum })?.isExact == true
          }
      })
  }

  /// Finds the fees without which the amounts don't explain the balances.
  private func findFee(
    of amounts: [Int64?], among followers: [Amounts], in columns: [Amounts],
    _ guess: inout MoneyGuess
  ) {
    guard facts.fee == nil, guess.balance?.isExact != true else { return }
    let fees = columns.filter { isOpenFee($0.column) && !guess.columns.contains($0.column) }
    let sets = fees.map { [$0] } + (fees.count > 1 ? [fees] : [])
    for set in sets {
      for isInverted in [false, true] {
        let net = amounts.indices.map { row in
          set.reduce(amounts[row] ?? 0) {
            isInverted ? $0 &+ ($1.units[row] ?? 0) : $0 &- ($1.units[row] ?? 0)
          }
        }
        guard let found = balance(of: net, among: followers),
          found.count > guess.balance?.count ?? 0
        else { continue }
        guess.balance = found
        guess.fee = FeeGuess(columns: set.map(\.column), isInverted: isInverted)
      }
    }
  }

  /// Returns whether a column has fees, and the facts don't define their meaning.
  func isOpenFee(_ column: Int) -> Bool {
    let known = facts.otherColumns.compactMap { try? place(of: $0) }
    return facts.amountSum == nil && !known.contains(column)
      && (isNamed(column, HeaderWords.fee)
        || titles.indices.contains(column) && titles[column] == " fees ")
  }

  /// Returns the amounts with the fee of the facts.
  private func charged(
    _ amounts: [Int64?], _ fee: ImportMapping.Fee, _ decimal: String
  ) -> [Int64?] {
    zip(rows, amounts).map { row, amount in
      let units = fee.amount.terms.reduce(Int64(0)) { sum, term in
        let cell = term.columns.compactMap { try? place(of: $0) }.first {
          $0 < row.count && !row[$0].isEmpty
        }
        let units = cell.flatMap { Self.units(row[$0], decimal) } ?? 0
        return term.isNegative ? sum &- units : sum &+ units
      }
      return fee.isInverted ? (amount ?? 0) &+ units : (amount ?? 0) &- units
    }
  }

  /// Determines from the balances whether positive amounts are outgoing.
  private func findDirection(
    _ column: Amounts?, among followers: [Amounts], _ guess: inout MoneyGuess
  ) {
    guard let column, guess.balance?.isExact != true,
      let found = balance(of: column.inverted, among: followers), found.isExact
    else { return }
    guess.balance = found
    guess.isInverted = true
  }

  private func amounts(of shape: MoneyShape, in columns: [Amounts]) -> [Int64?] {
    func units(_ column: Int) -> [Int64?] { columns.first { $0.column == column }?.units ?? [] }
    switch shape {
    case .signed(let column): return units(column)
    case .pair(let debit, let credit):
      return zip(units(debit), units(credit)).map { abs($1 ?? 0) - abs($0 ?? 0) }
    }
  }

  /// Returns whether the title of a column contains no known word; such a column may be the
  /// balance.
  private func isUntitled(_ column: Int) -> Bool {
    column >= titles.count || !HeaderWords.all.contains { isNamed(column, $0) }
  }

  private func shape(
    _ columns: [Amounts], _ balances: [Amounts], _ decimal: String, _ given: Given
  ) -> MoneyGuess? {
    func signed(_ one: Amounts, rivals: [Int] = []) -> MoneyGuess {
      MoneyGuess(shape: .signed(one.column), decimal: decimal, score: one.score, rivals: rivals)
    }
    if let column = given.amount {
      return columns.first { $0.column == column }.map { signed($0) }
    }
    let likely = columns.filter { !isBeside($0.column) }
    let named = likely.filter { isAmount($0) && !isNamed($0.column, HeaderWords.foreign) }
    if let pair = pair(given.debit == nil && given.credit == nil ? likely : columns, given) {
      let net = zip(pair.debit.units, pair.credit.units).map { abs($1 ?? 0) - abs($0 ?? 0) }
      if given.debit == nil, given.credit == nil,
        let same = named.first(where: { $0.units.map { $0 ?? 0 } == net && isPlain($0.column) })
      {
        return signed(same)
      }
      let shape = MoneyShape.pair(debit: pair.debit.column, credit: pair.credit.column)
      return MoneyGuess(shape: shape, decimal: decimal, score: pair.debit.score + pair.credit.score)
    }
    let full = named.filter(\.isFull)
    var rivals = distinct(full.isEmpty ? named : full, balances)
    if rivals.isEmpty { rivals = distinct(likely.filter { isAmount($0) }, balances) }
    if rivals.isEmpty {
      let ranked = likely.sorted { ($0.score, $1.column) > ($1.score, $0.column) }
      for one in ranked where balance(of: one.units, among: likely + balances) != nil {
        return signed(one)
      }
      guard let best = ranked.first, best.score > -3 else { return nil }
      let close = ranked.filter { $0.score >= best.score - 1 && $0.score > 3 && $0.isFull }
      rivals =
        [best]
        + distinct(close, balances).filter { $0.column != best.column && !$0.isEqual(to: best) }
    }
    return rivals.first.map { signed($0, rivals: rivals.count > 1 ? rivals.map(\.column) : []) }
  }

  /// Returns whether the title of a column names an amount.
  private func isAmount(_ one: Amounts) -> Bool {
    isNamed(one.column, HeaderWords.amount)
      && !(isNamed(one.column, HeaderWords.debit + HeaderWords.credit) && !one.isFull)
  }

  /// Returns whether the title of a column names an amount, but neither a debit nor a credit.
  private func isPlain(_ column: Int) -> Bool {
    isNamed(column, HeaderWords.amount) && !isNamed(column, HeaderWords.debit + HeaderWords.credit)
  }

  /// Returns the columns that could be the amount, without duplicates.
  ///
  /// If one of them explains more changes of a balance column than the others, only this column is
  /// returned. Otherwise, a column in the account's currency takes precedence.
  private func distinct(_ columns: [Amounts], _ balances: [Amounts]) -> [Amounts] {
    var left: [Amounts] = []
    for one in columns where !left.contains(where: { $0.isEqual(to: one) }) { left.append(one) }
    guard left.count > 1 else { return left }
    let counts = left.map { balance(of: $0.units, among: balances)?.count ?? 0 }
    let most = counts.max() ?? 0
    let followed = zip(left, counts).filter { $0.1 == most }.map(\.0)
    if most > 0, followed.count == 1 { return followed }
    if let code = constantCurrency {
      let own = left.filter { currencyCode(inTitle: $0.column) == code }
      if own.count == 1 { return own }
    }
    let own = left.filter {
      isNamed($0.column, [" w walucie rachunku ", " kontowahrung ", "account curr"])
    }
    if own.count == 1 { return own }
    let near = left.filter { !isNamed($0.column, HeaderWords.local) }
    return near.count == 1 ? near : left.sorted { $0.score > $1.score }
  }

  /// The currency in the facts, if it is a constant code.
  var constantCurrency: String? {
    guard let parts = facts.currency?.parts, parts.count == 1, case .literal(let code) = parts[0]
    else {
      return nil
    }
    return code
  }

  /// Returns a debit and a credit column, exactly one of which has an amount in each row.
  private func pair(_ columns: [Amounts], _ given: Given) -> (debit: Amounts, credit: Amounts)? {
    if let debit = given.debit, let credit = given.credit {
      guard let out = columns.first(where: { $0.column == debit }) else { return nil }
      return columns.first { $0.column == credit }.map { (out, $0) }
    }
    var best: (debit: Amounts, credit: Amounts, score: Int)?
    for (index, one) in columns.enumerated() {
      for other in columns[(index + 1)...] where fits(one, other) {
        let isCreditFirst =
          switch (way(one.column), way(other.column)) {
          case (.in, _), (_, .out): true
          case (.out, _), (_, .in): false
          default: other.units.contains { ($0 ?? 0) < 0 }
          }
        let (debit, credit) = isCreditFirst ? (other, one) : (one, other)
        guard given.debit ?? debit.column == debit.column,
          given.credit ?? credit.column == credit.column
        else { continue }
        let score = one.score + other.score
        if score > best?.score ?? 0 { best = (debit, credit, score) }
      }
    }
    return best.map { ($0.debit, $0.credit) }
  }

  private func fits(_ one: Amounts, _ other: Amounts) -> Bool {
    let ways = (way(one.column), way(other.column))
    let isNamed = ways.0 != nil && ways.1 != nil && ways.0 != ways.1
    guard isNamed || other.column - one.column <= 2 else { return false }
    if !titles.isEmpty, !isNamed, isPlain(one.column) || isPlain(other.column) { return false }
    let codes = (currencyCode(inTitle: one.column), currencyCode(inTitle: other.column))
    guard codes.0 == codes.1 || codes.0 == nil || codes.1 == nil else { return false }
    let both = zip(one.units, other.units).count { $0 ?? 0 != 0 && $1 ?? 0 != 0 }
    let neither = zip(one.units, other.units).count { left, right in
      left ?? 0 == 0 && right ?? 0 == 0 && !(left == 0 && right == 0)
    }
    let tolerated = rows.count < 5 ? 0 : rows.count / 10
    guard both == 0, neither <= (isNamed ? rows.count / 2 : tolerated) else { return false }
    let isMixed = one.units.contains { $0 ?? 0 != 0 } && other.units.contains { $0 ?? 0 != 0 }
    return isMixed || isNamed
  }

  /// Returns the direction that the title of a column names.
  private func way(_ column: Int) -> ImportMapping.Direction? {
    switch (isNamed(column, HeaderWords.debit), isNamed(column, HeaderWords.credit)) {
    case (true, false): .out
    case (false, true): .in
    default: nil
    }
  }
}
