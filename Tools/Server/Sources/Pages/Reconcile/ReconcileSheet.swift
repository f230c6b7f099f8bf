import Daybook

/// What the form for reconciling says: the statement, the listed rows, and which rows are ticked.
///
/// Cleared rows count unless the user unticks them. Only the newest rows are listed, so that an
/// account with many rows opens quickly; cleared rows that aren't listed count as well.
struct ReconcileSheet: Sendable {
  /// The number of rows listed at first, and added each time the user asks for older ones.
  static let rowCount = 100

  private(set) var sheet: Reconciliation
  /// The listed rows, oldest first.
  let listed: [Reconciliation.Row]
  /// The statement's balance, as typed.
  let statement: String
  /// Whether the statement's balance can't be read as an amount.
  let isStatementWrong: Bool
  /// The day of the newest reconciled transaction.
  let lastDay: Day?

  init(_ id: AccountID, _ context: PageContext, _ snapshot: borrowing Snapshot) throws {
    guard let account = try snapshot.account(id) else { throw PageError.notFound }
    func asked(_ name: String) -> String { context.field(name) ?? context.query(name) ?? "" }
    statement = asked("statement")
    let stated = AmountText.read(statement, account.currency, context.locale)
    isStatementWrong = !statement.isEmpty && stated == nil
    sheet = try snapshot.reconciliation(
      of: id, through: Day(asked("day")) ?? context.today, statement: stated)
    let reconciled = TransactionFilter(account: id, status: .reconciled)
    let last = try snapshot.transactions(reconciled, limit: 1).first.map { $0.day(on: id) }
    lastDay = last
    // At first, the rows since the last reconciliation are listed.
    let newCount = sheet.rows.count { row in last.map { row.transaction.day(on: id) > $0 } ?? true }
    let usual = newCount == 0 ? Self.rowCount : min(newCount, Self.rowCount)
    listed = Array(sheet.rows.suffix(max(Int(asked("rows")) ?? usual, min(usual, 1))))
    tick(context)
  }

  private mutating func tick(_ context: PageContext) {
    if let id = context.field("upto").flatMap({ TransactionID($0) }),
      let index = sheet.rows.firstIndex(where: { $0.id == id })
    {
      return sheet.tick(only: sheet.rows[...index].map(\.id))
    }
    let sent = Set(context.request.form.filter { $0.name == "row" }.map(\.value))
    let oldest = context.field("listed").flatMap { TransactionQuery.position($0) }
    let newest = context.field("listedThrough").flatMap { Day($0) } ?? .max
    let ticked = sheet.rows.filter { row in
      let position = self.position(row)
      if let oldest, position >= oldest, position.day <= newest {
        return sent.contains("\(row.id)")
      }
      return row.transaction.status == .cleared || sent.contains("\(row.id)")
    }
    sheet.tick(only: ticked.map(\.id))
  }

  /// Returns a row's position in the account's list.
  func position(_ row: Reconciliation.Row) -> TransactionPosition {
    TransactionPosition(
      day: row.transaction.day(on: sheet.account.id), number: row.transaction.number)
  }

  /// The balance of the locked rows and of the ticked rows that aren't listed, in minor units.
  var unlistedUnits: Int128 {
    listed.reduce(sheet.balance.units) {
      sheet.ticked.contains($1.id) ? $0 - $1.amount.units : $0
    }
  }

  /// Returns the commands of a button, or `nil` if the difference doesn't allow them.
  func commands(_ button: String, _ context: PageContext) -> [Command]? {
    guard let difference = sheet.difference else { return nil }
    switch button {
    case "record" where difference.units == 0 && !sheet.ticked.isEmpty: return [sheet.command]
    case "adjust" where difference.units != 0:
      guard let units = Int64(exactly: difference.units.magnitude) else { return nil }
      let id = TransactionID.random()
      let size = Money(units, difference.currency)
      let entry = Draft.Entry(
        difference.units > 0 ? .income : .expense, size, account: sheet.account.id, category: nil)
      let draft = Draft(.entry(entry), on: sheet.day, id: id, payee: context[.adjustment])
      let ticked = sheet.rows.map(\.id).filter { sheet.ticked.contains($0) }
      return [.record(draft), .reconcile(ticked + [id])]
    default: return nil
    }
  }
}
