import DaybookEntities
import DaybookMerging
import DaybookSyncWire

extension Exchange {
  /// Pushes commits, and returns the refusal if pulling may resolve it.
  ///
  /// - Returns: The refusal if the relay has a different number of this device's entries, or a
  ///   different floor; `nil` if it accepted all entries.
  func refusalOfPush(_ pending: [ReplicaCommit]) async throws -> RelayRefusal? {
    do {
      try await push(pending)
      return nil
    } catch let refusal as RelayRefusal
      where [.numberReused, .gap, .baseBelowFloor, .trimmed].contains(refusal.code)
    {
      return refusal
    }
  }

  /// Pushes commits that the log doesn't have.
  ///
  /// A device's first push also sends its device entry.
  ///
  /// A commit counts as sent only once it has been pulled, so an interrupted push can be repeated.
  func push(_ pending: [ReplicaCommit]) async throws {
    defer { progress(nil) }
    var page = OutgoingPage(of: pending.first?.replica.rawValue ?? own)
    // Many commits share a base.
    var proof: BaseProof?
    for (index, commit) in pending.enumerated() {
      try Task.checkCancellation()
      if page.sentCount > 0, page.entries.isEmpty {
        progress(Double(index) / Double(pending.count))
      }
      if proof?.position != commit.base { proof = nil }
      let known = if let proof { proof } else { try await baseProof(at: commit.base) }
      proof = known
      if page.replica != commit.replica.rawValue {
        try await send(&page)
        page = OutgoingPage(of: commit.replica.rawValue)
      }
      if page.replica == own, page.isNew { try await introduce(base: commit.base, to: &page) }
      for part in try await parts(
        of: WireCommit(commit, link: known.link, state: known.state))
      {
        try await add(part.bytes, .commit, base: commit.base, clock: commit.clock, to: &page)
      }
    }
    if pending.isEmpty { try await introduce(base: memory.chain.end.position, to: &page) }
    try await send(&page)
  }

  /// Splits a commit into parts.
  ///
  /// - Throws: ``SyncError`` with `unsendable`; its message names the commit.
  private func parts(of commit: WireCommit) async throws -> [CommitPart] {
    let fault: WireError
    do throws(WireError) { return try cut(commit) } catch { fault = error }
    guard let first = try await replica.unsendableCommits(cut).first else { throw fault }
    throw first.error
  }

  /// Adds this device's entry if the log doesn't have one.
  ///
  /// - Parameter base: A base no higher than that of the entries that follow.
  private func introduce(base: UInt64, to page: inout OutgoingPage) async throws {
    guard memory.devices[own] == nil else { return }
    let key = DeviceKey(secret: secrets.deviceKey) ?? DeviceKey()
    let entry = DeviceEntry(name: freeName(), publicKey: key.publicKey)
    try await add(entry.bytes, .device, base: base, clock: now(), to: &page)
  }

  /// Returns this device's name, with a number appended if another device (such as a copy) has the
  /// same name.
  private func freeName() -> String {
    let taken = Set(memory.devices.values.filter { !$0.isRevoked }.map(\.name))
    var name = secrets.deviceName
    var number = 2
    while taken.contains(name) {
      let ending = " \(number)"
      var start = secrets.deviceName
      while start.utf8.count + ending.utf8.count > 200 { start.removeLast() }
      name = start + ending
      number += 1
    }
    return name
  }

  /// Returns the link and the proof of State at a position, for commits with that base.
  private func baseProof(at position: UInt64) async throws -> BaseProof {
    guard let link = try await link(at: position) else {
      throw SyncError(
        .awayTooLong, "Couldn't send a commit: it is older than the log's retention.",
        remedy: "Join again into a new folder, with an invitation from another device.")
    }
    return BaseProof(position: position, link: link, state: try await stateProof(at: position))
  }

  /// Seals an entry and adds it to the page; sends the page first if it is full.
  func add(
    _ content: [UInt8], _ kind: EntryKind, base: UInt64, clock: Int64, floor: UInt64 = 0,
    to page: inout OutgoingPage
  ) async throws {
    let (epoch, key) = try newestKey()
    let before = (memory.chain.numbers[page.replica] ?? 0) + page.sentCount
    let number = before + UInt64(page.entries.count) + 1
    let header = EntryHeader(
      kind: kind, replica: page.replica, number: number, base: base, clock: clock &+ clockOffset,
      floor: floor, epoch: epoch)
    let entry = try SealedEntry.seal(content, header, ledger: memory.ledger, key: key)
    if !page.hasRoom(for: entry) { try await send(&page) }
    page.append(entry)
  }

  /// Sends the entries of the page.
  func send(_ page: inout OutgoingPage) async throws {
    if page.entries.isEmpty { return }
    let answer = try await transport.push(PushPage(page.entries))
    saw(head: answer.end.position)
    page.sent()
  }
}

/// The log's link and the proof of State at a position.
private struct BaseProof {
  var position: UInt64
  var link: Hash256
  var state: Hash256
}

/// Entries of one replica to send: as many as fit in a page.
struct OutgoingPage {
  /// The replica that the entries belong to: one of this copy's names.
  let replica: UInt64
  private(set) var entries: [SealedEntry] = []
  /// The number of entries that were sent before these.
  private(set) var sentCount: UInt64 = 0
  private var byteCount = 64

  /// Creates an empty page.
  init(of replica: UInt64) { self.replica = replica }

  /// Whether no entry was ever added.
  var isNew: Bool { entries.isEmpty && sentCount == 0 }

  func hasRoom(for entry: SealedEntry) -> Bool {
    byteCount + entry.bytes.count + 4 <= WireLimits.pageByteCountMax
      && entries.count < WireLimits.pageEntryCountMax
  }

  mutating func append(_ entry: SealedEntry) {
    entries.append(entry)
    byteCount += entry.bytes.count + 4
  }

  mutating func sent() {
    sentCount += UInt64(entries.count)
    entries = []
    byteCount = 64
  }
}
