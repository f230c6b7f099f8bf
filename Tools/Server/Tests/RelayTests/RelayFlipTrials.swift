// Goal: whatever bit of a relay's file is flipped: the relay refuses it, a device or `verify` notices it, or it has no
// effect; no file grows without limit, and no process ends.
// Method: bits of every region of LMDB's file are flipped, drawn by a seed, in copies of a store with one of everything.
// Children use each copy as a relay does: they open and lock it, answer everything, and take a push and an invitation.
// DAYBOOK_FLIP_TRIALS sets how many bits are flipped.

import DaybookEntities
import DaybookRandom
import DaybookSyncWire
import Foundation
import Testing

@testable import Relay

@Suite(.serialized) struct RelayFlipTrials {
  private static let mailbox = String(repeating: "m", count: 32)
  private static let tokens = (0..<3).map { Hash256(hashing: [UInt8($0)]) }
  private static let floor: UInt64 = 100

  // MARK: In the child

  static func tryRemaining(in place: String) async throws {
    let answers = try Flips.read([String].self, "answers", place)
    let digests = try Flips.read([String].self, "digests", place)
    try await Flips.tryRemaining(in: place) { flip in
      let copy = try Flips.renewCopy(for: flip, in: place)
      let fate = try await Flips.boundingGrowth(of: copy) {
        await use(copy, expecting: answers, digests)
      }
      guard fate == .wrong else { return fate }
      _ = try Flips.renewCopy(for: flip, in: place)
      return await isNoticedByVerify(copy) ? .wrong : .unnoticed
    }
  }

  /// Serves a copy as a relay does.
  private static func use(
    _ path: String, expecting answers: [String], _ digests: [String]
  ) async -> Fate {
    do {
      let store = try EmbeddedRelayStore.open(folder: path)
      _ = try await store.settle()
      var fate: Fate = try await Self.answers(store) == answers ? .harmless : .wrong
      // A device can't open a manifest or an invitation that was changed.
      if "\(try await store.manifest(of: ledger).digest)" != digests[0] { return .noticed }
      // A device pushes on, and another one joins.
      let end = try await store.status(of: ledger, now: 9).end.position
      let pushed = try await store.push(
        PushPage([entry(62, base: floor)]), to: ledger, now: 9)
      if pushed.positions != [end + 1] { fate = .wrong }
      let invitation = try await store.takeInvitation(mailbox: mailbox, now: 10)
      if "\(invitation.digest)" != digests[1] { return .noticed }
      try await store.close()
      return fate
    } catch { return .noticed }
  }

  /// Whether `daybook-relay verify` notices a fault.
  private static func isNoticedByVerify(_ path: String) async -> Bool {
    do {
      let store = try EmbeddedRelayStore.open(folder: path)
      guard try EmbeddedRelayStore.examine(folder: path) == .intact else { return true }
      var faults: [String] = []
      for ledger in try await store.ledgers() { faults += try await store.verify(ledger).faults }
      try await store.close()
      return !faults.isEmpty
    } catch { return true }
  }

  /// What the relay answers, as text.
  private static func answers(_ store: EmbeddedRelayStore) async throws -> [String] {
    let status = try await store.status(of: ledger, now: 9)
    let record = try await store.record(of: ledger)
    var answers = [
      "\(try await store.ledgers()) \(status.end) \(status.floor)",
      "\(try await store.usage(of: ledger)) \(try await store.totals())",
    ]
    for token in tokens { answers.append("\(String(describing: try await store.device(token)))") }
    answers += record.devices.map { "\($0)" }.sorted()
    for chunk in record.chunks {
      answers.append("\(try await store.chunk(chunk, of: ledger).digest)")
    }
    var position = record.trimmed.position
    while position < status.end.position {
      let page = try await store.pull(from: ledger, after: position, byteCountMax: 1 << 16)
      answers.append("\(page.head) \(page.floor) \(page.link)")
      answers += page.entries.map { "\($0.position) \($0.received) \($0.entry.digest)" }
      position += UInt64(page.entries.count)
    }
    return answers
  }

  // MARK: In the parent

  /// Makes a store of two logs, one of them with three devices, a snapshot, trimmed entries and an invitation.
  ///
  /// - Returns: The manifest and the invitation.
  private func make(_ path: String) async throws -> [SealedEntry] {
    var random = SeededGenerator(seed: 1)
    let store = try EmbeddedRelayStore.open(folder: path)
    _ = try await store.settle()
    try await store.makeLedger(ledger, quota: 1 << 24)
    try await store.makeLedger(EntityID(high: 7, low: 9), quota: 1 << 20)
    for (index, token) in Self.tokens.enumerated() {
      try await store.addDevice(
        RelayDevice(ledger: ledger, tokenHash: token, name: "Device \(index)"))
      try await store.bind(token, to: UInt64(index + 1))
    }
    _ = try await store.revoke(Self.tokens[2], of: ledger)
    func push(_ entry: SealedEntry) async throws {
      _ = try await store.push(PushPage([entry]), to: ledger, now: 5)
    }
    // Long entries take pages of their own.
    for number in 1...60 as ClosedRange<UInt64> {
      for replica in 1...3 as ClosedRange<UInt64> {
        let count = Int.random(in: 0..<4, using: &random) == 0 ? 5_000 : 200
        try await push(
          entry(number, replica: replica, content: [UInt8](repeating: 1, count: count)))
      }
    }
    try await push(entry(61, base: Self.floor, kind: .floor, floor: Self.floor))
    var chunks: [Hash256] = []
    for byte in 1...4 as ClosedRange<UInt8> {
      let content = [UInt8](repeating: byte, count: 3_000)
      let chunk = try entry(0, base: 120, kind: .chunk, content: content)
      try await store.putChunk(chunk, of: ledger)
      chunks.append(chunk.digest)
    }
    let manifest = try entry(0, base: 120, kind: .manifest)
    try await store.putManifest(manifest, chunks: chunks, of: ledger)
    _ = try await store.trim(ledger, entryCountMax: 70)
    let invitation = try entry(0, kind: .invitation)
    try await store.putInvitation(invitation, mailbox: Self.mailbox, of: ledger, now: 5)
    #expect(try await store.verify(ledger).faults == [])
    try await store.close()
    return [manifest, invitation]
  }

  @Test func everyFlipIsNoticedOrBounded() async throws {
    let scratch = Scratch()
    let path = scratch.path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let digests = try await make(path + "/relay").map { "\($0.digest)" }
    try Flips.put(digests, "digests", path)
    #expect(try EmbeddedRelayStore.examine(folder: path + "/relay") == .intact)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/relay/data.mdb"))
    let regions = FileRegions(tree: bytes)
    for region in [.meta, .branch, .leaf, .overflow, .freeList] as [FileRegion] {
      #expect(regions.ranges[region]?.isEmpty == false, "no \(region)")
    }
    let copy = path + "/copy"
    try FileManager.default.copyItem(atPath: path + "/relay", toPath: copy)
    let store = try EmbeddedRelayStore.open(folder: copy)
    _ = try await store.settle()
    let answers = try await Self.answers(store)
    try await store.close()
    #expect(answers.count > 120)
    // Without a flip, a copy works as expected.
    #expect(await Self.use(copy, expecting: answers, digests) == .harmless)
    try Flips.put(answers, "answers", path)
    let flips = Flips.drawn(from: [("relay", "data.mdb", regions)])
    let fates = try await Flips.fates(of: flips, in: path) {
      await withKnownIssue("a damaged file can end the process", isIntermittent: true) {
        await #expect(processExitsWith: .success) { [path = path as String] in
          try await RelayFlipTrials.tryRemaining(in: path)
        }
      }
    }
    Flips.report(fates)
    // If there were none, the trials would notice something else than the flips.
    #expect(fates.contains { $0.fate == .harmless })
    // Opening examines the whole structure of such a small file.
    for (flip, fate) in fates where fate == .crash { Issue.record("\(fate): \(flip)") }
  }
}
