import Entities
import SyncWire
import Synchronization

@testable import DaybookTesting
@testable import Syncing

/// What a network may do to a message.
enum NetworkFault: Error, Hashable, Sendable {
  /// It never arrived.
  case lostOnTheWay
  /// It arrived, and the answer did not.
  case answerLost
}

/// A way on which messages and answers are lost, by a seed; and a relay that lies, where it is told to.
struct FaultyTransport: SyncTransport {
  /// What is done to a page that was pulled.
  typealias Lie = @Sendable (PullPage) -> PullPage

  let base: MemoryTransport
  let random: Kept<SeededGenerator>
  /// Of a hundred messages so many are lost.
  let lossPercent: Int
  /// Whether no chunk of a snapshot comes through.
  var losesChunks = false
  /// What happens before a chunk of a snapshot is asked for.
  var beforeChunk: @Sendable () async throws -> Void = {}
  var lie: Kept<Lie?> = Kept(nil)
  /// Where it is set, pushes come late: each is said to be lost, and is there just before the next.
  var late: Kept<PushPage?>?

  private func passing<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    let (draw, isAnswer) = random.change { ($0.number(0...99), $0.number(0...1) == 0) }
    let isLost = draw < lossPercent
    if isLost, !isAnswer { throw NetworkFault.lostOnTheWay }
    let value = try await body()
    if isLost { throw NetworkFault.answerLost }
    return value
  }

  func status() async throws -> LogStatus { try await passing { try await base.status() } }
  func push(_ page: PushPage) async throws -> PushAnswer {
    if let late {
      if let before = late.value {
        late.value = nil
        _ = try await base.push(before)
      } else {
        late.value = page
        throw NetworkFault.answerLost
      }
    }
    return try await passing { try await base.push(page) }
  }
  func pull(after position: UInt64) async throws -> PullPage {
    let page = try await passing { try await base.pull(after: position) }
    return lie.value?(page) ?? page
  }
  func ring(after position: UInt64) async throws -> UInt64 { try await base.ring(after: position) }
  func putChunk(_ chunk: SealedEntry) async throws {
    try await passing { try await base.putChunk(chunk) }
  }
  func chunk(_ digest: WireHash) async throws -> SealedEntry {
    try await beforeChunk()
    if losesChunks { throw NetworkFault.answerLost }
    return try await passing { try await base.chunk(digest) }
  }
  func putManifest(_ manifest: SealedEntry, chunks: [WireHash]) async throws {
    try await passing { try await base.putManifest(manifest, chunks: chunks) }
  }
  func manifest() async throws -> SealedEntry { try await passing { try await base.manifest() } }
  func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws {
    try await base.putInvitation(invitation, mailbox: mailbox)
  }
  func takeInvitation(mailbox: String) async throws -> SealedEntry {
    try await base.takeInvitation(mailbox: mailbox)
  }
  func devices() async throws -> [PairedDevice] { try await base.devices() }
  func addDevice(named name: String) async throws -> String {
    try await base.addDevice(named: name)
  }
  func revokeDevice(_ tokenHash: WireHash) async throws { try await base.revokeDevice(tokenHash) }
}
