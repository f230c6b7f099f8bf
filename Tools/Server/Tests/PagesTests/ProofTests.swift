// Goal: the history and the health say up to where the books are verified, and the history is in the reader's words. Method: a
// check is begun and waited for; pages are read in German.
import Daybook
import Testing

@testable import Pages

@Suite struct ProofTests {
  @Test func historyAndHealthSayUpToWhereItIsVerified() async throws {
    let (ledger, account, category) = try await household()
    let asked = Asked(ledger)
    #expect(await asked.get("/history").text.contains("Not verified"))
    await asked.site.proof.begin(ledger)?.value
    let mark = "✓ Verified up to Change 1<"
    for path in views {
      let isTold = ["/history", "/health"].contains(path)
      #expect(await asked.get(path).text.contains(mark) == isTold, "\(path)")
    }
    let head = try ledger.anchor().text
    #expect(await asked.get("/health").text.contains(head))
    try await ledger.append([
      .record(.expense(Money(5_00, .eur), from: account, category: category, on: today))
    ])
    // What came since is not proven.
    #expect(await asked.get("/history").text.contains(mark))
  }

  @Test func aCheckIsBegunByAForm() async throws {
    let asked = Asked(try await household().ledger)
    let answer = await asked.post("/health", [])
    #expect(answer.status == 303 && answer.location == "/health")
    #expect(await asked.get("/health").status == 200)
  }

  @Test func historyIsInTheReadersWords() async throws {
    let (ledger, account, category) = try await household()
    try await ledger.append([
      .putSeries(
        Series(
          name: "Miete",
          template: SeriesTemplate(
            type: .expense, amount: Money(900_00, .eur), account: account, category: category),
          schedule: Schedule(every: 3, .month), anchor: today)),
      .putRule(
        CategoryRule(
          name: "Läden", conditions: [.text(.payee, .starts, "re")], category: category)),
    ])
    let asked = Asked(ledger)
    let page = await asked.get("/history/2", locales: ["de"]).text
    #expect(page.contains("alle 3 Monate") && page.contains("Wiederkehrende Buchung"))
    #expect(page.contains(">Rhythmus<") && !page.contains(">schedule<") && !page.contains(" B<"))
    #expect(await asked.get("/rules", locales: ["de"]).text.contains("Empfänger beginnt mit “re”"))
  }
}
