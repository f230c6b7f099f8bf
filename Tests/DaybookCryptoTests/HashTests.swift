// Goal: SHA-256, HMAC and HKDF return the published values, in whatever pieces a message arrives and on
// however many threads.
// Method: the vectors of FIPS 180-4, RFC 4231 and RFC 5869; every split of a message; parallel tasks.

import DaybookCrypto
import DaybookSpans
import Testing

@Suite struct HashTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func sha256(message: String, digest: String) {
    #expect(hash(text(message)) == bytes(digest))
  }

  @Test func sha256OfAMillionBytes() {
    let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    var function = SHA256()
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
    for _ in 0..<1_000 { function.update(piece.span.bytes) }
    #expect(bytes(function.finish()) == bytes(expected))
  }

  @Test func piecesDoNotMatter() {
    let message = (0..<200).map { UInt8($0) }
    let whole = hash(message)
    for split in 0...message.count {
      #expect(hash(Array(message[..<split]), [], Array(message[split...])) == whole)
    }
  }

  @Test func anUnfinishedHashIsDiscarded() {
    var function = SHA256()
    function.update(text("never finished").span.bytes)
    #expect(hash(text("abc")).first == 0xba)
  }

  @Test func threadsDoNotDisturbEachOther() async {
    let messages = (0..<32).map { [UInt8](repeating: UInt8($0), count: 1 + 97 * $0) }
    let expected = messages.map { hash($0) }
    await withTaskGroup(of: Bool.self) { group in
      for index in messages.indices {
        group.addTask { (0..<500).allSatisfy { _ in hash(messages[index]) == expected[index] } }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  struct CodeVector: Sendable {
    let key: [UInt8]
    let message: [UInt8]
    let code: String
  }

  /// RFC 4231, without case 5, which truncates the code.
  static let codes = [
    CodeVector(
      key: [UInt8](repeating: 0x0b, count: 20), message: text("Hi There"),
      code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    CodeVector(
      key: text("Jefe"), message: text("what do ya want for nothing?"),
      code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    CodeVector(
      key: [UInt8](repeating: 0xaa, count: 20), message: [UInt8](repeating: 0xdd, count: 50),
      code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    CodeVector(
      key: Array(1...25), message: [UInt8](repeating: 0xcd, count: 50),
      code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    CodeVector(
      key: [UInt8](repeating: 0xaa, count: 131),
      message: text("Test Using Larger Than Block-Size Key - Hash Key First"),
      code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    CodeVector(
      key: [UInt8](repeating: 0xaa, count: 131),
      message: text(
        "This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm."),
      code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    // No message, and no key: HMAC defines both.
    CodeVector(
      key: text("key"), message: [],
      code: "5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0"),
    CodeVector(
      key: [], message: [],
      code: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  ]

  @Test(arguments: codes)
  func hmac(vector: CodeVector) {
    let code = SHA256.authenticationCode(
      of: vector.message.span.bytes, key: SecretBytes(vector.key))
    #expect(bytes(code) == bytes(vector.code))
  }

  struct KeyVector: Sendable {
    let secret: [UInt8]
    let salt: [UInt8]
    let info: [UInt8]
    let key: String
  }

  /// RFC 5869, A.1 to A.3.
  static let keys = [
    KeyVector(
      secret: [UInt8](repeating: 0x0b, count: 22), salt: Array(0...12), info: Array(0xf0...0xf9),
      key: """
        3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
        """),
    KeyVector(
      secret: Array(0...0x4f), salt: Array(0x60...0xaf), info: Array(0xb0...0xff),
      key: """
        b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c6
        5e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
        """),
    KeyVector(
      secret: [UInt8](repeating: 0x0b, count: 22), salt: [], info: [],
      key: """
        8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
        """),
  ]

  @Test(arguments: keys)
  func hkdf(vector: KeyVector) {
    let expected = bytes(vector.key)
    let key = SHA256.derivedKey(
      from: SecretBytes(vector.secret), salt: vector.salt.span.bytes,
      info: vector.info.span.bytes, byteCount: expected.count)
    #expect(key.copied() == expected)
    if vector.salt.isEmpty {
      let key = SHA256.derivedKey(from: SecretBytes(vector.secret), info: vector.info.span.bytes)
      #expect(key.copied() == Array(expected[..<32]))
    }
  }

  @Test(arguments: [1, 31, 32, 33, 255 * 32])
  func hkdfOfAnyLengthIsAPrefixOfTheLongest(byteCount: Int) {
    func key(_ byteCount: Int) -> [UInt8] {
      SHA256.derivedKey(
        from: SecretBytes(text("secret")), info: text("info").span.bytes, byteCount: byteCount
      ).copied()
    }
    #expect(key(byteCount) == Array(key(255 * 32)[..<byteCount]))
  }
}
