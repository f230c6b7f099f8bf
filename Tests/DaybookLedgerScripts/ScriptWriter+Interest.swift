/// Goal: what happens to accounts that bear interest, and to loans. Method: see `Script`.
package import Daybook
import DaybookRandom
import DaybookTesting

extension ScriptWriter {
  package mutating func interestCommand() -> Command {
    let known = oracle.terms
    if known.isEmpty, rare.chance(40) { return liability() }
    if known.contains(where: { $0.loan != nil }), rare.chance(35) {
      return rare.chance(50) ? payment() : repayment()
    }
    switch known.isEmpty ? 0 : rare.number(0...19) {
    case 0..<6: return rare.chance(5) ? liability() : .setTerms(terms())
    case 6..<10:
      let account = rare.chance(30) ? rare.some(known.map(\.account)) : nil
      return .postInterest(through: nearDay(), account: account)
    case 10..<14: return payment()
    case 14..<16: return repayment()
    case 16:
      let id = rare.some(oracle.transactions.map(\.id)) ?? fresh()
      return .link(id, dueLink())
    case 17: return rare.chance(50) ? .skipOccurrence(dueLink()) : .unskipOccurrence(dueLink())
    case 18: return .removeTerms(rare.some(known.map(\.account)) ?? fresh())
    default: return .setTerms(terms())
    }
  }

  /// A loan to pay.
  package mutating func owing() -> [Command] {
    let (id, currency): (AccountID, Currency) = (fresh(), Self.currencies[0])
    let owed = Int64(rare.number(1...90_000))
    return [
      .openAccount(
        NewAccount(
          id: id, name: "Loan", kind: .liability, currency: currency,
          opening: Money(-owed, currency))
      ),
      .setTerms(
        AccountTerms(
          of: id, rate: rate(), from: Self.today.adding(days: -rare.number(0...90)),
          dayCount: rare.chance(50) ? .periods : .actual365,
          loan: LoanTerms(
            principal: Money(owed, currency), paymentCount: Int64(rare.number(1...8)),
            repayment: rare.chance(60) ? .annuity : .equalPrincipal))),
    ]
  }

  /// An account becomes a liability, so that it can be a loan.
  private mutating func liability() -> Command {
    var change = AccountChange()
    change.kind = .liability
    return .amendAccount(rare.some(oracle.accounts.map(\.id)) ?? fresh(), change)
  }

  private mutating func terms() -> AccountTerms {
    let owing = oracle.accounts.filter { $0.kind == .liability }
    let account = rare.some(rare.chance(60) && !owing.isEmpty ? owing : oracle.accounts)
    let isOwed = account?.kind == .liability
    let from = nearDay().adding(days: -rare.number(0...120))
    let category = rare.some(
      oracle.categories.filter { ($0.kind == .expense) == isOwed || rare.chance(5) }.map(\.id))
    // Walking over many years of days would take long.
    let isLong = rare.chance(70)
    var loan: LoanTerms?
    if isOwed, rare.chance(75), let account {
      loan = LoanTerms(
        principal: Money(Int64(rare.number(1...90_000)), account.currency),
        paymentCount: Int64(rare.number(1...(isLong ? 10 : 2))),
        repayment: rare.chance(60) ? .annuity : .equalPrincipal)
    }
    let known = oracle.terms.first { $0.account == account?.id }
    if var known, rare.chance(50) {
      if rare.chance(50) { known.category = category }
      known.isCapitalised = rare.chance(50)
      known.rates.append(RateStep(from: nearDay(), rate: rate()))
      return known
    }
    var terms = AccountTerms(
      of: account?.id ?? fresh(), rate: rate(), from: from,
      dayCount: DayCount.allCases[rare.number(0...4)], isCapitalised: rare.chance(50),
      interval: InterestInterval.allCases[isLong ? 0 : rare.number(1...2)],
      dueDay: rare.chance(60) ? rare.number(1...31) : nil,
      category: rare.chance(70) ? category : nil, loan: loan)
    if rare.chance(30) {
      let later = from.adding(days: rare.number(0...90))
      if later > from { terms.rates.append(RateStep(from: later, rate: rate())) }
    }
    return terms
  }

  private mutating func payment() -> Command {
    let loan = loan()
    if rare.chance(30), let row = rare.some(oracle.transactions) {
      return .payLoan(LoanPayment(of: loan, by: row))
    }
    let currency = oracle.accounts.first { $0.id == loan }?.currency ?? Self.currencies[0]
    return .payLoan(
      LoanPayment(
        of: loan, from: payer(), on: nearDay(),
        amount: rare.chance(30) ? Money(Int64(rare.number(1...20_000)), currency) : nil,
        due: rare.chance(20) ? dueLink().occurrence : nil))
  }

  private mutating func repayment() -> Command {
    let loan = loan()
    let owed = try? oracle.balance(loan, on: Self.today)
    let units = Int64(clamping: -(owed?.units ?? 0) / Int128(rare.number(1...4)))
    let currency = owed?.currency ?? Self.currencies[0]
    return .repayLoan(
      LoanRepayment(
        of: loan, from: payer(), on: nearDay(),
        amount: rare.chance(30) ? nil : Money(rare.chance(90) ? units : 0, currency),
        lowersPayments: rare.chance(50)))
  }

  private mutating func loan() -> AccountID {
    let small = oracle.terms.filter { $0.loan != nil && oracle.isSmall($0) }.map(\.account)
    // An account without terms is refused.
    return rare.some(small) ?? fresh()
  }

  private mutating func payer() -> AccountID? {
    rare.chance(10) ? nil : rare.some(oracle.accounts.map(\.id)) ?? fresh()
  }

  private mutating func dueLink() -> SeriesLink {
    guard let terms = rare.some(oracle.terms) else {
      return SeriesLink(termsOf: fresh(), due: nearDay())
    }
    let days = oracle.dueDays(of: terms, through: Self.today.adding(days: 90))
    return SeriesLink(
      termsOf: terms.account, due: rare.chance(90) ? rare.some(days) ?? nearDay() : nearDay())
  }

  private mutating func nearDay() -> Day { Self.today.adding(days: rare.number(-60...60)) }

  private mutating func rate() -> InterestRate {
    InterestRate(millionths: Int64(rare.number(0...30) * 500_000 + rare.number(0...3))) ?? .zero
  }
}
