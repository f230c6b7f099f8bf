public import Entities
public import SyncWire

extension EmbeddedRelayStore {
  /// How a log stands; `nil` where none was ever here.
  public func moveState(of ledger: EntityID) async throws -> MoveState? {
    try await rows.read { try $0.moveState(of: ledger) }
  }

  /// Takes a step of a move.
  public func take(_ step: MoveStep, of move: UInt64, of ledger: EntityID) async throws {
    try await rows.write { try $0.take(step, of: move, of: ledger) }
  }

  /// What is kept of a log beside its entries and chunks.
  public func record(of ledger: EntityID) async throws -> LogRecord {
    try await rows.read { try $0.record(of: ledger) }
  }

  /// Makes a log that arrives, and holds nothing but where it begins.
  public func prepare(
    _ ledger: EntityID, move: UInt64, from trimmed: LogEnd
  ) async throws -> UInt64 {
    try await rows.write { try $0.prepare(ledger, move: move, from: trimmed) }
  }

  /// Puts entries that come next into a log that arrives.
  public func place(_ entries: [PlacedEntry], of ledger: EntityID, ticket: UInt64) async throws {
    try await rows.write { try $0.place(entries, of: ledger, ticket: ticket) }
  }

  /// Puts a chunk of a snapshot into a log that arrives.
  public func place(_ chunk: SealedEntry, of ledger: EntityID, ticket: UInt64) async throws {
    try await rows.write { try $0.place(chunk, of: ledger, ticket: ticket) }
  }

  /// Compares a log that arrived with what the source keeps of it, and puts everything else in.
  public func complete(
    _ ledger: EntityID, as record: LogRecord, ticket: UInt64
  ) async throws {
    try await rows.write { try $0.complete(ledger, as: record, ticket: ticket) }
  }

  /// Deletes entries, chunks and what belongs to them of a log that has moved.
  public func erase(_ ledger: EntityID, rowCountMax: Int) async throws -> Int {
    try await rows.write { try $0.erase(ledger, rowCountMax: rowCountMax) }
  }
}
