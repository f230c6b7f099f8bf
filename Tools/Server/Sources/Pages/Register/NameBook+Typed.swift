import Daybook
import Foundation

// Accounts and categories by their names, as people type them.
extension NameBook {
  /// The accounts that can have new transactions.
  var openAccounts: [Account] { accounts.filter { !$0.isDeleted && !$0.isClosed } }

  /// Returns what a transfer to or from an account has as its payee.
  func transferPayee(_ account: Account, _ context: PageContext) -> String {
    "\(context[.transfer]): \(account.name)"
  }

  /// Returns the payees of transfers whose account's name, or which themselves, contain a text.
  func transferPayees(
    containing text: String, except own: AccountID?, _ context: PageContext
  ) -> [String] {
    let wanted = Self.folded(text)
    return openAccounts.filter { $0.id != own }.map { transferPayee($0, context) }
      .filter { wanted.isEmpty || Self.folded($0).contains(wanted) }
  }

  /// Returns the account of a transfer with the given payee, or `nil` if it isn't a transfer.
  func account(transferredAs payee: String, _ context: PageContext) -> Account? {
    let wanted = Self.folded(payee)
    return openAccounts.first { Self.folded(transferPayee($0, context)) == wanted }
  }

  /// Returns the category with a typed name: its path, or its own name if no other category has it.
  func category(named text: String, _ context: PageContext) -> Category? {
    let known = categories.filter { !$0.isDeleted && !$0.id.isBuiltin }
    let wanted = Self.path(text)
    let whole = known.filter { Self.path(name($0.id, context)) == wanted }
    if let category = whole.first { return category }
    let own = known.filter { Self.folded($0.name) == Self.folded(text) }
    return own.count == 1 ? own[0] : nil
  }

  /// Returns the folded names of a path, of which `›`, `>` and `:` separate the parts.
  private static func path(_ text: String) -> [String] {
    text.split { "›>:".contains($0) }.map { folded(String($0)) }
  }

  private static func folded(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespaces)
      .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
