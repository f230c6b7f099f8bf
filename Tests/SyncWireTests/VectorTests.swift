// Goal: the wire is what Docs/Sync.md says, byte by byte.
// Method: the vectors in that document are computed from fixed keys and nonces and compared with its blocks.

import DaybookEntities
import Foundation
import Testing

@testable import DaybookSyncWire

@Suite struct VectorTests {
  static let blocks: [String: String] = {
    let path =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../Docs/Sync.md"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [:] }
    var blocks: [String: String] = [:]
    var name: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```hex ") || line.hasPrefix("```text ") {
        name = String(line.split(separator: " ", maxSplits: 1)[1])
      } else if line.hasPrefix("```") {
        name = nil
      } else if let name {
        blocks[name, default: ""] += line
      }
    }
    return blocks
  }()

  private func expect(_ name: String, _ bytes: [UInt8]) {
    let digits = bytes.map { String(format: "%02x", $0) }.joined()
    #expect(Self.blocks[name] == digits, "VECTOR \(name) \(digits)")
  }

  @Test func contentsOfEntries() throws {
    for content in try contents() { expect(content.name, content.bytes) }
  }

  @Test func entries() throws {
    let entry = try sampleEntry()
    expect("header", entry.header.bytes)
    expect("entry", entry.bytes)
    expect("digest", entry.digest.bytes)
    expect("push", PushPage([entry]).bytes)
  }

  @Test func chain() throws {
    let start = LogEnd(startOf: ledger)
    expect("link-0", start.link.bytes)
    let entry = try sampleEntry()
    let placed = PlacedEntry(position: 1, received: 1_700_000_000_000_001, entry: entry)
    let end = start.appending(
      replica: entry.header.replica, number: 1, received: placed.received, digest: entry.digest)
    expect("link-1", end.link.bytes)
    expect("pull", PullPage(head: 1, floor: 0, link: end.link, entries: [placed]).bytes)
    expect("state-proof", key.proof(ofState: hash(2), at: 5).bytes)
  }

  @Test func pairing() {
    let code = PairingCode(secret: Array(1...15))
    #expect(Self.blocks["code"] == code.text, "VECTOR code \(code.text)")
    #expect(Self.blocks["mailbox"] == code.mailbox, "VECTOR mailbox \(code.mailbox)")
    expect("invitation-key", code.key.bytes)
  }
}
