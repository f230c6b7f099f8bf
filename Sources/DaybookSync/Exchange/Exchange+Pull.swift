import DaybookEntities
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire

extension Exchange {
  /// The number of changes that are folded in one transaction, which limits how long an append
  /// waits.
  private static let sliceChangeCount = 128

  /// Pulls and folds entries up to the end of the log.
  func pull() async throws {
    pullStart = memory.chain.end.position
    defer { progress(nil) }
    while true {
      let position = memory.chain.end.position
      let page = try await transport.pull(after: position)
      saw(head: page.head)
      if !page.entries.isEmpty { try await takeWhatIsKnown(page) }
      if memory.chain.end.position >= page.head { return }
      guard memory.chain.end.position > position else {
        throw ProofFault.gap(expected: position + 1, found: page.head)
      }
    }
  }

  /// Folds a page up to the first entry that needs a newer fold.
  ///
  /// - Throws: `FoldFault.newerFold` if there is such an entry; the entries before it have been
  ///   folded.
  private func takeWhatIsKnown(_ page: PullPage) async throws {
    let fault: FoldFault
    do { return try await take(page) } catch let found as FoldFault { fault = found }
    guard case .newerFold(let position, _) = fault else { throw fault }
    let known = page.entries.prefix { $0.position < position }
    if known.isEmpty { throw fault }
    var chain = memory.chain
    for placed in known { try chain.append(placed) }
    try await take(
      PullPage(
        head: page.head, floor: page.floor, link: chain.end.link, entries: Array(known)))
    throw fault
  }

  /// Folds a page, after checking the chain of the whole page.
  private func take(_ page: PullPage) async throws {
    var next = memory
    if let fault = next.chain.fault(appending: page) { throw syncError(fault) }
    var slice = LogSlice()
    claimedDigests = [:]
    slice.notes.append(try await stateNote())
    let claimed = lastBases(page)
    for placed in page.entries {
      try Task.checkCancellation()
      let content = try await open(placed, &next)
      slice.entries.append(
        LogEntry(position: placed.position, received: placed.received, content: content))
      if case .commit(let commit) = content {
        slice.changeCount += commit.changes.count
        if commit.changes.contains(where: \.isErasure) { next.erased = placed.position }
        if commit.replica.rawValue != own { slice.pulledCount += 1 }
      }
      if let link = next.chain.link(at: placed.position) {
        slice.notes.append(
          Replica.Note(LogMemory.linkKey(placed.position), link.bytes))
      }
      let isClaimed = claimed.contains(placed.position)
      guard isClaimed || slice.changeCount >= Self.sliceChangeCount else { continue }
      try await replica.pull(slice.entries, noting: slice.notes)
      pulledCount += slice.pulledCount
      slice = LogSlice()
      progress(Double(placed.position - pullStart) / Double(head - pullStart))
      if isClaimed, !hidesState {
        let digest = try await replica.digest()
        claimedDigests[placed.position] = Hash256(digest)
        slice.notes.append(Replica.Note(LogMemory.stateKey(placed.position), digest))
      }
    }
    if next.chain.floor > memory.chain.floor {
      for position in memory.chain.floor..<next.chain.floor {
        slice.notes.append(Replica.Note(LogMemory.linkKey(position), nil))
        slice.notes.append(Replica.Note(LogMemory.stateKey(position), nil))
      }
    }
    for (replica, device) in next.devices where memory.devices[replica] != device {
      slice.notes.append(next.deviceNote(replica))
    }
    if next.floorMoved != memory.floorMoved { slice.notes.append(next.floorNote) }
    if next.erased != memory.erased { slice.notes.append(next.erasedNote) }
    if !next.isWithinCommit { slice.notes.append(next.chainNote) }
    try await replica.pull(slice.entries, noting: slice.notes)
    pulledCount += slice.pulledCount
    memory = next
    claimedDigests = [:]
  }

  /// Returns the last base that each other device states in a page.
  ///
  /// This device also computes its own digest at these positions, for comparison.
  private func lastBases(_ page: PullPage) -> Set<UInt64> {
    var bases: [UInt64: UInt64] = [:]
    for placed in page.entries {
      let header = placed.entry.header
      guard header.replica != own, header.kind == .commit || header.kind == .beacon else {
        continue
      }
      bases[header.replica] = header.base
    }
    return Set(bases.values)
  }

  /// Opens an entry, and saves the devices and keys that it contains.
  private func open(_ placed: PlacedEntry, _ next: inout LogMemory) async throws
    -> LogEntry.Content
  {
    let header = placed.entry.header
    let bytes = try placed.entry.open(ledger: next.ledger, ring: secrets.keys)
    next.devices[header.replica]?.base = header.base
    next.devices[header.replica]?.received = placed.received
    if next.floorMoved == nil { next.floorMoved = placed.received }
    switch header.kind {
    case .commit:
      guard
        let whole = try next.assemblers[header.replica, default: CommitAssembler()].take(
          CommitPart(bytes: bytes))
      else { return .nothing }
      guard whole.leastFoldVersion <= Fold.version else {
        throw FoldFault.newerFold(position: placed.position, version: whole.leastFoldVersion)
      }
      try await compare(whole.baseLink, at: header.base, by: header.replica)
      try await compare(
        whole.baseState, at: header.base, by: header, received: placed.received, &next)
      return .commit(ReplicaCommit(whole, header))
    case .floor:
      next.floorMoved = placed.received
      return .floor(header.floor)
    case .device:
      var device = DeviceMemory(try DeviceEntry(bytes: bytes))
      device.base = header.base
      device.received = placed.received
      next.devices[header.replica] = device
    case .epoch:
      try await take(try EpochEntry(bytes: bytes), &next)
    case .beacon:
      let beacon = try Beacon(bytes: bytes)
      try await compare(beacon.link, at: beacon.position, by: header.replica)
      try await compare(
        beacon.state, at: beacon.position, by: header, received: placed.received, &next)
    case .upgrade:
      let version = try UpgradeEntry(bytes: bytes).foldVersion
      guard version <= Fold.version else {
        throw FoldFault.newerFold(position: placed.position, version: version)
      }
    case .manifest, .chunk, .invitation:
      throw WireError(.invalid, at: 1, "unexpected \(header.kind) in the log")
    }
    return .nothing
  }

  private func compare(_ link: Hash256, at position: UInt64, by replica: UInt64) async throws {
    guard let seen = try await self.link(at: position) else { return }
    guard seen == link else { throw ProofFault.forked(position: position, replica: replica) }
  }

  /// Adds a new ledger key if it was wrapped for this device.
  private func take(_ entry: EpochEntry, _ next: inout LogMemory) async throws {
    for name in entry.revoked { next.devices[name]?.isRevoked = true }
    var changed = secrets
    try changed.take(entry, as: try await ownNames())
    try keep(changed)
  }

  /// Returns the replica names that this device has had, the current one first.
  ///
  /// A restored copy has the device key of its original, so keys may be wrapped for the original's
  /// name.
  func ownNames() async throws -> [UInt64] {
    try await replica.names().reversed().map(\.rawValue)
  }

  /// Saves secrets if they changed.
  func keep(_ changed: SyncSecrets) throws {
    if changed == secrets { return }
    try store.save(changed)
    secrets = changed
  }
}

/// Entries of the log that are folded together, with their notes.
private struct LogSlice {
  var entries: [LogEntry] = []
  var notes: [Replica.Note] = []
  var changeCount = 0
  var pulledCount = 0
}

extension LogChain {
  /// Appends a page to the chain, and returns the fault if the page is invalid.
  fileprivate mutating func fault(appending page: PullPage) -> ProofFault? {
    do throws(ProofFault) {
      try append(page)
      return nil
    } catch {
      return error
    }
  }
}
