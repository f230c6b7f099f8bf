/// Goal: reimplement the plans of loans, payments and early repayments. Method: follow the plan from
/// its beginning with the formula of an annuity in floating point, which is exact enough for
/// amounts below 10¹¹ units.
package import Daybook
import Foundation

extension Oracle {
  /// Whether floating point is exact enough for a loan.
  package func isSmall(_ terms: AccountTerms) -> Bool {
    var units: [Int64] = [terms.loan?.principal.minorUnits ?? 0]
    units += accounts.filter { $0.id == terms.account }.map(\.openingBalance)
    for transaction in transactions where touches(transaction, .account(terms.account)) {
      units += transaction.postings.map(\.amount.minorUnits)
    }
    return units.allSatisfy { $0.magnitude < 1_000_000_000 } && units.count < 90
  }

  func plan(of terms: AccountTerms, today: Day) throws -> [PlannedPayment] {
    guard let loan = terms.loan else { throw Unanswerable() }
    let account = accounts[try accountIndex(terms.account)]
    let linked = rows(of: .interest(on: account.id))
    let count = Int(loan.paymentCount)
    let perYear = 12 / terms.interval.monthCount
    let changes = changes(of: account)
    let isEmpty =
      held(account, on: terms.from) == 0 && held(account, on: terms.firstDue) == 0
      && linked.isEmpty
    var planned: [PlannedPayment] = []
    func owed(_ day: Day) -> Int128 {
      var owed = held(by: changes, on: day) + (isEmpty ? Int128(loan.principal.minorUnits) : 0)
      for one in planned where one.transaction == nil && max(one.due, today) <= day {
        owed -= one.principal.units
      }
      return max(0, owed)
    }
    func rate(_ day: Day) -> Double {
      let found = terms.rates.filter { $0.from <= day }.last?.rate.millionths ?? 0
      return Double(found) / 100_000_000 / Double(perYear)
    }
    func level(_ owed: Int128, _ count: Int, _ rate: Double) -> Int128 {
      if loan.repayment == .equalPrincipal || rate == 0 {
        return Fraction(owed, Int128(count)).rounded
      }
      let payment = Double(owed) * rate / (1 - pow(1 + rate, -Double(count)))
      return Int128(payment.rounded(.toNearestOrEven))
    }
    func needed(_ owed: Int128, _ level: Int128, _ rate: InterestRate?, _ most: Int) -> Int {
      var left = owed
      for number in 1...most {
        let interest =
          loan.repayment == .equalPrincipal
          ? 0
          : Fraction(left * Int128(rate?.millionths ?? 0), 100_000_000 * Int128(perYear)).rounded
        if level <= interest { return most }
        left -= level - interest
        if left <= 0 { return number }
      }
      return most
    }
    func exactRate(_ day: Day) -> InterestRate? {
      terms.rates.filter { $0.from <= day }.last?.rate
    }
    func total(_ units: Int128) -> Total { Total(units: units, currency: account.currency) }

    var previous = terms.from
    var rateDay = terms.from.adding(days: 1)
    var payment = level(Int128(loan.principal.minorUnits), count, rate(rateDay))
    var lastPrincipal: Int128 = 0
    for (index, due) in dueDays(of: terms, through: .max).enumerated() {
      let start = previous.adding(days: 1)
      if rate(start) != rate(rateDay), loan.repayment == .annuity {
        let left = needed(owed(previous), payment, exactRate(rateDay), count - index)
        rateDay = start
        if owed(previous) > 0 { payment = level(owed(previous), left, rate(start)) }
      }
      for day in terms.loweredOn where previous <= day && day < due {
        let before = owed(day.adding(days: -1)) - (day == previous ? lastPrincipal : 0)
        let left = needed(before, payment, exactRate(rateDay), count - index)
        if owed(day) > 0 { payment = level(owed(day), left, rate(rateDay)) }
      }
      var sum = Fraction(0, 1)
      var day = start
      while day <= due {
        sum = sum + interest(of: terms, on: day, owed(day.adding(days: -1)))
        day = day.adding(days: 1)
      }
      previous = due
      lastPrincipal = 0
      if let made = linked.first(where: { $0.occurrence == due }) {
        let on = self.day(of: made, on: account.id)
        var (principal, interest): (Int128, Int128) = (0, 0)
        for posting in made.postings where posting.amount.currency == account.currency {
          if posting.account == .account(account.id) {
            principal += Int128(posting.amount.minorUnits)
          } else if case .category = posting.account {
            interest += Int128(posting.amount.minorUnits)
          }
        }
        if on == due { lastPrincipal = principal }
        planned.append(
          PlannedPayment(
            number: index + 1, due: due, interest: total(interest), principal: total(principal),
            remaining: total(owed(min(max(due, on), terms.from.adding(months: 1_200)))),
            transaction: made.id))
        continue
      }
      if let closed = settings?.closedThrough, due <= closed { continue }
      let (left, interest) = (owed(max(due, today)), sum.rounded)
      var principal = loan.repayment == .annuity ? max(0, payment - interest) : payment
      if index == count - 1 || principal > left { principal = left }
      if principal <= 0 && interest <= 0 { continue }
      planned.append(
        PlannedPayment(
          number: index + 1, due: due, interest: total(interest), principal: total(principal),
          remaining: total(left - principal), transaction: nil))
      if max(due, today) == due { lastPrincipal = principal }
    }
    return planned
  }

  mutating func pay(_ given: LoanPayment) throws {
    let terms = try loan(given.loan)
    let account = accounts[try accountIndex(terms.account)]
    var (payer, wanted, day) = (given.account, given.amount, given.day)
    if let id = given.transaction {
      let paid = transactions[try index(of: id)]
      day = paid.day
      let outflow = paid.postings.first { posting in
        guard case .account(let id) = posting.account else { return false }
        return id != account.id && posting.amount.minorUnits < 0
          && posting.amount.currency == account.currency
      }
      guard let outflow, case .account(let id) = outflow.account else {
        throw OracleRefusal(.shape)
      }
      (payer, wanted) = (id, Money(-outflow.amount.minorUnits, account.currency))
    }
    try check(day.isInRange, .day)
    try check(day <= terms.from.adding(months: 1_200), nil)
    let plan = try plan(of: terms, today: day)
    guard
      let unpaid = plan.first(where: {
        $0.transaction == nil && (given.due == nil || $0.due == given.due)
      })
    else { throw OracleRefusal(nil) }
    try check(held(account, on: max(unpaid.due, day)) > 0, .value)
    try check(wanted?.currency ?? account.currency == account.currency, nil)
    let amount = wanted.map { Int128($0.minorUnits) } ?? unpaid.amount.units
    try check(amount > 0 && amount >= unpaid.interest.units, .value)
    try check(amount <= unpaid.amount.units + unpaid.remaining.units, .value)
    let shape = shape(
      unpaid.interest.units, amount - unpaid.interest.units, from: payer, terms, account)
    let link = SeriesLink(termsOf: account.id, due: unpaid.due)
    if let id = given.transaction {
      try amend(id, Amendment(shape: shape))
      return try self.link(id, link)
    }
    var row = ruled(
      try transaction(of: Draft(shape, on: day, id: given.id, description: given.description)))
    row.series = link.series
    row.occurrence = link.occurrence
    try insert(row, verb: true)
  }

  mutating func repay(_ given: LoanRepayment) throws {
    let terms = try loan(given.loan)
    let account = accounts[try accountIndex(terms.account)]
    try check(given.day.isInRange, .day)
    let owed = held(account, on: given.day)
    try check(owed > 0, .value)
    var draft: Draft
    var link: SeriesLink?
    if let amount = given.amount {
      try check(amount.currency == account.currency, .currencyMismatch)
      try check(amount.minorUnits > 0 && Int128(amount.minorUnits) <= owed, .value)
      draft = Draft(
        .transfer(Draft.Transfer(amount, from: given.account, to: account.id)), on: given.day)
      if given.lowersPayments, !terms.loweredOn.contains(given.day),
        let index = self.terms.firstIndex(where: { $0.account == account.id })
      {
        self.terms[index].loweredOn = (terms.loweredOn + [given.day]).sorted()
      }
    } else {
      try check(given.day <= terms.from.adding(months: 1_200), nil)
      let linked = rows(of: .interest(on: account.id))
      let unpaid = dueDays(of: terms, through: .max).filter { due in
        !linked.contains { $0.occurrence == due && self.day(of: $0, on: account.id) <= given.day }
          && settings?.closedThrough.map { due > $0 } ?? true
      }
      try check(unpaid.allSatisfy { $0 >= given.day }, .inUse)
      let (due, current) = accrued(terms, through: given.day)
      let interest = due.reduce(current) { $0 + Fraction($1.amount.units, 1) }.rounded
      draft = Draft(shape(interest, owed, from: given.account, terms, account), on: given.day)
      let next = dueDays(of: terms, through: .max).first { $0 >= given.day }
      if let next, !linked.contains(where: { $0.occurrence == next }),
        settings?.closedThrough.map({ next > $0 }) ?? true
      {
        link = SeriesLink(termsOf: account.id, due: next)
      }
    }
    draft.id = given.id
    draft.description = given.description
    var row = ruled(try transaction(of: draft))
    row.series = link?.series
    row.occurrence = link?.occurrence
    try insert(row, verb: true)
  }

  private func loan(_ id: AccountID) throws -> AccountTerms {
    let account = accounts[try accountIndex(id)]
    guard let found = terms.first(where: { $0.account == id }) else {
      throw OracleRefusal(.missing)
    }
    try check(found.loan != nil && account.kind == .liability, .kind)
    return found
  }

  private func shape(
    _ interest: Int128, _ principal: Int128, from account: AccountID?, _ terms: AccountTerms,
    _ loan: Account
  ) -> Draft.Shape {
    func money(_ units: Int128) -> Money { Money(Int64(clamping: units), loan.currency) }
    if interest == 0 { return .transfer(.init(money(principal), from: account, to: loan.id)) }
    if principal == 0 {
      return .entry(.init(.expense, money(interest), account: account, category: terms.category))
    }
    return .split(
      Draft.Split(
        account: account, kind: .expense,
        parts: [
          Draft.Part(money(principal), to: loan.id), Draft.Part(money(interest), terms.category),
        ]))
  }
}
