// Goal: importing the versions of growing books one after the other leads to the same ledger as importing
// only the last one. Method: seeded books in which accounts are renamed and transactions added, edited,
// deleted and brought back are imported with deletions followed, and compared with a ledger that only knows
// the last version.

import Daybook
import DaybookInterchange
import DaybookRandom
import Foundation
import Testing

struct BooksGrowingTests {
  /// The programs whose books are imported.
  enum Program: String, CaseIterable, Sendable {
    case gnucash, actual, hledger, ledger, beancount
    var hasIDs: Bool { self == .gnucash || self == .actual }
  }

  /// One version of seeded books.
  struct Version {
    struct Entry {
      var id: Int
      var day: Int
      var text: String
      var account: Int
      /// An account, or a category if negative.
      var other: Int
      var cents: Int
      var isPending = false
    }
    var names = ["Pot", "Jar", "Tin"]
    var categories = ["C1", "C2"]
    var entries: [Entry] = []
    var nextID = 0

    private mutating func entry(_ random: inout SeededGenerator) -> Entry {
      let account = random.below(names.count)
      var other = random.below(names.count + 2) - 2
      if other == account { other = -1 }
      nextID += 1
      // The values repeat, so that equal transactions occur.
      return Entry(
        id: nextID, day: 1 + random.below(3), text: ["Shop", "Bus"][random.below(2)],
        account: account, other: other, cents: 100 * (1 + random.below(3)))
    }

    mutating func grow(_ random: inout SeededGenerator) {
      for _ in 0..<random.number(2...5) { entries.append(entry(&random)) }
    }

    /// Edits, deletes and adds transactions, and renames accounts.
    mutating func change(_ random: inout SeededGenerator, earlier: [Version]) {
      entries.removeAll { _ in random.below(4) == 0 }
      for index in entries.indices where random.below(3) == 0 {
        switch random.below(5) {
        case 0: entries[index].cents += 100
        case 1: entries[index].day = 1 + random.below(3)
        case 2: entries[index].other = entries[index].other == -1 ? -2 : -1
        case 3: entries[index].isPending.toggle()
        default: entries[index].text = ["Shop", "Bus", "Cinema"][random.below(3)]
        }
      }
      // Transactions of an earlier version are brought back.
      let known = Set(entries.map(\.id))
      for old in earlier.randomElement(using: &random)?.entries ?? []
      where !known.contains(old.id) && random.below(3) == 0 {
        entries.append(old)
      }
      if random.below(2) == 0 { names[random.below(names.count)] = "Box\(random.below(1_000))" }
      if random.below(3) == 0 { names.swapAt(0, 1) }
      if random.below(3) == 0 { categories[random.below(2)] = "K\(random.below(1_000))" }
      if random.below(3) == 0 { categories.swapAt(0, 1) }
      grow(&random)
      if random.below(2) == 0 { entries.shuffle(using: &random) }
    }
  }

  private func contents(
    _ version: Version, _ program: Program, for home: Home
  ) throws -> FileContents {
    guard !program.hasIDs else { return books(version, program) }
    let isBeancount = program == .beancount
    var text = ""
    func root(_ root: String) -> String { isBeancount ? root : root.lowercased() }
    if isBeancount {
      let all = version.names.map { "Assets:\($0)" } + version.categories.map { "Expenses:\($0)" }
      for name in all { text += "2020-01-01 open \(name)\n" }
    }
    for entry in version.entries {
      let other =
        entry.other < 0
        ? "\(root("Expenses")):\(version.categories[-entry.other - 1])"
        : "\(root("Assets")):\(version.names[entry.other])"
      let title = isBeancount ? "\"\(entry.text)\"" : entry.text
      let amount = "\(entry.cents / 100).00 EUR"
      text += "2024-01-0\(entry.day) \(entry.isPending ? "!" : "*") \(title)\n"
      text += "  \(root("Assets")):\(version.names[entry.account])  -\(amount)\n"
      text += "  \(other)  \(amount)\n\n"
    }
    let reader = try #require(FileFormats.named(program.rawValue))
    let options = try home.ledger.read { try ReadingOptions($0) }
    let contents = try reader.read(RawFile(Array(text.utf8), name: "book"), options)
    #expect(contents.badLines == [], "\(text)")
    return contents
  }

  private func books(_ version: Version, _ program: Program) -> FileContents {
    var books = Books()
    books.program = program.rawValue
    books.id = "seeded"
    for (index, name) in version.names.enumerated() {
      var account = BookAccount(line: index + 1, name: name, kind: .asset, currency: eur)
      account.title = name
      account.identity = "a\(index)"
      books.accounts.append(account)
    }
    for (index, name) in version.categories.enumerated() {
      var category = BookCategory(line: index + 1, path: [name], kind: .expense)
      category.identity = "c\(index)"
      books.categories.append(category)
    }
    for entry in version.entries {
      let amount = Money(Int64(entry.cents), eur)
      let other: BookPosting.Place =
        entry.other < 0
        ? .category([version.categories[-entry.other - 1]], .expense)
        : .account(version.names[entry.other])
      var transaction = BookTransaction(
        line: entry.id, day: day("2024-01-0\(entry.day)"),
        postings: [
          BookPosting(
            .account(version.names[entry.account]), Money(-amount.minorUnits, eur)),
          BookPosting(other, amount),
        ])
      transaction.description = entry.text
      transaction.status = entry.isPending ? .pending : .reconciled
      transaction.reference = "\(program):t\(entry.id)"
      books.transactions.append(transaction)
    }
    var contents = FileContents()
    contents.books = books
    return contents
  }

  @discardableResult
  private func take(
    _ contents: FileContents, into home: Home, follows: Bool = true, path: String = "x/book"
  ) async throws -> ImportSummary {
    var settings = ImportSettings()
    settings.followsDeletions = follows
    return try await BooksImporter(settings: settings).run(contents, path: path, into: home.ledger)
  }

  /// The transactions, with the names of accounts and categories, as sorted lines.
  private func lines(_ home: Home) throws -> [String] {
    try home.ledger.read { snapshot in
      let accounts = Dictionary(
        uniqueKeysWithValues: try snapshot.accounts().map { ($0.id, $0.name) })
      let categories = Dictionary(
        uniqueKeysWithValues: try snapshot.categories().map { ($0.id, $0.name) })
      return try snapshot.transactions(.all, limit: 10_000).map { transaction in
        let postings = transaction.postings.map { posting in
          let name =
            switch posting.account {
            case .account(let id): accounts[id] ?? "?"
            case .category(let id): categories[id] ?? "?"
            }
          return "\(name) \(posting.amount.text)"
        }
        let texts = "\(transaction.description) \(transaction.payee)"
        return "\(transaction.day) \(transaction.status) \(texts) \(postings)"
      }.sorted()
    }
  }

  @Test("Versions in a row lead to the same ledger as the last one", arguments: Program.allCases)
  func versions(_ program: Program) async throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (growing, fresh) = (try await Home(), try await Home())
      var version = Version()
      version.grow(&random)
      var earlier: [Version] = []
      for _ in 0..<3 {
        try await take(contents(version, program, for: growing), into: growing)
        // Importing a version again changes nothing.
        let again = try await take(contents(version, program, for: growing), into: growing)
        #expect(
          again.imported == 0 && again.replaced == 0 && again.missing == []
            && again.duplicates == version.entries.count, "seed \(seed)")
        earlier.append(version)
        version.change(&random, earlier: earlier)
      }
      let last = try #require(earlier.last)
      try await take(contents(last, program, for: fresh), into: fresh)
      #expect(try lines(growing) == lines(fresh), "seed \(seed)")
      #expect(try lines(fresh).count == last.entries.count)
      try await growing.end()
      try await fresh.end()
    }
  }

  // MARK: Changes on both sides

  private func version(_ entries: [(id: Int, text: String, cents: Int)]) -> Version {
    var version = Version()
    version.entries = entries.map {
      Version.Entry(id: $0.id, day: 1, text: $0.text, account: 0, other: -1, cents: $0.cents)
    }
    return version
  }

  private func transaction(_ text: String, _ home: Home) throws -> Transaction? {
    try home.ledger.read { snapshot in
      try snapshot.transactions(.all, limit: 100).first {
        $0.description == text || $0.payee == text
      }
    }
  }

  @Test("A transaction that was changed on both sides is kept and shown", arguments: [false, true])
  func bothSides(_ follows: Bool) async throws {
    let home = try await Home()
    let first = version([(1, "Shop", 100), (2, "Bus", 200), (3, "Cinema", 300)])
    try await take(contents(first, .actual, for: home), into: home)
    for text in ["Shop", "Cinema"] {
      let id = try #require(try transaction(text, home)?.id)
      try await home.ledger.append(.unreconcile([id]), .amend(id, Amendment(payee: "Mine")))
    }
    // The first is edited there, too, the second is only edited there, the third is deleted there.
    let second = version([(1, "Shop", 150), (2, "Bus", 250)])
    for _ in 0..<2 {
      let summary = try await take(
        contents(second, .actual, for: home), into: home, follows: follows)
      #expect(summary.missing.map(\.result) == [follows ? .changed : .listed])
      #expect(
        summary.notices.map(\.message) == [
          "The transaction was edited in the books, but it was changed in the ledger, too, so "
            + "it stays unchanged. In the ledger: 2024-01-01 “Shop” -1.00 EUR. In the books: 2024-01-01 “Shop” "
            + "-1.50 EUR."
        ])
    }
    let amounts = try ["Shop", "Bus", "Cinema"].map {
      try transaction($0, home)?.postings.first?.amount.minorUnits
    }
    #expect(amounts == [-100, -250, -300])
    try await home.end()
  }

  @Test("A transaction that was deleted here stays deleted", arguments: Program.allCases)
  func deletedHere(_ program: Program) async throws {
    let home = try await Home()
    let first = version([(1, "Shop", 100), (2, "Bus", 200)])
    try await take(contents(first, program, for: home), into: home)
    let id = try #require(try transaction("Shop", home)?.id)
    try await home.ledger.append(.unreconcile([id]), .delete(id))
    let again = try await take(contents(first, program, for: home), into: home)
    #expect(again.imported == 0 && again.duplicates == 2 && again.missing == [])
    #expect(try transaction("Shop", home) == nil)
    try await home.end()
  }

  @Test("A deleted transaction is only listed by default", arguments: Program.allCases)
  func listed(_ program: Program) async throws {
    let home = try await Home()
    let first = version([(1, "Shop", 100), (2, "Bus", 200)])
    try await take(contents(first, program, for: home), into: home)
    let second = version([(2, "Bus", 200)])
    let summary = try await take(
      contents(second, program, for: home), into: home, follows: false)
    #expect(summary.missing.map { "\($0)" } == ["2024-01-01 “Shop” -1.00 EUR"])
    #expect(summary.missing.map(\.result) == [.listed])
    #expect(try transaction("Shop", home) != nil)
    let followed = try await take(contents(second, program, for: home), into: home)
    #expect(followed.missing.map(\.result) == [.deleted])
    #expect(try transaction("Shop", home) == nil)
    try await home.end()
  }

  @Test("Another book doesn't delete anything", arguments: [Program.hledger, .beancount])
  func otherBook(_ program: Program) async throws {
    let home = try await Home()
    try await take(contents(version([(1, "Shop", 100)]), program, for: home), into: home)
    let other = try await take(
      contents(version([(2, "Bus", 200)]), program, for: home), into: home, path: "x/other")
    #expect(other.imported == 1 && other.missing == [])
    try await home.end()
  }

  @Test("A journal's transaction with another category is replaced, not doubled")
  func otherCategory() async throws {
    let home = try await Home()
    var version = version([(1, "Shop", 100), (2, "Shop", 100)])
    try await take(contents(version, .hledger, for: home), into: home)
    version.entries[0].other = -2
    let summary = try await take(
      contents(version, .hledger, for: home), into: home, follows: false)
    #expect(summary.replaced == 1 && summary.imported == 0 && summary.missing == [])
    #expect(try lines(home).count == 2)
    try await home.end()
  }

  @Test("Nothing is deleted in a closed period")
  func closedPeriod() async throws {
    let home = try await Home()
    try await take(contents(version([(1, "Shop", 100)]), .hledger, for: home), into: home)
    try await home.ledger.append(.closePeriod(through: day("2024-01-31")))
    let summary = try await take(contents(version([]), .hledger, for: home), into: home)
    #expect(summary.missing.map(\.result) == [.closed])
    #expect(try transaction("Shop", home) != nil)
    try await home.end()
  }

  @Test("An import that follows deletions can be undone")
  func undone() async throws {
    let home = try await Home()
    var version = version([(1, "Shop", 100), (2, "Bus", 200)])
    // Undo refuses to delete reconciled transactions.
    for index in version.entries.indices { version.entries[index].isPending = true }
    try await take(contents(version, .gnucash, for: home), into: home)
    let before = try lines(home)
    version.entries.removeFirst()
    version.entries[0].cents = 300
    try await take(contents(version, .gnucash, for: home), into: home)
    #expect(try lines(home) != before)
    try await home.ledger.undoNewest()
    #expect(try lines(home) == before)
    try await home.end()
  }
}
