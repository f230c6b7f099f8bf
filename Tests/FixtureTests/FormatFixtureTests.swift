// Goal: a ledger that was written by the first version of each format opens in this one, proves itself, and
// answers what it answered then.
// Method: the ledger is kept as text with its checksum, made once by FixtureMaker; what is expected was
// counted by hand from what FixtureLedger does. LMDB's files have the byte order and word size of the
// machine that wrote them, so the fixture is for 64-bit little-endian machines; page size may be any.

import Daybook
import Foundation
import LedgerFixture
import Testing

@Suite(.enabled(if: Int.bitWidth == 64 && 1.littleEndian == 1, "the fixture's byte order"))
struct FormatFixtureTests {
  /// The fixtures by format, with their checksums: one that was released never changes.
  static let checksums: [Int: String] = [
    1: "dd75cd13998edbc13839b4ec6b05538dc98d4f955601c3a3150c8955119742cd"
  ]

  static func text(_ format: Int) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(
      contentsOf: folder.appendingPathComponent("Fixtures/format-\(format).txt"), encoding: .utf8)
  }

  /// A copy of the fixture's ledger, removed with the object.
  final class Copy {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("fixture-\(UUID().uuidString)")
    var path: String { url.path }

    init(_ format: Int) throws {
      try FolderText(FormatFixtureTests.text(format)).write(to: url)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  @Test(arguments: checksums.keys.sorted()) func theFixtureIsTheOneThatWasKept(format: Int) throws {
    let text = try Self.text(format)
    let checksum = try #require(Self.checksums[format])
    #expect(text.hasSuffix("checksum \(checksum)\n"))
    let kept = try FolderText(text)
    #expect(kept.text == text)
    let secret = Array(FixtureLedger.secret.utf8)
    for (name, bytes) in kept.files {
      #expect(bytes.firstRange(of: secret) == nil, "\(name) holds what was erased")
    }
    var broken = Array(text)
    let place = broken.count / 2
    broken[place] = broken[place] == "A" ? "B" : "A"
    #expect(throws: FolderText.Damaged.self) { try FolderText(String(broken)) }
  }

  @Test(arguments: checksums.keys.sorted()) func everyFormatOpensAndProvesItself(
    format: Int
  ) async throws {
    let copy = try Copy(format)
    #expect(try await Ledger.examine(at: copy.path) == [])
    let ledger = try await Ledger.open(at: copy.path, options: FixtureLedger.options)
    #expect(ledger.readOnlyReason == nil)
    #expect(try await ledger.verify().findings == [])
    try check(ledger)
    // And goes on as any other.
    let newest = try ledger.token.sequence
    let salary = Command.record(
      .income(
        Money(200_000, try FixtureLedger.currency("EUR")), into: FixtureLedger.cash,
        category: FixtureLedger.salary, on: try FixtureLedger.day("2026-03-01"),
        id: TransactionID(EntityID(high: 3, low: 30))))
    #expect(try await ledger.append([salary], key: FixtureLedger.key).isRepeat)
    let later = try ledger.token.sequence
    #expect(later == newest)
    try await ledger.compact()
    try await ledger.rebuild()
    try check(ledger)
    #expect(try await ledger.verify().findings == [])
    try await ledger.close()
  }

  @Test(arguments: checksums.keys.sorted()) func everyFormatOpensForReading(
    format: Int
  ) async throws {
    let copy = try Copy(format)
    var options = FixtureLedger.options
    options.isReadOnly = true
    let older = try await Ledger.open(at: copy.path, options: options)
    // Views may be older than this version, and only a writer renews them.
    do {
      try check(older)
    } catch let error as DaybookError {
      #expect("\(error)".contains("Open the ledger for writing"))
    }
    #expect(try older.retention() == .count(1_000))
    try await older.close()
    let writer = try await Ledger.open(at: copy.path, options: FixtureLedger.options)
    try await writer.close()
    let ledger = try await Ledger.open(at: copy.path, options: options)
    try check(ledger)
    try await ledger.close()
  }

  /// What FixtureLedger comes to.
  private func check(_ ledger: Ledger) throws {
    try ledger.read { snapshot throws in
      try figures(snapshot)
      try entities(snapshot)
    }
    #expect(try ledger.retention() == .count(1_000))
    let consumers = try ledger.consumers()
    #expect(consumers.map(\.name) == ["backup", "phone"])
    #expect(consumers.map(\.kind) == [.required, .bestEffort(allowanceSeconds: 86_400)])
    #expect(try ledger.value([1], ofConsumer: "backup") == [3])
    #expect(try ledger.value([1], ofConsumer: "phone") == [5])
    var count = 0
    var authors: Set<String?> = []
    var history = try ledger.history().cursor()
    let first = try #require(try history.next())
    #expect(first.header.sequence > 1, "the beginning has been purged")
    while let entry = try history.next() {
      count += 1
      authors.insert(entry.header.author)
    }
    let newest = try ledger.token.sequence
    #expect(UInt64(count) == newest - first.header.sequence)
    #expect(authors.contains("Ada"))
  }

  private func figures(_ snapshot: borrowing Snapshot) throws {
    let end = try FixtureLedger.day("2026-02-28")
    let cash = try snapshot.balance(of: FixtureLedger.cash, on: end).units
    // 10,000 − 12,010 − 1,000 − 5,000 − 8,500 + 50 − 100,000 − 1,234 − 12
    #expect(cash == -117_706)
    let card = try snapshot.balance(of: FixtureLedger.card, on: end).units
    let dollars = try snapshot.balance(of: FixtureLedger.dollars, on: end).units
    #expect(card == -2_500 && dollars == 10_000)
    let january = try FixtureLedger.day("2026-01-01").monthOf
    let today = try FixtureLedger.day("2026-04-01")
    var spent: [Int128] = []
    for category in [FixtureLedger.bread, FixtureLedger.food] {
      for month in [january, january.adding(1)] {
        let total = try snapshot.total(
          of: category, in: month.days, includingSubcategories: false, today: today)
        spent += total.totals.map(\.units)
      }
    }
    #expect(spent == [5_605, 312, 56_405, 59_384])
    let (all, ofJanuary) = (
      try snapshot.count(), try snapshot.count(TransactionFilter(days: january.days))
    )
    #expect(all == 26 && ofJanuary == 16)
  }

  private func entities(_ snapshot: borrowing Snapshot) throws {
    let rates = try snapshot.rates().map { "\($0.quote)" }
    #expect(rates == ["0.85"])
    let budgets = try snapshot.budgets().map(\.name)
    let series = try snapshot.series().map(\.name)
    #expect(budgets == ["Eating"] && series == ["Rent"])
    let occurrences = try snapshot.occurrences(of: FixtureLedger.rent).count
    #expect(occurrences == 3)
    let rules = try snapshot.rules().map(\.id)
    let checks = try snapshot.assertionChecks().map(\.holds)
    #expect(rules == [FixtureLedger.rule] && checks == [true])
    let stated = try snapshot.assertions().map(\.balance)
    let owed = Money(-2_500, try FixtureLedger.currency("EUR"))
    #expect(stated == [owed])
    let closed = try snapshot.settings().closedThrough
    let january = try FixtureLedger.day("2026-01-31")
    let gems = try snapshot.currency("GEMS")?.digits
    #expect(closed == january && gems == 1)
    let split = try snapshot.transaction(TransactionID(EntityID(high: 3, low: 31)))
    #expect(split?.status == .reconciled && split?.tags == ["market"])
    let erased = try snapshot.transaction(FixtureLedger.erased)
    #expect(erased?.description == "" && erased?.postings.count == 2)
  }
}
