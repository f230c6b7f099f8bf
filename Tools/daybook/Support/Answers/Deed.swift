import Daybook
import DaybookTerminal

/// Describes the changes of commits in words.
enum Deed {
  /// The changes of a commit, one line each, such as `recorded 2026-02-14#3: Checking, -9.50 EUR,
  /// Food`.
  static func list(of entry: HistoryEntry, _ names: Names) -> [String] {
    let told = entry.changes.filter { $0.kind != .fingerprint }
    if told.isEmpty {
      return entry.changes.map {
        $0.operation == .delete
          ? "stopped skipping a due date" : "skipped a due date"
      }
    }
    return told.map { text(of: $0, names).printable }
  }

  /// A change in words.
  static func text(of change: RecordedChange, _ names: Names) -> String {
    if let purged = change.purgedThrough { return "purged history through commit \(purged)" }
    if let erased = change.erasedEntity { return "erased personal text of \(erased)" }
    if let loss = change.acceptedLoss { return "accepted the loss of \(loss)" }
    if change.kind == .dismissal {
      return change.operation == .delete ? "reopened a finding" : "dismissed a finding"
    }
    let verb =
      switch change.operation {
      case .insert: change.kind == .transaction ? "recorded" : "created"
      case .update: "changed"
      case .delete: "deleted"
      }
    return "\(verb) \(subject(of: change, names))"
  }

  /// The changed entity in words.
  static func subject(of change: RecordedChange, _ names: Names) -> String {
    switch change.kind {
    case .transaction:
      if let row = change.deletedTransaction ?? change.insertedTransaction {
        return self.text(of: row, names)
      }
      let parts = change.differences.map { difference in
        let before = difference.before.map { names.text(of: $0) } ?? "nothing"
        let after = difference.after.map { names.text(of: $0) } ?? "nothing"
        return "\(difference.name): \(before) → \(after)"
      }
      return "#\(change.stored.number): \(parts.joined(separator: "; "))"
    case .account: return "account \(name(in: change) ?? names.name(of: AccountID(change.id)))"
    case .category:
      return "category \(name(in: change) ?? names.path(of: CategoryID(change.id)))"
    default:
      let name = name(in: change).map { " \($0)" } ?? ""
      return "\(change.kind.name)\(name)"
    }
  }

  /// A transaction as one line with its place, account, amount and category.
  static func text(of row: Transaction, _ names: Names) -> String {
    let summary = RowSummary(row, names)
    let parts =
      [summary.account, summary.amount.map(Figures.withCode) ?? "", summary.category, row.payee]
      .filter { !$0.isEmpty }
    return "\(row.place): \(parts.joined(separator: ", "))"
  }

  private static func name(in change: RecordedChange) -> String? {
    for difference in change.differences where difference.name == "name" {
      if case .text(let text)? = difference.after ?? difference.before { return text }
    }
    return nil
  }
}
