import DaybookRandom
import Testing

@testable import DaybookFormats

// Goal: no bytes end the process, and every complaint has a place. Method: statements that are changed
// at random, with fixed seeds; the reader may refuse them or read them.
@Suite("Statements with random damage")
struct StatementFuzzTests {
  private static let pieces: [[UInt8]] = [
    "<", ">", "</", "/>", "&", "&#", ";", "<![CDATA[", "]]>", "<!--", "-->", "<Ntry>", "</Ntry>",
    "<Amt Ccy='JPY'>", "<TxDtls>", "<Bal>", "99999999999999999999", "-1", "\n:61:", "\n:86:", ":",
    "?20", "?", "/NAME/", "//", "\n-\n", "\n:62F:", "\n:20:", "{4:", "-}", "\r", "\u{0}", "EREF+",
    "SVWZ+", "\u{FEFF}", "999999", "D", "RC",
  ].map { Array($0.utf8) }

  private func damage(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0...6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
      case 4: bytes.removeSubrange(place...)
      case 5:
        let from = Int.random(in: 0..<bytes.count, using: &random)
        bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 60)], at: place)
      default: bytes.swapAt(place, end - 1)
      }
    }
    return bytes
  }

  private func tortured(
    _ texts: [String], _ format: any FileFormat.Type, _ random: inout SeededGenerator
  ) -> (read: Int, refused: Int) {
    var counts = (read: 0, refused: 0)
    for text in texts {
      let file = RawFile(damage(Array(text.utf8), &random), name: "x")
      _ = format.recognise(FileHead(file))
      do {
        let contents = try format.read(file, ReadingOptions())
        counts.read += 1
        #expect(contents.badLines.allSatisfy { $0.line > 0 && ($0.column ?? 1) > 0 })
        for row in contents.statements.flatMap(\.rows) {
          if row.line < 1 || !row.reference.contains(":") { Issue.record("\(row)") }
        }
      } catch {
        counts.refused += 1
        #expect((error.line ?? 1) > 0 && !error.remedy.isEmpty, "\(error)")
      }
    }
    return counts
  }

  private func samples(_ random: inout SeededGenerator) -> RandomStatement {
    RandomStatement(&random, count: 4, letters: "abcXYZ019ä?/+:")
  }

  @Test("CAMT", arguments: 1...15)
  func camt(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let texts = (0..<200).map { _ in CAMTWriter(samples(&random), &random).text }
    let counts = tortured(texts, CAMT.self, &random)
    #expect(counts.read > 0 && counts.refused > 0)
  }

  @Test("MT940", arguments: 1...15)
  func mt940(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let texts = (0..<200).map { _ in MT940Writer(samples(&random), &random).text }
    let counts = tortured(texts, MT940.self, &random)
    #expect(counts.read > 0)
  }
}
