/// Goal: compare interest and the plans of loans. Method: see `Comparison`.
import Daybook

extension Comparison {
  mutating func interest(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    expect("terms", { try snapshot.terms() }, { oracle.terms })
    guard !oracle.terms.isEmpty else { return }
    let today = today()
    for terms in oracle.terms where asks() {
      let account = terms.account
      if today <= terms.from.adding(months: 1_200) {
        expect(
          "interest of \(account) due by \(today)",
          { try snapshot.accruedInterest(of: account, on: today)?.due },
          { oracle.accrued(terms, through: today).0 })
        expect(
          "interest of \(account) accrued by \(today)",
          { () -> Fraction? in
            let current = try snapshot.accruedInterest(of: account, on: today)?.current
            return current.map { Fraction($0.numerator, $0.denominator) }
          }, { oracle.accrued(terms, through: today).1 })
      }
      if terms.loan != nil, oracle.isSmall(terms), today <= terms.from.adding(months: 120) {
        expect(
          "plan of \(account), today \(today)",
          { try snapshot.loanPlan(of: account, today: today).payments },
          { try oracle.plan(of: terms, today: today) })
      }
    }
    if oracle.terms.allSatisfy({ today <= $0.from.adding(months: 1_200) }) {
      expect(
        "net worth with interest on \(today)",
        { try snapshot.netWorth(on: today, includesAccruedInterest: true) },
        { try oracle.netWorthWithInterest(on: today) })
    }
  }
}
