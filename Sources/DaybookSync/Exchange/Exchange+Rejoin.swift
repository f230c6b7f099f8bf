import DaybookEntities
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire
import Foundation

extension Exchange {
  /// Starts over from the relay's newest snapshot, because this device was offline for longer than
  /// the log is kept.
  ///
  /// Pending commits are recorded again on top of the snapshot. All changes are made in one
  /// transaction, so an interruption changes nothing.
  func rejoin() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "snapshot-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let reader = SnapshotReader(transport, secrets, progress: progress)
    let snapshot = try await reader.download(to: folder, as: try await ownNames())
    let beacon = snapshot.manifest.beacon
    guard beacon.position > memory.chain.end.position else {
      throw SyncError(
        .awayTooLong,
        "Couldn't catch up: the relay's log starts after the last entry that this device has seen, "
          + "and its snapshot doesn't cover the gap.",
        remedy: "Run `daybook sync` on another device, and then on this one.")
    }
    var next = LogMemory(
      ledger: memory.ledger, own: own,
      chain: LogChain(
        from: snapshot.read.end, floor: snapshot.read.floor, numbers: snapshot.read.devices.numbers)
    )
    next.devices = snapshot.read.devices.devices
    next.floorMoved = snapshot.read.end.received
    next.clockOffset = memory.clockOffset
    // The entries after the snapshot may be sealed with keys that were created while this device
    // was offline.
    try keep(snapshot.read.secrets)
    let placed = try await placedNumber(after: snapshot.read.end.position)
    let key = secrets.keys[snapshot.read.epoch]
    let receipt = try await replica.rejoin(
      placed: placed, noting: next.notesOfBeginning, forgetting: LogMemory.notesOfLog,
      where: { digest in
        let digest = Hash256(digest) ?? .zero
        return key?.proof(ofState: digest, at: beacon.position) == beacon.state
      }, from: { try snapshot.reader() })
    memory = next
    note(receipt)
    hasRejoined = true
  }

  /// Returns the number of this device's last commit after a position.
  ///
  /// The commit was pushed, but the response was lost.
  private func placedNumber(after start: UInt64) async throws -> UInt64 {
    var (position, last) = (start, UInt64(0))
    var assembler = CommitAssembler()
    while true {
      let page = try await transport.pull(after: position)
      for placed in page.entries
      where placed.entry.header.replica == own && placed.entry.header.kind == .commit {
        let bytes = try placed.entry.open(ledger: memory.ledger, ring: secrets.keys)
        if let commit = try assembler.take(CommitPart(bytes: bytes)) { last = commit.number }
      }
      guard let end = page.entries.last?.position, end < page.head else { return last }
      position = end
    }
  }
}
