public import Entities
public import SyncWire

/// What a store does so that a log can be moved out of it, or into it: see ``LogMover``.
///
/// Each function is one transaction, durable when it returns, and can be repeated. Where a log is not open, everything that
/// devices write is refused within the transaction that would write it; `RelayStore.device` refuses whoever asks for
/// a log that is not here.
public protocol MovingStore: Sendable {
  /// How a log stands; `nil` where none was ever here.
  func moveState(of ledger: EntityID) async throws -> MoveState?
  /// Takes a step of a move.
  ///
  /// - Throws: ``MoveFault``.
  func take(_ step: MoveStep, of move: UInt64, of ledger: EntityID) async throws
  /// What is kept of a log beside its entries and chunks, in whatever phase it is.
  func record(of ledger: EntityID) async throws -> LogRecord

  /// Makes a log that arrives, and holds nothing but where it begins; nothing where this move made it before.
  ///
  /// - Parameter trimmed: The end of what the source let go.
  /// - Returns: What this store calls the move.
  /// - Throws: ``MoveFault`` where a log is here, or rows of one that was.
  func prepare(_ ledger: EntityID, move: UInt64, from trimmed: LogEnd) async throws -> UInt64
  /// Puts entries that come next into a log that arrives, with the positions and times that they have.
  ///
  /// Those that are there are left out.
  func place(_ entries: [PlacedEntry], of ledger: EntityID, ticket: UInt64) async throws
  /// Puts a chunk of a snapshot into a log that arrives.
  func place(_ chunk: SealedEntry, of ledger: EntityID, ticket: UInt64) async throws
  /// Compares a log that arrived with what the source keeps of it, and puts everything else in: arriving → complete.
  ///
  /// - Throws: ``MoveFault/incomplete(_:)``.
  func complete(_ ledger: EntityID, as record: LogRecord, ticket: UInt64) async throws
  /// Deletes entries, chunks and what belongs to them of a log that has moved; devices stay, so that they can be told.
  ///
  /// - Returns: How many rows were deleted; 0 where there is nothing more to do.
  func erase(_ ledger: EntityID, rowCountMax: Int) async throws -> Int
}
