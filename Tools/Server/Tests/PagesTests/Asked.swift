// What the tests of pages share: a site of a ledger that is in memory, and short verbs.
import Daybook
import Foundation
import Pages
import Synchronization
import Testing

let today = Day("2026-02-15") ?? .min

/// A site, asked without a server.
struct Asked {
  let ledger: Ledger
  let site: LedgerSite
  private let cookie = Cookie()

  /// The cookies that a browser keeps.
  private final class Cookie: Sendable {
    let values = Mutex<[String: String]>([:])
    var headers: [String: String] {
      let pairs = values.withLock { $0.map { "\($0)=\($1)" } }
      return pairs.isEmpty ? [:] : ["cookie": pairs.joined(separator: "; ")]
    }
  }

  init(_ ledger: Ledger) {
    self.ledger = ledger
    site = LedgerSite(ledger) { today }
  }

  /// A page's status and text, by its decoded path.
  func get(
    _ path: String, _ query: [(String, String)] = [], asOf: String? = nil,
    locales: [String] = ["en-US"]
  ) async -> (status: Int, text: String) {
    let all = query + (asOf.map { [("asOf", $0)] } ?? [])
    let answer = await site.answer(
      PageRequest(
        path: path, query: all.map { (name: $0.0, value: $0.1) },
        headers: cookie.headers, asOf: asOf, locales: locales))
    keep(answer)
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  /// Keeps the cookies that an answer sets.
  private func keep(_ answer: PageAnswer) {
    for header in answer.headers where header.name == "Set-Cookie" {
      let pair = header.value.split(separator: ";")[0].split(separator: "=", maxSplits: 1)
      cookie.values.withLock { $0[String(pair[0])] = pair.count > 1 ? String(pair[1]) : "" }
    }
  }

  /// The answer to a form.
  func post(
    _ path: String, _ form: [(String, String)], locales: [String] = ["en-US"]
  ) async -> (status: Int, location: String?, text: String) {
    let answer = await site.answer(
      PageRequest(
        method: "POST", path: path, form: form.map { (name: $0.0, value: $0.1) },
        headers: cookie.headers, locales: locales))
    keep(answer)
    return (
      answer.status, answer.headers.first { $0.name == "Location" }?.value,
      String(decoding: answer.body, as: UTF8.self)
    )
  }
}

/// The views of the menu.
let views = [
  "/", "/inbox", "/transactions", "/accounts", "/categories", "/envelopes", "/budgets", "/reports",
  "/recurring", "/rules", "/rates",
  "/history", "/health", "/settings", "/transactions/new", "/import",
]

/// A ledger with an account, a category and a rent that recurs.
func household() async throws -> (ledger: Ledger, account: AccountID, category: CategoryID) {
  let ledger = try await Ledger.inMemory()
  let receipt = try await ledger.append([
    .setSettings(SettingsChange(baseCurrency: .eur)),
    .openAccount(NewAccount(name: "Checking", kind: .asset, currency: .eur)),
    .createCategory(NewCategory(name: "Food", kind: .expense)),
  ])
  return (ledger, receipt.accounts[0], receipt.categories[0])
}
