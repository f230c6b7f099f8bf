import Daybook

/// A page without its layout.
struct Page: Sendable {
  /// The title of the page.
  var title: String
  /// The view in the menu that the page belongs to.
  var view: MenuView?
  /// The content next to the title, such as a button.
  var actions = HTML()
  /// The main content.
  var body: HTML
  /// The HTTP status of the answer.
  var status = 200

  init(_ title: String, _ view: MenuView?, actions: HTML = HTML(), status: Int = 200, body: HTML) {
    self.title = title
    self.view = view
    self.actions = actions
    self.status = status
    self.body = body
  }
}

/// The views in the menu.
enum MenuView: String, CaseIterable, Sendable {
  case overview, inbox, transactions, accounts, categories, envelopes, budgets, reports, recurring,
    rules, rates, importing
  case history, health, settings

  var word: Word {
    switch self {
    case .overview: .overview
    case .inbox: .inbox
    case .transactions: .transactions
    case .accounts: .accounts
    case .categories: .categories
    case .envelopes: .envelopes
    case .budgets: .budgets
    case .reports: .reports
    case .recurring: .recurring
    case .rules: .rules
    case .rates: .rates
    case .importing: .importing
    case .history: .history
    case .health: .health
    case .settings: .settings
    }
  }

  var path: String {
    switch self {
    case .overview: "/"
    case .importing: "/import"
    default: "/\(rawValue)"
    }
  }

  /// The key that opens the view after `g`.
  var key: String {
    switch self {
    case .overview: "o"
    case .inbox: "n"
    case .transactions: "t"
    case .accounts: "a"
    case .categories: "c"
    case .envelopes: "e"
    case .budgets: "b"
    case .reports: "p"
    case .recurring: "r"
    case .rules: "u"
    case .rates: "x"
    case .importing: "i"
    case .history: "h"
    case .health: "v"
    case .settings: "s"
    }
  }
}
