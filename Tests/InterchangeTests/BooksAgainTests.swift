// Goal: books that are imported again find the accounts and commodities of the first import, whatever their
// names are by now. Method: two versions of small books are imported one after the other, and the balances
// are compared with those that the second version states.

import Daybook
import DaybookInterchange
import Foundation
import Testing

struct BooksAgainTests {
  /// Reads a text as `daybook import` does, and imports it.
  @discardableResult
  private func take(_ text: String, _ format: String, into home: Home) async throws
    -> ImportSummary
  {
    let reader = try #require(FileFormats.named(format))
    let options = try home.ledger.read { try ReadingOptions($0) }
    let contents = try reader.read(RawFile(Array(text.utf8), name: "book"), options)
    #expect(contents.badLines == [])
    return try await BooksImporter().run(contents, path: "book", into: home.ledger)
  }

  /// The balances other than zero, by account name.
  private func balances(_ home: Home) throws -> [String: String] {
    try home.ledger.read { snapshot in
      var found: [String: Int64] = [:]
      var names: [AccountID: (name: String, currency: Currency)] = [:]
      for account in try snapshot.accounts() {
        names[account.id] = (account.name, account.currency)
      }
      for transaction in try snapshot.transactions(.all, limit: 1_000) {
        for posting in transaction.postings {
          guard case .account(let id) = posting.account, let known = names[id] else { continue }
          found[known.name, default: 0] += posting.amount.minorUnits
        }
      }
      let currencies = Dictionary(uniqueKeysWithValues: names.values.map { ($0.name, $0.currency) })
      return found.reduce(into: [:]) { result, entry in
        guard entry.value != 0, let currency = currencies[entry.key] else { return }
        result[entry.key] = "\(Money(entry.value, currency).text) \(currency)"
      }
    }
  }

  // MARK: Journals

  @Test("A liability isn't the asset with the same short name")
  func kinds() async throws {
    let home = try await Home()
    try await take("2024-01-01 a\n  assets:card  5 EUR\n  income:gift\n", "hledger", into: home)
    let second = "2024-02-01 b\n  liabilities:card  -3 EUR\n  expenses:fun\n"
    try await take(second, "hledger", into: home)
    try await take(second, "hledger", into: home)
    #expect(try balances(home) == ["card": "5.00 EUR", "liabilities:card": "-3.00 EUR"])
    try await home.end()
  }

  @Test("An account keeps its name when an earlier one of the same short name appears")
  func names() async throws {
    let home = try await Home()
    let old = "2024-01-02 a\n  assets:pot  10 EUR\n  liabilities:pot  -10 EUR\n"
    try await take(old, "hledger", into: home)
    try await take(
      "2023-01-02 b\n  liabilities:pot  -3 EUR\n  income:gift\n" + old, "hledger", into: home)
    #expect(try balances(home) == ["pot": "10.00 EUR", "liabilities:pot": "-13.00 EUR"])
    try await home.end()
  }

  @Test("An account keeps its currency when another one becomes more frequent")
  func mainCurrency() async throws {
    let home = try await Home()
    let old = "2024-01-01 a\n  assets:purse  10 EUR\n  income:gift\n"
    let one = "2024-01-02 b\n  assets:purse  1 USD\n  income:gift\n"
    try await take(old + one, "hledger", into: home)
    let more = (3...6).map { "2024-01-0\($0) c\n  assets:purse  1 USD\n  income:gift\n" }
    try await take(old + one + more.joined(), "hledger", into: home)
    #expect(try balances(home) == ["purse": "10.00 EUR", "purse (USD)": "5.00 USD"])
    try await home.end()
  }

  @Test("An account in another currency is called by that currency, and the names are reported")
  func anotherCurrency() async throws {
    let home = try await Home()
    let old = "2024-01-01 a\n  assets:purse  10 EUR\n  income:gift\n"
    #expect(try await take(old, "hledger", into: home).notices == [])
    let new = (3...6).map { "2024-01-0\($0) c\n  assets:purse  1 USD\n  income:gift\n" }
    // In one journal with the first currency, or in a journal of its own.
    for (text, count) in [(old + new.joined(), 1), (new.joined(), 0), (old + new.joined(), 0)] {
      let notices = try await take(text, "hledger", into: home).notices
      #expect(notices.count == count)
      let names = "with an account for each of them: “purse (USD)” (USD), “purse” (EUR)."
      #expect(notices.allSatisfy { $0.message.hasSuffix(names) })
      #expect(try balances(home) == ["purse": "10.00 EUR", "purse (USD)": "4.00 USD"])
    }
    try await home.end()
    // The journal of the second currency comes first.
    let other = try await Home()
    try await take(new.joined(), "hledger", into: other)
    try await take(old, "hledger", into: other)
    #expect(try balances(other) == ["purse": "4.00 USD", "purse (EUR)": "10.00 EUR"])
    try await other.end()
  }

  @Test("An account without transactions is the one of an earlier journal, whatever its currency")
  func unusedAccount() async throws {
    let home = try await Home()
    try await take("2024-01-01 a\n  assets:purse  10 USD\n  income:gift\n", "hledger", into: home)
    let next =
      "account assets:purse\naccount assets:box\n2025-01-01 b\n  assets:giro  1 EUR\n  income:gift\n"
    for count in [1, 0] {
      let notices = try await take(next, "hledger", into: home).notices
      #expect(notices.count == count)
      #expect(notices.allSatisfy { $0.message.hasPrefix("“assets:box” has no transactions") })
    }
    let names = try home.ledger.read { try $0.accounts() }.map { "\($0.name) \($0.currency)" }
    #expect(names.sorted() == ["box EUR", "giro EUR", "purse USD"])
    try await home.end()
  }

  @Test("An account that was renamed here is found again, also one that was here before")
  func renamedHere() async throws {
    let home = try await Home()
    try await home.ledger.append(.openAccount(NewAccount(name: "giro", currency: eur)))
    let text = "2024-01-01 a\n  assets:giro  5 EUR\n  assets:cash  -5 EUR\n"
    try await take(text, "hledger", into: home)
    let ids = try home.ledger.read { snapshot in
      (try snapshot.account(named: "giro")?.id, try snapshot.account(named: "cash")?.id)
    }
    try await home.ledger.append(
      .amendAccount(try #require(ids.0), AccountChange(name: "Main")),
      .amendAccount(try #require(ids.1), AccountChange(name: "Purse")))
    let again = try await take(text, "hledger", into: home)
    #expect(again.imported == 0 && again.createdAccounts == [])
    #expect(try balances(home) == ["Main": "5.00 EUR", "Purse": "-5.00 EUR"])
    try await home.end()
  }

  @Test("A deleted account is opened again")
  func deletedHere() async throws {
    let home = try await Home()
    let text = "2024-01-01 a\n  assets:giro  5 EUR\n  income:gift\n"
    try await take(text, "hledger", into: home)
    let id = try #require(try home.ledger.read { try $0.account(named: "giro")?.id })
    try await home.ledger.append(.deleteAccount(id, .withRows))
    let next = "2024-01-02 b\n  assets:giro  7 EUR\n  income:gift\n"
    for _ in 0..<2 { try await take(next, "hledger", into: home) }
    #expect(try balances(home) == ["giro": "7.00 EUR"])
    try await home.end()
  }

  @Test("Commodities that are shortened to the same code stay apart across files")
  func commodities() async throws {
    let home = try await Home()
    func one(_ account: String, _ amount: String) -> String {
      "2024-01-01 x\n  assets:\(account)  \(amount)\n  equity:opening balances\n"
    }
    let first = one("a", "10 \"LU0123456789\"") + one("b", "20 \"LU0123499999\"")
    let second = one("c", "30 \"LU0123400000\"")
    let third = one("d", "7 \"A&B\"")
    let fourth = one("e", "5 AB")
    for _ in 0..<2 {
      for text in [first, second, third, fourth] { try await take(text, "hledger", into: home) }
    }
    #expect(
      try balances(home) == [
        "a": "10 LU01234", "b": "20 LU01232", "c": "30 LU01233", "d": "7 AB", "e": "5 AB2",
      ])
    try await home.end()
  }

  // MARK: Programs with ids

  private func books(_ program: String, _ accounts: [(id: String, name: String)]) -> FileContents {
    var books = Books()
    books.program = program
    for (index, account) in accounts.enumerated() {
      var new = BookAccount(line: index + 1, name: account.name, kind: .asset, currency: eur)
      new.title = account.name
      new.identity = account.id
      books.accounts.append(new)
      var transaction = BookTransaction(
        line: index + 1, day: day("2024-01-01"),
        postings: [
          BookPosting(.account(account.name), Money(Int64(index + 1) * 100, eur)),
          BookPosting(.category(["Pay"], .income), Money(Int64(index + 1) * -100, eur)),
        ])
      transaction.reference = "\(program):t\(index)"
      books.transactions.append(transaction)
    }
    var contents = FileContents()
    contents.books = books
    return contents
  }

  @Test("An account that was renamed there is renamed here", arguments: ["gnucash", "actual"])
  func renamedThere(_ program: String) async throws {
    let home = try await Home()
    let importer = BooksImporter()
    let names = [("x1", "Giro"), ("x2", "Cash")]
    try await importer.run(books(program, names), into: home.ledger)
    for name in ["Main", "Daily"] {
      let new = [("x1", name), ("x2", "Cash")]
      let again = try await importer.run(books(program, new), into: home.ledger)
      #expect(again.imported == 0 && again.duplicates == 2 && again.createdAccounts == [])
      #expect(again.notices.map(\.message).contains { $0.hasSuffix("to “\(name)”.") })
      #expect(try balances(home) == [name: "1.00 EUR", "Cash": "2.00 EUR"])
    }
    try await home.end()
  }

  @Test("An account that was renamed there and here keeps its name here, and that is reported once")
  func renamedOnBothSides() async throws {
    let home = try await Home()
    let importer = BooksImporter()
    try await importer.run(books("actual", [("x1", "Giro")]), into: home.ledger)
    let id = try #require(try home.ledger.read { try $0.account(named: "Giro")?.id })
    try await home.ledger.append(.amendAccount(id, AccountChange(name: "Mine")))
    let first = try await importer.run(books("actual", [("x1", "Main")]), into: home.ledger)
    #expect(
      first.notices.map(\.message) == [
        "The account “Giro” is now called “Main” in the books, but “Mine” in the ledger. "
          + "Its name in the ledger was kept."
      ])
    let second = try await importer.run(books("actual", [("x1", "Main")]), into: home.ledger)
    #expect(second.notices == [] && second.imported == 0)
    #expect(try balances(home) == ["Mine": "1.00 EUR"])
    try await home.end()
  }

  // MARK: Categories

  private func books(_ categories: [(id: String, path: CategoryPath)]) -> FileContents {
    var contents = books("actual", [("x1", "Giro")])
    for (index, category) in categories.enumerated() {
      var new = BookCategory(line: index + 1, path: category.path, kind: .expense)
      new.identity = category.id
      contents.books?.categories.append(new)
      var transaction = BookTransaction(
        line: index + 9, day: day("2024-02-01"),
        postings: [
          BookPosting(.account("Giro"), Money(-100, eur)),
          BookPosting(.category(category.path, .expense), Money(100, eur)),
        ])
      transaction.reference = "actual:c\(category.id)"
      contents.books?.transactions.append(transaction)
    }
    return contents
  }

  /// The paths of the expense categories, with the number of their transactions.
  private func categories(_ home: Home) throws -> [String: Int] {
    try home.ledger.read { snapshot in
      var counts: [String: Int] = [:]
      for category in try snapshot.categories()
      where category.kind == .expense && !category.id.isBuiltin {
        let path = try #require(try snapshot.path(of: category.id))
        counts["\(path)"] = try snapshot.transactions(.all, limit: 100).count { transaction in
          transaction.postings.contains { $0.account == .category(category.id) }
        }
      }
      return counts
    }
  }

  @Test("Categories that were renamed or moved there are renamed and moved here")
  func renamedCategories() async throws {
    let home = try await Home()
    let importer = BooksImporter()
    let versions: [[(String, CategoryPath)]] = [
      [("1", ["Food"]), ("2", ["Food", "Snacks"]), ("3", ["Fun"])],
      // Renamed, with a subcategory.
      [("1", ["Meals"]), ("2", ["Meals", "Snacks"]), ("3", ["Fun"])],
      // Swapped.
      [("1", ["Fun"]), ("2", ["Fun", "Snacks"]), ("3", ["Meals"])],
      // Moved below a new category, and its name given to another one.
      [("1", ["Daily", "Fun"]), ("2", ["Snacks"]), ("3", ["Fun"])],
    ]
    for (index, version) in versions.enumerated() {
      let summary = try await importer.run(books(version), into: home.ledger)
      #expect(summary.imported == (index == 0 ? 4 : 0) && summary.replaced == 0)
      var expected = Dictionary(uniqueKeysWithValues: version.map { ("\($0.1)", 1) })
      if index == 3 { expected["Daily"] = 0 }
      #expect(try categories(home) == expected)
      let again = try await importer.run(books(version), into: home.ledger)
      #expect(again.notices == [] && again.imported == 0 && again.replaced == 0)
      #expect(try categories(home) == expected)
    }
    try await home.end()
  }

  @Test("A category that was renamed there and here keeps its name, which is reported once")
  func categoryRenamedOnBothSides() async throws {
    let home = try await Home()
    let importer = BooksImporter()
    try await importer.run(books([("1", ["Food"])]), into: home.ledger)
    let found = try home.ledger.read { try $0.categories() }.first { $0.name == "Food" }
    let id = try #require(found).id
    try await home.ledger.append(.amendCategory(id, CategoryChange(name: "Mine")))
    #expect(try await importer.run(books([("1", ["Food"])]), into: home.ledger).notices == [])
    let first = try await importer.run(books([("1", ["Meals"])]), into: home.ledger)
    #expect(
      first.notices.map(\.message) == [
        "The category “Food” is now called “Meals” there, but “Mine” here. It keeps its name here."
      ])
    #expect(try await importer.run(books([("1", ["Meals"])]), into: home.ledger).notices == [])
    #expect(try categories(home) == ["Mine": 1])
    // A name that another category of the ledger has.
    let other = try await Home()
    try await importer.run(books([("1", ["Food"])]), into: other.ledger)
    try await other.ledger.append(.createCategory(NewCategory(name: "Meals", kind: .expense)))
    try await importer.run(books([("1", ["Meals"])]), into: other.ledger)
    #expect(try categories(other) == ["Meals": 0, "Meals (2)": 1])
    try await home.end()
    try await other.end()
  }

  @Test("Journals find categories and accounts that were renamed or merged here")
  func renamedAndMergedHere() async throws {
    let home = try await Home()
    let old = """
      2024-01-01 a
        assets:one  1 EUR
        expenses:food:bread  1 EUR
        assets:two  -2 EUR

      2024-01-01 b
        expenses:fun  1 EUR
        assets:two

      """
    try await take(old, "hledger", into: home)
    let (one, two, food, fun) = try home.ledger.read { snapshot in
      let all = try snapshot.categories()
      return (
        try #require(try snapshot.account(named: "one")?.id),
        try #require(try snapshot.account(named: "two")?.id),
        try #require(all.first { $0.name == "food" }?.id),
        try #require(all.first { $0.name == "fun" }?.id)
      )
    }
    try await home.ledger.append([
      .amendCategory(food, CategoryChange(name: "Meals")), .mergeCategories(fun, into: food),
      .mergeAccounts(two, into: one),
    ])
    let new = """
      2024-02-01 c
        assets:two  -3 EUR
        expenses:fun  1 EUR
        expenses:food:cake  2 EUR

      """
    let summary = try await take(old + new, "hledger", into: home)
    #expect(summary.imported == 1 && summary.duplicates == 2)
    #expect(summary.createdAccounts == [])
    #expect(try categories(home) == ["Meals": 2, "Meals:bread": 1, "Meals:cake": 1])
    #expect(try balances(home) == ["one": "-5.00 EUR"])
    try await home.end()
  }

  @Test(
    "Another account that takes over a name is another account, in either order",
    arguments: [false, true])
  func takenName(_ isReversed: Bool) async throws {
    let home = try await Home()
    let importer = BooksImporter()
    let order = [("x1", "Old giro"), ("x2", "Giro")]
    let accounts = isReversed ? Array(order.reversed()) : order
    try await importer.run(books("gnucash", [("x1", "Giro")]), into: home.ledger)
    let summary = try await importer.run(
      books("gnucash", accounts), into: home.ledger)
    #expect(summary.createdAccounts == ["Giro"])
    let found = try home.ledger.read { try $0.accounts().map(\.name).sorted() }
    #expect(found == ["Giro", "Old giro"])
    try await home.end()
  }

  @Test("Shares of a GnuCash book are found again by name and symbol")
  func shares() async throws {
    let text = """
      <?xml version="1.0" encoding="utf-8" ?>
      <gnc-v2 xmlns:gnc="http://www.gnucash.org/XML/gnc">
      <gnc:book version="2.0.0"><book:id type="guid">\(Self.guid(99))</book:id>
      <gnc:commodity version="2.0.0"><cmdty:space>FUND</cmdty:space><cmdty:id>A.B</cmdty:id>
      <cmdty:name>World</cmdty:name><cmdty:fraction>1000</cmdty:fraction></gnc:commodity>
      <gnc:account version="2.0.0"><act:name></act:name><act:id type="guid">\(Self.guid(1))</act:id>
      <act:type>ROOT</act:type></gnc:account>
      <gnc:account version="2.0.0"><act:name>Depot</act:name>
      <act:id type="guid">\(Self.guid(2))</act:id><act:type>STOCK</act:type>
      <act:commodity><cmdty:space>FUND</cmdty:space><cmdty:id>A.B</cmdty:id></act:commodity>
      <act:commodity-scu>1000</act:commodity-scu>
      <act:parent type="guid">\(Self.guid(1))</act:parent></gnc:account>
      <gnc:account version="2.0.0"><act:name>Giro</act:name>
      <act:id type="guid">\(Self.guid(3))</act:id><act:type>BANK</act:type>
      <act:commodity><cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id></act:commodity>
      <act:commodity-scu>100</act:commodity-scu>
      <act:parent type="guid">\(Self.guid(1))</act:parent></gnc:account>
      <gnc:transaction version="2.0.0"><trn:id type="guid">\(Self.guid(4))</trn:id>
      <trn:currency><cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id></trn:currency>
      <trn:date-posted><ts:date>2024-01-05 10:59:00 +0000</ts:date></trn:date-posted>
      <trn:description>buy</trn:description><trn:splits>
      <trn:split><split:id type="guid">\(Self.guid(5))</split:id>
      <split:reconciled-state>n</split:reconciled-state><split:value>5000/100</split:value>
      <split:quantity>1500/1000</split:quantity>
      <split:account type="guid">\(Self.guid(2))</split:account></trn:split>
      <trn:split><split:id type="guid">\(Self.guid(6))</split:id>
      <split:reconciled-state>n</split:reconciled-state><split:value>-5000/100</split:value>
      <split:quantity>-5000/100</split:quantity>
      <split:account type="guid">\(Self.guid(3))</split:account></trn:split>
      </trn:splits></gnc:transaction>
      </gnc:book></gnc-v2>
      """
    let home = try await Home()
    #expect(try await take(text, "gnucash", into: home).imported == 1)
    let again = try await take(text, "gnucash", into: home)
    #expect(again.imported == 0 && again.duplicates == 1 && again.createdAccounts == [])
    #expect(try balances(home) == ["Depot": "1.500 AB", "Giro": "-50.00 EUR"])
    try await home.end()
  }

  private static func guid(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
