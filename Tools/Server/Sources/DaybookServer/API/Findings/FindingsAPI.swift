import Daybook
import DaybookFindings
import HTTPTypes

/// `/v1/findings`: the findings of a shared ledger.
enum FindingsAPI {
  private struct Taking: Decodable {
    /// The day on which to record the deferred change, if not its original day.
    var day: Day?
  }

  /// The endpoints, none of which accepts `asOf`.
  ///
  /// Findings describe the current state only; past findings are not kept.
  static let endpoints: [Endpoint] = [
    Endpoint(.get, "/findings", "listFindings", query: ["cursor", "limit"]) { call in
      let limit = try call.query.limit()
      let after = try call.query.cursor { $0 } ?? ""
      let open = try await call.ledger.findings()
      let all = (open ?? []).sorted { $0.id < $1.id }
      let rest = all.filter { $0.id > after }
      let rows = Array(rest.prefix(limit))
      let next = rest.count > limit ? rows.last.map { Cursor.text($0.id) } : nil
      let (forms, token) = try call.ledger.read {
        (try SyncFinding.forms(of: rows, in: $0), $0.token)
      }
      let listing = try JSONValue(
        Listing("findings", Page(rows: forms, count: all.count, next: next)))
      return Answer(
        .ok, .json(open == nil ? listing.setting("note", .string(notShared)) : listing),
        token: token)
    },
    Endpoint(
      .post, "/findings/{finding}/dismiss", "dismissFinding", query: ["dryRun", "today"],
      bodyByteCountMax: Endpoint.jsonByteCountMax
    ) { call in
      let id = call.parameter("finding")
      let unknown = Problem.missing("finding", id)
      if try call.query.flag("dryRun") == true {
        _ = try call.body()
        guard let found = try await call.ledger.findings(includingDismissed: true),
          found.contains(where: { $0.id == id })
        else { throw unknown }
        // Dismissing a finding changes no figure.
        return try await call.rehearse { ledger, token, today throws(DaybookError) in
          try await ledger.figures(changedBy: [], expecting: token, today: today)
        }
      }
      return try await call.reverting(orElse: unknown) {
        expected, key throws(DaybookError) in
        try await call.ledger.dismiss(finding: id, expecting: expected, key: key)
      }
    },
    Endpoint(
      .post, "/findings/{finding}/take", "takeFinding", query: ["dryRun", "today"],
      bodyByteCountMax: Endpoint.jsonByteCountMax
    ) { call in
      let id = call.parameter("finding")
      let day = try JSONText.decode(Taking.self, from: call.body()).day
      if try call.query.flag("dryRun") == true {
        guard let commands = try await call.ledger.commands(taking: id, on: day) else {
          throw Problem.missing("finding", id)
        }
        return try await call.rehearse { ledger, token, today throws(DaybookError) in
          try await ledger.figures(changedBy: commands, expecting: token, today: today)
        }
      }
      return try await call.reverting(orElse: .missing("finding", id)) {
        expected, key throws(DaybookError) in
        try await call.ledger.take(finding: id, on: day, expecting: expected, key: key)
      }
    },
  ]

  private static let notShared =
    "This ledger is not shared with other devices, so it has no findings."
}
