// Goal: the CSV reader yields the fields of well-formed text and names line and column of every
// fault. Method: a table of tricky texts with the records or the fault each must give, then random
// records that are written and read back.

import DaybookEntities
import DaybookInterchange
import Testing

struct CSVReaderTests {
  static func read(_ text: [UInt8], _ format: CSVFormat = CSVFormat()) throws -> [[String]] {
    var rows: [[String]] = []
    let file = try CSVFile(bytes: text)
    try file.forEachRecord(format: format) { record, bytes in
      rows.append((0..<record.count).map { record.text($0, in: bytes) })
      return true
    }
    return rows
  }

  static let wellFormed: [(String, [[String]])] = [
    ("", []),
    ("a", [["a"]]),
    ("a,b\n", [["a", "b"]]),
    ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
    ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]),
    ("a,b\nc,d\r\ne,f\rg,h", [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]),
    ("\n\na,b\n\n\nc,d\n\n", [["a", "b"], ["c", "d"]]),
    (",", [["", ""]]),
    (",,\n,,", [["", "", ""], ["", "", ""]]),
    ("a,\n", [["a", ""]]),
    ("\"a\",\"b\"", [["a", "b"]]),
    ("\"\"", [[""]]),
    ("\"\",\"\"\n", [["", ""]]),
    ("\"a,b\",c", [["a,b", "c"]]),
    ("\"say \"\"hi\"\"\",c", [["say \"hi\"", "c"]]),
    ("\"\"\"\"", [["\""]]),
    ("\"\"\"\"\"\"", [["\"\""]]),
    ("\"a\nb\",c\nd,e", [["a\nb", "c"], ["d", "e"]]),
    ("\"a\r\nb\",c\r\nd,e", [["a\r\nb", "c"], ["d", "e"]]),
    (" a , b ", [[" a ", " b "]]),
    ("ä,ö,€,😀", [["ä", "ö", "€", "😀"]]),
    ("\u{FEFF}a,b", [["a", "b"]]),
    ("\"\u{2028}\",x", [["\u{2028}", "x"]]),
    ("a\tb,c", [["a\tb", "c"]]),
  ]

  @Test("well-formed texts", arguments: wellFormed)
  func reads(text: String, expected: [[String]]) throws {
    #expect(try Self.read(Array(text.utf8)) == expected)
  }

  @Test("other delimiters and no quoting")
  func delimiters() throws {
    let semicolons = try Self.read(Array("a;\"b;c\";d,e".utf8), CSVFormat(delimiter: 0x3B))
    #expect(semicolons == [["a", "b;c", "d,e"]])
    let tabs = try Self.read(Array("a\t\"b\tc\"\td".utf8), CSVFormat(delimiter: 0x09))
    #expect(tabs == [["a", "b\tc", "d"]])
    let plain = CSVFormat(delimiter: 0x09, quote: nil)
    #expect(try Self.read(Array("a\t5\" pipe\t\"x".utf8), plain) == [["a", "5\" pipe", "\"x"]])
    let single = CSVFormat(delimiter: 0x2C, quote: 0x27)
    #expect(try Self.read(Array("'it''s',\"x".utf8), single) == [["it's", "\"x"]])
  }

  static let faults: [(String, BadLine.Code, Int, Int)] = [
    ("a,b\nc,d\"e\n", .strayQuote, 2, 2),
    ("a,b\nc,\"d\"e\n", .strayQuote, 2, 2),
    ("a,b\nc, \"d\"\n", .strayQuote, 2, 2),
    ("a\n\nb,\"c", .unterminatedQuote, 3, 2),
    ("a\r\nb,\"c\r\nd\r\ne", .unterminatedQuote, 2, 2),
    ("\"a\nb\"\nx,\"y\"z", .strayQuote, 3, 2),
    ("\"", .unterminatedQuote, 1, 1),
    ("a,\0", .encoding, 1, 2),
  ]

  @Test("faults name line and column", arguments: faults)
  func refuses(text: String, code: BadLine.Code, line: Int, column: Int) throws {
    let fault = try #require(throws: BadLine.self) { try Self.read(Array(text.utf8)) }
    #expect(fault.code == code)
    #expect(fault.line == line)
    #expect(fault.column == column)
    #expect(!fault.remedy.isEmpty)
  }

  @Test("invalid UTF-8 names its own line, inside of a record of several lines too")
  func invalidText() throws {
    let fault = try #require(throws: BadLine.self) {
      try Self.read(Array("a,b\n\"x\ny".utf8) + [0xE9] + Array("\",z\n".utf8))
    }
    #expect(fault.code == .encoding)
    #expect(fault.line == 3)
    #expect(fault.column == 1)
  }

  @Test("a quote that is never closed is found by the limit of a field")
  func fieldLimit() throws {
    let text = "\"" + String(repeating: "x", count: CSVReader.fieldByteCountMax + 2)
    let fault = try #require(throws: BadLine.self) { try Self.read(Array(text.utf8)) }
    #expect(fault.code == .tooLong)
  }

  @Test("after a fault the reader goes on at the next line")
  func goesOn() throws {
    let bytes = Array("a,b\nc\"d,e\nf,g\n\"h\"i,j\nk,l\n".utf8)
    var reader = CSVReader()
    var record = CSVRecord()
    var good: [String] = []
    var bad: [Int] = []
    while true {
      do {
        guard try reader.next(&record, in: bytes.span) else { break }
        good.append(record.text(0, in: bytes.span))
      } catch {
        bad.append(error.line)
        reader.skipLine(in: bytes.span)
      }
    }
    #expect(good == ["a", "f", "k"])
    #expect(bad == [2, 4])
  }

  @Test("records count physical lines")
  func lines() throws {
    let file = CSVFile("a\n\"b\n\n\nc\"\nd\r\n\r\ne")
    var lines: [Int] = []
    try file.forEachRecord { record, _ in
      lines.append(record.line)
      return true
    }
    #expect(lines == [1, 2, 6, 8])
  }

  @Test(
    "encodings",
    arguments: [
      (TextEncoding.latin1, [0x63, 0x61, 0x66, 0xE9] as [UInt8], "café"),
      (.windows1252, [0x80, 0x20, 0x93, 0x6F, 0x6B, 0x94, 0xFC], "€ “ok”ü"),
      (.utf16, [0xFF, 0xFE, 0x61, 0x00, 0xE9, 0x00, 0x3D, 0xD8, 0x00, 0xDE], "aé😀"),
      (.utf16, [0xFE, 0xFF, 0x00, 0x61, 0x20, 0xAC], "a€"),
      (.utf8, [0xEF, 0xBB, 0xBF, 0x61], "a"),
    ])
  func encodings(encoding: TextEncoding, bytes: [UInt8], text: String) throws {
    #expect(String(decoding: try encoding.utf8(bytes), as: UTF8.self) == text)
    if encoding != .latin1 { #expect(TextEncoding.guess(bytes) == encoding) }
  }

  @Test(
    "encodings that cannot be",
    arguments: [
      (TextEncoding.utf16, [0xFF, 0xFE, 0x0A, 0x00, 0x00, 0xD8, 0x61, 0x00] as [UInt8], 2),
      (.utf16, [0xFF, 0xFE, 0x61], 1),
      (.windows1252, [0x61, 0x0A, 0x0A, 0x81], 3),
    ])
  func badEncodings(encoding: TextEncoding, bytes: [UInt8], line: Int) throws {
    let error = try #require(throws: InterchangeError.self) { try encoding.utf8(bytes) }
    #expect(error.code == .encoding)
    #expect(error.line == line)
  }
}
