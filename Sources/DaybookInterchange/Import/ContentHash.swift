import Daybook

/// A 128-bit hash by which the contents of books are compared between imports.
///
/// It is stored in the ledger, so it is the same in every process. It isn't cryptographic.
struct ContentHash {
  private var high: UInt64 = 0xcbf2_9ce4_8422_2325
  private var low: UInt64 = 0x9e37_79b9_7f4a_7c15

  init() {}

  /// Hashes texts, of which each is kept apart from the next.
  init(_ texts: [String]) {
    for text in texts { add(text) }
  }

  mutating func add(_ text: String) {
    var word: UInt64 = 0
    var shift: UInt64 = 0
    for byte in text.utf8 {
      word |= UInt64(byte) << shift
      shift += 8
      if shift == 64 {
        add(word)
        (word, shift) = (0, 0)
      }
    }
    // UTF-8 doesn't contain the byte 255, which ends the text.
    add(word | 0xFF << shift)
  }

  mutating func add(_ word: UInt64) {
    high = (high ^ word) &* 0x9fb2_1c65_1e98_df25
    high ^= high >> 32
    low = (low &+ word) &* 0xbf58_476d_1ce4_e5b9
    low ^= low >> 29
  }

  private static func finished(_ hash: UInt64) -> UInt64 {
    var hash = hash
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return hash ^ (hash >> 31)
  }

  /// The hash as an id.
  var id: EntityID { EntityID(high: number, low: Self.finished(low)) }

  /// The first half.
  var number: UInt64 { Self.finished(high) }

  /// The first half as 16 hexadecimal digits.
  var text: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
