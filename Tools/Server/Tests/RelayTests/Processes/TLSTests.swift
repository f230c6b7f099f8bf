// Goal: a relay with a certificate speaks TLS to whoever trusts it, and nothing else; without one it stays on this machine.
// Method: openssl makes a certificate, the real program serves with it, curl asks.

import DaybookEntities
import DaybookSyncWire
import Foundation
import Testing

@testable import Relay

private func path(of program: String) -> String? {
  ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(program)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}

@Suite struct TLSTests {
  @Test(.enabled(if: path(of: "openssl") != nil && path(of: "curl") != nil))
  func theCertificateIsServed() async throws {
    let scratch = Scratch()
    let folder = scratch.path + "/relay"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let store = try EmbeddedRelayStore.open(folder: folder)
    try await store.makeLedger(ledger, quota: 1 << 20)
    let token = DeviceToken.make()
    try await store.addDevice(
      RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash(token), name: "Phone"))
    let (chain, key) = (scratch.path + "/chain.pem", scratch.path + "/key.pem")
    let made = try await RelayProcess.run(
      program: try #require(path(of: "openssl")),
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", chain,
      ])
    try #require(made.status == 0, "\(made.text)")
    let port = anyPort()
    let process = try RelayProcess(
      folder: folder, port: port, ["--certificate", chain, "--key", key])
    func ask(_ arguments: String...) async throws -> (status: Int32, text: String) {
      try await RelayProcess.run(
        program: try #require(path(of: "curl")),
        ["--silent", "--max-time", "20", "--header", "Authorization: Bearer \(token)"] + arguments)
    }
    let status = "https://127.0.0.1:\(port)/v1/status"
    var answer = try await ask("--cacert", chain, status)
    // 7: nobody listens yet.
    while answer.status == 7, process.isRunning {
      try await Task.sleep(for: .milliseconds(20))
      answer = try await ask("--cacert", chain, status)
    }
    #expect(answer.status == 0 && answer.text.contains(ledger.description), "\(answer)")
    // 60: the certificate is not trusted.
    #expect(try await ask(status).status == 60)
    #expect(try await ask("--cacert", chain, "--tls-max", "1.1", status).status != 0)
    let plain = try await ask("http://127.0.0.1:\(port)/v1/status")
    #expect(plain.status != 0 && !plain.text.contains(ledger.description))
    await process.kill()
  }

  @Test func withoutACertificateItStaysOnThisMachine() async throws {
    let scratch = Scratch()
    let refused = try await RelayProcess.run(
      "serve", "--folder", scratch.path, "--host", "0.0.0.0", "--port", "20000")
    #expect(refused.status == 64 && refused.text.contains("--certificate"))
  }
}
