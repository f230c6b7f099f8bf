import Daybook
import HTTPTypes

/// `/v1/accounts`: accounts, their balances and their reconciliation.
enum AccountsAPI {
  static let endpoints: [Endpoint] = [
    .read(
      "/accounts", "listAccounts",
      query: ["on", "closed", "deleted", "cursor", "limit"]
    ) { call, snapshot in
      let day = try call.query.day("on") ?? call.today()
      let balances = try snapshot.balances(
        on: day, includingClosed: call.query.flag("closed") ?? true,
        includingDeleted: call.query.flag("deleted") ?? false)
      return Listing("accounts", try call.query.page(balances) { $0.account.number })
    },
    .read("/accounts/{account}", "getAccount", query: ["on"]) { call, snapshot in
      let id = try call.id("account", AccountID.self)
      guard let account = try snapshot.account(id) else {
        throw Problem.missing("account", "\(id)")
      }
      let day = try call.query.day("on") ?? call.today()
      return AccountBalance(account: account, balance: try snapshot.balance(of: id, on: day))
    },
    .write(.post, "/accounts", "openAccount", command: "openAccount", .created),
    .write(
      .patch, "/accounts/{account}", "amendAccount", command: "amendAccount",
      id: ("account", "account")),
    .write(
      .put, "/accounts/{account}/opening", "setOpening", command: "setOpening",
      id: ("account", "account")),
    .write(
      .post, "/accounts/{account}/correct", "correctBalance", command: "correctBalance",
      id: ("account", "account")),
    .write(
      .post, "/accounts/{account}/close", "closeAccount", command: "closeAccount",
      id: ("account", "account")),
    .write(
      .post, "/accounts/{account}/reopen", "reopenAccount", command: "reopenAccount",
      id: ("account", "account")),
    .write(
      .post, "/accounts/{account}/merge", "mergeAccounts", command: "mergeAccounts",
      id: ("account", "account")),
    .write(.delete, "/accounts/{account}", "deleteAccount", query: ["rows"]) { call in
      [try call.deletion("deleteAccount", of: "account")]
    },
    .read("/accounts/{account}/reconciliation", "getReconciliation", query: ["on"]) {
      call, snapshot in
      try snapshot.reconciliation(
        of: call.id("account"), through: call.query.day("on") ?? call.today())
    },
  ]
}

extension Call {
  /// Returns a command that deletes an account or a category.
  ///
  /// The query parameter `rows` determines what happens to its transactions: `keep`, `delete`, or
  /// the id of the account or category to which they move.
  func deletion(_ name: String, of parameter: String) throws -> Command {
    var members = try body(id: (parameter, parameter))
    if let rows = query.text("rows") {
      let isWord = rows == "keep" || rows == "delete"
      members = members.setting(
        "rows", isWord ? .string(rows) : .object([.init("to", .string(rows))]))
    }
    return try command(name, members: members)
  }
}
