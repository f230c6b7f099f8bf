// Goal: ChaCha20-Poly1305 encrypts as RFC 8439 says, and opens nothing that was changed.
// Method: the RFC's vectors; each bit of a sealed text, its nonce, key and associated data flipped; all
// truncations; wrong sizes.

import DaybookCrypto
import DaybookSpans
import Testing

@Suite struct SealingTests {
  private static let sunscreen = """
    Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
    sunscreen would be it.
    """

  @Test func rfc8439Section282() throws {
    let sealed = Sealed(
      text: text(Self.sunscreen), key: Array(0x80...0x9f),
      nonce: bytes("070000004041424344454647"), associated: bytes("50515253c0c1c2c3c4c5c6c7"))
    let expected = bytes(
      """
      d31a8d34648e60db7b86afbc53ef7ec2 a4aded51296e08fea9e2b5a736ee62d6
      3dbea45e8ca9671282fafb69da92728b 1a71de0a9e060b2905d6a5b67ecd3b36
      92ddbd7f2d778b8c9803aee328091b58 fab324e4fad675945585808b4831d7bc
      3ff4def08e4b7a9de576d26586cec64b 6116
      1ae10b594f09e26a7e902ecbd0600691
      """)
    #expect(try sealed.seal() == expected)
    var opening = sealed
    opening.text = expected
    #expect(try opening.open() == text(Self.sunscreen))
  }

  /// RFC 8439, A.5.
  @Test func rfc8439AppendixA5() throws {
    let opening = Sealed(
      text: bytes(
        """
        64a0861575861af460f062c79be643bd 5e805cfd345cf389f108670ac76c8cb2
        4c6cfc18755d43eea09ee94e382d26b0 bdb7b73c321b0100d4f03b7f355894cf
        332f830e710b97ce98c8a84abd0b9481 14ad176e008d33bd60f982b1ff37c855
        9797a06ef4f0ef61c186324e2b350638 3606907b6a7c02b0f9f6157b53c867e4
        b9166c767b804d46a59b5216cde7a4e9 9040c5a40433225ee282a1b0a06c523e
        af4534d7f83fa1155b0047718cbc546a 0d072b04b3564eea1b422273f548271a
        0bb2316053fa76991955ebd63159434e cebb4e466dae5a1073a6727627097a10
        49e617d91d361094fa68f0ff77987130 305beaba2eda04df997b714d6c6f2c29
        a6ad5cb4022b02709b eead9d67890cbb22392336fea1851f38
        """),
      key: bytes("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"),
      nonce: bytes("000000000102030405060708"), associated: bytes("f33388860000000000004e91"))
    let opened = try opening.open()
    #expect(opened.count == 265)
    let start = text("Internet-Drafts are draft documents valid for a maximum of six months")
    #expect(opened.starts(with: start))
    var sealing = opening
    sealing.text = opened
    #expect(try sealing.seal() == opening.text)
  }

  /// RFC 8439, A.1, test vector 2: the key stream that the digests of rows and State are made of.
  @Test func sealedZerosAreTheKeyStreamFromBlockOne() throws {
    let zeros = [UInt8](repeating: 0, count: 64)
    let sealed = Sealed(
      text: zeros, key: Array(zeros[..<32]), nonce: Array(zeros[..<12]), associated: [])
    let expected = bytes(
      """
      9f07e7be5551387a98ba977c732d080d cb0f29a048e3656912c6533e32ee7aed
      29b721769ce64e43d57133b074d839d5 31ed1f28510afb45ace10a1f4b794d6f
      """)
    #expect(Array(try sealed.seal()[..<64]) == expected)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 1_000, 70_000])
  func textsOfAllSizesComeBack(byteCount: Int) throws {
    for associated in [[], text("associated")] {
      let plain = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      var sealed = Sealed(
        text: plain, key: Array(1...32), nonce: Array(1...12), associated: associated)
      sealed.text = try sealed.seal()
      #expect(sealed.text.count == byteCount + ChaCha20Poly1305.tagByteCount)
      #expect(try sealed.open() == plain)
    }
  }

  private func sample(_ plain: [UInt8]) throws -> Sealed {
    var sealed = Sealed(
      text: plain, key: Array(1...32), nonce: Array(1...12), associated: text("header"))
    sealed.text = try sealed.seal()
    return sealed
  }

  @Test(arguments: [[], Array(0..<80)] as [[UInt8]])
  func everyFlippedBitIsFound(plain: [UInt8]) throws {
    let parts: [WritableKeyPath<Sealed, [UInt8]>] = [\.text, \.key, \.nonce, \.associated]
    let sealed = try sample(plain)
    for part in parts {
      for bit in 0..<sealed[keyPath: part].count * 8 {
        var changed = sealed
        changed[keyPath: part][bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(throws: CryptoError.notAuthentic) { try changed.open() }
      }
    }
    #expect(try sealed.open() == plain)
  }

  @Test func wrongTagsAreRefused() throws {
    let sealed = try sample(text("plain"))
    for byte in [0, 0xff] as [UInt8] {
      var changed = sealed
      changed.text.replaceSubrange(5..., with: [UInt8](repeating: byte, count: 16))
      #expect(throws: CryptoError.notAuthentic) { try changed.open() }
    }
    var reversed = sealed
    reversed.text.replaceSubrange(5..., with: sealed.text[5...].reversed())
    #expect(throws: CryptoError.notAuthentic) { try reversed.open() }
  }

  @Test func truncatedAndExtendedTextsAreRefused() throws {
    let sealed = try sample(Array(0..<40))
    for count in 0..<sealed.text.count {
      var cut = sealed
      cut.text = Array(sealed.text[..<count])
      let expected: CryptoError =
        count < 16 ? .wrongByteCount(found: count, expected: 16) : .notAuthentic
      #expect(throws: expected) { try cut.open() }
    }
    var longer = sealed
    longer.text.append(0)
    #expect(throws: CryptoError.notAuthentic) { try longer.open() }
  }

  /// What is associated and what is encrypted can't change places.
  @Test func theBorderBetweenAssociatedDataAndTextIsAuthenticated() throws {
    let sealed = try sample([])
    var moved = sealed
    moved.associated = []
    moved.text = sealed.associated + sealed.text
    #expect(throws: CryptoError.notAuthentic) { try moved.open() }
  }

  @Test(arguments: [0, 8, 11, 13, 16, 24])
  func noncesOfAnotherSizeAreRefused(byteCount: Int) throws {
    var sealed = try sample(text("plain"))
    sealed.nonce = [UInt8](repeating: 1, count: byteCount)
    let expected = CryptoError.wrongByteCount(found: byteCount, expected: 12)
    #expect(throws: expected) { try sealed.seal() }
    #expect(throws: expected) { try sealed.open() }
  }

  @Test(arguments: [0, 16, 31, 33, 64])
  func keysOfAnotherSizeAreRefused(byteCount: Int) throws {
    var sealed = try sample(text("plain"))
    sealed.key = [UInt8](repeating: 1, count: byteCount)
    let expected = CryptoError.wrongByteCount(found: byteCount, expected: 32)
    #expect(throws: expected) { try sealed.seal() }
    #expect(throws: expected) { try sealed.open() }
  }

  @Test func threadsDoNotDisturbEachOther() async throws {
    let sealed = try sample(Array(repeating: 7, count: 1_000))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { _ in (try? sealed.open())?.count == 1_000 }
        }
      }
      for await isOpened in group { #expect(isOpened) }
    }
  }
}
