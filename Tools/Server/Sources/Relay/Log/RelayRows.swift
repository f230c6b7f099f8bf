import SyncWire

/// Rows of bytes as one change sees them: what is stored, and on top what the change writes.
///
/// A change that throws leaves nothing: its writes are dropped.
struct RelayRows {
  /// The value of a key in the store.
  let stored: ([UInt8]) throws -> [UInt8]?
  /// Rows of the store whose keys begin with a prefix and are not below a key, in order.
  ///
  /// What the change itself wrote is not among them.
  let scan: (_ prefix: [UInt8], _ from: [UInt8], (([UInt8], [UInt8]) throws -> Bool)) throws -> Void
  /// What was written: `nil` for what was deleted.
  var writes: [[UInt8]: [UInt8]?] = [:]

  func get(_ key: [UInt8]) throws -> [UInt8]? {
    if let written = writes[key] { return written }
    return try stored(key)
  }

  mutating func put(_ key: [UInt8], _ value: [UInt8]) { writes[key] = .some(value) }

  mutating func delete(_ key: [UInt8]) { writes[key] = .some(nil) }
}

/// Where rows are kept: on a disk, or in memory.
protocol RowEngine: Sendable {
  /// Lets a closure change rows; durable when it returns.
  ///
  /// Changes that wait at the same time are made durable together.
  func write<Result: Sendable>(
    _ change: @escaping @Sendable (inout RelayRows) throws -> Result
  ) async throws -> Result
  /// Lets a closure read rows as one commit left them.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (RelayRows) throws -> Result
  ) async throws -> Result
  /// How long its commits took.
  var commitTimes: CommitTimes { get }
  /// What tells where the rows are from where a copy of them is.
  var place: [UInt8] { get }
  /// Locks the folder until it is closed.
  func lockFolder() throws
  /// Lets go of the files, once what is being written is.
  func close() async throws
  /// Writes a copy to a new folder, with a place that is none.
  func backup(to path: String) throws
}
