import Daybook

// Which address is which page.
extension LedgerSite {
  /// The page at an address.
  func page(_ context: PageContext) async throws -> Page {
    let parts = context.request.path.split(separator: "/").map(String.init)
    switch (parts.first ?? "", parts.dropFirst().first, parts.count) {
    case ("", nil, 0): return try await overview(context)
    case ("transactions", nil, 1): return try await read(context, TransactionListPage.page)
    case ("transactions", "new", 2): return try await newTransaction(context)
    case ("transactions", let id?, 2): return try await transaction(context, try known(id))
    case ("transactions", let id?, 3) where parts[2] == "edit":
      return try await editedTransaction(context, try known(id))
    case ("accounts", nil, 1): return try await read(context, AccountsPage.page)
    case ("categories", nil, 1): return try await read(context, CategoriesPage.page)
    case ("categories", let id?, 2):
      let id: CategoryID = try known(id)
      return try await read(context) { try CategoriesPage.page(of: id, $0, $1) }
    case ("budgets", nil, 1): return try await read(context, BudgetsPage.page)
    case ("budgets", let id?, 2):
      let id: BudgetID = try known(id)
      return try await read(context) { try BudgetsPage.page(of: id, $0, $1) }
    case ("recurring", nil, 1): return try await read(context, RecurringPage.page)
    case ("rules", nil, 1): return try await read(context, RulesPage.page)
    case ("rates", nil, 1): return try await read(context, RatesPage.page)
    case ("history", nil, 1): return try await history(context)
    case ("history", let number?, 2): return try await commit(context, number)
    case ("health", nil, 1): return try await health(context, report: nil)
    case ("import", nil, 1): return importForm(context, problem: nil)
    case ("compare", nil, 1): return try await compare(context)
    case ("reconcile", let id?, 2): return try await reconcile(context, try known(id))
    case ("settings", nil, 1): return try await read(context, SettingsPage.page)
    default: throw PageError.notFound
    }
  }

  /// The answer to a form that was sent.
  func change(_ context: PageContext) async throws -> PageAnswer {
    if let reason = ledger.readOnlyReason { throw reason }
    let parts = context.request.path.split(separator: "/").map(String.init)
    switch (parts.first ?? "", parts.dropFirst().first, parts.count) {
    case ("transactions", nil, 1): return try await record(context)
    case ("transactions", let id?, 2): return try await amend(context, try known(id))
    case ("transactions", let id?, 3) where parts[2] == "delete":
      return try await delete(context, try known(id))
    case ("history", let number?, 3) where parts[2] == "undo":
      return try await undo(context, number)
    case ("health", nil, 1):
      return try laidOut(await health(context, report: try await ledger.verify()), context)
    case ("reconcile", let id?, 2): return try await reconciled(context, try known(id))
    case ("accounts", nil, 1): return try await openAccount(context)
    case ("categories", nil, 1): return try await createCategory(context)
    case ("budgets", nil, 1): return try await putBudget(context)
    case ("rates", nil, 1): return try await setRate(context)
    case ("rules", nil, 1): return try await putRule(context)
    case ("recurring", nil, 1): return try await putSeries(context)
    case ("settings", nil, 1): return try await setSettings(context)
    case ("import", nil, 1): return try await previewImport(context)
    case ("import", "record", 2): return try await recordImport(context)
    default: throw PageError.notFound
    }
  }

  /// The id in an address.
  private func known<Owner>(_ text: String) throws -> Identifier<Owner> {
    guard let id = Identifier<Owner>(text) else { throw PageError.notFound }
    return id
  }
}
