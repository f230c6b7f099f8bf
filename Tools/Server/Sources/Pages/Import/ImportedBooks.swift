import Daybook
import DaybookInterchange

/// The preview of another program's books: counts, new names, and figures before and after.
enum ImportedBooks {
  private static let nameCount = 60

  /// - Parameter record: The form for recording the books.
  static func html(
    _ kind: ReadFile.Kind, _ record: HTML, _ names: NameBook, _ context: PageContext
  ) -> HTML {
    let large: String
    var made: [String] = []
    var lists = HTML()
    let rehearsal: Rehearsal?
    switch kind {
    case .rows: return HTML()
    case .books(_, let summary), .postings(let summary):
      large = """
        \(context.number(summary.imported)) \(context[.importNew]), \
        \(context.number(summary.duplicates)) \(context[Word.importKnown.counted(summary.duplicates)])
        """
      made = summary.createdAccounts + summary.createdCategories.map { "\($0.path)" }
      lists = ImportResult.lists(summary, context)
      rehearsal = summary.rehearsal
    case .ledger(let counts, let figures):
      large = "\(context.number(counts["transaction"] ?? 0)) \(context[.importNew])"
      rehearsal = figures
    }
    let list = made.prefix(nameCount).map { name -> HTML in "<li>\(name)</li>" }
    let rest = made.count - nameCount
    let more: HTML? = rest > 0 ? "<p class=\"aside\">+ \(context.number(rest))</p>" : nil
    let figures = rehearsal.map { rehearsal -> HTML in
      """
      <section class="card"><h2>\(context[.whatChanges])</h2>\(FigureText.table(rehearsal.figures, context, names))</section>
      """
    }
    let brought: HTML? =
      list.isEmpty
      ? nil
      : "<section class=\"card\"><h2>\(context[.wholeBooks])</h2><ul>\(Array(list))</ul>\(more)</section>"
    return "<p class=\"large\">\(large)</p>\(record)\(lists)\(brought)\(figures)"
  }
}
