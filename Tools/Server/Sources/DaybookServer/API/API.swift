/// All endpoints below `/v1`.
enum API {
  static let endpoints: [Endpoint] =
    AccountsAPI.endpoints + CategoriesAPI.endpoints + TransactionsAPI.endpoints
    + BudgetsAPI.endpoints + SeriesAPI.endpoints + RulesAPI.endpoints + RatesAPI.endpoints
    + AssertionsAPI.endpoints + ReportsAPI.endpoints + OverTimeAPI.endpoints
    + HistoryAPI.endpoints + ChangesAPI.endpoints + ImportsAPI.endpoints + LedgerAPI.endpoints
    + MappingsAPI.endpoints + FindingsAPI.endpoints + EnvelopesAPI.endpoints
    + InterestAPI.endpoints
}
