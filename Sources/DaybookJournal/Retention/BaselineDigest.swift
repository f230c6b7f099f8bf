import DaybookCrypto
package import DaybookEntities

/// A digest of a set of rows, to which rows can be added and from which they can be removed in any
/// order.
///
/// The digest is LtHash (Bellare and Micciancio 1997; Lewi et al., "Securing Update Propagation
/// with Homomorphic Hashing", 2019) with 1,024 lanes of 16 bits. A row's SHA-256 is used as a
/// ChaCha20 key, and the first 1,024 numbers of the key stream are added to the lanes. Finding
/// other rows with the same digest is infeasible, which isn't true of digests combined with XOR.
package struct BaselineDigest: Hashable, Sendable {
  static let laneCount = 1_024
  static let byteCount = laneCount * 2

  private var lanes: [UInt16]

  /// Creates the digest of an empty set.
  package init() { lanes = [UInt16](repeating: 0, count: BaselineDigest.laneCount) }

  package init(_ bytes: [UInt8]) throws(DecodingFault) {
    guard bytes.count == BaselineDigest.byteCount else { throw .truncated(atByte: bytes.count) }
    lanes = (0..<BaselineDigest.laneCount).map {
      UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8
    }
  }

  package var bytes: [UInt8] {
    lanes.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  /// The digest, hashed to 32 bytes.
  package var hash: Hash256 { Hash256(hashing: bytes) }

  /// Adds a row.
  package mutating func add(_ row: Hash256) { combine(row) { $0 &+ $1 } }

  /// Removes a row.
  package mutating func remove(_ row: Hash256) { combine(row) { $0 &- $1 } }

  /// Adds all rows of another digest.
  package mutating func add(_ other: BaselineDigest) {
    for lane in lanes.indices { lanes[lane] &+= other.lanes[lane] }
  }

  private mutating func combine(_ row: Hash256, _ body: (UInt16, UInt16) -> UInt16) {
    let keyStream: [UInt8]
    do throws(CryptoError) {
      keyStream = try BaselineDigest.keyStream(of: row)
    } catch {
      preconditionFailure("A key of 32 bytes and a nonce of 12 were refused: \(error)")
    }
    let numbers = keyStream.span.bytes
    for lane in 0..<BaselineDigest.laneCount {
      let number = unsafe numbers.unsafeLoadUnaligned(fromByteOffset: 2 * lane, as: UInt16.self)
      lanes[lane] = body(lanes[lane], UInt16(littleEndian: number))
    }
  }

  private static let zeros = [UInt8](repeating: 0, count: byteCount)
  private static let nonce = [UInt8](repeating: 0, count: ChaCha20Poly1305.nonceByteCount)

  /// Returns the ChaCha20 key stream for a row's digest, followed by an unused tag.
  private static func keyStream(of row: Hash256) throws(CryptoError) -> [UInt8] {
    let (key, none): ([UInt8], [UInt8]) = (row.bytes, [])
    return try ChaCha20Poly1305.seal(
      zeros.span.bytes, key: key.span.bytes, nonce: nonce.span.bytes,
      authenticating: none.span.bytes)
  }
}
