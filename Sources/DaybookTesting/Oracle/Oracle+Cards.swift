/// Goal: reimplement what is set aside to pay cards.
///
/// Method: count each card's transactions month by month; a transaction's cost is a breakdown of a
/// ledger that has only this transaction.
import Daybook

/// The cards of a ledger, as the months pass.
struct OracleCards {
  /// The ledger, of whose accounts only those in the budget are kept.
  private let ledger: Oracle
  private let whole: Oracle
  private let cards: [Account]
  private let today: Day
  private let base: Currency
  private var available: [AccountID: Int128] = [:]

  init(_ household: Oracle, in whole: Oracle, _ today: Day, _ base: Currency) {
    ledger = household
    self.whole = whole
    cards = household.accounts.filter { $0.kind == .liability && !household.isGone($0) }
      .sorted { $0.id < $1.id }
    self.today = today
    self.base = base
  }

  /// The months in which cards are used.
  var months: Set<Month> {
    var months: Set<Month> = []
    for card in cards {
      for row in rows(on: card) { months.insert(ledger.day(of: row, on: card.id).monthOf) }
    }
    return months
  }

  private func rows(on card: Account) -> [Transaction] {
    ledger.transactions.filter {
      ledger.touches($0, .account(card.id)) && ledger.day(of: $0, on: card.id) <= today
    }
  }

  private func rows(on card: Account, in month: Month) -> [Transaction] {
    rows(on: card).filter { ledger.day(of: $0, on: card.id).monthOf == month }
  }

  mutating func payments(
    in month: Month, _ overspent: [CategoryID: Int128], _ assigned: [AccountID: Int128]
  ) throws -> [CardPayment] {
    func total(_ units: Int128) -> Total { Total(units: units, currency: base) }
    let end = min(month.last, today)
    var rest = overspent
    var payments: [CardPayment] = []
    for card in cards {
      var excess: Int128 = 0
      let spent = overspent.isEmpty ? [:] : try spending(on: card, in: month)
      for (category, units) in spent where units > 0 {
        let part = min(rest[category] ?? 0, units)
        rest[category, default: 0] -= part
        excess += part
      }
      var growth: Int128 = 0
      for row in rows(on: card, in: month) {
        for posting in row.postings where posting.account == .account(card.id) {
          growth -= Int128(posting.amount.minorUnits)
        }
      }
      growth = ledger.converted(growth, card.currency, base, end) ?? 0
      let before = available[card.id] ?? 0
      let carried = before > 0 ? before : 0
      available[card.id] = carried + (assigned[card.id] ?? 0) + growth - excess
      let owed = -(try ledger.balance(card.id, on: end).units)
      guard let debt = ledger.converted(owed, card.currency, base, end) else { continue }
      let payment = CardPayment(
        account: card, debt: total(debt), carriedOver: total(carried),
        assigned: total(assigned[card.id] ?? 0), setAside: total(growth - excess),
        overspent: total(excess))
      let isListed = !card.isHidden && !card.isClosed && !card.isDeleted
      let units = [debt, carried, assigned[card.id] ?? 0, growth - excess, excess]
      if isListed || units.contains(where: { $0 != 0 }) { payments.append(payment) }
    }
    return payments.sorted {
      ($0.account.order, $0.account.number) < ($1.account.order, $1.account.number)
    }
  }

  /// What a card paid, if no account other than cards did, and it is the first of the cards.
  private func spending(on card: Account, in month: Month) throws -> [CategoryID: Int128] {
    var sums: [CategoryID: Int128] = [:]
    for row in rows(on: card, in: month) {
      let accounts = row.postings.compactMap(\.accountID)
        .filter { id in ledger.accounts.contains { $0.id == id && !ledger.isGone($0) } }
      let areCards = accounts.allSatisfy { id in cards.contains { $0.id == id } }
      guard areCards, accounts.first == card.id else { continue }
      var alone = whole
      alone.transactions = [row]
      for total in try alone.baseBreakdown(.expense, rollUp: false, nil, { _ in true }) {
        sums[total.category.id, default: 0] += total.amount.total.units
      }
    }
    return sums
  }
}
