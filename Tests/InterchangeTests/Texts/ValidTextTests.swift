/// Goal: the check of a text's encoding finds the first byte that is not UTF-8, and none where there is none.
/// Method: what it says is compared with the longest beginning that Swift reads as UTF-8: all pairs of bytes,
/// every first byte with what may follow at the bounds, and random texts with random damage at every
/// alignment. The seed is printed.
import DaybookRandom
import Testing

@testable import DaybookFormats
@testable import DaybookInterchange

@Suite struct ValidTextTests {
  /// The length of the longest beginning that is UTF-8, where that is not all.
  private static func expected(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    return (0..<bytes.count).last { String(validating: bytes[..<$0], as: UTF8.self) != nil }
  }

  private static func found(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { ValidText.invalidByte(in: Span(_unsafeElements: $0)) }
  }

  /// Alone, among letters, and where sixteen bytes are read at a time.
  private static func check(_ bytes: [UInt8]) {
    for before in [0, 15] {
      for after in [0, 9] {
        var text = [UInt8](repeating: 0x61, count: before) + bytes
        text += [UInt8](repeating: 0x62, count: after)
        if found(text) != expected(text) { Issue.record("\(text): \(found(text) ?? -1)") }
      }
    }
  }

  @Test func pairsOfBytes() {
    for first in UInt8(0x7e)...0xff {
      for second in UInt8.min...UInt8.max { Self.check([first, second]) }
    }
  }

  @Test func longerCharacters() {
    let bounds: [UInt8] = [
      0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xf4, 0xff,
    ]
    for first in UInt8(0xc0)...0xff {
      for second in bounds {
        for third in [0x7f, 0x80, 0xbf, 0xc0] as [UInt8] {
          Self.check([first, second, third])
          for fourth in [0x41, 0x80, 0xc0] as [UInt8] {
            Self.check([first, second, third, fourth])
          }
        }
      }
    }
  }

  @Test func randomTexts() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("ValidTextTests seed \(seed)")
    var random = SeededGenerator(seed: seed)
    func next(_ bound: Int) -> Int { random.below(bound) }
    let letters = Array("abcdefgh ,;.0123456789äöüßéłŁ…–€漢字한👍👨‍👩‍👧")
    var faults = 0
    for _ in 0..<4_000 {
      var bytes = (0..<next(40)).flatMap { _ in Array(String(letters[next(letters.count)]).utf8) }
      for _ in 0..<next(3) where !bytes.isEmpty {
        if next(4) == 0 { bytes.removeLast() } else { bytes[next(bytes.count)] = UInt8(next(256)) }
      }
      let expected = Self.expected(bytes)
      if expected != nil { faults += 1 }
      #expect(Self.found(bytes) == expected, "seed \(seed): \(bytes)")
    }
    #expect(faults > 500)
  }

  /// Line and column are those of the character that is wrong.
  @Test func thePlaceIsTold() {
    let text = Array("one\ntwö ".utf8) + [0xE2, 0x82, 0x0A]
    let error = #expect(throws: InterchangeError.self) { try ValidText.check(text, of: "a.csv") }
    #expect(error?.line == 2 && error?.path == "a.csv" && error?.code == .encoding)
  }
}
