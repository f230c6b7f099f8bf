import Daybook
import DaybookTerminal

/// Describes the changes of commits in words.
enum ChangeText {
  /// The changes of a commit, one line each, such as `recorded 2026-02-14#3: Checking, -9.50 EUR,
  /// Food`.
  static func list(of entry: HistoryEntry, _ names: Names) -> [String] {
    shownChanges(entry).map { text(of: $0, names).printable }
  }

  /// The changes of a commit that people are shown.
  ///
  /// Notes about imported rows are left out if the commit changed anything else.
  static func shownChanges(_ entry: HistoryEntry) -> [RecordedChange] {
    let shownChanges = entry.changes.filter { $0.kind != .fingerprint }
    return shownChanges.isEmpty ? entry.changes : shownChanges
  }

  static func text(of change: RecordedChange, _ names: Names) -> String {
    if let remark = remark(on: change, names) { return remark }
    switch change.operation {
    case .insert:
      let verb = change.kind == .transaction ? "recorded" : "created"
      return "\(verb) \(subject(of: change, names))"
    case .update:
      let title = change.kind == .transaction ? place(of: change, names) : names.title(of: change)
      return "changed \(title): \(names.differences(of: change).joined(separator: "; "))"
    case .delete: return "deleted \(subject(of: change, names))"
    }
  }

  /// The whole text for a change of something that isn't an entity of the ledger.
  static func remark(on change: RecordedChange, _ names: Names) -> String? {
    if let purged = change.purgedThrough { return "purged history through commit \(purged)" }
    if let erased = change.erasedEntity {
      guard let subject = names.subjects[erased] else { return "erased personal text" }
      let noun = subject.kind.noun
      let name = names.name(of: erased) ?? subject.day.map { "\($0)#\(subject.number)" }
      return "erased the personal text of \(noun) \(name ?? "(erased)")"
    }
    if let loss = change.acceptedLoss { return "accepted the loss of \(loss)" }
    if change.kind == .dismissal {
      return change.operation == .delete ? "reopened a finding" : "dismissed a finding"
    }
    guard change.kind == .fingerprint else { return nil }
    guard change.differences.allSatisfy({ $0.name == "deleted" }) else {
      return "noted an edited or deleted row of an import, so that it isn't imported again"
    }
    return change.operation == .delete ? "stopped skipping a due date" : "skipped a due date"
  }

  /// The changed entity in words.
  static func subject(of change: RecordedChange, _ names: Names) -> String {
    if let row = change.deletedTransaction ?? change.insertedTransaction {
      return text(of: row, names)
    }
    return change.kind == .transaction ? place(of: change, names) : names.title(of: change)
  }

  private static func place(of change: RecordedChange, _ names: Names) -> String {
    "\(names.subjects[change.id]?.day.map { "\($0)" } ?? "")#\(change.stored.number)"
  }

  /// A transaction as one line with its place, account, amount and category.
  static func text(of row: Transaction, _ names: Names) -> String {
    let summary = RowSummary(row, names)
    let parts =
      [
        summary.account, summary.amount.map(Figures.withCode) ?? "", summary.category,
        names.title(of: row),
      ]
      .filter { !$0.isEmpty }
    return "\(row.place): \(parts.joined(separator: ", "))"
  }
}
