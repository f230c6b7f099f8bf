import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook categories list`: shows the tree of categories.
struct CategoriesListCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List categories as a tree.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var output: ReportOptions

  @Option(help: "Only income or expense categories.")
  var kind: CategoryKindArgument?

  @Flag(help: "Include deleted categories.")
  var all = false

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let tree = try CategoryTree(snapshot, includingDeleted: all)
    let kinds = kind.map { [$0.kind] } ?? [CategoryKind.income, .expense]
    var report = Report(
      [
        .data("path"), .data("name"), .data("kind"), .data("id"), .data("parent"), .data("deleted"),
      ],
      ifEmpty: "",
      json: JSONAnswer(
        ["categories": kinds.flatMap { tree.ordered(kind: $0) }.map(\.category)],
        try Names(snapshot)))
    report.showsTable = false
    for kind in kinds {
      let rows = tree.ordered(kind: kind)
      guard !rows.isEmpty else { continue }
      if !report.above.isEmpty { report.above.append(.text("")) }
      report.above.append(.text(kind == .income ? "Income" : "Expense"))
      for (category, depth) in rows {
        let indent = String(repeating: "  ", count: depth + 1)
        report.above.append(
          .text(
            indent + "\(CategoryPath([category.name]))".printable
              + (category.isDeleted ? " (deleted)" : "")
              + (category.isExcludedFromTotals ? " (excluded)" : "")))
        report.add([
          .init(tree.path(of: category)), .init(category.name), .init("\(category.kind)"),
          .init("\(category.id)"), .init(category.parent.map { "\($0)" } ?? ""),
          .flag(category.isDeleted),
        ])
      }
    }
    if report.above.isEmpty {
      report.above = [.text("No categories. Create one with `daybook categories create`.")]
    }
    return report
  }
}
