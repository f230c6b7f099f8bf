import DaybookEntities

/// Pads content to hide its length.
///
/// The padded form is a byte count (u32), the content, and zeros up to the next of a few lengths.
///
/// The lengths are those of Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted
/// Files", 2019): they add at most 12 % and reveal O(log log *n*) bits of the length. The minimum
/// is 256 bytes.
enum Padding {
  static let byteCountLeast = 256

  static func paddedCount(_ count: Int) -> Int {
    guard count > byteCountLeast else { return byteCountLeast }
    let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
    let digits = Int.bitWidth - exponent.leadingZeroBitCount
    let mask = (1 << (exponent - digits)) - 1
    return (count + mask) & ~mask
  }

  static func pad(_ content: [UInt8]) -> [UInt8] {
    let count = paddedCount(content.count + 4)
    var writer = ByteWriter(reserving: count)
    writer.u32be(UInt32(content.count))
    writer.raw(content)
    writer.bytes.append(contentsOf: repeatElement(0, count: count - writer.bytes.count))
    return writer.bytes
  }

  static func unpad(_ padded: [UInt8]) throws(WireError) -> [UInt8] {
    var reader = WireReader(padded)
    let count = Int(try reader.u32())
    guard count <= padded.count - 4, paddedCount(count + 4) == padded.count else {
      throw WireError(.invalid, at: 0, "\(count) bytes are not padded to \(padded.count)")
    }
    guard padded[(4 + count)...].allSatisfy({ $0 == 0 }) else {
      throw WireError(.invalid, at: 4 + count, "the padding is not zero")
    }
    return Array(padded[4..<4 + count])
  }
}
