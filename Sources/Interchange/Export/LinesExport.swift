import Daybook

/// Writes a JSON object on each line, for every entity of the ledger.
///
/// `Docs/Export.md` has the keys. What stands at its default is left out.
enum LinesExport {
  /// The version of the format, in its first line.
  static let version = 1

  static func write(
    _ snapshot: borrowing Snapshot, to text: inout ExportText, _ progress: ((Int, Int) -> Void)?
  ) throws {
    var head = JSONText()
    head.put("type", "daybook")
    head.put("version", number: version)
    try text.write(head.line)
    try snapshot.forEach(Settings.self) { try text.write(line($0)) }
    try snapshot.forEach(CurrencyDefinition.self) { try text.write(line($0)) }
    try snapshot.forEach(Account.self) { try text.write(line($0)) }
    try snapshot.forEach(Category.self) { try text.write(line($0)) }
    try snapshot.forEach(ExchangeRate.self) { try text.write(line($0)) }
    try snapshot.forEach(Series.self) { try text.write(line($0)) }
    try snapshot.forEach(CategoryRule.self) { try text.write(line($0)) }
    try snapshot.forEach(SavedMapping.self) { try text.write(line($0)) }
    try snapshot.forEachTransaction(progress) { try text.write(line($0)) }
    try snapshot.forEach(Budget.self) { try text.write(line($0)) }
    try snapshot.forEach(BalanceAssertion.self) { try text.write(line($0)) }
    try snapshot.forEach(Fingerprint.self) { try text.write(line($0)) }
  }

  private static func start(
    _ type: StaticString, _ id: EntityID?, _ number: UInt64
  ) -> JSONText {
    var text = JSONText()
    text.put("type", "\(type)")
    text.put("id", id)
    text.put("number", number: number)
    return text
  }

  private static func line(_ settings: Settings) -> String {
    var text = start("settings", nil, settings.number)
    text.put("baseCurrency", settings.baseCurrency?.code)
    text.put("firstWeekday", number: settings.firstWeekday, unless: 1)
    text.put("closedThrough", settings.closedThrough)
    if settings.mergePolicy != .lastWriter { text.put("mergePolicy", "\(settings.mergePolicy)") }
    return text.line
  }

  private static func line(_ definition: CurrencyDefinition) -> String {
    var text = start("currency", nil, definition.number)
    text.put("code", definition.currency.code)
    text.put("digits", number: definition.currency.digits)
    text.put("name", definition.name)
    return text.line
  }

  private static func line(_ account: Account) -> String {
    var text = start("account", account.entityID, account.number)
    text.put("name", account.name)
    text.put("kind", "\(account.kind)")
    text.put("currency", account.currency.code)
    if account.openingBalance != 0 { text.put("opening", account.opening.text) }
    text.put("openingDay", account.openingDay)
    text.put("closed", flag: account.isClosed)
    text.put("hidden", flag: account.isHidden)
    text.put("deleted", flag: account.isDeleted)
    text.put("note", account.note)
    text.put("order", number: account.order)
    return text.line
  }

  private static func line(_ category: Category) -> String {
    var text = start("category", category.entityID, category.number)
    text.put("name", category.name)
    text.put("kind", "\(category.kind)")
    text.put("parent", category.parent)
    text.put("hidden", flag: category.isHidden)
    text.put("deleted", flag: category.isDeleted)
    text.put("note", category.note)
    text.put("order", number: category.order)
    return text.line
  }

  private static func line(_ rate: ExchangeRate) -> String {
    var text = start("rate", nil, rate.number)
    text.put("base", rate.base.code)
    text.put("quoted", rate.quoted.code)
    text.put("day", rate.day)
    text.put("rate", rate.quote)
    return text.line
  }

  private static func line(_ transaction: Transaction) -> String {
    var text = start("transaction", transaction.entityID, transaction.number)
    text.put("day", transaction.day)
    if transaction.status != .cleared { text.put("status", "\(transaction.status)") }
    text.put("description", transaction.description)
    text.put("payee", transaction.payee)
    text.put("note", transaction.note)
    text.put("tags", list: transaction.tags)
    if let identity = transaction.importIdentity {
      text.put("imported", flag: true)
      text.put("reference", identity.reference)
      text.put("original", identity.original)
    }
    text.put("series", transaction.series)
    text.put("occurrence", transaction.occurrence)
    text.put("categorizedBy", transaction.categorizedBy)
    text.put(
      "postings",
      objects: transaction.postings.map { posting in
        var text = JSONText()
        switch posting.target {
        case .account(let id): text.put("account", id)
        case .category(let id): text.put("category", id)
        }
        text.put("amount", posting.amount.text)
        text.put("currency", posting.amount.currency.code)
        text.put("note", posting.note)
        return text
      })
    return text.line
  }

  private static func line(_ assertion: BalanceAssertion) -> String {
    var text = start("assertion", assertion.entityID, assertion.number)
    text.put("account", assertion.account)
    text.put("day", assertion.day)
    text.put("units", number: assertion.units)
    text.put("note", assertion.note)
    return text.line
  }

  private static func line(_ fingerprint: Fingerprint) -> String {
    var text = start("fingerprint", fingerprint.id, fingerprint.number)
    text.put("changed", number: fingerprint.changed)
    text.put("deleted", number: fingerprint.deleted)
    return text.line
  }
}
