// Goal: the limits of files hold at one below, at, and one above: bytes of a field, columns of a row, bad
// lines that are kept. Method: texts of exactly these sizes.

import DaybookInterchange
import Foundation
import Testing

struct LimitTests {
  private func code(_ text: String) -> BadLine.Code? {
    do {
      let file = CSVFile(text)
      try file.forEachRecord { _, _ in true }
      return nil
    } catch { return (error as? BadLine)?.code }
  }

  private static let sizes: [(Int, BadLine.Code?)] = [(-1, nil), (0, nil), (1, .tooLong)]

  @Test("bytes of a field, plain, quoted, and of nothing but doubled quotes")
  func fields() {
    for (excess, expected) in Self.sizes {
      let count = CSVReader.fieldByteCountMax + excess
      let text = String(repeating: "x", count: count)
      #expect(code("a,\(text),b\n") == expected, "plain, \(excess)")
      #expect(code("a,\"\(text)\",b\n") == expected, "quoted, \(excess)")
      // In the file a doubled quote is two bytes.
      let quotes = String(repeating: "\"\"", count: (count + 1) / 2)
      let isTooLong = quotes.utf8.count > CSVReader.fieldByteCountMax
      #expect(code("a,\"\(quotes)\",b\n") == (isTooLong ? .tooLong : nil), "doubled, \(excess)")
    }
  }

  @Test("columns of a row")
  func columns() {
    for (excess, expected) in Self.sizes {
      let commas = String(repeating: ",", count: CSVReader.fieldCountMax + excess - 1)
      #expect(code("\(commas)\n") == expected, "\(excess)")
    }
  }

  @Test("bad lines that are kept, of as many as there are")
  func badLines() throws {
    for excess in [-1, 0, 1] {
      let count = MappedFile.badLineCountMax + excess
      let text = "d,a\n" + String(repeating: "2026-01-01,x\n", count: count)
      let file = try MappedFile(
        CSVFile(text), mapping: ImportMapping(json: Data((MappingTests.plain + "}").utf8)))
      #expect(file.badLines.count == min(count, MappedFile.badLineCountMax))
      #expect(file.badLineCount == count)
    }
  }
}
