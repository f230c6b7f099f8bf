import DaybookCSQLite
import DaybookCZlib

/// Packs as other programs do, so that tests have files of their own.
enum Packing {
  /// Packed by zlib, alone or as gzip.
  static func deflate(_ bytes: [UInt8], gzip: Bool = false) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(&stream, 6, Z_DEFLATED, gzip ? 31 : -15, 8, 0, ZLIB_VERSION, size) == Z_OK
    else { return [] }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 8 + 1_024)
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = DaybookCZlib.deflate(&stream, Z_FINISH)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<count])
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer {
      UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32($0.count)))
    }
  }

  private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A zip of files, packed or as they are.
  static func zip(
    _ files: [(name: String, bytes: [UInt8])], stores: Bool = false, flags: Int = 0,
    comment: String = ""
  ) -> [UInt8] {
    var zip: [UInt8] = []
    var list: [UInt8] = []
    for (name, bytes) in files {
      let packed = stores ? bytes : deflate(bytes)
      let method = number(stores ? 0 : 8, 2)
      let sizes =
        number(Int(checksum(bytes)), 4) + number(packed.count, 4) + number(bytes.count, 4)
      let names = number(name.utf8.count, 2)
      list += number(0x0201_4B50, 4) + number(20, 2) + number(20, 2) + number(flags, 2) + method
      list += number(0, 4) + sizes + names + number(0, 2) + number(0, 2) + number(0, 8)
      list += number(zip.count, 4) + Array(name.utf8)
      zip += number(0x0403_4B50, 4) + number(20, 2) + number(flags, 2) + method + number(0, 4)
      zip += sizes + names + number(0, 2) + Array(name.utf8) + packed
    }
    let end =
      number(0x0605_4B50, 4) + number(0, 4) + number(files.count, 2) + number(files.count, 2)
      + number(list.count, 4) + number(zip.count, 4) + number(comment.utf8.count, 2)
    return zip + list + end + Array(comment.utf8)
  }

  /// The bytes of a database that statements of SQL make; none where they are wrong.
  static func database(_ statements: String) -> [UInt8] {
    var handle: OpaquePointer?
    guard sqlite3_open(":memory:", &handle) == SQLITE_OK else { return [] }
    defer { sqlite3_close(handle) }
    var message: UnsafeMutablePointer<CChar>?
    guard sqlite3_exec(handle, statements, nil, nil, &message) == SQLITE_OK else {
      print(message.map { String(cString: $0) } ?? "")
      return []
    }
    var size: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else { return [] }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }
}
