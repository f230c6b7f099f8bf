import Entities
import SyncWire

/// Cuts a snapshot's elements into the contents of chunks.
///
/// The stream is each element with its byte count (varint) before it; a chunk holds the version, and then any piece of
/// the stream.
struct ChunkCutter {
  private var bytes: [UInt8] = []

  /// Adds an element.
  ///
  /// - Returns: the contents of chunks that are full.
  mutating func add(_ element: [UInt8]) -> [[UInt8]] {
    var writer = ByteWriter(reserving: 10)
    writer.varint(UInt64(element.count))
    bytes += writer.bytes
    bytes += element
    var full: [[UInt8]] = []
    let most = WireLimits.contentByteCountMax - 1
    while bytes.count >= most {
      full.append([WireLimits.version] + bytes.prefix(most))
      bytes.removeFirst(most)
    }
    return full
  }

  /// The content of the last chunk, where something is left.
  mutating func finish() -> [UInt8]? {
    defer { bytes = [] }
    return bytes.isEmpty ? nil : [WireLimits.version] + bytes
  }
}

/// Puts elements together again from the contents of chunks.
struct ChunkJoiner {
  private var bytes: [UInt8] = []

  /// Whether an element has begun and not ended.
  var isWithinElement: Bool { !bytes.isEmpty }

  /// Takes the content of the next chunk.
  ///
  /// - Returns: the elements that are whole.
  /// - Throws: `WireError`.
  mutating func add(_ content: [UInt8]) throws -> [[UInt8]] {
    guard content.first == WireLimits.version else {
      throw WireError(.unknownVersion, at: 0, "a chunk of another version")
    }
    bytes += content.dropFirst()
    var whole: [[UInt8]] = []
    var start = 0
    while true {
      var reader = ByteReader(bytes)
      reader.offset = start
      guard let count = try? reader.varint() else { break }
      guard count <= UInt64(WireLimits.recordByteCountMax) * 2 else {
        throw WireError(.tooLarge, at: start, "an element of \(count) bytes")
      }
      let end = reader.offset + Int(count)
      guard end <= bytes.count else { break }
      whole.append(Array(bytes[reader.offset..<end]))
      start = end
    }
    bytes.removeFirst(start)
    return whole
  }
}

extension LogMemory {
  /// What a snapshot says beside the fold: of each replica its last push number and, where it is known, its device.
  ///
  /// The byte 0, replica u64, push number varint, whether a device follows, the device.
  var elements: [[UInt8]] {
    Set(chain.numbers.keys).union(devices.keys).sorted().map { replica in
      var writer = ByteWriter(reserving: 96)
      writer.u8(0)
      writer.u64be(replica)
      writer.varint(chain.numbers[replica] ?? 0)
      writer.u8(devices[replica] == nil ? 0 : 1)
      writer.raw(devices[replica]?.bytes ?? [])
      return writer.bytes
    }
  }
}

/// What a snapshot says beside the fold, as it is read.
struct SnapshotDevices {
  /// What the element of a key begins with; then come the bytes of an `EpochEntry`.
  static let keyElement: UInt8 = 6

  var numbers: [UInt64: UInt64] = [:]
  var devices: [UInt64: DeviceMemory] = [:]

  mutating func read(_ element: [UInt8]) throws {
    var reader = ByteReader(element)
    _ = try reader.u8()
    let replica = try reader.u64be()
    let number = try reader.varint()
    if number > 0 { numbers[replica] = number }
    if try reader.u8() != 0 {
      devices[replica] = try DeviceMemory(reader.bytes(element.count - reader.offset))
    }
  }
}
