public import Entities
import Relay
import SyncWire

extension PostgresRelayStore {
  /// Lets go of at most `entryCountMax` entries below the floor, where a snapshot shows them.
  public func trim(_ ledger: EntityID, entryCountMax: Int) async throws -> Int {
    let found = try await run(
      "select trim_log($1, $2)", [.uuid(ledger), .int8(Int64(entryCountMax))])
    return Int(try found.first?.int8(0) ?? 0)
  }

  /// Refused: a cluster is backed up by PostgreSQL's own means.
  public func backup(to path: String) async throws {
    throw RelayRefusal(
      .unavailable,
      "A PostgreSQL cluster is backed up by pg_basebackup and its archive of WAL: see Docs/Relay.md."
    )
  }
}
