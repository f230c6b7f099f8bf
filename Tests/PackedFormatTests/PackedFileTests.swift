// Goal: gzip and zip are unpacked exactly, and what is damaged, cut off or a bomb is refused with words.
// Method: what zlib packs is unpacked again; every prefix and many changed bytes are given to the readers.

import DaybookFormats
import Testing

@testable import DaybookPackedFormats

@Suite struct PackedFileTests {
  private let text = Array(String(repeating: "2026-01-01,1.00,Bread\n", count: 9_000).utf8)

  @Test func gzip() throws {
    let packed = Packing.deflate(text, gzip: true)
    let file = try PackedFile.unpacked(RawFile(packed, name: "a.gnucash"))
    #expect(file.bytes == text && file.name == "a.gnucash")
    let twice = try PackedFile.unpacked(RawFile(packed + packed, name: "a"))
    #expect(twice.bytes == text + text)
    #expect(try PackedFile.unpacked(RawFile(text, name: "a")).bytes == text)
  }

  @Test func aGzipThatIsCutOffIsRefused() {
    let packed = Packing.deflate(text, gzip: true)
    for count in 2..<packed.count {
      let error = #expect(throws: InterchangeError.self) {
        try PackedFile.unpacked(RawFile(Array(packed.prefix(count)), name: "a"))
      }
      #expect(error?.code == .format)
    }
  }

  @Test func aBombIsRefused() {
    let packed = Packing.deflate([UInt8](repeating: 0, count: 40_000_000), gzip: true)
    let error = #expect(throws: InterchangeError.self) {
      try PackedFile.unpacked(RawFile(packed, name: "a"))
    }
    #expect(error?.message.contains("unreasonably large") == true)
  }

  @Test(arguments: [true, false]) func zips(stores: Bool) throws {
    let files = [("Budget/metadata.json", Array("{}".utf8)), ("Budget/db.sqlite", text)]
    let zip = Packing.zip(files, stores: stores, comment: "a comment")
    let archive = try ZipArchive(RawFile(zip, name: "a.zip"))
    #expect(try archive.content("db.sqlite", byteCountMax: 1 << 20) == text)
    #expect(try archive.content("metadata.json", byteCountMax: 1 << 20) == Array("{}".utf8))
    #expect(try archive.content("sqlite", byteCountMax: 1 << 20) == nil)
  }

  @Test func zipsThatCantBeReadAreRefused() throws {
    let encrypted = Packing.zip([("db.sqlite", text)], flags: 1)
    let archive = try ZipArchive(RawFile(encrypted, name: "a.zip"))
    #expect(throws: InterchangeError.self) {
      try archive.content("db.sqlite", byteCountMax: 1 << 20)
    }
    let small = try ZipArchive(RawFile(Packing.zip([("db.sqlite", text)]), name: "a.zip"))
    #expect(throws: InterchangeError.self) { try small.content("db.sqlite", byteCountMax: 100) }
  }

  @Test func damagedZipsNeverGiveOtherContent() {
    let zip = Packing.zip([("metadata.json", Array("{}".utf8)), ("db.sqlite", text)])
    for place in zip.indices {
      for bit in [UInt8(1), 0x80] {
        var damaged = zip
        damaged[place] ^= bit
        guard let archive = try? ZipArchive(RawFile(damaged, name: "a.zip")),
          let content = try? archive.content("db.sqlite", byteCountMax: 1 << 20)
        else { continue }
        #expect(content == text, "byte \(place)")
      }
    }
    for count in 0..<zip.count {
      #expect(throws: InterchangeError.self) {
        try ZipArchive(RawFile(Array(zip.prefix(count)), name: "a.zip"))
      }
    }
  }
}
