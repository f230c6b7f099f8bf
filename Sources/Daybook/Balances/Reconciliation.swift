/// A worksheet for reconciling an account with a statement.
///
/// Tick the unlocked rows up to a day until the difference is zero. The user interface changes this
/// value; nothing is recorded until ``command`` is appended.
///
/// ```swift
/// var sheet = try ledger.read { try $0.reconciliation(of: account, through: day, statement: stated) }
/// sheet.toggle(sheet.rows[0].id)
/// if sheet.difference?.units == 0 { try await ledger.append(sheet.command) }
/// ```
public struct Reconciliation: Hashable, Sendable {
  /// A transaction that isn't locked yet.
  public struct Row: Hashable, Sendable, Identifiable, Codable {
    /// The transaction, which is pending or cleared.
    public let transaction: Transaction
    /// The transaction's effect on the account, in the account's currency.
    public let amount: Total

    /// The transaction's id.
    public var id: TransactionID { transaction.id }
  }

  /// The account of the statement.
  public let account: Account
  /// The last day of the statement.
  public let day: Day
  /// The balance according to the statement, or `nil` if it isn't known.
  public let statement: Total?
  /// The sum of the opening balance and the locked transactions up to that day.
  public let locked: Total
  /// The unlocked rows up to that day, oldest first.
  public let rows: [Row]
  /// The ids of the ticked rows.
  public private(set) var ticked: Set<TransactionID> = []

  init(account: Account, day: Day, statement: Total?, locked: Total, rows: [Row]) {
    self.account = account
    self.day = day
    self.statement = statement
    self.locked = locked
    self.rows = rows
  }

  /// The account's balance, counting only locked and ticked rows.
  ///
  /// - Complexity: O(rows).
  public var balance: Total {
    var balance = locked
    for row in rows where ticked.contains(row.id) { balance.units += row.amount.units }
    return balance
  }

  /// The statement's balance less ``balance``, or `nil` if the statement's balance isn't known.
  public var difference: Total? {
    statement.map { Total(units: $0.units - balance.units, currency: $0.currency) }
  }

  /// Ticks or unticks a row; ignores ids that aren't in ``rows``.
  public mutating func toggle(_ id: TransactionID) {
    guard rows.contains(where: { $0.id == id }) else { return }
    if ticked.remove(id) == nil { ticked.insert(id) }
  }

  /// Ticks the rows with the given ids and unticks all others; ignores ids that aren't in ``rows``.
  public mutating func tick(only ids: some Sequence<TransactionID>) {
    ticked = Set(rows.map(\.id)).intersection(ids)
  }

  /// The command that locks the ticked rows.
  public var command: Command { .reconcile(rows.map(\.id).filter { ticked.contains($0) }) }
}

extension Snapshot {
  /// Returns a worksheet for reconciling an account up to a day, with nothing ticked.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - day: The last day of the statement.
  ///   - statement: The balance according to the statement, in the account's currency.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, with the code `invalidQuery` if there
  ///   is no such account, or with `limitExceeded` if there are more unlocked rows than one command
  ///   may lock.
  /// - Complexity: O(unlocked rows · log n) if the search index is available, otherwise O(rows of
  ///   the account up to the day).
  public func reconciliation(
    of account: AccountID, through day: Day, statement: Money? = nil
  ) throws -> Reconciliation {
    let found = try known(account)
    var locked = try balance(of: account, on: day)
    var rows: [Reconciliation.Row] = []
    let days = Day.min..<day.adding(days: 1)
    for status in [Status.pending, .cleared] {
      let filter = TransactionFilter(account: account, days: days, status: status)
      var position: TransactionPosition?
      repeat {
        let page = try transactions(filter, after: position, limit: 1_000)
        for transaction in page {
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
            message:
              "Couldn't reconcile \(found.name): more than \(Limits.reconcileCountMax) "
              + "transactions aren't locked.",
            remedy: "Reconcile up to an earlier day first.")
        }
        position = page.count == 1_000 ? page.last.map { filter.position(of: $0) } : nil
      } while position != nil
    }
    let list = TransactionFilter(account: account)
    rows.sort { list.position(of: $0.transaction) < list.position(of: $1.transaction) }
    return Reconciliation(
      account: found, day: day, statement: statement.map { Total($0) }, locked: locked,
      rows: rows)
  }
}
