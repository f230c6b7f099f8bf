/// Goal: what the articles of Sources/Daybook/Daybook.docc show compiles and does what it says. Method: their code is
/// here, in ArticleViews.swift, in the README's and GettingStarted.md's snippets or in an example, word for word, which
/// ArticleTests.swift checks; what can run is run.
import Daybook
import Testing

// snippet: recording
func record(
  _ ledger: Ledger, euro: Currency, dollar: Currency, today: Day
) async throws -> Receipt {
  let made = try await ledger.append(
    .openAccount(NewAccount(name: "Checking", currency: euro)),
    .openAccount(NewAccount(name: "Travel", currency: dollar)),
    .createCategory(NewCategory(name: "Food", kind: .expense)),
    .createCategory(NewCategory(name: "House", kind: .expense)))
  let (checking, travel) = (made.accounts[0], made.accounts[1])
  let (food, house) = (made.categories[0], made.categories[1])

  // One commit: all of it, or, where one command is refused, nothing.
  return try await ledger.append(
    .record(.income(Money(2_500_00, euro), into: checking, on: today, payee: "Work")),
    .record(
      .split(
        from: checking, parts: [.init(Money(31_40, euro), food), .init(Money(12_00, euro), house)],
        on: today, payee: "Market")),
    .record(
      .exchange(
        Money(100_00, euro), from: checking, for: Money(108_00, dollar), into: travel, on: today)
    ))
}

func correct(_ id: TransactionID, in ledger: Ledger, by request: String) async throws -> Receipt {
  // The key makes repeating harmless: the second time nothing is recorded.
  try await ledger.append(
    [.amend(id, Amendment(payee: "The market", tags: ["week"]))], key: request)
}
// end

// snippet: asking
struct Overview: Sendable {
  var balances: [AccountBalance]
  var month: CurrencyTotals
  var top: [CategoryShare]
  var newest: [Transaction]
}

func overview(of ledger: Ledger, in euro: Currency, today: Day) throws -> Overview {
  try ledger.read { snapshot throws in
    let days = today.monthOf.days
    return Overview(
      balances: try snapshot.balances(on: today, includingClosed: false),
      month: try snapshot.months(today.monthOf..<today.monthOf.adding(1), today: today)[0]
        .totals(in: euro),
      top: try snapshot.topCategories(in: days, currency: euro, limit: 5, today: today),
      newest: try snapshot.transactions(TransactionFilter(days: days), limit: 50))
  }
}
// end

// snippet: budgets
func planMonth(_ ledger: Ledger, rentFrom account: AccountID, euro: Currency, today: Day)
  async throws -> [UpcomingPayment]
{
  let made = try await ledger.append(
    .createCategory(NewCategory(name: "Rent", kind: .expense)),
    .createCategory(NewCategory(name: "Leisure", kind: .expense)))
  var leisure = Budget(
    id: .unassigned, name: "Leisure", categories: [made.categories[1]], amount: Money(200_00, euro),
    period: .monthly(resetDay: 25))
  leisure.rollover = .surplus
  var template = SeriesTemplate(type: .expense, amount: Money(900_00, euro), account: account)
  template.category = made.categories[0]
  let rent = Series(
    id: .unassigned,
    name: "Rent", template: template, schedule: Schedule(.month, monthEnd: .lastDay),
    anchor: today)
  try await ledger.append(.putBudget(leisure), .putSeries(rent))
  try await ledger.append(.generateDue(through: today))
  return try ledger.read { try $0.upcoming(through: today.adding(months: 3), today: today) }
}
// end

// snippet: errors
func addedRow(_ draft: Draft, to ledger: Ledger) async -> String {
  do throws(DaybookError) {
    let receipt = try await ledger.append(.record(draft))
    return "Recorded as commit \(receipt.token.sequence)."
  } catch {
    switch error.code {
    case .refused: return error.message  // A rule of bookkeeping; `error.refusal` has its code.
    case .outcomeUnknown: return "Append it again with the same key: it is recorded once."
    case .full: return "Nothing was recorded. \(error.remedy)"
    default: return error.description
    }
  }
}
// end

// snippet: testing
@Test func whatIsSpentLeavesTheAccount() async throws {
  let ledger = try await Ledger.inMemory()
  guard let euro = Currency.iso("EUR"), let day = Day("2026-02-15") else { return }
  let made = try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: euro)))
  try await ledger.append(
    .record(.expense(Money(12_50, euro), from: made.accounts[0], on: day)))
  let balance = try ledger.read { try $0.balance(of: made.accounts[0], on: day) }
  #expect(balance == Total(units: -12_50, currency: euro))
  // Every figure against history.
  #expect(try await ledger.verify().isSound)
  try await ledger.close()
}
// end

// lines: Open, add, list, observe
func openAddListObserve(
  at path: String, _ euro: Currency, today: Day, show: ([Transaction], Total) -> Bool
) async throws {
  // begin
  let ledger = try await Ledger.open(at: path)
  let made = try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: euro)))
  let cash = made.accounts[0]
  try await ledger.append(.record(.expense(Money(12_50, euro), from: cash, on: today)))
  let rows = try ledger.read { try $0.transactions(limit: 50) }
  for try await balance in ledger.observe({ try $0.balance(of: cash, on: today) }) {
    guard show(rows, balance) else { break }
  }
  // end
  try await ledger.close()
}
