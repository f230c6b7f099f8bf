import CLibPQ
import DaybookEntities
import DaybookSyncWire

/// A parameter of a statement, in PostgreSQL's binary format.
struct Value: Sendable {
  /// The type's OID, which is the same in all versions of PostgreSQL.
  let type: UInt32
  let bytes: [UInt8]

  static func int8(_ number: Int64) -> Value { Value(type: 20, bytes: eight(number)) }
  static func bits(_ number: UInt64) -> Value { int8(Int64(bitPattern: number)) }
  static func bytea(_ bytes: [UInt8]) -> Value { Value(type: 17, bytes: bytes) }
  static func hash(_ hash: Hash256) -> Value { bytea(hash.bytes) }
  static func text(_ text: String) -> Value { Value(type: 25, bytes: Array(text.utf8)) }

  static func uuid(_ id: EntityID) -> Value { Value(type: 2_950, bytes: sixteen(id)) }

  static func uuids(_ ids: [EntityID]) -> Value {
    Value(type: 2_951, bytes: array(of: 2_950, ids.map(sixteen)))
  }

  static func int8s(_ numbers: [Int64?]) -> Value {
    var elements: [[UInt8]?] = []
    for number in numbers { elements.append(number.map(eight)) }
    return Value(type: 1_016, bytes: array(of: 20, elements))
  }

  static func byteas(_ list: [[UInt8]]) -> Value { Value(type: 1_001, bytes: array(of: 17, list)) }

  private static func sixteen(_ id: EntityID) -> [UInt8] {
    var writer = ByteWriter(reserving: 16)
    writer.id(id)
    return writer.bytes
  }

  private static func eight(_ number: Int64) -> [UInt8] {
    var writer = ByteWriter(reserving: 8)
    writer.u64be(UInt64(bitPattern: number))
    return writer.bytes
  }

  /// Encodes an array with one dimension and a lower bound of 1.
  private static func array(of type: UInt32, _ elements: [[UInt8]?]) -> [UInt8] {
    var size = 20
    for element in elements { size += 4 + (element?.count ?? 0) }
    var writer = ByteWriter(reserving: size)
    writer.u32be(elements.isEmpty ? 0 : 1)
    writer.u32be(elements.contains { $0 == nil } ? 1 : 0)
    writer.u32be(type)
    guard !elements.isEmpty else { return writer.bytes }
    writer.u32be(UInt32(elements.count))
    writer.u32be(1)
    for element in elements {
      guard let element else {
        writer.u32be(.max)
        continue
      }
      writer.u32be(UInt32(element.count))
      writer.raw(element)
    }
    return writer.bytes
  }
}

/// The result of a statement, owned by this object and stored by libpq.
///
/// `@unchecked` because it has a C pointer. It is safe because libpq doesn't change a result after
/// returning it and allows reading it on any thread, and because only this object has the pointer
/// and clears the result in `deinit`. Keep the object alive while using a buffer from
/// ``value(_:_:)``.
final class PostgresResult: @unchecked Sendable {
  private let handle: OpaquePointer?

  init(_ handle: OpaquePointer?) { self.handle = handle }
  deinit { PQclear(handle) }

  var rows: [Row] { (0..<PQntuples(handle)).map { Row(result: self, index: $0) } }
  var columnCount: Int { Int(PQnfields(handle)) }

  /// Returns a value in binary format, or `nil` if it is null or the column doesn't exist.
  ///
  /// The buffer is valid as long as this object is alive.
  func value(_ row: Int32, _ column: Int) -> UnsafeRawBufferPointer? {
    guard 0..<columnCount ~= column, PQgetisnull(handle, row, Int32(column)) == 0 else {
      return nil
    }
    return UnsafeRawBufferPointer(
      start: PQgetvalue(handle, row, Int32(column)),
      count: Int(PQgetlength(handle, row, Int32(column))))
  }
}

/// A row of a result.
struct Row: Sendable {
  let result: PostgresResult
  let index: Int32

  private func value<Value>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    guard let value = result.value(index, column) else {
      throw PostgresFault.unreadable("column \(column) is null")
    }
    defer { withExtendedLifetime(result) {} }
    return try body(value)
  }

  func bytes(_ column: Int) throws -> [UInt8] { try value(column) { Array($0) } }

  func isNull(_ column: Int) -> Bool { result.value(index, column) == nil }

  func int8(_ column: Int) throws -> Int64 {
    try value(column) { bytes in
      guard bytes.count == 8 else {
        throw PostgresFault.unreadable("column \(column) isn't an int8")
      }
      return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  func bits(_ column: Int) throws -> UInt64 { UInt64(bitPattern: try int8(column)) }

  func bool(_ column: Int) throws -> Bool { try bytes(column) == [1] }

  func text(_ column: Int) throws -> String { String(decoding: try bytes(column), as: UTF8.self) }

  func id(_ column: Int) throws -> EntityID {
    let bytes = try bytes(column)
    guard bytes.count == 16 else { throw PostgresFault.unreadable("column \(column) is no id") }
    return EntityID(
      high: UInt64(bitPattern: Row.number(bytes.prefix(8))),
      low: UInt64(bitPattern: Row.number(bytes.suffix(8))))
  }

  func hash(_ column: Int) throws -> Hash256 {
    guard let hash = Hash256(try bytes(column)) else {
      throw PostgresFault.unreadable("column \(column) is no hash")
    }
    return hash
  }

  /// Returns a log's end, whose position, link and time of receipt are in three columns.
  func logEnd(_ column: Int) throws -> LogEnd {
    LogEnd(
      position: try bits(column), link: try hash(column + 1), received: try int8(column + 2))
  }

  /// Returns an array of int8 without nulls.
  func int8s(_ column: Int) throws -> [Int64] {
    let bytes = try bytes(column)
    // The value has a header (dimensions, flags, type, count and lower bound), followed by the
    // elements, each preceded by its size.
    return stride(from: 24, to: bytes.count - 7, by: 12).map { Row.number(bytes[$0..<$0 + 8]) }
  }
}
