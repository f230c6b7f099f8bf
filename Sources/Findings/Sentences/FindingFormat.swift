public import Bookkeeping
public import Daybook

/// How days, amounts and names are written in what a finding says.
public struct FindingFormat: Sendable {
  /// A day.
  public var day: @Sendable (Day) -> String
  /// An amount.
  public var money: @Sendable (Money) -> String
  /// The names of accounts and categories, by id.
  public var names: [EntityID: String]

  /// A format of an app's own.
  public init(
    names: [EntityID: String], day: @escaping @Sendable (Day) -> String,
    money: @escaping @Sendable (Money) -> String
  ) {
    self.names = names
    self.day = day
    self.money = money
  }

  /// Days in English, such as “1 March 2026”; amounts with a point, and with their currency where that is not the
  /// ledger's base currency.
  ///
  /// - Throws: `DaybookError` where the views cannot answer.
  public init(_ snapshot: borrowing Snapshot) throws {
    let base = try snapshot.settings().baseCurrency
    self.init(
      names: try Self.names(in: snapshot),
      day: Self.english,
      money: { $0.currency == base ? $0.text : "\($0)" })
  }

  /// The names of a ledger's accounts and categories, also of those that are deleted or built in.
  ///
  /// - Throws: `DaybookError` where the views cannot answer.
  public static func names(in snapshot: borrowing Snapshot) throws -> [EntityID: String] {
    var names: [EntityID: String] = [:]
    for id in [AccountID.opening, .exchange, .outside] {
      names[id.rawValue] = Account.builtinName(id)
    }
    for account in try snapshot.accounts(includingDeleted: true) {
      names[account.id.rawValue] = account.name
    }
    for category in try snapshot.categories(includingDeleted: true) {
      names[category.id.rawValue] = try snapshot.path(of: category.id).map { "\($0)" }
    }
    for id in [CategoryID.uncategorizedExpense, .uncategorizedIncome] {
      names[id.rawValue] = "Uncategorised"
    }
    return names
  }

  /// A day such as “1 March 2026”.
  static func english(_ day: Day) -> String {
    let (year, month, number) = day.components
    return "\(number) \(months[month - 1]) \(year)"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

extension Snapshot {
  /// What an account, a category, a budget, a series, a rule or a mapping is called; `nil` for anything else.
  func listedName(of id: EntityID) throws -> String? {
    if let name = try account(AccountID(id))?.name ?? Account.builtinName(AccountID(id)) {
      return name
    }
    if CategoryID(id).isBuiltin { return Category.builtinName }
    return try path(of: CategoryID(id)).map { "\($0)" }
  }
}
