import Daybook
import DaybookTerminal

/// The balances after each transaction of a list, either for each account or for each currency.
struct RunningBalance: Sendable {
  /// A column: one or more accounts, with their joint balance after each transaction.
  private struct Series: Sendable {
    var accounts: [Account]
    var balances: [Total]

    var currency: Currency? { accounts.first?.currency }
  }

  private let series: [Series]
  private let isEach: Bool

  /// Reads the balances after each row.
  ///
  /// - Parameter isEach: Whether each account has its own column. Otherwise, accounts with the same
  ///   currency share one column.
  init(
    _ accounts: [AccountID], after rows: [Transaction], isEach: Bool,
    in snapshot: borrowing Snapshot
  ) throws {
    self.isEach = isEach
    var listed: [Account] = []
    for id in accounts where !listed.contains(where: { $0.id == id }) {
      if let account = try snapshot.account(id) { listed.append(account) }
    }
    var groups: [[Account]] = []
    for account in listed {
      let place = groups.firstIndex { !isEach && $0[0].currency == account.currency }
      if let place { groups[place].append(account) } else { groups.append([account]) }
    }
    let keys = rows.map(\.key)
    var series: [Series] = []
    for group in groups {
      let balances = try snapshot.balances(of: group.map(\.id), after: keys) ?? []
      series.append(Series(accounts: group, balances: balances))
    }
    self.series = series
  }

  /// The columns of the balances.
  ///
  /// If there are several, their titles name the account or currency.
  var columns: [Report.Column] {
    series.map { series in
      guard self.series.count > 1 else { return .figure("balance", "Balance") }
      let what = isEach ? series.accounts[0].name : series.currency?.code ?? ""
      return .figure("balance \(what)", isEach ? what.printable : "Balance \(what)")
    }
  }

  /// Returns the cells of a row.
  func cells(_ row: Int) -> [Report.Cell] {
    series.map { $0.balances.indices.contains(row) ? .total($0.balances[row]) : "" }
  }

  /// The joint balance of one or more accounts after a row.
  struct Balance: Encodable, Sendable {
    var accounts: [AccountID]
    var balance: Total
  }

  /// Returns the balances of a row, for scripts.
  func balances(_ row: Int) -> [Balance] {
    series.filter { $0.balances.indices.contains(row) }.map {
      Balance(accounts: $0.accounts.map(\.id), balance: $0.balances[row])
    }
  }
}
