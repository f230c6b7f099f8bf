// Goal: nothing that was acknowledged is lost when the server is killed while it writes; who sends slowly holds
// up nobody; a ledger that is damaged is told of, and left as it is. Method: the server runs as a process. It is
// killed amid writes, and started again; its ledger is verified and asked what it holds.
import Daybook
import Foundation
import Synchronization
import Testing

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
}
