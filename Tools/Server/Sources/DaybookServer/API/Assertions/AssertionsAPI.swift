import Daybook
import HTTPTypes

/// `/v1/assertions`: balances taken from statements.
enum AssertionsAPI {
  static let endpoints: [Endpoint] = [
    .read("/assertions", "listAssertions", query: ["cursor", "limit", "failing"]) {
      call, snapshot in
      var checks = try snapshot.assertionChecks()
      if try call.query.flag("failing") == true { checks.removeAll { $0.holds } }
      return Listing("assertions", try call.query.page(checks) { $0.assertion.number })
    },
    .write(.post, "/assertions", "assertBalance", command: "assertBalance", .created),
    .write(
      .delete, "/assertions/{assertion}", "removeAssertion", command: "removeAssertion",
      id: ("assertion", "assertion")),
  ]
}
