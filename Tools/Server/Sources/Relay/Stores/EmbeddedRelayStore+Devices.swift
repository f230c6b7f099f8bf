public import Entities
import Foundation
public import SyncWire

extension EmbeddedRelayStore {
  /// Lets whoever has the token of this hash in.
  public func addDevice(_ device: RelayDevice) async throws {
    try await rows.write { rows in
      _ = try rows.row(of: device.ledger)
      rows.put(RowKeys.device(device.tokenHash), Array(try JSONEncoder().encode(device)))
    }
  }

  /// The device of a token's hash, or `nil` where it was never let in or is revoked.
  public func device(_ tokenHash: WireHash) async throws -> RelayDevice? {
    let found = try await rows.read { try $0.device(tokenHash) }
    return found?.isRevoked == false ? found : nil
  }

  /// The devices of a ledger, also those that were revoked.
  public func devices(of ledger: EntityID) async throws -> [RelayDevice] {
    try await rows.read { rows in
      var found: [RelayDevice] = []
      try rows.scan(RowKeys.table("D"), RowKeys.table("D")) { _, value in
        let device = try JSONDecoder().decode(RelayDevice.self, from: Data(value))
        if device.ledger == ledger { found.append(device) }
        return true
      }
      return found
    }
  }

  /// Says which replica a device is.
  ///
  /// - Throws: `RelayRefusal` with `wrongReplica` where it is another one already.
  public func bind(_ tokenHash: WireHash, to replica: UInt64) async throws {
    try await rows.write { rows in
      guard var device = try rows.device(tokenHash), !device.isRevoked else {
        throw RelayRefusal(.unauthorized, "The token is not known, or was revoked.")
      }
      if device.replica == replica { return }
      guard device.replica == nil else {
        throw RelayRefusal(.wrongReplica, "The token belongs to another replica.")
      }
      device.replica = replica
      rows.put(RowKeys.device(tokenHash), Array(try JSONEncoder().encode(device)))
    }
  }

  /// Turns a device away from now on.
  public func revoke(_ tokenHash: WireHash) async throws -> Bool {
    try await rows.write { rows in
      guard var device = try rows.device(tokenHash) else { return false }
      device.isRevoked = true
      rows.put(RowKeys.device(tokenHash), Array(try JSONEncoder().encode(device)))
      return true
    }
  }
}

extension RelayRows {
  func device(_ tokenHash: WireHash) throws -> RelayDevice? {
    guard let bytes = try get(RowKeys.device(tokenHash)) else { return nil }
    return try JSONDecoder().decode(RelayDevice.self, from: Data(bytes))
  }
}
