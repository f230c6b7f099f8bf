import Daybook
import DaybookFindings

// The routes of the site.
extension LedgerSite {
  /// Returns the page at the request's path.
  func page(_ asked: PageContext) async throws -> Page {
    let parts = asked.request.path.split(separator: "/").map(String.init)
    var context = asked
    if Self.tellsOfCommits(parts) { context.devices = try await ledger.deviceNames() }
    switch (parts.first ?? "", parts.dropFirst().first, parts.count) {
    case ("", nil, 0): return try await overview(context)
    case ("inbox", nil, 1): return try await inbox(context)
    case ("inbox", "rule", 2): return try await newInboxRule(context)
    // These are the paths of rejected forms that are now opened with GET.
    case ("inbox", _, 2): return try await inbox(context)
    case ("transactions", nil, 1): return try await read(context, TransactionListPage.page)
    case ("transactions", "several", 2), ("transactions", "quick", 2):
      return try await read(context, TransactionListPage.page)
    case ("transactions", "new", 2): return try await newTransaction(context)
    case ("transactions", let id?, 2): return try await transaction(context, try known(id))
    case ("transactions", let id?, 3) where parts[2] == "edit":
      return try await editedTransaction(context, try known(id))
    // These are the paths of rejected forms that are now opened with GET.
    case ("transactions", let id?, 3) where ["attach", "detach"].contains(parts[2]):
      return try await transaction(context, try known(id))
    case ("accounts", nil, 1): return try await read(context, AccountsPage.page)
    case ("categories", nil, 1): return try await read(context, CategoriesPage.page)
    case ("categories", let id?, 2):
      let id: CategoryID = try known(id)
      return try await read(context) { try CategoriesPage.page(of: id, $0, $1) }
    case ("envelopes", _, 1...2): return try await envelopes(context, parts.dropFirst().first)
    case ("budgets", nil, 1): return try await read(context, BudgetsPage.page)
    case ("budgets", let id?, 2):
      let id: BudgetID = try known(id)
      return try await read(context) { try BudgetsPage.page(of: id, $0, $1) }
    case ("recurring", nil, 1): return try await read(context, RecurringPage.page)
    case ("rules", nil, 1): return try await read(context, RulesPage.page)
    case ("rates", nil, 1): return try await read(context, RatesPage.page)
    case ("history", nil, 1): return try await history(context)
    case ("history", let number?, 2): return try await commit(context, number)
    case ("health", nil, 1): return try await health(context)
    case ("import", nil, 1), ("mappings", nil, 1): return importForm(context, problem: nil)
    case ("compare", nil, 1): return try await compare(context)
    case ("reconcile", let id?, 2): return try await reconcile(context, try known(id))
    case ("statements", nil, 1): return try await read(context, StatementsPage.page)
    case ("why", let id?, 2): return try await why(context, id)
    // This is the path of a rejected form that is now opened with GET.
    case (let path, let id?, 2):
      guard let form = Self.forms[path], let id = EntityID(id) else { throw PageError.notFound }
      return try await edit(form, context, id)
    case (let path, let id?, 3):
      guard let form = Self.forms[path], let id = EntityID(id) else { throw PageError.notFound }
      switch parts[2] {
      case "edit": return try await edit(form, context, id)
      case "delete": return try await deletion(form, context, id)
      default: throw PageError.notFound
      }
    case ("settings", nil, 1), ("settings", "browser", 2):
      return try await read(context, SettingsPage.page)
    case ("reports", nil, 1): return try await read(context, ReportsPage.page)
    default: throw PageError.notFound
    }
  }

  /// Returns whether the page at a path shows the authors of commits.
  private static func tellsOfCommits(_ parts: [String]) -> Bool {
    switch parts.first {
    case nil, "history", "why", "compare": true
    case "transactions": parts.count == 2
    default: false
    }
  }

  /// Returns the answer to a submitted form.
  func change(_ context: PageContext) async throws -> PageAnswer {
    if context.request.path == "/health" { return verify(context) }
    if context.request.path == "/seen" { return try see(context) }
    if context.request.path == "/settings/browser" { return setBrowser(context) }
    if let reason = readOnlyReason { throw reason }
    let parts = context.request.path.split(separator: "/").map(String.init)
    switch (parts.first ?? "", parts.dropFirst().first, parts.count) {
    case ("inbox", "categories", 2): return try await categorise(context)
    case ("inbox", "due", 2): return try await settleDue(context)
    case ("inbox", "transfers", 2): return try await linkTransfer(context)
    case ("inbox", "apart", 2): return try await tellApart(context)
    case ("inbox", "rule", 2): return try await putInboxRule(context)
    case ("transactions", nil, 1): return try await record(context)
    case ("transactions", "several", 2): return try await several(context)
    case ("transactions", "quick", 2): return try await enter(context)
    case ("transactions", let id?, 2): return try await amend(context, try known(id))
    case ("transactions", let id?, 3) where parts[2] == "delete":
      return try await delete(context, try known(id))
    case ("transactions", let id?, 3) where parts[2] == "attach":
      return try await attach(context, try known(id))
    case ("transactions", let id?, 3) where parts[2] == "detach":
      return try await detach(context, try known(id))
    case ("envelopes", let action?, 2): return try await changeEnvelopes(context, action)
    case ("history", let number?, 3) where parts[2] == "undo":
      return try await undo(context, number)
    case ("reconcile", let id?, 2): return try await reconciled(context, try known(id))
    case ("rules", "apply", 2): return try await applyRules(context)
    case ("recurring", let id?, 3) where parts[2] == "skip":
      return try await skip(context, try known(id))
    case ("findings", let id?, 2): return try await settle(context, id)
    case ("settings", nil, 1): return try await setSettings(context)
    case ("undo", nil, 1): return try await undoNewest(context, isRedo: false)
    case ("redo", nil, 1): return try await undoNewest(context, isRedo: true)
    case ("import", nil, 1): return try await previewImport(context)
    case ("import", "record", 2): return try await recordImport(context)
    case (let path, let id, let count):
      guard let form = Self.forms[path] else { throw PageError.notFound }
      guard let id else { return try await put(form, context) }
      guard let id = EntityID(id) else { throw PageError.notFound }
      if count == 2 { return try await put(form, context, id) }
      guard count == 3, parts[2] == "delete" else { throw PageError.notFound }
      return try await remove(form, context, id)
    }
  }

  /// The forms for entities, by the first component of their paths.
  private static let forms: [String: any EntityForm.Type] = [
    "accounts": AccountForm.self, "categories": CategoryForm.self, "budgets": BudgetForm.self,
    "rates": RateForm.self, "rules": RuleForm.self, "recurring": SeriesForm.self,
    "statements": StatementForm.self, "mappings": MappingForm.self,
  ]

  /// Parses an id in a path.
  ///
  /// - Throws: ``PageError/notFound`` if the id is malformed.
  func known<Owner>(_ text: String) throws -> Identifier<Owner> {
    guard let id = Identifier<Owner>(text) else { throw PageError.notFound }
    return id
  }
}
