import Daybook
import HTTPTypes

/// `/v1/interest`, and the terms and loans of accounts.
enum InterestAPI {
  private struct Accrued: Encodable, Sendable {
    var day: Day
    var interest: [AccruedInterest]
  }

  static let endpoints: [Endpoint] = [
    .read("/interest", "getInterest", query: ["on", "account"]) { call, snapshot in
      let day = try call.query.day("on") ?? call.today()
      guard let account: AccountID = try call.query.id("account") else {
        return Accrued(day: day, interest: try snapshot.accruedInterest(on: day))
      }
      let found = try snapshot.accruedInterest(of: account, on: day)
      return Accrued(day: day, interest: found.map { [$0] } ?? [])
    },
    .write(.post, "/interest", "postInterest", command: "postInterest"),
    .read("/terms", "listTerms", query: ["cursor", "limit"]) { call, snapshot in
      Listing("terms", try call.query.page(snapshot.terms()) { $0.number })
    },
    .write(
      .put, "/accounts/{account}/terms", "setTerms", command: "setTerms",
      id: ("account", "account")),
    .write(
      .delete, "/accounts/{account}/terms", "removeTerms", command: "removeTerms",
      id: ("account", "account")),
    .read("/accounts/{account}/loan", "getLoanPlan") { call, snapshot in
      try snapshot.loanPlan(of: call.id("account", AccountID.self), today: call.today())
    },
    .write(
      .post, "/accounts/{account}/loan/payments", "payLoan", command: "payLoan",
      id: ("loan", "account"), .created),
    .write(
      .post, "/accounts/{account}/loan/repayments", "repayLoan", command: "repayLoan",
      id: ("loan", "account"), .created),
  ]
}
