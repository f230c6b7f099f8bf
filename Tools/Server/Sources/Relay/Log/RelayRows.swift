import DaybookEntities
import DaybookSyncWire
import Foundation

/// A change's view of the store: the stored rows, overlaid with the change's own writes.
///
/// If the change throws, its writes are discarded.
struct RelayRows {
  /// Returns the stored value of a key.
  let stored: ([UInt8]) throws -> [UInt8]?
  /// Visits the stored rows with a key prefix, from a key on, until the closure returns `false`.
  ///
  /// The change's own writes are not included.
  let scan: (_ prefix: [UInt8], _ from: [UInt8], (([UInt8], [UInt8]) throws -> Bool)) throws -> Void
  /// The values written by the change; `nil` for deleted keys.
  var writes: [[UInt8]: [UInt8]?] = [:]

  func get(_ key: [UInt8]) throws -> [UInt8]? {
    if let written = writes[key] { return written }
    return try stored(key)
  }

  mutating func put(_ key: [UInt8], _ value: [UInt8]) { writes[key] = .some(value) }

  mutating func delete(_ key: [UInt8]) { writes[key] = .some(nil) }
}

// Entries, chunks and manifests have digests of their own. Other rows that are used to answer
// devices' requests are stored as JSON with a seal, which is the first bytes of the SHA-256 hash of
// the key and the JSON.
extension RelayRows {
  private static let sealByteCount = 8

  private static func seal(_ key: [UInt8], _ json: some Collection<UInt8>) -> ArraySlice<UInt8> {
    Hash256(hashing: key + json).bytes.prefix(sealByteCount)
  }

  mutating func putSealed(_ value: some Encodable, _ key: [UInt8]) throws {
    let json = try JSONEncoder().encode(value)
    put(key, Array(json) + Self.seal(key, json))
  }

  /// Returns the value of a sealed row, or `nil` if there is none.
  ///
  /// - Throws: ``RelayDamage`` if the row has changed.
  func sealed<Value: Decodable>(_ key: [UInt8], _ what: String) throws -> Value? {
    try get(key).map { try Self.unsealed($0, under: key, what) }
  }

  static func unsealed<Value: Decodable>(
    _ bytes: [UInt8], under key: [UInt8], _ what: String
  ) throws -> Value {
    let json = bytes.dropLast(sealByteCount)
    guard bytes.suffix(sealByteCount) == seal(key, json),
      let value = try? JSONDecoder().decode(Value.self, from: Data(json))
    else { throw RelayDamage(what) }
    return value
  }
}

/// A storage engine for rows, on disk or in memory.
protocol RowEngine: Sendable {
  /// Runs a closure that changes rows, and returns once its changes are durable.
  ///
  /// Concurrent changes share a commit.
  func write<Result: Sendable>(
    _ change: @escaping @Sendable (inout RelayRows) throws -> Result
  ) async throws -> Result
  /// Runs a closure that reads the rows of one commit.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (RelayRows) throws -> Result
  ) async throws -> Result
  /// The durations of the engine's commits.
  var commitTimes: CommitTimes { get }
  /// An identifier of the files, which changes if the files are copied.
  var place: [UInt8] { get }
  /// Locks the folder until the engine is closed.
  func lockFolder() throws
  /// Closes the files after pending writes are complete.
  func close() async throws
  /// Writes a copy to a new folder, with an empty `place`, by which it is recognised as a copy.
  func backup(to path: String) throws
}
