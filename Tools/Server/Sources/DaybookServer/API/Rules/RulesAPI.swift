import Daybook
import HTTPTypes

/// `/v1/rules`: rules that set the category or payee of imported transactions.
enum RulesAPI {
  static let endpoints: [Endpoint] = [
    .read("/rules", "listRules", query: ["cursor", "limit"]) { call, snapshot in
      Listing("rules", try call.query.page(snapshot.rules()) { $0.number })
    },
    .read("/rules/preview", "previewRules", query: ["limit"]) { call, snapshot in
      ["rows": try snapshot.rulePreview(limit: call.query.limit())]
    },
    .read("/rules/{rule}", "getRule") { call, snapshot in
      let id = try call.id("rule", RuleID.self)
      guard let rule = try snapshot.rules().first(where: { $0.id == id }) else {
        throw Problem.missing("rule", "\(id)")
      }
      return rule
    },
    .write(.post, "/rules", "createRule", command: "putRule", .created),
    .write(.put, "/rules", "setRules", command: "setRules"),
    .write(.put, "/rules/{rule}", "putRule", command: "putRule", id: ("id", "rule")),
    .write(.delete, "/rules/{rule}", "removeRule", command: "removeRule", id: ("rule", "rule")),
    .write(.post, "/rules/apply", "applyRules", command: "applyRules"),
  ]
}
