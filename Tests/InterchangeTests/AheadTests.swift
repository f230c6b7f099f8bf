// Goal: a file that two threads read is read like one that one thread reads, wherever its middle falls.
// Method: all texts of up to four pieces (quoted line ends, blank lines, every line end, bad lines, other
// widths), each read both ways.

import DaybookBookkeeping
import DaybookInterchange
import Foundation
import Testing

struct AheadTests {
  private static let pieces = [
    "2026-01-01,1,b\n", "2026-01-02,-2,\"x\n2026-01-03,3,y\"\r\n", "\n", "2026-01-04,4,c\r",
    "2026-01-05,five,d\n", "2026-01-06,6\n", "2026-01-07,\"7\n",
  ]

  @Test("two threads read what one reads", arguments: [true, false], ["refuse", "allow"])
  func reading(hasHeader: Bool, ragged: String) throws {
    let mapping = try ImportMapping(
      json: Data(
        """
        {"date": {"column": 1}, "amount": {"column": 2}, "currency": "USD", "account": "A",
         "description": "{3}", "header": \(hasHeader), "ragged": "\(ragged)",
         "balance": {"column": 2}}
        """.utf8))
    var aheadCount = 0
    var texts = [""]
    for _ in 0..<4 {
      texts = texts.flatMap { text in Self.pieces.map { text + $0 } }
      for text in texts {
        let file = CSVFile(hasHeader ? "a,b,c\n" + text : text)
        let alone = try MappedFile(file, mapping: mapping, aheadByteCountMin: .max)
        let ahead = try MappedFile(file, mapping: mapping, aheadByteCountMin: 0)
        guard
          alone.rows == ahead.rows, alone.badLines == ahead.badLines,
          alone.badLineCount == ahead.badLineCount, alone.skippedCount == ahead.skippedCount,
          alone.mismatches == ahead.mismatches, alone.impliedOpenings == ahead.impliedOpenings
        else {
          Issue.record("\(text.debugDescription): \(alone.rows) and not \(ahead.rows)")
          return
        }
        if ahead.isReadAhead { aheadCount += 1 }
      }
    }
    // Otherwise nothing was compared.
    #expect(aheadCount > 100)
  }
}
