/// Reconciling an account with a statement, row by row: what is not locked yet up to a day is ticked until
/// nothing is missing.
///
/// A value that the user interface changes; nothing is recorded before ``command`` is appended.
///
/// ```swift
/// var sheet = try ledger.read { try $0.reconciliation(of: account, through: day, statement: stated) }
/// sheet.toggle(sheet.rows[0].id)
/// if sheet.difference?.units == 0 { try await ledger.append(sheet.command) }
/// ```
public struct Reconciliation: Hashable, Sendable {
  /// A row that is not locked.
  public struct Row: Hashable, Sendable, Identifiable, Codable {
    /// The transaction, pending or cleared.
    public let transaction: Transaction
    /// What it does to the account, in its currency.
    public let amount: Total

    /// The transaction's id.
    public var id: TransactionID { transaction.id }
  }

  /// The account that the statement is of.
  public let account: Account
  /// The statement's last day.
  public let day: Day
  /// The balance that the statement says; `nil` where it is not known.
  public let statement: Total?
  /// What the rows that are locked already, and the opening, come to on that day.
  public let locked: Total
  /// The rows up to that day that are not locked, oldest first.
  public let rows: [Row]
  /// Which of them are ticked.
  public private(set) var ticked: Set<TransactionID> = []

  init(account: Account, day: Day, statement: Total?, locked: Total, rows: [Row]) {
    self.account = account
    self.day = day
    self.statement = statement
    self.locked = locked
    self.rows = rows
  }

  /// What the account holds by the rows that are locked or ticked.
  ///
  /// - Complexity: O(rows).
  public var balance: Total {
    var balance = locked
    for row in rows where ticked.contains(row.id) { balance.units += row.amount.units }
    return balance
  }

  /// What is missing to the statement's balance, or too much where it is negative; `nil` without one.
  public var difference: Total? {
    statement.map { Total(units: $0.units - balance.units, currency: $0.currency) }
  }

  /// Ticks a row, or takes its tick away; what is no row here is passed over.
  public mutating func toggle(_ id: TransactionID) {
    guard rows.contains(where: { $0.id == id }) else { return }
    if ticked.remove(id) == nil { ticked.insert(id) }
  }

  /// Ticks these rows and no others; what is no row here is passed over.
  public mutating func tick(only ids: some Sequence<TransactionID>) {
    ticked = Set(rows.map(\.id)).intersection(ids)
  }

  /// Locks what is ticked.
  public var command: Command { .reconcile(rows.map(\.id).filter { ticked.contains($0) }) }
}

extension Snapshot {
  /// What there is to reconcile of an account up to a day, nothing ticked.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - day: The statement's last day.
  ///   - statement: The balance that it says, in the account's currency.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where there is no such account, and
  ///   `limitExceeded` where more rows are not locked than one command may lock.
  /// - Complexity: O(rows of the account up to the day).
  public func reconciliation(
    of account: AccountID, through day: Day, statement: Money? = nil
  ) throws -> Reconciliation {
    let found = try known(account)
    var locked = try balance(of: account, on: day)
    var rows: [Reconciliation.Row] = []
    var last: TransactionPosition?
    let filter = TransactionFilter(account: account, days: Day.min..<day.adding(days: 1))
    while true {
      let page = try transactions(filter, after: last, limit: 1_000)
      for transaction in page where transaction.status != .reconciled {
        var amount = Total(units: 0, currency: found.currency)
        for posting in transaction.postings where posting.account == .account(account) {
          amount.units += Int128(posting.amount.minorUnits)
        }
        locked.units -= amount.units
        rows.append(Reconciliation.Row(transaction: transaction, amount: amount))
      }
      guard rows.count <= Limits.reconcileCountMax else {
        throw DaybookError(
          code: .limitExceeded,
          message: "More than \(Limits.reconcileCountMax) rows of \(found.name) are not locked.",
          remedy: "Reconcile up to an earlier day first.")
      }
      guard page.count == 1_000, let key = page.last?.key else { break }
      last = key
    }
    return Reconciliation(
      account: found, day: day, statement: statement.map { Total($0) }, locked: locked,
      rows: rows.reversed())
  }
}
