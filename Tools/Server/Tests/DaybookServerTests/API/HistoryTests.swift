// Goal: what happened to one entity is told alike, whether it is found by the index or by going through history.
// Method: pages of one commit each are put together, and compared with what the library finds by going through.
import Daybook
import Testing

@testable import DaybookServer

@Suite struct HistoryTests {
  @Test func whatHappenedToAnEntityIsToldPageByPage() async throws {
    try await serving(count: 40) { client in
      let rows = try client.ledger.read { try $0.transactions(limit: 3).map(\.id) }
      for (index, payee) in ["Aldi", "Edeka", "Rewe"].enumerated() {
        try await client.ledger.append(
          .amend(rows[0], Amendment(payee: payee)), author: index == 1 ? "grace" : "ada")
      }
      try await client.ledger.append(.delete(rows[1]))
      let account = try client.ledger.read { try $0.accounts()[0].id.rawValue }
      let middle = try client.ledger.token.sequence - 2
      for entity in rows.map(\.rawValue) + [account] {
        for (query, narrow) in [
          ("", { _ in }), ("&author=ada", { $0.authors = ["ada"] }),
          ("&kind=transaction", { $0.kinds = [.transaction] }), ("&asOf=\(middle)", { _ in }),
        ] as [(String, (inout HistoryFilter) -> Void)] {
          var filter = HistoryFilter()
          filter.entities = [entity]
          narrow(&filter)
          let start = query.contains("asOf") ? try client.ledger.token(at: middle) : nil
          var cursor = try client.ledger.history(before: start, matching: filter).cursor()
          var expected: [JSONValue] = []
          while let entry = try cursor.next() {
            expected.append(try JSONText.read(JSONValue.bytes(of: entry)))
          }
          var found: [JSONValue] = []
          var next: String? = ""
          while let at = next {
            let page = try await client.get(
              "/v1/history?limit=1&entity=\(entity)\(query)\(at.isEmpty ? "" : "&cursor=\(at)")"
            ).json()
            found += page["commits"]?.elements ?? []
            next = page["next"]?.text
          }
          let sequences = [found, expected].map { $0.map { $0["sequence"]?.number ?? 0 } }
          #expect(sequences[0] == sequences[1], "\(query)")
          #expect(found.map(\.line).elementsEqual(expected.map(\.line)), "\(query)")
        }
      }
    }
  }

  @Test func aListCountsNoMoreThanItHasTo() async throws {
    let ledger = try await Ledger.inMemory()
    let account = AccountID.random()
    try await ledger.append(
      [.openAccount(NewAccount(id: account, name: "Cash", currency: .eur))]
        + (0..<950).map { _ in
          .record(.expense(Money(1_00, .eur), from: account, on: today, payee: "Rewe"))
        })
    try await serving(ledger) { client in
      let some = try await client.get("/v1/transactions?text=rew&limit=2").json()
      #expect(some["count"]?.number == 900 && some["isCountLeast"]?.flag == true)
      let all = try await client.get("/v1/transactions?limit=2").json()
      #expect(all["count"]?.number == 950 && all["isCountLeast"] == nil)
      let counted = try await client.get("/v1/transactions/count?text=rew").json()
      #expect(counted["count"]?.number == 950)
    }
  }
}
