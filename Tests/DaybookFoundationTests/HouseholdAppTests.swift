/// Goal: the data layer of the sample app does what its comments say. Method: its models are used as
/// its views use them, on a ledger in a folder and on the preview's sample data.
import Daybook
import Foundation
import HouseholdApp
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct HouseholdAppTests {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "daybook app \(UUID().uuidString)/Household.daybook")
  private let today = Day(year: 2026, month: 2, day: 15) ?? .min

  @Test func anExpenseIsTypedSavedAndListed() async throws {
    let household = Household(at: url)
    #expect(household.ledger == nil)
    await household.open()
    await household.open()
    let ledger = try #require(household.ledger)
    let euro = try #require(Currency.iso("EUR"))
    await Sharing(ledger).choose(base: euro)
    try await ledger.append(.openAccount(NewAccount(name: "Giro", currency: euro)))
    let form = NewExpense(day: today, decimalMark: ",")
    form.amountText = "12,50"
    #expect(form.amount == nil)
    #expect(await !form.save(in: ledger))
    form.account = try ledger.read { try $0.accounts() }.first
    let amounts: [(String, Int64?)] = [("12,50", 12_50), ("12,505", nil), ("-1", nil), ("", nil)]
    for (text, amount) in amounts {
      form.amountText = text
      #expect(form.amount == amount.map { Money($0, euro) }, "\(text)")
    }
    form.amountText = "12,50"
    form.payee = "Bakery"
    #expect(await form.save(in: ledger))
    #expect(form.amountText.isEmpty && form.payee.isEmpty)
    let year = Live.year(today: today)
    let watching = Task { await year.run(on: ledger) }
    while year.value?.last?.expense != 12_50 { await Task.yield() }
    #expect(year.value?.count == 12)
    watching.cancel()
    let pager = TransactionPager(ledger)
    await pager.refresh()
    #expect(pager.sections.flatMap(\.rows).map(\.transaction.payee) == ["Bakery"])
    try await ledger.close()
  }

  @Test func theAppMovesToTheBackgroundAndBack() async throws {
    let household = try await Household.preview(through: today)
    let ledger = try #require(household.ledger)
    let budgets = Live.budgets(today: today)
    let watching = Task { await budgets.run(on: ledger) }
    while budgets.value == nil { await Task.yield() }
    await household.enterBackground()
    #expect(ledger.isSuspended && household.problem == nil)
    let name = "Late"
    let append = Task {
      try await ledger.append(.createCategory(NewCategory(name: name, kind: .expense)))
    }
    await household.becomeActive(today: today)
    _ = try await append.value
    #expect(!ledger.isSuspended && household.problem == nil && budgets.problem == nil)
    watching.cancel()
    try await ledger.close()
    await household.becomeActive(today: today)
    #expect(household.problem?.code == .closed)
  }

  @Test func aFailureIsShown() async throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("a file".utf8).write(to: url)
    let household = Household(at: url)
    await household.open()
    guard case .failed(let error) = household.state else {
      Issue.record("a file is no ledger")
      return
    }
    #expect(error.code == .foreign && !error.message.isEmpty)
    let preview = try await Household.preview(through: today)
    let ledger = try #require(preview.ledger)
    let sharing = Sharing(ledger)
    await sharing.invite()
    #expect(sharing.problem != nil && sharing.code == nil)
    await sharing.run()
    try await ledger.close()
  }
}
