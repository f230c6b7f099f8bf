import Daybook
import HTTPTypes

/// `/v1/envelopes`, `/v1/payments` and `/v1/moves`: money assigned to categories and cards, and moved.
enum EnvelopesAPI {
  static let endpoints: [Endpoint] = [
    .read("/envelopes", "getEnvelopes", query: ["count", "through"]) { call, snapshot in
      ["months": try snapshot.envelopes(over: call.months(), today: call.today())]
    },
    .write(.post, "/envelopes", "assignMoney", command: "assign"),
    .write(.post, "/payments", "assignPayment", command: "assignPayment"),
    .read("/moves", "listMoves", query: ["cursor", "limit"]) { call, snapshot in
      let moves = try snapshot.allocations().filter { !$0.isAssignment }
      return Listing("moves", try call.query.page(moves) { $0.number })
    },
    .write(.post, "/moves", "moveMoney", command: "moveMoney", .created),
    .write(.delete, "/moves/{move}", "removeMove", command: "removeMove", id: ("move", "move")),
  ]
}
