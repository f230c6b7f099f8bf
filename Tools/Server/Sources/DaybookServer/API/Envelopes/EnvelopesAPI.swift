import Daybook
import HTTPTypes

/// `/v1/envelopes` and `/v1/moves`: money assigned to categories and moved between them.
enum EnvelopesAPI {
  static let endpoints: [Endpoint] = [
    .read("/envelopes", "getEnvelopes", query: ["count", "through"]) { call, snapshot in
      ["months": try snapshot.envelopes(over: call.months(), today: call.today())]
    },
    .write(.post, "/envelopes", "assignMoney", command: "assign"),
    .read("/moves", "listMoves", query: ["cursor", "limit"]) { call, snapshot in
      let moves = try snapshot.allocations().filter { !$0.isAssignment }
      return Listing("moves", try call.query.page(moves) { $0.number })
    },
    .write(.post, "/moves", "moveMoney", command: "moveMoney", .created),
    .write(.delete, "/moves/{move}", "removeMove", command: "removeMove", id: ("move", "move")),
  ]
}
