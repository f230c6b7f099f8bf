public import DaybookEntities
import DaybookSyncWire

extension EmbeddedRelayStore {
  /// Adds a device, identified by the hash of its token.
  public func addDevice(_ device: RelayDevice) async throws {
    guard 1...WireLimits.nameByteCountMax ~= device.name.utf8.count else {
      throw RelayRefusal(
        .malformed, "A device's name must have 1 to \(WireLimits.nameByteCountMax) bytes.")
    }
    try await rows.write { rows in
      _ = try rows.row(of: device.ledger)
      guard try rows.devices(of: device.ledger).count < WireLimits.deviceCountMax else {
        throw RelayRefusal(
          .tooMany,
          "The ledger already has \(WireLimits.deviceCountMax) devices, the most that a relay allows."
        )
      }
      try rows.put(device)
      rows.putID(device.ledger, RowKeys.token(device.tokenHash))
    }
  }

  /// Returns the device with this token hash, or `nil` if it was never added or is revoked.
  public func device(_ tokenHash: Hash256) async throws -> RelayDevice? {
    try await rows.read { rows in
      guard let device = try rows.device(tokenHash), !device.isRevoked else { return nil }
      guard try rows.row(of: device.ledger).copiedTo == nil else {
        throw RelayRefusal(.noLedger, "This ledger's log was copied to another relay.")
      }
      return device
    }
  }

  /// Returns the devices of a ledger, including revoked ones.
  public func devices(of ledger: EntityID) async throws -> [RelayDevice] {
    try await rows.read { try $0.devices(of: ledger) }
  }

  /// Binds a replica to a device's token.
  ///
  /// - Throws: `RelayRefusal` with `wrongReplica` if another token of the ledger has that replica,
  ///   or if this token has too many.
  public func bind(_ tokenHash: Hash256, to replica: UInt64) async throws {
    try await rows.write { rows in
      guard var device = try rows.device(tokenHash), !device.isRevoked else {
        throw RelayRefusal(.unauthorized, "The token is unknown or revoked.")
      }
      if device.replicas.contains(replica) { return }
      let key = RowKeys.holder(device.ledger, replica)
      guard try rows.get(key) == nil else {
        throw RelayRefusal(.wrongReplica, "The replica belongs to another token of this ledger.")
      }
      guard device.replicas.count < RelayDevice.replicaCountMax else {
        throw RelayRefusal(
          .wrongReplica,
          "A token has at most \(RelayDevice.replicaCountMax) replicas. Pair this device again.")
      }
      device.replicas.append(replica)
      rows.put(key, tokenHash.bytes)
      try rows.put(device)
    }
  }

  /// Revokes a device of a ledger, and returns whether it existed.
  public func revoke(_ tokenHash: Hash256, of ledger: EntityID) async throws -> Bool {
    try await rows.write { rows in
      guard var device = try rows.device(tokenHash), device.ledger == ledger else { return false }
      device.isRevoked = true
      try rows.put(device)
      return true
    }
  }
}

extension RelayRows {
  func device(_ tokenHash: Hash256) throws -> RelayDevice? {
    guard let ledger = try get(RowKeys.token(tokenHash)) else { return nil }
    var reader = ByteReader(ledger)
    return try sealed(RowKeys.device(reader.id(), tokenHash), "A device's row")
  }

  func devices(of ledger: EntityID) throws -> [RelayDevice] {
    var found: [RelayDevice] = []
    let table = RowKeys.table("D", ledger)
    try scan(table, table) { key, value in
      found.append(try Self.unsealed(value, under: key, "A device's row"))
      return true
    }
    return found
  }

  mutating func put(_ device: RelayDevice) throws {
    try putSealed(device, RowKeys.device(device.ledger, device.tokenHash))
  }

  mutating func putID(_ ledger: EntityID, _ key: [UInt8]) {
    var writer = ByteWriter(reserving: 16)
    writer.id(ledger)
    put(key, writer.bytes)
  }
}
