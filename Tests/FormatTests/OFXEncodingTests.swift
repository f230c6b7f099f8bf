import DaybookBookkeeping
import Testing

@testable import DaybookFormats

/// Goal: the encoding of OFX is that of its bytes, or else of its header.
///
/// Method: one payee in many.
@Suite("Encodings of OFX")
struct OFXEncodingTests {
  private func file(_ header: String, _ payee: [UInt8]) -> RawFile {
    let text = OFXTests.statement(OFXTests.row, header: header)
    let parts = text.split(separator: "Bakery", maxSplits: 1)
    return RawFile(Array(parts[0].utf8) + payee + Array(parts[1].utf8), name: "test.ofx")
  }

  private func payee(_ file: RawFile, _ encoding: TextEncoding? = nil) throws -> String? {
    var options = ReadingOptions()
    options.encoding = encoding
    return try OFX.read(file, options).statements.first?.rows.first?.payee
  }

  @Test(
    "Bytes that are not UTF-8 are what the header says",
    arguments: [
      ("ENCODING:USASCII\nCHARSET:1252\n", [0x80, 0xE9], "€é"),
      ("ENCODING:USASCII\nCHARSET:NONE\n", [0xE9], "é"),
      ("ENCODING:USASCII\nCHARSET:1250\n", [0xE8], "č"),
      ("ENCODING:USASCII\nCHARSET:ISO-8859-1\n", [0xE9], "é"),
      ("ENCODING:USASCII\nCHARSET:8859-1\n", [0x80], "€"),
      ("<?xml version=\"1.0\" encoding=\"windows-1252\"?>", [0x96], "–"), ("", [0xE9], "é"),
    ] as [(String, [UInt8], String)])
  func declared(header: String, bytes: [UInt8], text: String) throws {
    #expect(try payee(file(header, bytes)) == text)
  }

  @Test("UTF-8 is read as such, whatever the header says, and told")
  func utf8() throws {
    let raw = file("ENCODING:USASCII\nCHARSET:1252\n", Array("Café".utf8))
    #expect(try payee(raw) == "Café")
    #expect(try OFX.read(raw, ReadingOptions()).notices.count == 1)
    let honest = file("ENCODING:UTF-8\n", Array("Café".utf8))
    #expect(try OFX.read(honest, ReadingOptions()).notices.isEmpty)
    #expect(try payee(raw, .windows1252) == "CafÃ©")
  }

  @Test("UTF-16 is read by its mark or its zeros")
  func utf16() throws {
    let text = OFXTests.statement(OFXTests.row)
    for mark in [[0xFF, 0xFE], []] as [[UInt8]] {
      let bytes = mark + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      #expect(try payee(RawFile(bytes, name: "x")) == "Bakery")
    }
  }

  @Test("What can't be text is refused, with the line")
  func refused() {
    let wrong = file("ENCODING:UTF-8\n", [0xE9])
    let error = #expect(throws: InterchangeError.self) { try payee(wrong) }
    #expect(error?.code == .encoding)
    #expect(error?.line == 6)
    #expect(error?.column == 7)
    let other = file("ENCODING:USASCII\nCHARSET:1251\n", [0xE9])
    let unknown = #expect(throws: InterchangeError.self) { try payee(other) }
    #expect(unknown?.message.contains("1251") == true)
  }
}
