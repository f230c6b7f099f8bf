package import DaybookEntities
package import DaybookSampleData
package import DaybookSyncWire
import DaybookTesting

/// What a network may do to a message.
package enum NetworkFault: Error, Hashable, Sendable {
  /// It never arrived.
  case lostOnTheWay
  /// It arrived, and the answer did not.
  case answerLost
}

/// A way on which messages and answers are lost, by a seed; and a relay that lies, where it is told to.
package struct FaultyTransport: SyncTransport {
  /// What is done to a page that was pulled.
  package typealias Lie = @Sendable (PullPage) -> PullPage

  /// What is answered in place of what was asked for.
  package struct Refusal: Sendable {
    package var error: any Error
    /// Whether only pushes are refused.
    package var ofPushes: Bool

    package init(_ error: any Error, ofPushes: Bool = false) {
      self.error = error
      self.ofPushes = ofPushes
    }
  }

  package let base: any SyncTransport
  package let random: Kept<SeededGenerator>
  /// Of a hundred messages so many are lost.
  package let lossPercent: Int
  /// Whether no chunk of a snapshot comes through.
  package var losesChunks: Bool
  /// What happens before a chunk of a snapshot is asked for.
  package var beforeChunk: @Sendable () async throws -> Void = {}
  /// What happens before the log is asked for.
  package var beforePull: @Sendable () async throws -> Void = {}
  package var lie: Kept<Lie?>
  /// While it is set, messages are refused.
  package var refusal = Kept<Refusal?>(nil)
  /// Where it is set, pushes come late: each is said to be lost, and is there just before the next.
  package var late: Kept<PushPage?>?

  package init(
    base: any SyncTransport, random: Kept<SeededGenerator>, lossPercent: Int,
    losesChunks: Bool = false, lie: Kept<Lie?> = Kept(nil), late: Kept<PushPage?>? = nil
  ) {
    self.base = base
    self.random = random
    self.lossPercent = lossPercent
    self.losesChunks = losesChunks
    self.lie = lie
    self.late = late
  }

  private func passing<Value: Sendable>(
    isPush: Bool = false, _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    if let refusal = refusal.value, isPush || !refusal.ofPushes { throw refusal.error }
    let (draw, isAnswer) = random.change { ($0.number(0...99), $0.number(0...1) == 0) }
    let isLost = draw < lossPercent
    if isLost, !isAnswer { throw NetworkFault.lostOnTheWay }
    let value = try await body()
    if isLost { throw NetworkFault.answerLost }
    return value
  }

  package func status() async throws -> LogStatus { try await passing { try await base.status() } }
  package func push(_ page: PushPage) async throws -> PushAnswer {
    if let late {
      if let before = late.value {
        late.value = nil
        _ = try await base.push(before)
      } else {
        late.value = page
        throw NetworkFault.answerLost
      }
    }
    return try await passing(isPush: true) { try await base.push(page) }
  }
  package func pull(after position: UInt64) async throws -> PullPage {
    try await beforePull()
    let page = try await passing { try await base.pull(after: position) }
    return lie.value?(page) ?? page
  }
  package func waitForEntries(after position: UInt64) async throws -> UInt64 {
    try await base.waitForEntries(after: position)
  }
  package func putChunk(_ chunk: SealedEntry) async throws {
    try await passing { try await base.putChunk(chunk) }
  }
  package func chunk(_ digest: Hash256) async throws -> SealedEntry {
    try await beforeChunk()
    if losesChunks { throw NetworkFault.answerLost }
    return try await passing { try await base.chunk(digest) }
  }
  package func putManifest(_ manifest: SealedEntry, chunks: [Hash256]) async throws {
    try await passing { try await base.putManifest(manifest, chunks: chunks) }
  }
  package func manifest() async throws -> SealedEntry {
    try await passing { try await base.manifest() }
  }
  package func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws {
    try await base.putInvitation(invitation, mailbox: mailbox)
  }
  package func takeInvitation(mailbox: String) async throws -> SealedEntry {
    try await base.takeInvitation(mailbox: mailbox)
  }
  package func devices() async throws -> [PairedDevice] { try await base.devices() }
  package func addDevice(named name: String) async throws -> String {
    try await base.addDevice(named: name)
  }
  package func revokeDevice(_ tokenHash: Hash256) async throws {
    try await base.revokeDevice(tokenHash)
  }
}
