// Goal: where another program holds the ledger, whoever sends a form reads that it waits, and it is recorded
// once the ledger is free; a ledger for reading alone says so. Method: the test holds the lock itself.
import Daybook
import Foundation
import Pages
import Testing

@Suite struct HeldLedgerTests {
  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString).daybook").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func form(_ name: String) -> PageRequest {
    PageRequest(
      method: "POST", path: "/categories", form: [("name", name), ("kind", "expense")],
      locales: ["en-US"])
  }

  private func names(_ ledger: Ledger) throws -> [String] {
    try ledger.read { try $0.categories(.expense).map(\.name) }
  }

  @Test func aFormWaitsForWhoeverHoldsTheLedger() async throws {
    try await inFolder { path in
      let ledger = try await Ledger.open(at: path)
      let site = LedgerSite(ledger, patience: .milliseconds(50)) { today }
      let file = open(path + "/WRITER", O_RDWR)
      try #require(file >= 0 && flock(file, LOCK_EX) == 0)
      let answer = await site.answer(form("Patience"))
      #expect(answer.status == 503)
      #expect(answer.headers.contains { $0.name == "Retry-After" })
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(text.contains("another program is using the ledger"))
      // It can be read all the while.
      let read = await site.answer(PageRequest(path: "/categories", locales: ["en-US"]))
      #expect(read.status == 200)
      #expect(try !names(ledger).contains("Patience"))
      close(file)
      // This one comes after it.
      try await ledger.append(.createCategory(NewCategory(name: "Last", kind: .expense)))
      #expect(try names(ledger).contains("Patience"))
      try await ledger.close()
    }
  }

  @Test func aLedgerForReadingSaysSo() async throws {
    try await inFolder { path in
      try await Ledger.open(at: path).close()
      let ledger = try await Ledger.open(at: path, options: Ledger.Options(isReadOnly: true))
      let site = LedgerSite(ledger, isForReading: true) { today }
      for view in views where view != "/transactions/new" {
        let answer = await site.answer(PageRequest(path: view, locales: ["en-US"]))
        #expect(answer.status == 200, "\(view)")
        let text = String(decoding: answer.body, as: UTF8.self)
        // Verifying reads, and a browser keeps its own settings.
        let forms = text.matches(of: /<form[^>]*method="post"/).count
        #expect(forms == (["/health", "/settings"].contains(view) ? 1 : 0), "\(view)")
      }
      for path in ["/undo", "/import/record", "/rules/apply"] {
        let answer = await site.answer(PageRequest(method: "POST", path: path, locales: ["en-US"]))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 403 && text.contains("class=\"problem\""), "\(path): \(text)")
      }
      let refused = await site.answer(form("Never"))
      #expect(refused.status == 403)
      #expect(try !names(ledger).contains("Never"))
      try await ledger.close()
    }
  }
}
