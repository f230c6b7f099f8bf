// Goal: with a certificate the server speaks TLS to whoever trusts it and nothing else, and it ends in order, also where
// somebody follows its changes. Method: openssl makes a certificate, the real program serves with it, curl asks.
import Daybook
import Foundation
import Testing

private func path(of program: String) -> String? {
  ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(program)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}

@Suite(.serialized, .enabled(if: path(of: "openssl") != nil && path(of: "curl") != nil))
struct TransportTests {
  /// A folder with a ledger in it, gone at the end.
  private func withFolder(_ body: (_ folder: String, _ ledger: String) async throws -> Void)
    async throws
  {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ledger = try await Ledger.open(at: folder + "/Books.daybook")
    try await ledger.append(.createCategory(NewCategory(name: "Food", kind: .expense)))
    try await ledger.close()
    try await body(folder, folder + "/Books.daybook")
  }

  /// Starts a program; what it says goes into a file.
  private func start(_ program: String, _ arguments: [String], into file: String) throws -> Process
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path(of: program)))
    process.arguments = arguments
    try Data().write(to: URL(fileURLWithPath: file))
    let handle = try #require(FileHandle(forWritingAtPath: file))
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    return process
  }

  private func run(
    _ program: String, _ arguments: [String], in folder: String
  ) throws -> (status: Int32, text: String) {
    let file = "\(folder)/\(UUID().uuidString)"
    let process = try start(program, arguments, into: file)
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOfFile: file, encoding: .utf8))
  }

  @Test func theCertificateIsServed() async throws {
    try await withFolder { folder, ledger in
      let (chain, key) = (folder + "/chain.pem", folder + "/key.pem")
      let made = try run(
        "openssl",
        [
          "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
          "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", chain,
        ], in: folder)
      try #require(made.status == 0, "\(made.text)")
      let server = try ServedProcess(
        ledger: ledger, more: ["--certificate", chain, "--key", key])
      let words = try server.firstWords()
      #expect(words.contains("https://"), "\(words)")
      func ask(_ arguments: String...) throws -> (status: Int32, text: String) {
        try run("curl", ["--silent", "--include", "--max-time", "20"] + arguments, in: folder)
      }
      let address = "https://127.0.0.1:\(server.port)/v1/categories"
      let answer = try ask("--cacert", chain, address)
      #expect(answer.status == 0 && answer.text.contains("Food"), "\(answer)")
      // 60: the certificate is not trusted.
      #expect(try ask(address).status == 60)
      #expect(try ask("--cacert", chain, "--tls-max", "1.1", address).status != 0)
      let plain = try ask("http://127.0.0.1:\(server.port)/v1/categories")
      #expect(plain.status != 0 && !plain.text.contains("Food"))
      server.kill()
    }
  }

  @Test func itEndsInOrderWhileSomebodyFollows() async throws {
    try await withFolder { folder, ledger in
      let server = try ServedProcess(ledger: ledger)
      #expect(try server.firstWords().hasPrefix("Serving"))
      let told = folder + "/told"
      let follower = try start(
        "curl",
        [
          "--silent", "--no-buffer", "--max-time", "60",
          "http://127.0.0.1:\(server.port)/v1/changes",
        ],
        into: told)
      func isTold(_ text: String) async throws {
        while follower.isRunning, try !String(contentsOfFile: told, encoding: .utf8).contains(text)
        {
          try await Task.sleep(for: .milliseconds(5))
        }
      }
      // It follows once it has been told where it begins.
      try await isTold("retry:")
      let body = #"{"name":"Rent","kind":"expense"}"#
      #expect(await server.send("POST", "/v1/categories", body)?.status == 201)
      // What it was not told of before the end it would be told of when it comes again.
      try await isTold("event: commit")
      server.process.terminate()
      server.process.waitUntilExit()
      #expect(server.process.terminationStatus == 0)
      follower.waitUntilExit()
      #expect(follower.terminationStatus == 0, "its stream ended")
      #expect(try String(contentsOfFile: told, encoding: .utf8).contains("event: commit"))
      let again = try await Ledger.open(at: ledger)
      #expect(try again.read { try $0.categories(.expense).count } == 2)
      try await again.close()
    }
  }
}
