/// Goal: whatever a reader and a writer do at the same time, a pager shows what the ledger holds, once
/// each, and says exactly what changed.
/// Method: a seeded reader scrolls up and down, filters, jumps and refreshes while a seeded writer
/// commits; a list that hears of differences only follows. Now and then both rest, and what is shown is
/// compared with the naive model of what the writer has kept.
import Daybook
import DaybookRandom
import Testing

@Suite(.timeLimit(.minutes(5))) struct PagerSequenceTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  @MainActor func whatIsShownIsWhatIsThere(seed: UInt64) async throws {
    let ledger = try await Ledger.inMemory(options: House.options())
    let writer = ListWriter(ledger, seed: seed)
    try await writer.found(rowCount: 250)
    let reader = PagerReader(ledger, seed: seed &+ 1_000)
    let following = Task { await reader.pager.run() }
    for _ in 0..<40 {
      // Both at once: neither waits for the other.
      let count = reader.random.number(0...4)
      async let written: Void = writer.steps(count)
      for _ in 0..<reader.random.number(1...6) { await reader.step(writer) }
      try await written
      if reader.random.chance(60) { try await reader.rest(await writer.kept) }
    }
    try await reader.rest(await writer.kept)
    following.cancel()
    await following.value
    try await ledger.close()
  }
}

/// A reader, who scrolls and filters at random, and checks what there is to see.
@MainActor final class PagerReader {
  let pager: TransactionPager
  var random: SeededGenerator
  private let seed: UInt64
  private var told = ToldList()
  /// What was done last, for a failing test to tell.
  private var story: [String] = []
  /// The row that was reached last, as long as nothing else was asked for.
  private var reached: TransactionRow?
  /// The first row in view, where that is certain.
  private var anchor: TransactionRow?

  init(_ ledger: Ledger, seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    pager = TransactionPager(ledger, pageSize: [3, 10, 20][Int(seed % 3)])
    pager.onChange = { [unowned self] in hear($0) }
  }

  private var rows: [TransactionRow] { pager.sections.flatMap(\.rows) }
  private var place: Comment { "seed \(seed), \(pager.filter), after \(story.suffix(6))" }

  private func hear(_ difference: TransactionListDifference) {
    told.apply(difference, from: pager.sections)
    #expect(told.sections == pager.sections, place)
    #expect(!difference.isEmpty, place)
    let keys = rows.map(\.key)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 > $1 }, place)
    #expect(Set(rows.map(\.id)).count == rows.count, place)
    #expect(rows.count <= 4 * pager.pageSize, place)
  }

  /// One thing that a reader does.
  func step(_ writer: ListWriter) async {
    switch random.number(0...19) {
    case 0...8: scroll(down: true)
    case 9...12: scroll(down: false)
    case 13: await filter(writer)
    case 14:
      pager.filter = .all
      (reached, anchor) = (nil, nil)
    case 15:
      let day = today.adding(days: random.number(-400...30))
      story.append("jump \(day)")
      (reached, anchor) = (nil, nil)
      if random.chance(50) {
        await pager.jump(to: day)
      } else {
        // Nobody waits for it.
        Task { await pager.jump(to: day) }
        await Task.yield()
      }
    case 16:
      story.append("refresh")
      await pager.refresh()
    case 17: showSome()
    default: await Task.yield()
    }
  }

  /// Takes some rows into view, one after the other.
  private func scroll(down: Bool) {
    let rows = rows
    guard !rows.isEmpty else { return }
    let last = reached.flatMap { reached in rows.firstIndex { $0.id == reached.id } }
    let start = last ?? random.number(0...rows.count - 1)
    let end = min(max(start + (down ? 1 : -1) * random.number(1...15), 0), rows.count - 1)
    story.append("scroll \(start) to \(end) of \(rows.count)")
    for index in stride(from: start, through: end, by: start <= end ? 1 : -1) {
      pager.reached(rows[index])
    }
    reached = rows[end]
    anchor = nil
  }

  private func showSome() {
    let rows = rows
    guard !rows.isEmpty else { return }
    let first = random.number(0...rows.count - 1)
    let last = min(first + random.number(0...pager.pageSize - 1), rows.count - 1)
    story.append("showing \(first) to \(last)")
    pager.showing(from: rows[first], to: rows[last])
    reached = rows[last]
    anchor = rows[first]
  }

  private func filter(_ writer: ListWriter) async {
    let (accounts, categories) = (await writer.accounts, await writer.categories)
    for _ in 0..<random.number(1...3) {
      switch random.number(0...6) {
      case 0: pager.account = random.chance(70) ? accounts.randomElement(using: &random) : nil
      case 1: pager.category = random.chance(70) ? categories.randomElement(using: &random) : nil
      case 2: pager.includesSubcategories.toggle()
      case 3:
        pager.type =
          random.chance(60) ? TransactionType.allCases.randomElement(using: &random) : nil
      case 4: pager.currency = random.chance(60) ? [kzt, usd].randomElement(using: &random) : nil
      case 5:
        let start = today.adding(days: random.number(-300...0))
        pager.days = random.chance(60) ? start..<start.adding(days: random.number(0...200)) : nil
      default:
        pager.text =
          random.chance(70)
          ? ["Milk", "bread", "5", "absent"].randomElement(using: &random) ?? "" : ""
      }
    }
    story.append("filter")
    (reached, anchor) = (nil, nil)
  }

  /// Waits until everything is shown, and compares it.
  func rest(_ kept: ListKept) async throws {
    let model = ListModel(kept)
    while try pager.settledToken != pager.ledger.token {
      try await Task.sleep(for: .milliseconds(1))
    }
    let isIdle = !pager.isLoading && !pager.isLoadingMore && !pager.isLoadingNewer
    #expect(pager.error == nil && isIdle, place)
    let list = model.list(pager.filter)
    let rows = rows
    #expect(pager.count == list.count, place)
    let start = rows.first.flatMap { first in list.firstIndex { $0.id == first.id } } ?? 0
    let shown = list.dropFirst(start).prefix(rows.count)
    let expected = model.sections(shown, of: list, pager.filter)
    #expect(pager.sections.map(\.compared) == expected, place)
    #expect(pager.hasNewer == (start > 0), place)
    #expect(pager.hasMore == (start + rows.count < list.count), place)
    #expect(rows.count >= min(pager.pageSize, list.count), place)
    // Where the reader was, there are rows either side.
    if let anchor {
      let above = list.prefix { model.key($0, pager.filter) > anchor.key }.count - start
      let below = rows.count - above
      let reserve = pager.pageSize / 2
      #expect(above >= reserve || !pager.hasNewer, place)
      #expect(below >= reserve || !pager.hasMore, place)
      if list.contains(where: { model.key($0, pager.filter) == anchor.key }) {
        #expect(rows.contains { $0.key == anchor.key }, place)
      }
    }
  }
}
