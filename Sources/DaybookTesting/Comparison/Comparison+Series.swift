/// Goal: compare recurring transactions, their occurrences and upcoming payments. Method: see
/// `Comparison`.
import Daybook

extension Comparison {
  mutating func series(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    expect("series", { try snapshot.series() }, { oracle.series })
    for one in oracle.series where asks() {
      expect(
        "rows of series \(one.name)", { try snapshot.occurrences(of: one.id) },
        {
          oracle.rows(of: one.id).map {
            Occurrence(due: $0.occurrence ?? $0.day, transaction: $0.id)
          }
        })
    }
    guard asks(), !oracle.series.isEmpty else { return }
    let today = today()
    let last = min(Day.max, middle.adding(days: random.number(0...120)))
    expect(
      "upcoming from \(today) through \(last)",
      {
        try snapshot.upcoming(through: last, today: today).map { payment in
          var payment = payment
          payment.transaction = payment.transaction?.compared
          return payment
        }
      }, { oracle.upcoming(through: last, today: today) })
    let touched = random.chance(20) ? .outside : account()
    expect(
      "upcoming of \(touched) from \(today) through \(last)",
      {
        try snapshot.upcoming(through: last, today: today, account: touched).map { payment in
          var payment = payment
          payment.transaction = payment.transaction?.compared
          return payment
        }
      },
      {
        oracle.upcoming(through: last, today: today).filter { payment in
          if let row = payment.transaction { return oracle.touches(row, .account(touched)) }
          let template = payment.series.template
          let other = template.type == .transfer ? template.otherAccount ?? .outside : nil
          let places = [template.account ?? .outside, other] + template.parts.map(\.account)
          return places.contains(touched)
        }
      })
    // A forecast has one point per day, and the number of points is limited.
    guard let account = random.some(oracle.accounts.map(\.id)), today.distance(to: last) < 200
    else { return }
    expect(
      "forecast of \(account) from \(today) through \(last)",
      { try snapshot.forecast(of: account, through: last, today: today) },
      { try oracle.forecast(of: account, through: last, today: today) })
  }
}
