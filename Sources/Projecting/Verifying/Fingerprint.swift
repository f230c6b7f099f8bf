package import Entities

/// The secret numbers of one verification's fingerprints.
///
/// They are drawn anew for each, so that no damage can have been made to fit.
package struct FingerprintSeed: Sendable {
  typealias Words = (UInt64, UInt64, UInt64, UInt64)

  let words: Words

  init(words: Words) { self.words = words }

  /// Draws the numbers.
  package init() {
    var generator = SystemRandomNumberGenerator()
    words = (generator.next(), generator.next(), generator.next(), generator.next())
  }

  /// A number that looks drawn by chance, the same for equal keys.
  @inline(__always)
  func hash(_ key: TableKey) -> UInt64 {
    let left = folded(key.word0 ^ words.0, key.word1 ^ words.1)
    // Most keys are short.
    if key.count <= 16 { return folded(left ^ words.1, words.2 ^ key.word3) }
    let right = folded(key.word2 ^ words.2, key.word3 ^ words.3)
    return folded(left ^ words.1, right ^ words.2)
  }

  /// The same for a key with a value.
  @inline(__always)
  func hash(_ key: TableKey, _ value: RawSpan) -> UInt64 {
    ended(hash(key) ^ UInt64(value.byteCount), value)
  }

  /// The same for a value that is an id and what follows it.
  @inline(__always)
  func hash(_ key: TableKey, _ id: EntityID, _ rest: RawSpan) -> UInt64 {
    let start = hash(key) ^ UInt64(16 + rest.byteCount)
    return ended(folded(id.high.byteSwapped ^ words.1, id.low.byteSwapped ^ start), rest)
  }

  @inline(__always)
  private func ended(_ start: UInt64, _ value: RawSpan) -> UInt64 {
    let count = value.byteCount
    var hash = start
    var offset = 0
    while count - offset >= 16 {
      hash = folded(value.word(at: offset) ^ words.1, value.word(at: offset + 8) ^ hash)
      offset += 16
    }
    if offset < count {
      let low = value.word(from: offset, to: min(offset + 8, count))
      let high = value.word(from: min(offset + 8, count), to: count)
      hash = folded(low ^ words.2, high ^ hash)
    }
    return folded(hash ^ words.3, words.0)
  }

  /// The same for one number of a bitmap, of whose key the hash is given.
  @inline(__always)
  func hash(_ key: UInt64, _ number: Int) -> UInt64 {
    folded(key &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, key ^ words.2)
  }
}

/// The two halves of a product, put together: the mixing step of wyhash (Wang Yi 2019).
@inline(__always)
private func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
  let product = left.multipliedFullWidth(by: right)
  return product.high ^ product.low
}

/// What the rows of a table come to: the same for the same rows, in whatever order and in however many
/// parts they are taken, and for different ones with a chance below 2⁻⁶⁰.
///
/// Each kind of table has its own: as a table is made by differences that cancel or add up, so is its
/// fingerprint, without bringing together what is of one row.
/// - Rows: the sum of keyed hashes of key and value.
/// - Places: the same of the keys that end in the places; that these are divided as they are to be is told
///   from the order of the rows.
/// - Sums: for each field the sum, modulo 2¹²⁸, of the totals times a keyed hash of their row's key. It
///   is linear in the totals (a random linear test, after Freivalds 1977).
/// - Bitmaps: the exclusive or of keyed hashes of key and number.
package struct TableFingerprint: Sendable {
  let kind: TableKind
  let seed: FingerprintSeed
  private let fieldCount: Int
  /// Whether it is of any use.
  let isTaken: Bool
  private var field0: UInt128 = 0
  private var field1: UInt128 = 0
  private var field2: UInt128 = 0
  private var field3: UInt128 = 0
  private var bits: UInt64 = 0
  private var division = PlaceDivision()
  /// How many rows were read from a table.
  private(set) var rowCount = 0
  /// Whether a row was read that no program writes.
  private var isImpossible = false

  package init(_ kind: TableKind, _ seed: FingerprintSeed) {
    self.kind = kind
    self.seed = seed
    fieldCount = if case .sums(let fields) = kind { fields } else { 0 }
    isTaken = true
  }

  private init() {
    kind = .rows
    seed = FingerprintSeed(words: (0, 0, 0, 0))
    fieldCount = 0
    isTaken = false
  }

  /// In place of one that nobody needs.
  static let none = TableFingerprint()

  // MARK: Taking what makes a table

  @inline(__always)
  package mutating func put(_ key: TableKey, _ value: RawSpan) { put(seed.hash(key, value)) }

  /// Puts a row whose value is an id and what follows it.
  @inline(__always)
  package mutating func put(_ key: TableKey, _ id: EntityID, _ rest: RawSpan) {
    put(seed.hash(key, id, rest))
  }

  @inline(__always)
  private mutating func put(_ hash: UInt64) {
    field0 &+= UInt128(hash)
    // As many rows, too: 128 bits are enough for both.
    field0 &+= 1 << 100
  }

  @inline(__always)
  package mutating func add(_ key: TableKey, _ sums: Sums) {
    let weight = UInt128(seed.hash(key))
    field0 &+= UInt128(bitPattern: sums.field0) &* weight
    if fieldCount > 1 { field1 &+= UInt128(bitPattern: sums.field1) &* weight }
    if fieldCount > 2 { field2 &+= UInt128(bitPattern: sums.field2) &* weight }
    if fieldCount > 3 { field3 &+= UInt128(bitPattern: sums.field3) &* weight }
  }

  @inline(__always)
  package mutating func flip(_ key: TableKey, _ number: Int) {
    bits ^= seed.hash(seed.hash(key), number)
  }

  @inline(__always)
  package mutating func flip(_ key: TableKey, from first: Int, _ mask: UInt32) {
    let hash = seed.hash(key)
    var rest = mask
    while rest != 0 {
      bits ^= seed.hash(hash, first + rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  // MARK: Reading a table

  /// Takes a row as it is stored; the rows of a table of places are to come in order.
  package mutating func read(_ key: RawSpan, _ value: RawSpan) {
    rowCount += 1
    let bytes = key
    guard let key = TableKey(loading: bytes) else {
      isImpossible = true
      return
    }
    do {
      switch kind {
      case .rows: put(key, value)
      case .places:
        let piece = try PlacePiece.forEachPlace(inRow: bytes, value) { put($0, RawSpan()) }
        division.read(piece, of: key.head)
      case .sums(let fieldCount):
        let sums = try Sums(value, fieldCount: fieldCount)
        if sums.isZero { isImpossible = true }
        add(key, sums)
      case .bitmaps:
        let hash = seed.hash(key)
        var numbers = BitmapNumbers(value)
        var isEmpty = true
        while let number = try numbers.next() {
          bits ^= seed.hash(hash, number)
          isEmpty = false
        }
        if isEmpty { isImpossible = true }
      }
    } catch {
      isImpossible = true
    }
  }

  /// Adds what another part of the same table comes to.
  package static func += (left: inout TableFingerprint, right: TableFingerprint) {
    left.field0 &+= right.field0
    left.field1 &+= right.field1
    left.field2 &+= right.field2
    left.field3 &+= right.field3
    left.bits ^= right.bits
    left.rowCount += right.rowCount
    left.isImpossible = left.isImpossible || right.isImpossible || !right.division.isWhole
  }

  /// Whether both are of equal tables.
  package func isEqual(to other: TableFingerprint) -> Bool {
    !isImpossible && !other.isImpossible && division.isWhole && other.division.isWhole
      && bits == other.bits && field0 == other.field0
      && field1 == other.field1 && field2 == other.field2 && field3 == other.field3
  }
}

extension TableKey {
  /// The key of these bytes, or `nil` where they are more than a key has.
  @inline(__always)
  package init?(loading bytes: RawSpan) {
    let count = bytes.byteCount
    guard count <= TableKey.byteCountMax else { return nil }
    func word(_ start: Int) -> UInt64 {
      count >= start + 8
        ? bytes.word(at: start).byteSwapped
        : start < count ? bytes.word(from: start, to: count).byteSwapped : 0
    }
    self.init(word(0), word(8), word(16), word(24) | UInt64(count))
  }
}

extension RawSpan {
  /// Eight bytes as a number, the first one lowest.
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Up to eight bytes as a number, the first one lowest; 0 where there are none.
  @inline(__always)
  fileprivate func word(from start: Int, to end: Int) -> UInt64 {
    if start == end { return 0 }
    // A load that would pass the end is made earlier and moved down.
    if byteCount >= 8 {
      let place = min(start, byteCount - 8)
      let word = word(at: place) &>> UInt64(8 * (start - place))
      let length = end - start
      return length == 8 ? word : word & (1 &<< UInt64(8 * length) &- 1)
    }
    return extracting(start..<end).wholeWord
  }
}
