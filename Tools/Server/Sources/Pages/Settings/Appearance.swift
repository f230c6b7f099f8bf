import Daybook
import DaybookInterchange

/// The settings of this browser, and the files that the ledger can be exported to.
enum Appearance {
  /// The name of each language in that language.
  private static let languages = [("en", "English"), ("de", "Deutsch")]

  static func html(_ context: PageContext) -> HTML {
    let themes = Preferences.Theme.allCases.map { theme in
      (theme.rawValue, context[theme == .light ? .themeLight : .themeDark])
    }
    let fields = [
      choice("language", .language, languages, context.preferences.language, context),
      choice("theme", .theme, themes, context.preferences.theme?.rawValue, context),
    ]
    return """
      <section class="card" aria-labelledby="browser"><h2 id="browser">\(context[.thisBrowser])</h2>
      <form class="grid" method="post" action="/settings/browser">\(fields)
      <p class="actions"><button class="main">\(context[.save])</button></p></form></section>
      """
  }

  private static func choice(
    _ name: String, _ word: Word, _ choices: [(String, String)], _ chosen: String?,
    _ context: PageContext
  ) -> HTML {
    Choice.html(
      name, word, [("", context[.automatic])] + choices, chosen ?? "", context, isOptional: false)
  }

  /// Returns the links to the exported files.
  static func exports(_ context: PageContext) -> HTML {
    let formats: [(ExportFormat, String)] = [
      (.csv, "CSV"), (.jsonLines, "JSON"), (.journal, "hledger"), (.beancount, "Beancount"),
      (.qif, "QIF"), (.ofx, "OFX"),
    ]
    let links = formats.map { format, name -> HTML in
      let link = Address(
        "/v1/export", [("format", format.rawValue), ("asOf", context.request.asOf)])
      return "<a class=\"button\" href=\"\(link.text)\" download>\(name)</a> "
    }
    return """
      <section class="card" aria-labelledby="export"><h2 id="export">\(context[.export])</h2>
      <p class="aside">\(context[.exportHint])</p><p class="chips">\(links)</p></section>
      """
  }
}

extension LedgerSite {
  /// Stores the settings of this browser in cookies.
  func setBrowser(_ context: PageContext) -> PageAnswer {
    let language = context.field("language") ?? ""
    let theme = context.field("theme") ?? ""
    var answer = redirect(Address("/settings", [("done", "saved")]))
    answer.headers += [
      Preferences.header(
        Preferences.languageCookie, Words.all.contains { $0.code == language } ? language : ""),
      Preferences.header(
        Preferences.themeCookie, Preferences.Theme(rawValue: theme) == nil ? "" : theme),
    ]
    return answer
  }
}
