// Goal: texts that people take for the same have keys of the same bytes.
// Method: pairs by hand; every scalar of Unicode against the standard library's comparison, which
// is by canonical equivalence.

import DaybookBookkeeping
import Testing

@Suite struct FoldingTests {
  @Test(arguments: [
    ("Coffee", "  coffee "), ("Coffee  Shop", "coffee\tshop"), ("CAFÉ", "cafe\u{301}"),
    ("Ångström", "a\u{30a}ngstro\u{308}m"), ("\u{212b}", "å"), ("한국", "\u{1112}\u{1161}\u{11ab}국"),
    ("a\u{323}\u{307}", "A\u{307}\u{323}"), ("line\r\nbreak", "line break"), ("ПРИВЕТ", "привет"),
    ("\u{a0}x\u{3000}y", "x y"),
  ])
  func sameKeys(_ left: String, _ right: String) {
    #expect(Array(Folding.key(left).utf8) == Array(Folding.key(right).utf8))
  }

  @Test(arguments: [("cafe", "café"), ("a b", "ab"), ("", "x"), ("ß", "ss")])
  func otherKeys(_ left: String, _ right: String) {
    #expect(Folding.key(left) != Folding.key(right))
  }

  @Test func everyScalarDecomposesAsItIsCompared() {
    var changedCount = 0
    for value in (0...0x2fa1d as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      let decomposed = Folding.decomposed(text)
      if decomposed != text || Array(Folding.decomposed(decomposed).utf8) != Array(decomposed.utf8)
      {
        Issue.record("U+\(String(value, radix: 16))")
      }
      if Array(decomposed.utf8) != Array(text.utf8) { changedCount += 1 }
    }
    // UnicodeData.txt of Unicode 14 has 2,061 canonical decompositions, and there are 11,172 Hangul.
    #expect(changedCount == 2061 + 11172)
  }
}
