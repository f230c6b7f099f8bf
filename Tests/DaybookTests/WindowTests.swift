/// Goal: a window shows all transactions of the last months up to today, whatever is committed and
/// however the days pass.
/// Method: examples with known days; then a seeded writer commits while days pass and months change,
/// and what is shown is compared with the naive model, a list that hears of differences only following.
import Daybook
import DaybookRandom
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct WindowTests {
  @Test func theLastMonthsUpToToday() async throws {
    let house = try await House()
    let account = try await house.account("A")
    for text in ["2025-11-15", "2025-11-16", "2026-02-15", "2026-02-16"] {
      try await house.expense(money("1"), from: account, on: text)
    }
    let window = TransactionWindow(house.ledger, today: today)
    #expect(window.days == day("2025-11-16")..<day("2026-02-16") && window.sections.isEmpty)
    await window.refresh()
    #expect(window.sections.map(\.day) == [day("2026-02-15"), day("2025-11-16")])
    #expect(window.count == 2 && window.sums == [total("-2")])
    // A day passes: one comes in, one goes, and that is all that is told.
    var told: [TransactionListDifference] = []
    window.onChange = { told.append($0) }
    window.today = day("2026-02-16")
    await window.settled()
    #expect(window.sections.map(\.day) == [day("2026-02-16"), day("2026-02-15")])
    #expect(told.count == 1 && told[0].removedSections == [1] && told[0].insertedSections == [0])
    window.monthCount = 4
    await window.settled()
    #expect(window.count == 4)
    window.monthCount = 0
    #expect(window.monthCount == 1)
    window.monthCount = 1_000
    #expect(window.monthCount == LedgerLimits.windowMonthCountMax)
    await window.settled()
    #expect(window.count == 4)
    // At the end of a month that is longer than the one the window begins in.
    window.monthCount = 1
    window.today = day("2026-03-31")
    #expect(window.days == day("2026-03-01")..<day("2026-04-01"))
    try await house.end()
  }

  @Test func daysComeFromASequence() async throws {
    let house = try await House()
    let account = try await house.account("A")
    try await house.expense(money("1"), from: account, on: "2026-02-18")
    let window = TransactionWindow(house.ledger, today: today)
    await window.refresh()
    #expect(window.count == 0)
    let (days, continuation) = AsyncStream.makeStream(of: Day.self)
    let following = Task { await window.follow(days) }
    continuation.yield(day("2026-02-16"))
    continuation.yield(day("2026-02-18"))
    continuation.finish()
    await following.value
    await window.settled()
    #expect(window.today == day("2026-02-18") && window.count == 1)
    try await house.end()
  }

  @Test func aWindowHasAFilter() async throws {
    let house = try await House()
    let (a, b) = (try await house.account("A"), try await house.account("B"))
    try await house.expense(money("1"), from: a)
    try await house.expense(money("2"), from: b)
    let window = TransactionWindow(house.ledger, today: today)
    await window.refresh()
    window.filter.account = b
    await window.settled()
    #expect(window.sums == [total("-2")])
    window.filter.account = AccountID(EntityID(high: 1, low: 1))
    await window.settled()
    #expect(window.error?.code == .invalidQuery && window.sections.isEmpty && window.count == 0)
    window.filter = .all
    await window.settled()
    #expect(window.error == nil && window.count == 2)
    try await house.end()
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func itIsCorrectedToWhatIsThere(seed: UInt64) async throws {
    let ledger = try await Ledger.inMemory(options: House.options())
    let writer = ListWriter(ledger, seed: seed)
    try await writer.found(rowCount: 200)
    var random = SeededGenerator(seed: seed &+ 1_000)
    let window = TransactionWindow(ledger, today: today.adding(days: -40))
    var told = ToldList()
    window.onChange = { [unowned window] in told.apply($0, from: window.sections) }
    let following = Task { await window.run() }
    for step in 0..<50 {
      let count = random.number(0...3)
      async let written: Void = writer.steps(count)
      switch random.number(0...10) {
      case 0...4: window.today = window.today.adding(days: random.number(0...3))
      case 5: window.today = today.adding(days: random.number(-60...20))
      case 6: window.monthCount = random.number(1...5)
      case 7: window.filter.type = random.chance(50) ? .expense : nil
      case 8: window.filter.category = random.chance(50) ? await writer.categories[0] : nil
      case 9: window.filter.text = random.chance(70) ? ["milk", "5"][random.number(0...1)] : nil
      default: await window.refresh()
      }
      try await written
      if random.chance(40) { continue }
      try await window.rest()
      let model = ListModel(await writer.kept)
      var filter = window.filter
      filter.days = window.days
      let list = model.list(filter)
      let place: Comment = "seed \(seed), step \(step), \(filter)"
      let expected = model.sections(list, of: list, filter)
      #expect(window.sections.map(\.compared) == expected, place)
      #expect(window.count == list.count && window.error == nil && !window.isLoading, place)
      #expect(told.sections == window.sections, place)
    }
    following.cancel()
    await following.value
    try await ledger.close()
  }
}
