import DaybookEntities
import DaybookReplicas
import DaybookSyncWire

extension Exchange {
  /// Returns the digest of this device's confirmed State at a position, or `nil` if it isn't known.
  ///
  /// It is known at the end of each pulled page, and at the last position for which each other
  /// device sent a proof in that page.
  private func digest(at position: UInt64) async throws -> Hash256? {
    if hidesState { return nil }
    if position == memory.chain.end.position { return try await digestHere() }
    if let known = claimedDigests[position] { return known }
    let noted = try await replica.note(LogMemory.stateKey(position)).flatMap { Hash256($0) }
    claimedDigests[position] = .some(noted)
    return noted
  }

  /// Returns the digest of State at this device's position or, while a page is folded, at the
  /// position before the page.
  private func digestHere() async throws -> Hash256? {
    if knownDigest == nil { knownDigest = Hash256(try await replica.digest()) }
    return knownDigest
  }

  /// Returns the digest of this device's State, for people to compare.
  func shownDigest() async throws -> Hash256? {
    _ = try await unsent()
    return hidesState ? nil : try await digestHere()
  }

  /// Returns the note with the digest of State; call this method before pulling more entries.
  func stateNote() async throws -> Replica.Note {
    Replica.Note(
      LogMemory.stateKey(memory.chain.end.position),
      hidesState ? nil : try await digestHere()?.bytes)
  }

  /// Returns the proof of this device's confirmed State at a position; zero if it isn't known.
  func stateProof(at position: UInt64) async throws -> Hash256 {
    guard let digest = try await digest(at: position) else { return .zero }
    return try newestKey().key.proof(ofState: digest, at: position)
  }

  /// Compares another device's proof of State at a position with this device's State at that
  /// position.
  func compare(
    _ proof: Hash256, at position: UInt64, by header: EntryHeader, received: Int64,
    _ next: inout LogMemory
  ) async throws {
    guard proof != .zero, let digest = try await digest(at: position),
      let key = secrets.keys[header.epoch]
    else { return }
    next.devices[header.replica]?.proof = StateProof(
      position: position, received: received,
      isEqual: key.proof(ofState: digest, at: position) == proof)
  }

  /// Sends a beacon with this device's position and proof of State if its last proof is older than
  /// `seconds`.
  ///
  /// - Returns: Whether a beacon was sent.
  func sendBeacon(after seconds: Double) async throws -> Bool {
    let end = memory.chain.end
    let time = now() &+ clockOffset
    if let last = memory.devices[own]?.proof?.received,
      time - last < Int64(seconds * 1_000_000)
    {
      return false
    }
    let beacon = Beacon(
      position: end.position, link: end.link, state: try await stateProof(at: end.position))
    var page = OutgoingPage(of: own)
    try await add(beacon.bytes, .beacon, base: end.position, clock: now(), to: &page)
    try await send(&page)
    return true
  }
}
