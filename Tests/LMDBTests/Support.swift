// Goal: what the tests of this folder share: temporary folders, keys from numbers, a seeded
// generator. Method: functions to call, no tests.

import DaybookLMDB
import Foundation

/// A folder for one test, removed with everything in it at the end of the closure.
func withFolder<R>(_ body: (_ path: String) throws -> R) throws -> R {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("lmdb-tests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url.path)
}

/// The same for tests that wait.
func withFolderAsync<R>(_ body: (_ path: String) async throws -> R) async throws -> R {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("lmdb-tests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try await body(url.path)
}

/// An environment that does not wait for the disk, with one database.
func withEnvironment<R>(
  mapByteCount: Int = 1 << 30, _ body: (Environment, Database) throws -> R
) throws -> R {
  try withFolder { path in
    var options = EnvironmentOptions(mapByteCount: mapByteCount)
    options.durability = .deferred
    let environment = try Environment.open(path: path, options: options)
    defer { try? environment.close() }
    return try body(environment, environment.database(named: "table", create: true))
  }
}

/// A number as a key: big-endian, so that the order of keys is that of numbers.
func key(_ number: Int) -> [UInt8] {
  withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
}

/// The bytes of a span.
func copy(_ span: RawSpan) -> [UInt8] {
  span.withUnsafeBytes { Array($0) }
}

/// The number in a key.
func number(_ span: RawSpan) -> Int {
  copy(span).reduce(0) { $0 << 8 | Int($1) }
}
