import DaybookCZlib
import DaybookFormats

/// Decompression with zlib.
enum Inflater {
  /// The container of the compressed data.
  enum Wrapping {
    /// No container, as in a zip archive.
    case none
    case gzip

    fileprivate var windowBits: Int32 {
      switch self {
      case .none: -15
      case .gzip: 15 + 16
      }
    }
  }

  /// The reason why data can't be decompressed.
  enum Fault: Error {
    case damaged
    case cutOff
    case tooLarge
    case memory

    func refusal(_ what: String, path: String) -> InterchangeError {
      let (reason, remedy) =
        switch self {
        case .damaged: ("is damaged: it can't be unpacked.", "Get it again.")
        case .cutOff: ("ends within the compressed data.", "It was truncated: get it again.")
        case .tooLarge:
          ("is unreasonably large when it is unpacked.", "Unpack it yourself if you trust it.")
        case .memory: ("can't be unpacked: there is not enough memory.", "Try again.")
        }
      return InterchangeError(.format, "\(what) \(reason)", remedy: remedy, path: path)
    }
  }

  /// The maximum compression ratio.
  ///
  /// Real files have a ratio of about 20, and a decompression bomb of zeros has about 1,000.
  private static let ratioMax = 250
  /// The size up to which any compression ratio is allowed.
  private static let freeByteCount = 1 << 24
  private static let chunkByteCount = 1 << 16

  /// Decompresses data.
  ///
  /// - Parameter byteCountMax: The maximum size of the result.
  static func inflate(
    _ bytes: ArraySlice<UInt8>, _ wrapping: Wrapping, byteCountMax: Int
  ) throws(Fault) -> [UInt8] {
    let limit = min(byteCountMax, max(freeByteCount, bytes.count.multipliedClamped(by: ratioMax)))
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, wrapping.windowBits, ZLIB_VERSION, size) == Z_OK else {
      throw .memory
    }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: chunkByteCount)
    var rest = bytes
    while true {
      let step = step(&stream, rest, &chunk)
      rest = rest.dropFirst(step.taken)
      output.append(contentsOf: chunk[..<step.given])
      guard output.count <= limit else { throw .tooLarge }
      switch step.code {
      case Z_STREAM_END:
        // A gzip file may consist of several members. Any other bytes after the end of a member are
        // padding.
        guard case .gzip = wrapping, rest.starts(with: [0x1F, 0x8B]) else { return output }
        guard inflateReset(&stream) == Z_OK else { throw .memory }
      case Z_OK where step.taken > 0 || step.given > 0: continue
      case Z_OK, Z_BUF_ERROR: throw .cutOff
      case Z_MEM_ERROR: throw .memory
      default: throw .damaged
      }
    }
  }

  /// Calls zlib once, and returns the number of bytes consumed, the number of bytes produced, and
  /// the status code.
  private static func step(
    _ stream: inout z_stream, _ input: ArraySlice<UInt8>, _ chunk: inout [UInt8]
  ) -> (taken: Int, given: Int, code: Int32) {
    input.withUnsafeBufferPointer { input in
      chunk.withUnsafeMutableBufferPointer { output in
        let count = min(input.count, 1 << 20)
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        let code = DaybookCZlib.inflate(&stream, Z_NO_FLUSH)
        return (count - Int(stream.avail_in), output.count - Int(stream.avail_out), code)
      }
    }
  }

  /// Returns the CRC-32 checksum that zip archives use.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value = crc32(0, nil, 0)
    var start = 0
    while start < bytes.count {
      let end = min(start + (1 << 30), bytes.count)
      bytes[start..<end].withUnsafeBufferPointer {
        value = crc32(value, $0.baseAddress, UInt32($0.count))
      }
      start = end
    }
    return UInt32(truncatingIfNeeded: value)
  }
}

extension Int {
  fileprivate func multipliedClamped(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
