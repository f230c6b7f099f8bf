import Daybook
import Foundation

/// The filter in an address, with the parameter names of the API's `GET /v1/transactions`.
struct TransactionQuery {
  var filter = TransactionFilter()
  /// The position after which the page begins.
  var after: TransactionPosition?
  /// Whether the oldest transactions come first.
  var isOldestFirst = false
  /// The names of parameters with invalid values.
  var faults: [String] = []

  /// The names of the parameters that filter the list.
  static let names = [
    "text", "payee", "account", "category", "tag", "type", "status", "currency", "least", "most",
    "from", "through", "uncategorized", "excluded", "kind",
  ]

  init(_ context: PageContext, _ snapshot: borrowing Snapshot) throws {
    filter.text = context.query("text")
    filter.payee = context.query("payee")
    filter.matchesWholePayee = context.query("wholePayee") == "true"
    filter.tags = context.queries("tag")
    filter.accounts = read("account", context) { AccountID($0) }
    filter.categories = read("category", context) { CategoryID($0) }
    filter.includesSubcategories = context.query("subcategories") != "false"
    try readKind(context, snapshot)
    filter.isUncategorized = context.query("uncategorized") == "true"
    filter.isExcluded = read("excluded", context) { Bool($0) }.first
    filter.type = read("type", context) { TransactionType(name: $0) }.first
    filter.status = read("status", context) { Status(name: $0) }.first
    if let code = context.query("currency") {
      filter.currency = try snapshot.currency(code)
      if filter.currency == nil { faults.append("currency") }
    }
    readDays(context)
    try readAmounts(context, snapshot)
    if let text = filter.text { filter.textAmounts = try amounts(of: text, context, snapshot) }
    isOldestFirst = context.query("order") == "oldest"
    after = context.query("after").flatMap { Self.position($0) }
    if let day = read("at", context, { Day($0) }).first, after == nil {
      // The list begins with the day itself, whatever its order.
      after = TransactionPosition(day: isOldestFirst ? day : day.adding(days: 1), number: 0)
    }
  }

  /// Returns the amount that the searched text is, in any currency; none if it has other words or
  /// is a sum.
  private func amounts(
    of text: String, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> [AmountRange] {
    let typed = text.trimmingCharacters(in: .whitespaces)
    let base = try filter.currency ?? snapshot.settings().baseCurrency ?? .eur
    guard !typed.dropFirst().contains(where: { "+-−".contains($0) }),
      let money = AmountText.read(typed, base, context.locale)
    else { return [] }
    let units = Int64(clamping: money.minorUnits.magnitude)
    return [AmountRange(units...units, decimals: base.digits, in: filter.currency)]
  }

  private mutating func read<Value>(
    _ name: String, _ context: PageContext, _ value: (String) -> Value?
  ) -> [Value] {
    let texts = context.queries(name)
    let values = texts.compactMap(value)
    if values.count != texts.count { faults.append(name) }
    return values
  }

  /// Reads `kind=`: all categories of a kind.
  ///
  /// A transaction can have parts in categories of both kinds, which the type doesn't tell apart.
  private mutating func readKind(_ context: PageContext, _ snapshot: borrowing Snapshot) throws {
    let kind = read("kind", context) { name in
      CategoryKind.allCases.first { "\($0)" == name }
    }.first
    guard let kind, filter.categories.isEmpty else { return }
    filter.categories = try snapshot.categories(includingDeleted: true)
      .filter { $0.kind == kind }.map(\.id)
    filter.categories.append(kind == .income ? .uncategorizedIncome : .uncategorizedExpense)
    filter.includesSubcategories = false
  }

  private mutating func readDays(_ context: PageContext) {
    let from = read("from", context) { Day($0) }.first
    var through = read("through", context) { Day($0) }.first
    // The list of a day ends on that day.
    if context.on != nil { through = min(through ?? context.today, context.today) }
    guard from != nil || through != nil else { return }
    let start = from ?? .min
    let end = through?.adding(days: 1) ?? .max
    filter.days = start..<max(start, end)
  }

  private mutating func readAmounts(
    _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws {
    let texts = (context.query("least"), context.query("most"))
    guard texts.0 != nil || texts.1 != nil else { return }
    let base = try filter.currency ?? snapshot.settings().baseCurrency
    guard let currency = base else {
      faults.append("currency")
      return
    }
    func money(_ text: String?) -> Money? {
      text.flatMap { AmountText.read($0, currency, context.locale) }
    }
    let ends = (money(texts.0), money(texts.1))
    if texts.0 != nil, ends.0 == nil { faults.append("least") }
    if texts.1 != nil, ends.1 == nil { faults.append("most") }
    guard ends.0 != nil || ends.1 != nil else { return }
    let least = max(0, ends.0?.minorUnits ?? 0)
    // Without a currency in the filter, the numbers apply to amounts in every currency.
    filter.amounts = [
      AmountRange(
        least...max(least, ends.1?.minorUnits ?? .max), decimals: currency.digits,
        in: filter.currency)
    ]
  }

  /// Formats a position for an address.
  static func text(_ position: TransactionPosition) -> String {
    "\(position.day).\(position.number)"
  }

  static func position(_ text: String) -> TransactionPosition? {
    let parts = text.split(separator: ".")
    guard parts.count == 2, let day = Day(parts[0]), let number = UInt64(parts[1]) else {
      return nil
    }
    return TransactionPosition(day: day, number: number)
  }
}

extension TransactionType {
  /// Creates a transaction type from its name in an address.
  init?(name: String) {
    guard let type = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = type
  }

  var word: Word {
    switch self {
    case .expense: .anExpense
    case .income: .income
    case .transfer: .transfer
    }
  }
}

extension Status {
  /// Creates a status from its name in an address.
  init?(name: String) {
    guard let status = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = status
  }

  var word: Word {
    switch self {
    case .cleared: .cleared
    case .pending: .pending
    case .reconciled: .reconciled
    }
  }
}
