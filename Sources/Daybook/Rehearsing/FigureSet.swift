import DaybookEntities
import DaybookProjections

/// The figures of a ledger that a write can change, as of one commit, for comparing two commits.
///
/// ```swift
/// let now = try ledger.read { try FigureSet($0, months: months, today: today) }
/// let then = try ledger.read(asOf: token) { try FigureSet($0, months: months, today: today) }
/// let moved = then.changes(to: now)
/// ```
public struct FigureSet: Sendable {
  /// Identifies a figure.
  struct Key: Hashable {
    var figure: FigureChange.Figure
    var subject: EntityID?
    var month: Month?
    var currency: Currency
  }

  /// The keys, in the order in which the figures are listed.
  private(set) var keys: [Key] = []
  private var totals: [Key: Total] = [:]
  /// Whether money has been assigned to envelopes, or an envelope has a goal.
  private let usesEnvelopes: Bool

  /// Collects today's figures and the figures of the given months.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(accounts + budgets + months × categories), and that of
  ///   ``Snapshot/envelopes(over:today:)``.
  public init(_ snapshot: borrowing Snapshot, months: [Month], today: Day) throws {
    usesEnvelopes =
      try Envelopes.hasAllocations(in: snapshot.view)
      || snapshot.categories(.expense).contains { $0.goal != nil }
    for row in try snapshot.balances(on: today) {
      put(.balance, row.balance, of: row.account.id.rawValue)
    }
    for row in try snapshot.balances(on: .max) {
      put(.plannedBalance, row.balance, of: row.account.id.rawValue)
    }
    for total in try snapshot.netWorth(on: today) { put(.netWorth, total) }
    if try snapshot.settings().baseCurrency != nil {
      put(.worth, try snapshot.baseNetWorth(on: today).total)
    }
    for month in months { try gather(month, snapshot, today: today) }
    for status in try snapshot.budgetStatuses(today: today) {
      put(.budgetSpent, status.spent.total, of: status.budget.id.rawValue)
      put(.budgetRemaining, status.remaining, of: status.budget.id.rawValue)
    }
    if try snapshot.settings().baseCurrency != nil {
      try gatherEnvelopes(of: Set(months).union([today.monthOf]), snapshot, today: today)
    }
  }

  private mutating func gatherEnvelopes(
    of months: Set<Month>, _ snapshot: borrowing Snapshot, today: Day
  ) throws {
    guard let first = months.min(), let last = months.max() else { return }
    let earliest = last.adding(1 - LedgerLimits.seriesPointCountMax)
    let range = max(first, earliest)..<last.adding(1)
    for found in try snapshot.envelopes(over: range, today: today)
    where months.contains(found.month) {
      put(.readyToAssign, found.readyToAssign, in: found.month)
      for payment in found.payments {
        put(.payment, payment.available, of: payment.account.id.rawValue, in: found.month)
      }
      for envelope in found.envelopes {
        let subject = envelope.category.id.rawValue
        put(.envelope, envelope.available, of: subject, in: found.month)
        if let needed = envelope.needed { put(.needed, needed, of: subject, in: found.month) }
      }
    }
  }

  private mutating func gather(
    _ month: Month, _ snapshot: borrowing Snapshot, today: Day
  ) throws {
    let days = month.first..<month.last.adding(days: 1)
    for totals in try snapshot.totals(in: days, today: today) {
      put(.income, totals.income, in: month)
      put(.expense, totals.expense, in: month)
      put(.transfers, totals.transfers, in: month)
    }
    for kind in CategoryKind.allCases {
      for total in try snapshot.breakdown(in: days, kind: kind, today: today) {
        for net in total.totals { put(.category, net, of: total.category.id.rawValue, in: month) }
      }
    }
  }

  private mutating func put(
    _ figure: FigureChange.Figure, _ total: Total, of subject: EntityID? = nil,
    in month: Month? = nil
  ) {
    let key = Key(figure: figure, subject: subject, month: month, currency: total.currency)
    if totals.updateValue(total, forKey: key) == nil { keys.append(key) }
  }

  /// Returns the differences from this set to another set, in the order of the figures.
  ///
  /// A missing sum counts as 0, because it means that there are no transactions. A missing balance
  /// stays `nil`, because it means that there is no account. Envelopes are left out if no money has
  /// been assigned to them and they have no goals.
  public func changes(to other: FigureSet) -> [FigureChange] {
    let added = other.keys.filter { totals[$0] == nil }
    let hasEnvelopes = usesEnvelopes || other.usesEnvelopes
    return (keys + added).compactMap { key in
      if !hasEnvelopes, key.figure.isOfEnvelopes { return nil }
      let nothing = key.figure.isOfAnEntity ? nil : Total(units: 0, currency: key.currency)
      let (before, after) = (totals[key] ?? nothing, other.totals[key] ?? nothing)
      guard before != after else { return nil }
      return FigureChange(
        figure: key.figure, subject: key.subject, month: key.month, before: before, after: after)
    }
  }
}

extension FigureChange.Figure {
  /// Whether the figure exists for as long as its entity does, even if its value is zero.
  fileprivate var isOfAnEntity: Bool {
    switch self {
    case .balance, .plannedBalance, .budgetSpent, .budgetRemaining: true
    case .netWorth, .worth, .income, .expense, .transfers, .category: false
    case .envelope, .needed, .payment, .readyToAssign: false
    }
  }

  fileprivate var isOfEnvelopes: Bool {
    [.envelope, .needed, .payment, .readyToAssign].contains(self)
  }
}

extension FigureSet {
  /// Returns the months whose sums changes can affect: the months of the transactions and
  /// allocations before and after the changes.
  static func months(of changes: [Change]) throws -> [Month] {
    var months: Set<Month> = []
    for change in changes where change.kind == .allocation {
      for record in [change.before, change.after] {
        guard let record else { continue }
        let allocation = try Allocation(record: record, id: change.id, number: change.number)
        months.insert(allocation.month)
      }
    }
    for change in changes where change.kind == .transaction {
      for record in [change.before, change.after] {
        guard let record else { continue }
        let bytes = record.bytes
        let figures = try TransactionFigures(bytes.span.bytes)
        months.insert(figures.day.monthOf)
        if let arrival = try figures.arrival(in: bytes.span.bytes) {
          months.insert(arrival.day.monthOf)
        }
      }
    }
    return Array(months.sorted().suffix(Rehearsal.monthCountMax))
  }
}
