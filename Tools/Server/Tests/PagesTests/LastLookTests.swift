// Goal: the overview says what changed since somebody last looked, until it has been seen. Method: its cookie is kept
// and made older; commits come in between.
import Daybook
import Testing

@testable import Pages

@Suite struct LastLookTests {
  private let store = EntityID(high: 1, low: 2)

  private func next(_ look: LastLook, newest: UInt64, minute: Int) -> LastLook {
    LastLook(
      look.header(of: store).value.split(separator: ";").first.map(String.init), of: store,
      newest: newest, minute: minute)
  }

  @Test func aVisitEndsWhenNobodyLooks() {
    let first = LastLook(nil, of: store, newest: 7, minute: 1_000)
    #expect(first.seen == 7, "who comes first has missed nothing")
    let soon = next(first, newest: 9, minute: 1_010)
    #expect(soon.seen == 7 && soon.looked == 9)
    let reloaded = next(soon, newest: 9, minute: 1_011)
    #expect(reloaded.seen == 7, "by reloading nothing is seen")
    let tomorrow = next(reloaded, newest: 12, minute: 2_400)
    #expect(tomorrow.seen == 9, "what was there when the last visit ended is")
    #expect(LastLook("x=1; daybook-seen=a~b", of: store, newest: 3, minute: 1).seen == 3)
    let other = LastLook(
      "daybook-seen=\(EntityID(high: 9, low: 9))~1~1~1", of: store, newest: 3, minute: 1)
    #expect(other.seen == 3, "another ledger")
    #expect(LastLook("daybook-seen=\(store)~9~9~1", of: store, newest: 3, minute: 1).seen == 3)
  }

  @Test func whatCameSinceStandsOnTheOverviewUntilItIsSeen() async throws {
    let (ledger, account, food) = try await household()
    let asked = Asked(ledger)
    let seen = try ledger.token.sequence
    #expect(await !asked.get("/").text.contains("Since your last visit"))
    try await ledger.append(
      .record(.expense(Money(3_33, .eur), from: account, category: food, on: today)))
    for _ in 0..<2 {
      let page = await asked.get("/").text
      #expect(page.contains("Since your last visit") && page.contains("/compare?from=\(seen)\""))
      #expect(page.contains("href=\"/history/\(seen + 1)\""), "and the commit that did it")
    }
    #expect(await !asked.get("/", asOf: "\(seen)").text.contains("Since your last visit"))
    let said = await asked.post("/seen", [("through", "\(seen + 1)")])
    #expect(said.status == 303 && said.location == "/")
    #expect(await !asked.get("/").text.contains("Since your last visit"))
  }
}
