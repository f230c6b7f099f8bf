import Budgets
import Daybook
import Entities
import Journal
import Search
import Terminal

@main struct App {
  static func main() async throws {
    _ = (Budget(), Entity())
    guard let day = Day(year: 2026, month: 2, day: 14) else { return }
    let ledger = try await Ledger.inMemory()
    let journal = try await Journal(ledger)
    try await journal.pay("Rewe", Money(12_50, .eur), on: day)
    let found = try Search().count(of: "rewe", in: ledger)
    Terminal.show("\(found) found, balance \(try journal.balance(on: day))")
    try await ledger.close()
  }
}
