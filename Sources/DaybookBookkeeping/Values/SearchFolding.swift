import DaybookEntities

/// A text folded for searching: Unicode scalars without case, diacritics and invisible characters.
///
/// Folding has these steps:
/// 1. Canonical decomposition (NFD), so that composed and decomposed texts are equal. A Hangul
///    syllable becomes its letters.
/// 2. Removal of default-ignorable scalars (joiners, variation selectors, soft hyphens, direction
///    marks) and of diacritics. Diacritics are the marks (categories Mn and Me) of the canonical
///    combining classes 1 (overlays), 7 (nuktas), 10 to 36 (Hebrew, Arabic and Syriac points) and
///    202 to 240 (above, below, attached). Marks that form another letter are kept: vowel signs,
///    viramas, the voicing marks of kana.
/// 3. Full case folding, independent of language: each scalar is mapped to lowercase, uppercase and
///    lowercase again. ß becomes ss, ﬁ becomes fi, ς becomes σ, and i, I, ı and İ all become i.
///    Letters with a stroke, and ligatures, which Unicode doesn't decompose, become the letters
///    that people type for them: ø o, ł l, đ d, ħ h, ŧ t, æ ae, œ oe.
/// 4. Runs of white space become one space and are removed at the ends. The remaining marks are
///    sorted in canonical order.
///
/// A text contains another text if the other text's scalars occur in it consecutively. Scalars are
/// compared, not characters as people count them: 👍🏽 and 👍👎 contain 👍, and a syllable contains its
/// first letter. Folding is idempotent.
public struct SearchFolding: Sendable {
  /// The scalars of the last folded text.
  public private(set) var scalars: [UInt32] = []
  /// The offset of each scalar's origin in the text, in scalars; set by ``foldTracing(_:)``.
  private var origins: [Int] = []
  private var traces = false
  private var needsSpace = false
  private var hasMarks = false

  /// Creates an empty folding; reuse it to fold many texts without allocating.
  public init() {}

  private mutating func begin(tracing: Bool) {
    scalars.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
    traces = tracing
    needsSpace = false
    hasMarks = false
  }

  /// Folds a text.
  public mutating func fold(_ text: String) {
    // Bridged Foundation strings may have no contiguous UTF-8 storage, and use the general path
    // below.
    let isFolded = text.utf8.withContiguousStorageIfAvailable { bytes in
      foldASCII(unsafe Span(_unsafeElements: bytes).bytes)
    }
    if isFolded == true { return }
    begin(tracing: false)
    for scalar in text.unicodeScalars { add(scalar.value, 0) }
    finish()
  }

  /// Folds ASCII bytes.
  ///
  /// - Returns: `false`, without folding, if there are other bytes.
  @inline(__always)
  mutating func foldASCII(_ bytes: RawSpan) -> Bool {
    guard bytes.isASCII else { return false }
    begin(tracing: false)
    let low = SearchFolding.low
    scalars.reserveCapacity(bytes.byteCount)
    for offset in 0..<bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      let folded = low[Int(byte)]
      if folded == SearchFolding.space {
        needsSpace = !scalars.isEmpty
      } else if folded != SearchFolding.nothing {
        if needsSpace { scalars.append(0x20) }
        needsSpace = false
        scalars.append(folded)
      }
    }
    return true
  }

  /// Folds a text and records the origin of each folded scalar.
  ///
  /// - Returns: For each of ``scalars``, the offset of its origin among the text's scalars.
  mutating func foldTracing(_ text: String) -> [Int] {
    begin(tracing: true)
    for (offset, scalar) in text.unicodeScalars.enumerated() { add(scalar.value, offset) }
    finish()
    return origins
  }

  @inline(__always)
  private mutating func add(_ scalar: UInt32, _ origin: Int) {
    if scalar < SearchFolding.lowCount {
      let folded = SearchFolding.low[Int(scalar)]
      if folded < SearchFolding.several {
        append(folded, origin)
      } else if folded == SearchFolding.space {
        needsSpace = !scalars.isEmpty
      } else if folded == SearchFolding.several {
        for part in SearchFolding.parts(of: scalar) { append(part, origin) }
      }
    } else if SearchFolding.isSpace(scalar) {
      needsSpace = !scalars.isEmpty
    } else {
      for part in SearchFolding.parts(of: scalar) { append(part, origin) }
      hasMarks = true
    }
  }

  @inline(__always)
  private mutating func append(_ scalar: UInt32, _ origin: Int) {
    if needsSpace {
      scalars.append(0x20)
      if traces { origins.append(origin) }
    }
    needsSpace = false
    scalars.append(scalar)
    if traces { origins.append(origin) }
  }

  /// Sorts the remaining marks in canonical order, as `Folding.sortMarks` does, together with their
  /// origins.
  private mutating func finish() {
    if !hasMarks { return }
    var start = 0
    while start < scalars.count {
      guard SearchFolding.rank(scalars[start]) != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      while end < scalars.count, SearchFolding.rank(scalars[end]) != 0 { end += 1 }
      if end - start > 1 {
        let order = (start..<end).sorted { left, right in
          let ranks = (SearchFolding.rank(scalars[left]), SearchFolding.rank(scalars[right]))
          return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : left < right
        }
        scalars.replaceSubrange(start..<end, with: order.map { scalars[$0] })
        if traces { origins.replaceSubrange(start..<end, with: order.map { origins[$0] }) }
      }
      start = end
    }
  }
}

// MARK: One scalar

extension SearchFolding {
  // The special values in `low`.
  fileprivate static let several: UInt32 = 0xffff_fffd
  fileprivate static let space: UInt32 = 0xffff_fffe
  fileprivate static let nothing: UInt32 = 0xffff_ffff
  /// The first scalar of the Hebrew block.
  ///
  /// The blocks before it are European alphabets, in which folding removes all marks.
  fileprivate static let lowCount: UInt32 = 0x590

  /// The folded form of each scalar below `lowCount`.
  fileprivate static let low: [UInt32] = (0..<lowCount).map { scalar in
    if isSpace(scalar) { return space }
    let parts = parts(of: scalar)
    return parts.isEmpty ? nothing : parts.count == 1 ? parts[0] : several
  }

  /// Whether a scalar is white space (property White_Space).
  fileprivate static func isSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 9...13, 0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
      true
    default: false
    }
  }

  /// The folded form of a scalar that isn't white space.
  fileprivate static func parts(of value: UInt32) -> [UInt32] {
    guard let scalar = Unicode.Scalar(value), !scalar.properties.isDefaultIgnorableCodePoint else {
      return []
    }
    // Fast path: ideographs and pictographs have no case and no decomposition.
    switch value {
    case 0x3400...0x9fff, 0x1f000...0x1faff, 0x20000...0x2a6df: return [value]
    default: break
    }
    var parts: [UInt32] = []
    var decomposed: [Unicode.Scalar] = []
    Folding.decompose(scalar, into: &decomposed)
    for part in decomposed where !isDiacritic(part) {
      var again: [Unicode.Scalar] = []
      for folded in withoutCase(part).unicodeScalars { Folding.decompose(folded, into: &again) }
      for letter in again where !isDiacritic(letter) { parts += letters(typedFor: letter.value) }
    }
    return parts
  }

  private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: break
    default: return false
    }
    return switch scalar.properties.canonicalCombiningClass.rawValue {
    case 1, 7, 10...36, 202...240: true
    default: false
    }
  }

  private static func withoutCase(_ scalar: Unicode.Scalar) -> String {
    var text = scalar.properties.lowercaseMapping
    text = text.unicodeScalars.map { $0.properties.uppercaseMapping }.joined()
    return text.unicodeScalars.map { $0.properties.lowercaseMapping }.joined()
  }

  private static func letters(typedFor scalar: UInt32) -> [UInt32] {
    switch scalar {
    case 0xf8: [0x6f]
    case 0x142: [0x6c]
    case 0x111: [0x64]
    case 0x127: [0x68]
    case 0x167: [0x74]
    case 0xe6: [0x61, 0x65]
    case 0x153: [0x6f, 0x65]
    default: [scalar]
    }
  }

  private static func rank(_ value: UInt32) -> UInt8 {
    Unicode.Scalar(value).map { Folding.rank($0) } ?? 0
  }
}
