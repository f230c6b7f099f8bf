// Goal: searching finds what people take for the same, in every script, and says where.
// Method: pairs by hand from several scripts; every scalar of Unicode folds to something that folds to
// itself, and as its canonical decomposition does.

import DaybookBookkeeping
import Testing

@Suite struct SearchFoldingTests {
  private func folded(_ text: String) -> String {
    var folding = SearchFolding()
    folding.fold(text)
    var result = ""
    result.unicodeScalars.append(contentsOf: folding.scalars.compactMap { Unicode.Scalar($0) })
    return result
  }

  @Test(arguments: [
    ("Café", "cafe"), ("CAFE\u{301}", "cafe"), ("  two\t\u{a0}words\n", "two words"),
    // Turkish: all four letters are one to whoever does not say the language.
    ("ISPARTA", "isparta"), ("ısparta", "isparta"), ("İzmir", "izmir"), ("i\u{307}zmir", "izmir"),
    ("Straße", "strasse"), ("STRASSE", "strasse"), ("STRA\u{1e9e}E", "strasse"),
    ("ﬁnance", "finance"), ("ΌΔΟΣ", "οδοσ"), ("όδος", "οδοσ"), ("Ёлка", "елка"), ("ҚАЗАҚ", "қазақ"),
    ("Żółw", "zolw"), ("Ærø", "aero"), ("Đặng", "dang"), ("Å", "a"), ("\u{212b}", "a"),
    ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"), ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"),
    ("❤\u{fe0f}", "❤"), ("👨\u{200d}👩", "👨👩"), ("soft\u{ad}hyphen", "softhyphen"),
    ("e\u{301}\u{323}", "e"), ("早餐", "早餐"), ("\u{301}", ""), ("", ""),
  ])
  func folds(_ text: String, _ key: String) {
    #expect(Array(folded(text).unicodeScalars) == Array(key.unicodeScalars), "\(text)")
  }

  @Test(arguments: [
    ("कि", "कु"), ("กุ", "กิ"), ("か", "が"), ("क\u{94d}", "क"), ("l", "i"), ("o", "0"), ("đ", "ð"),
  ])
  func lettersThatStayApart(_ left: String, _ right: String) {
    #expect(folded(left) != folded(right))
  }

  @Test func everyScalarFoldsOnce() {
    for value in (0...0x2fa1d as ClosedRange<UInt32>) {
      // Ideographs are as they are.
      if (0x3400..<0x9fff).contains(value) || value > 0x20000 && value < 0x2f800 { continue }
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      // A letter on either side: spaces at the ends would go.
      let once = folded("x" + text + "y")
      let decomposed = folded("x" + Folding.decomposed(text) + "y")
      if folded(once) != once || Array(decomposed.utf8) != Array(once.utf8) {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }

  @Test(arguments: [
    ("Grand Café, CAFE\u{301}s", "cafe", ["Café", "CAFE\u{301}"]), ("Straße", "ss", ["ß"]),
    ("Straße", "as", ["aß"]), ("aaaa", "aa", ["aa", "aa"]), ("two  \t words", "o w", ["o  \t w"]),
    ("❤\u{fe0f} it", "❤", ["❤\u{fe0f}"]), ("ßß", "sss", ["ßß"]), ("none", "x", []),
    ("any", " ", []),
    ("각", "가", ["각"]), ("👍🏽👍", "👍", ["👍🏽", "👍"]),
  ])
  func places(_ text: String, _ term: String, _ found: [String]) {
    let ranges = SearchTerm(term).ranges(in: text)
    let parts = ranges.map { String(text.unicodeScalars[$0]) }
    #expect(parts.map { Array($0.utf8) } == found.map { Array($0.utf8) }, "\(parts)")
    #expect(SearchTerm(term).matches(text) == !found.isEmpty)
  }
}
