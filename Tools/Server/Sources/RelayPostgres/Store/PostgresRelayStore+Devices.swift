public import Entities
public import Relay
import SyncWire

extension PostgresRelayStore {
  /// Lets whoever has the token of this hash in.
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

  /// The device of a token's hash, or `nil` where it was never let in or is revoked.
  public func device(_ tokenHash: Hash256) async throws -> RelayDevice? {
    // Of every request: what they write, and where they are told that the log ends, waits for the fence. Before an old
    // leader, one who was turned away meanwhile reads what was there before.
    let statement = Self.devices("d.token_hash = $1 and not d.is_revoked")
    return try await told(statement, [.hash(tokenHash)], fencing: .ifEmpty).first.map {
      try RelayDevice($0)
    }
  }

  /// The devices of a ledger, also those that were turned away.
  public func devices(of ledger: EntityID) async throws -> [RelayDevice] {
    try await told(Self.devices("d.ledger = $1"), [.uuid(ledger)]).map { try RelayDevice($0) }
  }

  /// Asks for devices in the order of their tokens' hashes.
  static func devices(_ condition: String) -> String {
    """
    select d.ledger, d.token_hash, d.name, d.is_revoked,
      array(select r.replica from replica r where r.ledger = d.ledger and r.token_hash = d.token_hash
        order by r.bound)
    from device d where \(condition) order by d.token_hash
    """
  }

  /// Says that a device pushes as a replica.
  public func bind(_ tokenHash: Hash256, to replica: UInt64) async throws {
    _ = try await run(
      "select bind($1, $2, $3)",
      [.hash(tokenHash), .bits(replica), .int8(Int64(RelayDevice.replicaCountMax))])
  }

  /// Turns a device of a ledger away from now on.
  public func revoke(_ tokenHash: Hash256, of ledger: EntityID) async throws -> Bool {
    try await !told(
      "update device set is_revoked = true where token_hash = $1 and ledger = $2 returning token_hash",
      [.hash(tokenHash), .uuid(ledger)], fencing: .ifEmpty
    ).isEmpty
  }
}

extension RelayDevice {
  /// From a row of what ``PostgresRelayStore/devices(_:)`` asks for.
  init(_ row: Row) throws {
    self.init(
      ledger: try row.id(0), tokenHash: try row.hash(1), name: try row.text(2),
      replicas: try row.int8s(4).map { UInt64(bitPattern: $0) }, isRevoked: try row.bool(3))
  }
}
