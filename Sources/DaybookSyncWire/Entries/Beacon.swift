public import DaybookEntities

/// A device's position in the log and the proof of its State, sent about once a day.
public struct Beacon: Hashable, Sendable {
  /// The position up to which the device has seen the log.
  public var position: UInt64
  /// The log's link at ``position``.
  public var link: Hash256
  /// The proof of the device's confirmed State at ``position`` (``LedgerKey/proof(ofState:at:)``).
  public var state: Hash256

  /// Creates a beacon.
  public init(position: UInt64, link: Hash256, state: Hash256) {
    self.position = position
    self.link = link
    self.state = state
  }

  /// The encoded beacon, which is the content to seal.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 80)
    writer.u8(WireLimits.version)
    writer.u64be(position)
    writer.hash(link)
    writer.hash(state)
    return writer.bytes
  }

  /// Decodes a beacon.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
  public init(bytes: [UInt8]) throws(WireError) {
    self = try decodeAll(bytes) { (reader) throws(WireError) in
      try reader.version()
      return Beacon(
        position: try reader.u64(), link: try reader.hash(), state: try reader.hash())
    }
  }
}

/// An entry that starts the use of another version of the fold.
public struct UpgradeEntry: Hashable, Sendable {
  /// The version of the fold.
  public var foldVersion: UInt32

  /// Creates an upgrade entry.
  public init(foldVersion: UInt32) { self.foldVersion = foldVersion }

  /// The encoded entry, which is the content to seal.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 8)
    writer.u8(WireLimits.version)
    writer.u32be(foldVersion)
    return writer.bytes
  }

  /// Decodes an upgrade entry.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
  public init(bytes: [UInt8]) throws(WireError) {
    self = try decodeAll(bytes) { (reader) throws(WireError) in
      try reader.version()
      return UpgradeEntry(foldVersion: try reader.u32())
    }
  }
}

/// The manifest of a snapshot: the content of the entry that lists its chunks.
public struct SnapshotManifest: Hashable, Sendable {
  /// The snapshot's position, link and proof of State.
  public var beacon: Beacon
  /// The digests of the sealed chunks, in order.
  public var chunks: [Hash256]

  /// Creates a manifest.
  public init(beacon: Beacon, chunks: [Hash256]) {
    self.beacon = beacon
    self.chunks = chunks
  }

  /// The encoded manifest, which is the content to seal.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 96 + chunks.count * Hash256.byteCount)
    writer.raw(beacon.bytes)
    writer.varint(UInt64(chunks.count))
    for chunk in chunks { writer.hash(chunk) }
    return writer.bytes
  }

  /// Decodes a manifest.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
  public init(bytes: [UInt8]) throws(WireError) {
    self = try decodeAll(bytes) { (reader) throws(WireError) in
      try reader.version()
      let beacon = Beacon(
        position: try reader.u64(), link: try reader.hash(), state: try reader.hash())
      var chunks: [Hash256] = []
      let most = WireLimits.chunkCountMax
      for _ in 0..<(try reader.count("chunks", most: most, eachAtLeast: Hash256.byteCount)) {
        chunks.append(try reader.hash())
      }
      return SnapshotManifest(beacon: beacon, chunks: chunks)
    }
  }
}

/// The data that a device needs to join a ledger, sealed with the key of a pairing code.
public struct Invitation: Hashable, Sendable {
  /// The ledger's id.
  public var ledger: EntityID
  /// The relay's address, such as `https://relay.example:8481`.
  public var relay: String
  /// The new device's token at the relay.
  public var token: String
  /// The position up to which the inviting device had seen the log.
  ///
  /// If the relay's log is shorter, it has been rolled back.
  public var position: UInt64
  /// The log's link at ``position``.
  public var link: Hash256
  /// The ledger's keys.
  public var keys: KeyRing

  /// Creates an invitation.
  public init(
    ledger: EntityID, relay: String, token: String, position: UInt64, link: Hash256, keys: KeyRing
  ) {
    self.ledger = ledger
    self.relay = relay
    self.token = token
    self.position = position
    self.link = link
    self.keys = keys
  }

  private static let noLedger = EntityID(high: 0, low: 0)

  /// Seals the invitation with the key of a pairing code.
  ///
  /// - Throws: ``WireError``.
  public func seal(for code: PairingCode, replica: UInt64, clock: Int64) throws(WireError)
    -> SealedEntry
  {
    let most = WireLimits.addressByteCountMax
    guard max(relay.utf8.count, token.utf8.count) <= most,
      keys.epochs.count <= WireLimits.keyCountMax, keys.epochs.first != 0
    else {
      throw WireError(
        .tooLarge,
        "an address or token of more than \(most) bytes, or more than \(WireLimits.keyCountMax) keys"
      )
    }
    var writer = ByteWriter(reserving: 256)
    writer.u8(WireLimits.version)
    writer.id(ledger)
    writer.string(relay)
    writer.string(token)
    writer.u64be(position)
    writer.hash(link)
    writer.raw(keys.bytes)
    let header = EntryHeader(
      kind: .invitation, replica: replica, number: 0, base: position, clock: clock, epoch: 0)
    return try SealedEntry.seal(writer.bytes, header, ledger: Self.noLedger, key: code.key)
  }

  /// Opens an invitation from the code's mailbox.
  ///
  /// - Throws: ``WireError``.
  public init(opening entry: SealedEntry, with code: PairingCode) throws(WireError) {
    guard entry.header.kind == .invitation else {
      throw WireError(.invalid, at: 1, "a \(entry.header.kind) is not an invitation")
    }
    let content = try entry.open(ledger: Self.noLedger, key: code.key)
    self = try decodeAll(content) { (reader) throws(WireError) in
      try reader.version()
      let most = WireLimits.addressByteCountMax
      return Invitation(
        ledger: try reader.id(), relay: try reader.text("the relay's address", most: most),
        token: try reader.text("a token", most: most), position: try reader.u64(),
        link: try reader.hash(), keys: try KeyRing(&reader))
    }
  }
}
