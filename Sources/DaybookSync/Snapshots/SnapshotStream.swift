import DaybookEntities
import DaybookSyncWire

/// Cuts a snapshot's elements into the contents of chunks.
///
/// The elements form a stream, in which each element is preceded by its byte count (varint). A
/// chunk contains the version byte, followed by the next piece of the stream.
struct ChunkCutter {
  private var bytes: [UInt8] = []

  /// Adds an element.
  ///
  /// - Returns: The contents of the chunks that became full.
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

  /// Returns the content of the last chunk, or `nil` if no bytes remain.
  mutating func finish() -> [UInt8]? {
    defer { bytes = [] }
    return bytes.isEmpty ? nil : [WireLimits.version] + bytes
  }
}

/// Joins the contents of chunks to elements.
struct ChunkJoiner {
  private var bytes: [UInt8] = []

  /// Whether an element has started but isn't complete yet.
  var isWithinElement: Bool { !bytes.isEmpty }

  /// Adds the content of the next chunk.
  ///
  /// - Returns: The elements that became complete.
  /// - Throws: `WireError`.
  mutating func add(_ content: [UInt8]) throws -> [[UInt8]] {
    guard content.first == WireLimits.version else {
      throw WireError(.unknownVersion, at: 0, "a chunk has an unknown version")
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
  /// The elements that a snapshot contains in addition to the fold: each replica's last push
  /// number, and the replica's device if it is known.
  ///
  /// An element contains the byte 0, the replica (u64), the push number (varint), a byte that is 1
  /// if a device follows and 0 otherwise, and the device.
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

/// Collects the replicas and devices that a snapshot contains in addition to the fold.
struct SnapshotDevices {
  /// The first byte of an element that contains a key; the bytes of an `EpochEntry` follow it.
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
