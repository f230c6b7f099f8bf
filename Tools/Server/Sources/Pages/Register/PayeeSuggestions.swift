import Daybook
import Foundation

/// The payees that begin with a text, and what to fill in for each of them: the category, account
/// and amount of the payee's last transaction.
///
/// The scripts ask for them while the user types.
struct PayeeSuggestions: Encodable {
  struct Suggestion: Encodable, Equatable {
    var payee: String
    /// The category's name, as in the list of categories; `nil` if there is nothing to fill in.
    var category: String?
    var categoryID: CategoryID?
    var account: AccountID?
    /// The amount as typed, with a sign if the category doesn't determine the direction.
    var amount: String?
  }

  static let path = "/transactions/payees"
  private static let countMax = 8

  var payees: [Suggestion] = []

  init(
    _ prefix: String, in account: AccountID?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws {
    let names = try NameBook(snapshot)
    guard prefix.utf8.count <= LedgerLimits.searchTextByteCountMax else { return }
    payees = try snapshot.payees(
      startingWith: prefix, limit: Self.countMax, today: context.today
    ).filter { !$0.payee.isEmpty }.map { Self.suggestion($0, account, names, context) }
    payees += names.transferPayees(containing: prefix, except: account, context)
      .prefix(Self.countMax).map { Suggestion(payee: $0) }
  }

  private static func suggestion(
    _ use: PayeeUse, _ account: AccountID?, _ names: NameBook, _ context: PageContext
  ) -> Suggestion {
    var suggestion = Suggestion(payee: use.payee)
    // A transfer has no category, and the parts of a split are different each time.
    guard use.last.type != .transfer, !use.last.hasParts else { return suggestion }
    let category = use.lastCategory.flatMap { id in
      names.categories.first { $0.id == id && !$0.isDeleted && !id.isBuiltin }
    }
    if let category {
      suggestion.category = names.name(category.id, context)
      suggestion.categoryID = category.id
    }
    let known = names.openAccounts.first { $0.id == use.lastAccount }
    suggestion.account = known?.id
    let target = account.flatMap { id in names.openAccounts.first { $0.id == id } } ?? known
    guard let amount = use.lastAmount, amount.currency == target?.currency else {
      return suggestion
    }
    let isUsual = (amount.minorUnits > 0) == (category?.kind == .income)
    let size = AmountText.typed(
      amount.minorUnits < 0 ? (try? Money.zero(amount.currency) - amount) ?? amount : amount,
      context.locale)
    suggestion.amount = isUsual ? size : (amount.minorUnits < 0 ? "-" : "+") + size
    return suggestion
  }
}

extension LedgerSite {
  /// Returns the suggestions for the payee being typed, as JSON.
  func payees(_ context: PageContext) throws -> PageAnswer {
    let found = try ledger.read { snapshot in
      try PayeeSuggestions(
        context.query("prefix") ?? "", in: context.query("account").flatMap { AccountID($0) },
        context, snapshot)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return PageAnswer(
      headers: [
        ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
        ("Vary", "Accept-Language"),
      ], body: Array(try encoder.encode(found)))
  }
}
