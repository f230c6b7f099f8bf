/// 128 bits that stand for a text, for keys that have no room for the text itself.
///
/// Equal bytes have equal hashes, in every process and version: keys with them are part of the format of
/// the views. Two texts share one with a chance of some 2⁻¹²⁸ as long as nobody looks for such a pair:
/// it is two hashes (FNV-1a, with the finaliser of SplitMix64) from different starts, and no cryptography.
/// Where a pair would do harm, compare the text itself, too.
public struct TextHash: Hashable, Sendable {
  /// The first half.
  public let high: UInt64
  /// The second half.
  public let low: UInt64

  /// The hash of bytes, such as the UTF-8 of a text.
  ///
  /// - Complexity: O(bytes).
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

  /// The hash of the two halves, as they were read from a key.
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
