// Goal: a browser keeps its language, its theme and its time zone. Method: the form is sent, and pages are read with
// the cookies that it set.
import Daybook
import Testing

@testable import Pages

@Suite struct PreferenceTests {
  @Test func languageAndThemeStay() async throws {
    let asked = Asked(try await household().ledger)
    let sent = await asked.post("/settings/browser", [("language", "de"), ("theme", "dark")])
    #expect(sent.status == 303 && sent.location == "/settings?done=saved")
    let page = await asked.get("/accounts").text
    #expect(page.contains("lang=\"de\"") && page.contains("data-theme=\"dark\""))
    #expect(page.contains("name=\"color-scheme\" content=\"dark\""))
    _ = await asked.post("/settings/browser", [("language", ""), ("theme", "\"><b>")])
    let after = await asked.get("/accounts").text
    #expect(after.contains("lang=\"en\"") && !after.contains("data-theme"))
  }

  @Test func theBrowsersVariantOfALanguageFormats() {
    #expect(
      Preferences("daybook-language=de").locales(["en-US", "de-AT"]) == ["de-AT", "de"])
    #expect(Preferences("daybook-language=xx").locales(["en-US"]) == ["en-US"])
    #expect(Preferences("daybook-theme=dark; daybook-language=de").theme == .dark)
  }

  @Test func timesAreInTheBrowsersZone() {
    func moment(_ cookie: String) -> String {
      PageContext(
        PageRequest(path: "/", headers: ["cookie": cookie], locales: ["en-US"]), today: today,
        canWrite: false, past: nil
      ).moment(1_770_000_000_000_000).replacing("\u{202F}", with: " ")
    }
    #expect(moment("") == "Feb 2, 2026 at 2:40 AM UTC")
    #expect(moment("daybook-zone=Asia/Almaty") == "Feb 2, 2026 at 7:40 AM")
    #expect(moment("daybook-zone=nowhere").hasSuffix("UTC"))
  }

  @Test func everyFileThatIsOfferedIsLinked() async throws {
    let page = await Asked(try await household().ledger).get("/settings").text
    for format in ["csv", "jsonl", "journal", "beancount", "qif", "ofx"] {
      #expect(page.contains("href=\"/v1/export?format=\(format)\""))
    }
  }
}
