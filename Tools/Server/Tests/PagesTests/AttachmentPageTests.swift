// Goal: files are attached to a transaction, opened and removed, and no attached file can run scripts. Method: files
// are sent as a browser sends them, to the site of a ledger in a temporary folder.
import Daybook
import DaybookFoundation
import Foundation
import Testing

@testable import Pages

@Suite struct AttachmentPageTests {
  private func household(
    _ body: (Asked, TransactionID, Ledger) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "attachments-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let ledger = try await Ledger.open(at: folder.appending(path: "Home.daybook"))
    let receipt = try await ledger.append(
      .openAccount(NewAccount(name: "Cash", kind: .asset, currency: .eur)))
    let account = try #require(receipt.accounts.first)
    let row = try await ledger.append(
      .record(.expense(Money(9_00, .eur), from: account, on: today, payee: "Shop")))
    try await body(Asked(ledger), try #require(row.transactions.first), ledger)
    try await ledger.close()
  }

  private func send(
    _ files: [(String, String)], _ path: String, _ asked: Asked
  ) async -> PageAnswer {
    await asked.site.answer(
      PageRequest(
        method: "POST", path: path,
        files: files.map { (name: $0.0, bytes: Array($0.1.utf8)) }, locales: ["en-US"]))
  }

  private func header(_ name: String, _ answer: PageAnswer) -> String? {
    answer.headers.first { $0.name == name }?.value
  }

  @Test func filesAreAttachedOpenedAndRemoved() async throws {
    try await household { asked, id, ledger in
      let page = "/transactions/\(id)"
      let sent = await send(
        [("receipt.PDF", "one"), ("C:\\scans\\two <b>.txt", "two")], page + "/attach", asked)
      #expect(sent.status == 303)
      let row = try #require(try ledger.read { try $0.transaction(id) })
      #expect(row.attachments.map(\.name) == ["receipt.PDF", "two <b>.txt"])
      let text = await asked.get(page).text
      #expect(text.contains(">receipt.PDF</a>") && text.contains("two &lt;b&gt;.txt"))
      let file = page + "/attachments/\(row.attachments[0].hash)"
      let opened = await asked.site.answer(PageRequest(path: file))
      #expect(opened.status == 200 && opened.body == Array("one".utf8))
      #expect(header("Content-Type", opened) == "application/pdf")
      #expect(header("Content-Disposition", opened) == "inline; filename*=UTF-8''receipt%2EPDF")
      // Sent again, nothing is recorded.
      let token = try ledger.token
      _ = await send([("receipt.PDF", "one")], page + "/attach", asked)
      _ = await send([], page + "/attach", asked)
      #expect(try ledger.token == token)
      let removed = await asked.post(
        page + "/detach", [("hash", "\(row.attachments[0].hash)")])
      #expect(removed.status == 303)
      #expect(await asked.site.answer(PageRequest(path: file)).status == 404)
      // The file is still there, for the page as of an earlier commit and for undo.
      #expect(await asked.get(file, asOf: "\(token.sequence)").text == "one")
      _ = await asked.post("/undo", [("back", page)])
      #expect(await asked.get(file).text == "one")
      #expect(await asked.get("/why/\(id)").text.contains("receipt.PDF, two"))
    }
  }

  @Test func whatABrowserCouldRunIsOnlySaved() async throws {
    try await household { asked, id, ledger in
      let names = ["x.html", "x.svg", "x.pdf.html", "x", "x.xml"]
      let page = "/transactions/\(id)"
      _ = await send(names.map { ($0, $0) }, page + "/attach", asked)
      let row = try #require(try ledger.read { try $0.transaction(id) })
      for file in row.attachments {
        let answer = await asked.site.answer(
          PageRequest(path: "\(page)/attachments/\(file.hash)"))
        #expect(header("Content-Type", answer) == "application/octet-stream", "\(file.name)")
        #expect(header("Content-Disposition", answer)?.hasPrefix("attachment;") == true)
      }
      for hash in ["..", "x", "\(Hash256.zero)"] {
        let answer = await asked.get("\(page)/attachments/\(hash)")
        #expect(answer.status == 404)
      }
    }
  }

  @Test func aMissingOrChangedFileIsSaidToBeSo() async throws {
    try await household { asked, id, ledger in
      let page = "/transactions/\(id)"
      _ = await send([("a.txt", "a"), ("b.txt", "b")], page + "/attach", asked)
      let row = try #require(try ledger.read { try $0.transaction(id) })
      let folder = ledger.attachments
      try FileManager.default.removeItem(at: folder.location(of: row.attachments[0]))
      try Data("c".utf8).write(to: folder.location(of: row.attachments[1]))
      #expect(await asked.get(page).text.contains("not on this device"))
      for (file, words) in zip(row.attachments, ["on this device", "contents have changed"]) {
        let answer = await asked.get("\(page)/attachments/\(file.hash)")
        #expect(answer.status == 400 && answer.text.contains(words))
      }
      // A file that can't be attached is refused, and nothing is recorded.
      let token = try ledger.token
      let wrong = await send(
        [(String(repeating: "n", count: 300), "d")], page + "/attach", asked)
      #expect(wrong.status == 422)
      #expect(String(decoding: wrong.body, as: UTF8.self).contains("role=\"alert\""))
      #expect(try ledger.token == token)
    }
  }
}
