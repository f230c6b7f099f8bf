import ArgumentParser
import Daybook
import Terminal

/// `daybook categories list`: the tree of categories.
struct CategoriesListCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List categories as a tree.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions

  @Option(help: "Only income or expense categories.")
  var kind: CategoryKindArgument?

  @Flag(help: "Show deleted categories too.")
  var all = false

  func execute() async throws {
    let tree = try await ledger.read(past) { snapshot in
      try CategoryTree(snapshot, includingDeleted: all)
    }
    let kinds = kind.map { [$0.kind] } ?? [CategoryKind.income, .expense]
    if ledger.json {
      let rows = kinds.flatMap { tree.ordered(kind: $0) }.map { row in
        JSON.object([
          ("id", .string("\(row.category.id)")), ("name", .string(row.category.name)),
          ("path", .string(tree.path(of: row.category))),
          ("kind", .string("\(row.category.kind)")),
          ("parent", .optional(row.category.parent.map { "\($0)" })),
          ("deleted", .bool(row.category.isDeleted)),
        ])
      }
      return try Output.json(.object([("categories", .array(rows))]))
    }
    var lines: [String] = []
    for kind in kinds {
      let rows = tree.ordered(kind: kind)
      guard !rows.isEmpty else { continue }
      if !lines.isEmpty { lines.append("") }
      lines.append(kind == .income ? "Income" : "Expense")
      for (category, depth) in rows {
        let indent = String(repeating: "  ", count: depth + 1)
        lines.append(indent + category.name.printable + (category.isDeleted ? " (deleted)" : ""))
      }
    }
    try Output.lines(
      lines.isEmpty ? ["No categories yet: `daybook categories create` makes one."] : lines)
  }
}
