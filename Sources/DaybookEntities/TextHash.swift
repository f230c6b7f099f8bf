/// A 128-bit hash of a text, for keys that have no room for the text.
///
/// Equal bytes have equal hashes in every process and version, because the hash is part of the
/// views' file format. It combines two FNV-1a hashes with different initial values, each with the
/// finalizer of SplitMix64. The hash isn't cryptographic: two given texts have equal hashes by
/// accident with a probability of about 2⁻¹²⁸, but an attacker can construct such texts. If a
/// collision would do harm, also compare the texts.
public struct TextHash: Hashable, Sendable {
  /// The first half.
  public let high: UInt64
  /// The second half.
  public let low: UInt64

  /// Computes the hash of bytes, such as the UTF-8 of a text.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public init(_ bytes: some Sequence<UInt8>) {
    var first: UInt64 = 0xcbf2_9ce4_8422_2325
    var second: UInt64 = 0x9e37_79b9_7f4a_7c15
    for byte in bytes {
      first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
      second = (second ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    high = TextHash.finished(first)
    low = TextHash.finished(second)
  }

  /// Creates a hash from its two halves, as read from a stored key.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  private static func finished(_ hash: UInt64) -> UInt64 {
    var hash = hash
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return hash ^ (hash >> 31)
  }
}
