import DaybookBookkeeping
import DaybookFormats

/// Writes books as GnuCash 4 does, so that tests say only what they are about.
struct GnuCashBook {
  var commodities: [String] = []
  var prices: [String] = []
  var accounts: [String] = []
  var transactions: [String] = []
  var templates: [String] = []
  /// Schedules and budgets.
  var rest: [String] = []

  /// An id of 32 digits that ends with a number.
  static func id(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }

  static func commodity(_ id: String, _ space: String = "CURRENCY") -> String {
    "<cmdty:space>\(space)</cmdty:space>\n<cmdty:id>\(id)</cmdty:id>"
  }

  mutating func share(_ id: String, _ space: String, _ name: String, fraction: Int) {
    commodities.append(
      """
      <gnc:commodity version="2.0.0">
      \(GnuCashBook.commodity(id, space))
      <cmdty:name>\(name)</cmdty:name>
      <cmdty:fraction>\(fraction)</cmdty:fraction>
      </gnc:commodity>
      """)
  }

  mutating func account(
    _ number: Int, _ name: String, _ type: String, in commodity: String = commodity("EUR"),
    fraction: Int = 100, below parent: Int? = nil, more: String = "", slots: [String: String] = [:]
  ) {
    let held =
      type == "ROOT"
      ? ""
      : "<act:commodity>\n\(commodity)\n</act:commodity>\n<act:commodity-scu>\(fraction)"
        + "</act:commodity-scu>"
    accounts.append(
      """
      <gnc:account version="2.0.0">
      <act:name>\(name)</act:name>
      <act:id type="guid">\(GnuCashBook.id(number))</act:id>
      <act:type>\(type)</act:type>
      \(held)
      \(more)
      \(slots.isEmpty ? "" : "<act:slots>\(GnuCashBook.slots(slots))</act:slots>")
      \(parent.map { "<act:parent type=\"guid\">\(GnuCashBook.id($0))</act:parent>" } ?? "")
      </gnc:account>
      """)
  }

  static func slots(_ slots: [String: String]) -> String {
    slots.sorted { $0.key < $1.key }.map {
      "<slot>\n<slot:key>\($0.key)</slot:key>\n<slot:value type=\"string\">\($0.value)"
        + "</slot:value>\n</slot>"
    }.joined()
  }

  /// A split: its account, its value, and, where it differs, its quantity.
  static func split(
    _ account: Int, _ value: String, _ quantity: String? = nil, memo: String = "",
    action: String = "", state: String = "n"
  ) -> String {
    """
    <trn:split>
    <split:id type="guid">\(id(9_000))</split:id>
    \(memo.isEmpty ? "" : "<split:memo>\(memo)</split:memo>")
    \(action.isEmpty ? "" : "<split:action>\(action)</split:action>")
    <split:reconciled-state>\(state)</split:reconciled-state>
    <split:value>\(value)</split:value>
    <split:quantity>\(quantity ?? value)</split:quantity>
    <split:account type="guid">\(id(account))</split:account>
    </trn:split>
    """
  }

  mutating func transaction(
    _ number: Int, _ day: String, _ description: String, in currency: String = commodity("EUR"),
    more: String = "", slots: [String: String] = [:], _ splits: String...
  ) {
    transactions.append(
      """
      <gnc:transaction version="2.0.0">
      <trn:id type="guid">\(GnuCashBook.id(number))</trn:id>
      <trn:currency>\n\(currency)\n</trn:currency>
      \(more)
      <trn:date-posted>\n<ts:date>\(day) 10:59:00 +0000</ts:date>\n</trn:date-posted>
      <trn:date-entered>\n<ts:date>2026-01-01 08:00:00 +0000</ts:date>\n</trn:date-entered>
      <trn:description>\(description)</trn:description>
      \(slots.isEmpty ? "" : "<trn:slots>\(GnuCashBook.slots(slots))</trn:slots>")
      <trn:splits>
      \(splits.joined(separator: "\n"))
      </trn:splits>
      </gnc:transaction>
      """)
  }

  /// The accounts that most tests need: 1 root, 2 Assets, 3 Checking, 4 Expenses, 5 Food, 6 Groceries,
  /// 7 Income, 8 Salary.
  static var usual: GnuCashBook {
    var book = GnuCashBook()
    book.account(1, "Root Account", "ROOT")
    book.account(2, "Assets", "ASSET", below: 1, slots: ["placeholder": "true"])
    book.account(3, "Checking", "BANK", below: 2)
    book.account(4, "Expenses", "EXPENSE", below: 1)
    book.account(5, "Food", "EXPENSE", below: 4)
    book.account(6, "Groceries", "EXPENSE", below: 5)
    book.account(7, "Income", "INCOME", below: 1)
    book.account(8, "Salary", "INCOME", below: 7)
    return book
  }

  var text: String {
    """
    <?xml version="1.0" encoding="utf-8" ?>
    <gnc-v2
         xmlns:gnc="http://www.gnucash.org/XML/gnc"
         xmlns:act="http://www.gnucash.org/XML/act">
    <gnc:count-data cd:type="book">1</gnc:count-data>
    <gnc:book version="2.0.0">
    <book:id type="guid">\(GnuCashBook.id(99))</book:id>
    <gnc:count-data cd:type="account">\(accounts.count)</gnc:count-data>
    \(commodities.joined(separator: "\n"))
    \(prices.isEmpty ? "" : "<gnc:pricedb version=\"1\">\n\(prices.joined())\n</gnc:pricedb>")
    \(accounts.joined(separator: "\n"))
    \(transactions.joined(separator: "\n"))
    \(templates.isEmpty ? "" : "<gnc:template-transactions>\(templates.joined())</gnc:template-transactions>")
    \(rest.joined(separator: "\n"))
    </gnc:book>
    </gnc-v2>
    """
  }

  func read(_ options: ReadingOptions = ReadingOptions()) throws -> FileContents {
    try GnuCash.read(RawFile(Array(text.utf8), name: "book.gnucash"), options)
  }
}
