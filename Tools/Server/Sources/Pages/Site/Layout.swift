import Daybook

/// The layout of every page: the menu, the search field and the time controls.
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
      <html lang="\(context.words.code)" data-token="\(newest.text)" data-sequence="\(newest.sequence)"\(sent)>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
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
      \(rail(of))
      \(recordButton)
      </header>
      <div class="frame">
      <nav class="menu" aria-label="\(context[.menu])"><ul>\(MenuView.allCases.map { item($0, page) })</ul></nav>
      <main id="contents" tabindex="-1">
      \(banner(of))
      <div class="heading"><h1>\(page.title)</h1>\(page.actions)</div>
      \(notice)
      \(page.body)
      </main>
      </div>
      <footer>\(commit(of)) · \(proof)</footer>
      </body>
      </html>
      """
    return document.text
  }

  /// Returns a link to the page's commit, or a text if there is no commit yet.
  private func commit(_ of: Token) -> HTML {
    guard of.sequence > 0 else { return "\(context[.nothingYet])" }
    return
      "<a href=\"\(context.link("/history/\(of.sequence)"))\">\(context[.commit]) \(of.sequence)</a>"
  }

  /// The texts for the JavaScript modules, as data attributes.
  private var spoken: [HTML] {
    let words: [(String, Word)] = [
      ("go-to", .palette), ("keys", .keys), ("news", .news), ("palette", .commandList),
      ("search", .search), ("rows", .rowUpAndDown), ("open", .openRow), ("undo", .undo),
      ("redo", .again), ("select", .selectARow), ("select-more", .selectMore),
      ("inline", .editInPlace), ("accept", .acceptRow), ("away", .away),
      ("assign", .assignAmount),
    ]
    return words.map { name, word in " data-say-\(name)=\"\(context[word])\"" }
  }

  /// The attribute that marks a page as the answer to a form.
  ///
  /// Loading the address of such a page again would show a different page.
  private var sent: HTML? { context.request.method == "POST" ? " data-sent" : nil }

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

  /// Returns the controls for showing the page as of another day or a neighbouring commit.
  private func rail(_ of: Token) -> HTML {
    let address = context.address.setting("asOf", nil).setting("today", nil)
    let kept = address.query.map { field -> HTML in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
    }
    let day = context.request.asOf.flatMap { Day($0) }.map(\.description) ?? ""
    var steps = HTML()
    if of.sequence > 1 {
      let before = address.setting("asOf", "\(of.sequence - 1)").text
      steps +=
        "<a class=\"step\" rel=\"nofollow\" href=\"\(before)\" aria-label=\"\(context[.previousCommit])\">‹</a>"
    }
    if context.past != nil {
      let isLast = of.sequence + 1 >= newest.sequence
      let after = address.setting("asOf", isLast ? nil : "\(of.sequence + 1)").text
      steps +=
        "<a class=\"step\" rel=\"nofollow\" href=\"\(after)\" aria-label=\"\(context[.nextCommit])\">›</a>"
    }
    return """
      <form class="rail" action="\(address.path)">\(kept)
      <label for="as-of">\(context[.asOf])</label>
      <input id="as-of" type="date" name="asOf" value="\(day)" title="\(context[.asOfHint])">
      <button>\(context[.apply])</button>\(steps)</form>
      """
  }

  private func banner(_ of: Token) -> HTML? {
    guard context.past != nil else { return nil }
    let now = context.address.setting("asOf", nil).setting("today", nil).text
    return """
      <p class="banner" role="status"><span>\(context[.asOfBanner]) <a href="/history/\(of.sequence)">\(of.sequence)</a>. \
      <a href="/compare?from=\(of.sequence)">\(context[.compareWithNow])</a></span> \
      <a class="button" href="\(now)">\(context[.backToNow])</a></p>
      """
  }
}
