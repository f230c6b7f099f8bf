// Goal: nothing that was acknowledged is lost when the server is killed while it writes; who sends slowly holds
// up nobody; a ledger that is damaged is told of, and left as it is. Method: the server runs as a process. It is
// killed amid writes, and started again; its ledger is verified and asked what it holds.
import Daybook
import Foundation
import Synchronization
import Testing

@testable import DaybookServer

@Suite(.serialized) struct ProcessTests {
  private func withLedger(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString).daybook").path
    let ledger = try await Ledger.open(at: path)
    try await ledger.append(.createCategory(NewCategory(name: "Food", kind: .expense)))
    try await ledger.close()
    try await body(path)
    try FileManager.default.removeItem(atPath: path)
  }

  /// The names of what the server has said to be recorded.
  private final class Acknowledged: Sendable {
    let names = Mutex<[String]>([])
  }

  private static func category(_ name: String) -> String {
    #"{"name":"\#(name)","kind":"expense"}"#
  }

  @Test func whatWasAcknowledgedIsThereAfterAKill() async throws {
    try await withLedger { path in
      let server = try ServedProcess(ledger: path)
      #expect(try server.firstWords().hasPrefix("Serving"))
      let acknowledged = Acknowledged()
      await withTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            for index in 0..<10_000 {
              let name = "C\(writer).\(index)"
              let answer = await server.send(
                "POST", "/v1/categories", Self.category(name), key: name)
              guard let answer else { return }
              let count = acknowledged.names.withLock { names in
                if answer.status == 201 { names.append(name) }
                return names.count
              }
              // The other writers are amid their requests.
              if count == 40 { return server.kill() }
            }
          }
        }
      }
      let names = acknowledged.names.withLock { $0 }
      #expect(names.count >= 40)
      let ledger = try await Ledger.open(at: path)
      let kept = try ledger.read { Set(try $0.categories(.expense).map(\.name)) }
      #expect(kept.isSuperset(of: names), "\(Set(names).subtracting(kept))")
      let findings = try await ledger.verify().findings
      #expect(findings.isEmpty)
      try await ledger.close()

      let again = try ServedProcess(ledger: path)
      #expect(try again.firstWords().hasPrefix("Serving"))
      for name in names {
        let answer = await again.send("POST", "/v1/categories", Self.category(name), key: name)
        #expect(answer?.status == 200 && answer?.body.contains(#""isRepeat":true"#) == true)
      }
      again.kill()
    }
  }

  @Test func halfRequestsHoldUpNobody() async throws {
    try await withLedger { path in
      let server = try ServedProcess(ledger: path)
      #expect(try server.firstWords().hasPrefix("Serving"))
      let halves = try (0..<200).map { _ in try server.halfRequest() }
      for index in 0..<20 {
        let name = "C\(index)"
        #expect(await server.send("GET", "/v1/categories")?.status == 200)
        let answer = await server.send("POST", "/v1/categories", Self.category(name))
        #expect(answer?.status == 201)
      }
      for half in halves { close(half) }
      #expect(await server.send("GET", "/")?.status == 200)
      server.kill()
    }
  }

  @Test func aDamagedLedgerIsToldOfAndLeftAsItIs() async throws {
    try await withLedger { path in
      let files = try FileManager.default.subpathsOfDirectory(atPath: path)
        .filter { $0.contains("journal") && $0.hasSuffix("data.mdb") }
      let file = path + "/" + (try #require(files.first, "\(files)"))
      let damaged = Data(repeating: 0xAB, count: 64 * 1_024)
      try damaged.write(to: URL(fileURLWithPath: file))
      let server = try ServedProcess(ledger: path)
      let told = try server.firstWords()
      server.process.waitUntilExit()
      #expect(server.process.terminationStatus == 1)
      #expect(told.hasPrefix("Error: "), "\(told)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == damaged)
    }
  }

  @Test func whatWasTakenBackOrImportedIsKnownAfterAKill() async throws {
    try await withLedger { path in
      var server = try ServedProcess(ledger: path)
      #expect(try server.firstWords().hasPrefix("Serving"))
      let account = await server.send("POST", "/v1/accounts", #"{"name":"Bank","currency":"EUR"}"#)
      #expect(account?.status == 201)
      let table = "Date,Amount,Currency,Payee\n2026-01-02,-12.50,EUR,Rewe\n"
      let sent = try #require(await server.send("POST", "/v1/imports?name=bank.csv", table))
      let upload = try #require(try JSONText.read(Array(sent.body.utf8))["upload"]?.text)
      let commit = "/v1/imports/\(upload)/commit"
      let file = try #require(
        await server.send("POST", commit, #"{"account":"Bank"}"#, key: "file"))
      #expect(file.status == 200, "\(file.body)")
      let rows = try #require(try JSONText.read(Array(file.body.utf8))["transactions"]?.elements)
      #expect(rows.count == 1)
      let undo = try #require(await server.send("POST", "/v1/undo", "{}", key: "undo"))
      let redo = try #require(await server.send("POST", "/v1/redo", "{}", key: "redo"))
      #expect(undo.status == 200 && redo.status == 200, "\(undo.body) \(redo.body)")
      server.kill()

      server = try ServedProcess(ledger: path)
      #expect(try server.firstWords().hasPrefix("Serving"))
      let again = try #require(
        await server.send("POST", commit, #"{"account":"Bank"}"#, key: "file"))
      #expect(again.status == 200, "\(again.body)")
      let known = try JSONText.read(Array(again.body.utf8))
      #expect(known["isRepeat"]?.flag == true && known["transactions"]?.elements == rows)
      let other = await server.send("POST", commit, #"{"account":"Other"}"#, key: "file")
      #expect(other?.status == 422 && other?.body.contains("keyReused") == true)
      for (path, first) in [("/v1/undo", undo), ("/v1/redo", redo)] {
        let key = String(path.dropFirst(4))
        let second = try #require(await server.send("POST", path, "{}", key: key))
        let token = try JSONText.read(Array(first.body.utf8))["token"]
        let repeated = try JSONText.read(Array(second.body.utf8))
        #expect(second.status == 200 && repeated["isRepeat"]?.flag == true, "\(second.body)")
        #expect(repeated["token"] == token)
      }
      let history = await server.send("GET", "/v1/history?limit=1")
      #expect(history?.body.contains(#""reversal""#) == true, "\(history?.body ?? "")")
      server.kill()
    }
  }
}
