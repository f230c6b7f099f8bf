import Daybook

/// The layout of every page: the menu, the search field and the control for the day.
struct Layout {
  let context: PageContext
  let newest: Token
  /// A notice about the last action.
  var notice: HTML?
  /// The label for the last verified commit.
  var proof: HTML?

  /// Returns the complete document.
  func html(_ page: Page) -> String {
    let of = context.past ?? newest
    // Preload the modules, so that the browser requests them all at once instead of one after
    // another as they are imported.
    let preloads = Assets.modules.dropFirst().map { module -> HTML in
      "<link rel=\"modulepreload\" href=\"\(module.path)\">"
    }
    let document: HTML = """
      <!DOCTYPE html>
      <html lang="\(context.words.code)" data-token="\(newest.text)" data-sequence="\(newest.sequence)"\(theme)\(sent)>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="\(context.preferences.theme?.rawValue ?? "light dark")">
      <title>\(page.title) · Daybook</title>
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/assets/page.css">
      <script type="module" src="/assets/page.js"></script>\(preloads)
      </head>
      <body\(spoken)>
      <a class="skip" href="#contents">\(context[.skip])</a>
      <header class="bar">
      <a class="brand" href="\(context.link("/"))">Daybook</a>
      <form class="find" action="/transactions" role="search">
      <label class="hidden" for="find">\(context[.search])</label>
      <input id="find" type="search" name="text" placeholder="\(context[.search])" value="\(context.query("text") ?? "")">
      \(pastField)</form>
      \(ShownDay.form(context))
      \(recordButton)
      </header>
      <div class="frame">
      <nav class="menu" aria-label="\(context[.menu])"><ul>\(MenuView.allCases.map { item($0, page) })</ul></nav>
      <main id="contents" tabindex="-1">
      \(banner(of))\(ShownDay.banner(context))
      <div class="heading"><h1>\(page.title)</h1>\(page.actions)</div>
      \(notice)
      \(page.body)
      </main>
      </div>
      \(page.view == .history || page.view == .health ? footer(of) : nil)
      </body>
      </html>
      """
    return document.text
  }

  /// Returns a link to the page's commit, or a text if there is no commit yet, and the mark of the
  /// last verified commit.
  private func footer(_ of: Token) -> HTML {
    guard of.sequence > 0 else { return "<footer>\(context[.nothingYet]) · \(proof)</footer>" }
    return """
      <footer><a href="\(context.link("/history/\(of.sequence)"))">\(context[.commit]) \(of.sequence)</a> · \(proof)</footer>
      """
  }

  /// The texts for the JavaScript modules, as data attributes.
  private var spoken: [HTML] {
    let words: [(String, Word)] = [
      ("go-to", .palette), ("keys", .keys), ("news", .news), ("palette", .commandList),
      ("search", .search), ("rows", .rowUpAndDown), ("open", .openRow), ("undo", .undo),
      ("redo", .again), ("select", .selectARow), ("select-more", .selectMore),
      ("inline", .editInPlace), ("accept", .acceptRow), ("away", .away),
      ("assign", .assignAmount), ("split", .splitIt),
    ]
    return words.map { name, word in " data-say-\(name)=\"\(context[word])\"" }
  }

  /// The attribute that marks a page as the answer to a form.
  ///
  /// Loading the address of such a page again would show a different page.
  private var sent: HTML? { context.request.method == "POST" ? " data-sent" : nil }

  /// The attribute for a chosen theme.
  private var theme: HTML? {
    context.preferences.theme.map { " data-theme=\"\($0.rawValue)\"" }
  }

  private var pastField: HTML? {
    context.request.asOf.map { "<input type=\"hidden\" name=\"asOf\" value=\"\($0)\">" }
  }

  private var recordButton: HTML? {
    guard context.canWrite else { return nil }
    return
      "<a class=\"button main\" data-key=\"n\" href=\"/transactions/new\">\(context[.record])</a>"
  }

  private func item(_ view: MenuView, _ page: Page) -> HTML {
    let current: HTML = view == page.view ? " aria-current=\"page\"" : ""
    return """
      <li><a href="\(context.link(view.path))" data-go="\(view.key)"\(current)>\(context[view.word])</a></li>
      """
  }

  /// Returns the notice that the page shows the ledger at a past moment, with links to the
  /// neighbouring commits and back to now.
  private func banner(_ of: Token) -> HTML? {
    guard context.past != nil else { return nil }
    let address = context.address.setting("asOf", nil).setting("today", nil)
    var steps = HTML()
    if of.sequence > 1 { steps += step(to: of.sequence - 1, "‹", .previousCommit, address) }
    if of.sequence + 1 < newest.sequence {
      steps += step(to: of.sequence + 1, "›", .nextCommit, address)
    }
    return """
      <p class="banner" role="status"><span>\(context[.asOfBanner]) <a href="/history/\(of.sequence)">\(of.sequence)</a>. \
      <a href="/compare?from=\(of.sequence)">\(context[.compareWithNow])</a></span> \(steps)\
      <a class="button" href="\(address.text)">\(context[.backToNow])</a></p>
      """
  }

  private func step(to sequence: UInt64, _ mark: String, _ word: Word, _ address: Address) -> HTML {
    let link = address.setting("asOf", "\(sequence)").text
    return """
      <a class="step" rel="nofollow" href="\(link)" aria-label="\(context[word])">\(mark)</a>
      """
  }
}
