import Daybook
import HTTPTypes

/// `/v1/budgets`: budgets and their status.
enum BudgetsAPI {
  private struct One: Encodable, Sendable {
    var budget: Budget
    var status: BudgetStatus?
    var periods: [BudgetStatus]?
  }

  static let endpoints: [Endpoint] = [
    .read("/budgets", "listBudgets", query: ["archived", "cursor", "limit"]) { call, snapshot in
      let today = try call.today()
      let archived = try call.query.flag("archived") ?? false
      let budgets = try snapshot.budgets().filter { archived || !$0.isArchived }
      let page = try call.query.page(budgets) { $0.number }
      let rows = try page.rows.map { budget in
        One(budget: budget, status: try snapshot.budgetStatus(of: budget.id, today: today))
      }
      return Listing("budgets", Page(rows: rows, count: page.count, next: page.next))
    },
    .read("/budgets/{budget}", "getBudget", query: ["on", "limit"]) { call, snapshot in
      let id = try call.id("budget", BudgetID.self)
      guard let budget = try snapshot.budget(id) else { throw Problem.missing("budget", "\(id)") }
      let today = try call.today()
      return One(
        budget: budget,
        status: try snapshot.budgetStatus(of: id, on: call.query.day("on"), today: today),
        periods: try snapshot.budgetHistory(of: id, limit: call.query.limit(or: 24), today: today))
    },
    .write(.post, "/budgets", "createBudget", command: "putBudget", .created),
    .write(.put, "/budgets/{budget}", "putBudget", command: "putBudget", id: ("id", "budget")),
    .write(
      .delete, "/budgets/{budget}", "removeBudget", command: "removeBudget",
      id: ("budget", "budget")),
  ]
}
