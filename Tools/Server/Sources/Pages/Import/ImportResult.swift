import Daybook
import DaybookInterchange

/// The transactions of the ledger that an import leaves unchanged although the file suggests
/// otherwise: those that are no longer in the books, those that can't take the values of a row, and
/// those that are still pending.
enum ImportResult {
  private static let countMax = 60

  /// Returns a list of each kind; empty if there are no such transactions.
  static func lists(_ summary: ImportSummary, _ context: PageContext) -> HTML {
    let missing = summary.missing.filter { $0.result != .deleted }.map(\.transaction)
    let unsettled = summary.unsettled.compactMap(\.transaction)
    var lists = HTML()
    lists += list(.importMissing, missing, context)
    lists += list(.importUnsettled, unsettled, context)
    lists += list(.importStillPending, summary.stillPending, context)
    return lists
  }

  /// Returns the page after an import that has such transactions, with a link to its commit.
  static func page(
    _ name: String, _ lists: HTML, commit: UInt64?, _ context: PageContext
  ) -> Page {
    let link = commit.map { commit -> HTML in
      "<a href=\"\(context.link("/history/\(commit)"))\">\(context[.whatChanges])</a>"
    }
    return Page(
      name, .importing,
      body: "<p class=\"large\">\(context[.importDone]) \(link)</p>\(lists)")
  }

  private static func list(
    _ title: Word, _ transactions: [Transaction], _ context: PageContext
  ) -> HTML {
    guard !transactions.isEmpty else { return HTML() }
    let items = transactions.prefix(countMax).map { one -> HTML in
      """
      <li><a href="\(context.link("/transactions/\(one.id)"))">\(context.day(one.day)) \(one.payee) \
      \(one.description)</a></li>
      """
    }
    let rest = transactions.count - countMax
    let more: HTML? = rest > 0 ? "<p class=\"aside\">+ \(context.number(rest))</p>" : nil
    return "<section class=\"card\"><h2>\(context[title])</h2><ul>\(items)</ul>\(more)</section>"
  }
}
