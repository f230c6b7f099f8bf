public import DaybookEntities
import DaybookSyncWire
public import Relay

extension PostgresRelayStore {
  /// Adds a device, identified by the hash of its token.
  public func addDevice(_ device: RelayDevice) async throws {
    guard 1...WireLimits.nameByteCountMax ~= device.name.utf8.count else {
      throw RelayRefusal(
        .malformed, "A device's name has 1 to \(WireLimits.nameByteCountMax) bytes.")
    }
    _ = try await run(
      "select put_device($1, $2, $3, $4)",
      [
        .hash(device.tokenHash), .uuid(device.ledger), .text(device.name),
        .int8(Int64(WireLimits.deviceCountMax)),
      ])
  }

  /// Returns the device with the given token hash, or `nil` if it was never added or is revoked.
  public func device(_ tokenHash: Hash256) async throws -> RelayDevice? {
    // Every request runs this query. If the device is found, the query needs no fence: the
    // request's writes wait for one, and so does every answer that contains the log's end. An old
    // leader may still accept a device that has been revoked, but the device can then only read
    // older data.
    let statement = Self.devices("d.token_hash = $1 and not d.is_revoked")
    return try await told(statement, [.hash(tokenHash)], fencing: .ifEmpty).first.map {
      try RelayDevice($0)
    }
  }

  /// Returns the devices of a ledger, including revoked ones.
  public func devices(of ledger: EntityID) async throws -> [RelayDevice] {
    try await told(Self.devices("d.ledger = $1"), [.uuid(ledger)]).map { try RelayDevice($0) }
  }

  /// Returns the query for devices, ordered by the hashes of their tokens.
  static func devices(_ condition: String) -> String {
    """
    select d.ledger, d.token_hash, d.name, d.is_revoked,
      array(select r.replica from replica r where r.ledger = d.ledger and r.token_hash = d.token_hash
        order by r.bound)
    from device d where \(condition) order by d.token_hash
    """
  }

  /// Permanently binds a replica to a device's token.
  public func bind(_ tokenHash: Hash256, to replica: UInt64) async throws {
    _ = try await run(
      "select bind($1, $2, $3)",
      [.hash(tokenHash), .bits(replica), .int8(Int64(RelayDevice.replicaCountMax))])
  }

  /// Revokes a device of a ledger, and returns whether the device existed.
  public func revoke(_ tokenHash: Hash256, of ledger: EntityID) async throws -> Bool {
    try await !told(
      "update device set is_revoked = true where token_hash = $1 and ledger = $2 returning token_hash",
      [.hash(tokenHash), .uuid(ledger)], fencing: .ifEmpty
    ).isEmpty
  }
}

extension RelayDevice {
  /// Creates a device from a row of the query ``PostgresRelayStore/devices(_:)``.
  init(_ row: Row) throws {
    self.init(
      ledger: try row.id(0), tokenHash: try row.hash(1), name: try row.text(2),
      replicas: try row.int8s(4).map { UInt64(bitPattern: $0) }, isRevoked: try row.bool(3))
  }
}
