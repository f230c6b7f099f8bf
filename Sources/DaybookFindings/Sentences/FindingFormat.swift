public import Daybook
public import DaybookBookkeeping

/// The format of days, amounts and names in the text of a finding.
public struct FindingFormat: Sendable {
  /// Formats a day.
  public var day: @Sendable (Day) -> String
  /// Formats an amount.
  public var money: @Sendable (Money) -> String
  /// The names of accounts and categories, by id.
  public var names: [EntityID: String]

  /// Creates a custom format.
  public init(
    names: [EntityID: String], day: @escaping @Sendable (Day) -> String,
    money: @escaping @Sendable (Money) -> String
  ) {
    self.names = names
    self.day = day
    self.money = money
  }

  /// Creates the English format.
  ///
  /// Days look like “1 March 2026”. Amounts have a decimal point, and show their currency if it
  /// isn't the ledger's base currency.
  ///
  /// - Throws: `DaybookError` if the views can't be read.
  public init(_ snapshot: borrowing Snapshot) throws {
    let base = try snapshot.settings().baseCurrency
    self.init(
      names: try Self.names(in: snapshot),
      day: Self.english,
      money: { $0.currency == base ? $0.text : "\($0)" })
  }

  /// Returns the names of a ledger's accounts and categories, including deleted and built-in ones.
  ///
  /// - Throws: `DaybookError` if the views can't be read.
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
  /// The name of an account or a category, including built-in ones; `nil` for any other entity.
  func listedName(of id: EntityID) throws -> String? {
    if let name = try account(AccountID(id))?.name ?? Account.builtinName(AccountID(id)) {
      return name
    }
    if CategoryID(id).isBuiltin { return Category.builtinName }
    return try path(of: CategoryID(id)).map { "\($0)" }
  }
}
