import Daybook
import Foundation

/// The first steps in a ledger without accounts: a form for an account, and a file to import.
enum FirstSteps {
  static func html(_ context: PageContext) -> HTML {
    guard context.canWrite else {
      return "<section class=\"card\"><p class=\"empty\">\(context[.nothingYet])</p></section>"
    }
    let kinds = AccountKind.allCases.map { ("\($0)", context[$0.word]) }
    let fields: [FormField] = [
      .text("name", .name, isRequired: true), .choice("kind", .kind, kinds),
      .text("currency", .currency, isRequired: true), .text("opening", .opening),
    ]
    let form = SentForm(["currency": context.locale.currency?.identifier ?? ""])
    return """
      <p>\(context[.beginHint])</p><div class="cards">
      <section class="card" aria-labelledby="first"><h2 id="first">\(context[.newAccount])</h2>\(FormText.html("/accounts", fields, form, context))</section>
      <section class="card" aria-labelledby="file-first"><h2 id="file-first">\(context[.importing])</h2><p class="aside">\(context[.importHint])</p>
      <form class="drop" method="post" action="/import" enctype="multipart/form-data"><p><label for="file">\(context[.dropHere])</label></p>\
      <p><input id="file" type="file" name="file" required></p><p><button>\(context[.preview])</button></p></form></section></div>
      <p class="aside"><a href="/settings">\(context[.settings])</a></p>
      """
  }
}
