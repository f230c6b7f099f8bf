/// Goal: reimplement interest. Method: add up fractions day by day, with balances computed from all
/// postings.
package import Daybook

/// An exact fraction, in lowest terms.
struct Fraction: Equatable {
  var top: Int128
  var bottom: Int128

  init(_ top: Int128, _ bottom: Int128) {
    let common = Fraction.divisor(top, bottom)
    self.top = top / common
    self.bottom = bottom / common
  }

  static func + (left: Fraction, right: Fraction) -> Fraction {
    let common = divisor(left.bottom, right.bottom)
    let factor = right.bottom / common
    return Fraction(
      left.top * factor + right.top * (left.bottom / common), left.bottom * factor)
  }

  /// The nearest whole number; the even one of two.
  var rounded: Int128 {
    let below = top >= 0 ? top / bottom : -((-top + bottom - 1) / bottom)
    let rest = (top - below * bottom) * 2
    return rest < bottom || rest == bottom && below % 2 == 0 ? below : below + 1
  }

  private static func divisor(_ left: Int128, _ right: Int128) -> Int128 {
    let (left, right) = (left < 0 ? -left : left, right < 0 ? -right : right)
    return right == 0 ? max(left, 1) : divisor(right, left % right)
  }
}

extension Oracle {
  // MARK: Terms

  mutating func put(_ given: AccountTerms) throws {
    let account = accounts[try accountIndex(given.account)]
    let old = terms.firstIndex { $0.account == given.account }
    let days = [given.from, given.firstDue] + given.rates.map(\.from) + given.loweredOn
    try check(!account.isDeleted && account.kind != .equity, nil)
    try check(days.allSatisfy { $0.isInRange }, nil)
    let rateDays = given.rates.map(\.from)
    try check(!rateDays.isEmpty && rateDays == Set(rateDays).sorted(), nil)
    try check(given.loweredOn == Set(given.loweredOn).sorted(), nil)
    let length = Day.length(ofMonth: given.firstDue.month, year: given.firstDue.year)
    try check((1...31).contains(given.dueDay), nil)
    try check(given.firstDue.day == min(Int(given.dueDay), length), nil)
    try check(given.firstDue > given.from, nil)
    if let id = given.category {
      let category = try known(id)
      try check(category.kind == (account.kind == .liability ? .expense : .income), nil)
      let isKnown = old.map { terms[$0].category == id } ?? false
      try check(isKnown || !category.isDeleted, nil)
    }
    if let loan = given.loan {
      try check(account.kind == .liability && loan.principal.currency == account.currency, nil)
      let months = loan.paymentCount * Int64(given.interval.monthCount)
      try check(loan.principal.minorUnits > 0 && loan.paymentCount > 0 && months <= 1_200, nil)
    }
    var new = given
    guard let old else {
      new.number = number(.terms)
      terms.append(new)
      return
    }
    var rest = given
    (rest.number, rest.rates, rest.isCapitalised, rest.category, rest.loweredOn) =
      (
        terms[old].number, terms[old].rates, terms[old].isCapitalised, terms[old].category,
        terms[old].loweredOn
      )
    let last = rows(of: .interest(on: given.account)).compactMap(\.occurrence).max()
    try check(rest == terms[old] || last ?? .min <= given.from, .inUse)
    new.number = terms[old].number
    terms[old] = new
  }

  mutating func removeTerms(of id: AccountID) throws {
    try check(terms.contains { $0.account == id }, .missing)
    releaseTerms(of: id)
  }

  mutating func releaseTerms(of id: AccountID) {
    guard let found = terms.firstIndex(where: { $0.account == id }) else { return }
    for index in transactions.indices where transactions[index].series == .interest(on: id) {
      transactions[index].series = nil
      transactions[index].occurrence = nil
    }
    terms.remove(at: found)
  }

  /// Returns the due days through a day, or all days of a loan's payments.
  package func dueDays(of terms: AccountTerms, through last: Day) -> [Day] {
    var days: [Day] = []
    for number in 0..<(terms.loan.map { Int($0.paymentCount) } ?? 2_400) {
      let day = gridDay(of: terms, number)
      if day > last { break }
      days.append(day)
    }
    return days
  }

  private func gridDay(of terms: AccountTerms, _ number: Int) -> Day {
    let month = terms.firstDue.monthOf.adding(number * terms.interval.monthCount)
    let length = Day.length(ofMonth: month.month, year: month.year)
    return month.first.adding(days: min(Int(terms.dueDay), length) - 1)
  }

  // MARK: Accrual

  /// Returns the interest of one day, which ends the night after the day before.
  func interest(of terms: AccountTerms, on day: Day, _ balance: Int128) -> Fraction {
    let rate = terms.rates.filter { $0.from <= day }.last?.rate.millionths ?? 0
    guard balance > 0, rate > 0 else { return Fraction(0, 1) }
    let before = day.adding(days: -1)
    let part: Fraction
    switch terms.dayCount {
    case .actual365: part = Fraction(1, 365)
    case .actual360: part = Fraction(1, 360)
    case .actualActual:
      part = Fraction(1, Day.length(ofMonth: 2, year: before.year) == 29 ? 366 : 365)
    case .thirty360:
      let months = Int128(day.year * 12 + day.month - before.year * 12 - before.month)
      part = Fraction(30 * months + Int128(min(day.day, 30) - min(before.day, 30)), 360)
    case .periods:
      var number = -1
      while gridDay(of: terms, number) >= day { number -= 1 }
      while gridDay(of: terms, number) < day { number += 1 }
      let length = gridDay(of: terms, number - 1).distance(to: gridDay(of: terms, number))
      part = Fraction(1, Int128(12 / terms.interval.monthCount * length))
    }
    let whole = Fraction(Int128(rate) * part.top, 100_000_000 * part.bottom)
    return Fraction(balance * whole.top, whole.bottom)
  }

  /// Returns the amount on an account that bears interest at the end of a day, which is negative if
  /// none does.
  func held(_ account: Account, on day: Day) -> Int128 { held(by: changes(of: account), on: day) }

  /// Returns what an account's transactions and opening balance add to what bears interest.
  func changes(of account: Account) -> [(day: Day, units: Int128)] {
    let sign: Int128 = account.kind == .liability ? -1 : 1
    var changes = [(account.openingDay ?? .min, sign * Int128(account.openingBalance))]
    for transaction in transactions where touches(transaction, .account(account.id)) {
      for posting in transaction.postings where posting.account == .account(account.id) {
        changes.append(
          (day(of: transaction, on: account.id), sign * Int128(posting.amount.minorUnits)))
      }
    }
    return changes
  }

  /// Adds up changes through a day.
  func held(by changes: [(day: Day, units: Int128)], on day: Day) -> Int128 {
    var sum: Int128 = 0
    for change in changes where change.day <= day { sum += change.units }
    return sum
  }

  /// Returns whether the interest of a due day needs no posting on or before a day.
  private func isSettled(_ due: Day, _ terms: AccountTerms, by day: Day) -> Bool {
    let linked = rows(of: .interest(on: terms.account)).first { $0.occurrence == due }
    if let linked { return self.day(of: linked, on: terms.account) <= day }
    if let closed = settings?.closedThrough, due <= closed { return true }
    if terms.loan != nil { return false }
    let id = TransactionID(ofInterestOn: terms.account, due: due)
    return skipped.contains(id) || transactions.contains { $0.id == id }
  }

  /// Returns the interest that is due and not posted, and the interest since the last due day.
  func accrued(_ terms: AccountTerms, through last: Day) -> ([DueInterest], Fraction) {
    guard let account = accounts.first(where: { $0.id == terms.account }) else {
      return ([], Fraction(0, 1))
    }
    let linked = rows(of: .interest(on: terms.account))
    let changes = changes(of: account)
    let isSimple = terms.loan == nil && !terms.isCapitalised
    let dueDays = dueDays(of: terms, through: max(last, terms.firstDue).adding(days: 400))
    var (due, sum): ([DueInterest], Fraction) = ([], Fraction(0, 1))
    var (added, kept): (Int128, Int128) = (0, 0)
    var day = terms.from.adding(days: 1)
    while day <= last {
      let before = day.adding(days: -1)
      if isSimple, before > terms.from {
        // Interest stays on the account without bearing interest until money is withdrawn.
        var posted: Int128 = 0
        for row in linked where self.day(of: row, on: account.id) == before {
          for posting in row.postings where posting.account == .account(account.id) {
            posted += Int128(posting.amount.minorUnits) * (account.kind == .liability ? -1 : 1)
          }
        }
        let own =
          held(by: changes, on: before) - held(by: changes, on: before.adding(days: -1)) - posted
        kept += posted
        if own < 0 { kept = max(0, kept + own) }
      }
      sum = sum + interest(of: terms, on: day, held(by: changes, on: before) + added - kept)
      if dueDays.contains(day) {
        if !isSettled(day, terms, by: last) {
          let units = sum.rounded
          if units != 0 {
            due.append(
              DueInterest(due: day, amount: Total(units: units, currency: account.currency)))
          }
          if terms.isCapitalised, terms.loan == nil { added += units }
        }
        sum = Fraction(0, 1)
      }
      day = day.adding(days: 1)
    }
    if let next = dueDays.first(where: { $0 > last }),
      let row = linked.first(where: { $0.occurrence == next }),
      self.day(of: row, on: account.id) <= last
    {
      sum = Fraction(0, 1)
    }
    return (due, sum)
  }

  /// Returns the net worth with accrued interest, rounded for each account.
  func netWorthWithInterest(on day: Day) throws -> [Total] {
    var sums: [Currency: Int128] = [:]
    for total in try netWorth(on: day) { sums[total.currency] = total.units }
    for one in terms {
      let account = accounts[try accountIndex(one.account)]
      if account.kind == .equity || isGone(account) || day <= one.from { continue }
      if account.isExcludedFromTotals { continue }
      let (due, current) = accrued(one, through: day)
      let units = due.reduce(Fraction(0, 1)) { $0 + Fraction($1.amount.units, 1) } + current
      sums[account.currency, default: 0] += units.rounded * (account.kind == .liability ? -1 : 1)
    }
    return sums.map { Total(units: $0.value, currency: $0.key) }
      .sorted { $0.currency.code < $1.currency.code }
  }

  // MARK: Posting

  mutating func postInterest(through day: Day, _ only: AccountID?) throws {
    try check(day.isInRange, .day)
    if let only {
      _ = try accountIndex(only)
      guard let found = terms.first(where: { $0.account == only }) else {
        throw OracleRefusal(.missing)
      }
      try check(found.loan == nil, .kind)
    }
    for one in terms where one.loan == nil && (only == nil || one.account == only) {
      try post(one, through: day)
    }
  }

  private mutating func post(_ terms: AccountTerms, through day: Day) throws {
    let account = accounts[try accountIndex(terms.account)]
    guard !account.isDeleted, day <= terms.from.adding(months: 1_200) else { return }
    for one in accrued(terms, through: day).0 {
      let unused = givenIDs
      do {
        guard let amount = one.amount.money else { return }
        let draft = Draft(
          .entry(
            Draft.Entry(
              account.kind == .liability ? .expense : .income, amount, account: account.id,
              category: terms.category)), on: one.due,
          id: TransactionID(ofInterestOn: account.id, due: one.due), description: "Interest")
        var row = try transaction(of: draft)
        row.series = .interest(on: account.id)
        row.occurrence = one.due
        try insert(row, verb: true)
      } catch is OracleRefusal {
        givenIDs = unused
        return
      }
    }
  }
}
