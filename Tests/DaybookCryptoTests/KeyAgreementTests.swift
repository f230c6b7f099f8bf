// Goal: X25519 computes the shared secrets of RFC 7748, reads keys as it demands, and refuses public keys
// whose secret anyone knows. Secrets compare and are wiped.
// Method: the RFC's vectors; points of low order in all their encodings; bits that have to be ignored.

import DaybookSpans
import Testing

@testable import DaybookCrypto

#if canImport(DaybookCLibCrypto)
  import DaybookCLibCrypto
#endif

@Suite struct KeyAgreementTests {
  private func secret(_ key: [UInt8], _ publicKey: [UInt8]) throws -> [UInt8] {
    try X25519.sharedSecret(of: SecretBytes(key), with: publicKey.span.bytes).copied()
  }

  /// RFC 7748, 5.2.
  @Test(arguments: [
    (
      "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
      "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
      "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    ),
    (
      "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
      "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
      "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
    ),
  ])
  func rfc7748Section52(key: String, publicKey: String, expected: String) throws {
    #expect(try secret(bytes(key), bytes(publicKey)) == bytes(expected))
  }

  @Test func rfc7748Iterated() throws {
    var key: [UInt8] = [9] + [UInt8](repeating: 0, count: 31)
    var point = key
    for round in 1...1_000 {
      (key, point) = (try secret(key, point), key)
      if round == 1 {
        let first = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"
        #expect(key == bytes(first))
      }
    }
    let last = "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"
    #expect(key == bytes(last))
  }

  /// RFC 7748, 6.1.
  @Test func rfc7748Section61() throws {
    let alice = bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    let alicePublic = bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    let bob = bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    let bobPublic = bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    let shared = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
    #expect(try X25519.publicKey(of: SecretBytes(alice)) == alicePublic)
    #expect(try X25519.publicKey(of: SecretBytes(bob)) == bobPublic)
    #expect(try secret(alice, bobPublic) == shared)
    #expect(try secret(bob, alicePublic) == shared)
  }

  /// The points of order 1, 2, 4 and 8 on the curve and its twist, as numbers modulo p = 2^255 - 19 and not
  /// reduced, without and with the highest bit, which doesn't count.
  static let lowOrder = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ]

  @Test(arguments: lowOrder)
  func pointsOfLowOrderAreRefused(point: String) {
    for highest in [0, 0x80] as [UInt8] {
      var publicKey = bytes(point)
      publicKey[31] |= highest
      for key in [[UInt8](1...32), [UInt8](repeating: 0xff, count: 32)] {
        #expect(throws: CryptoError.lowOrderPublicKey) { try secret(key, publicKey) }
      }
    }
  }

  @Test func bitsThatDoNotCountAreIgnored() throws {
    let key = [UInt8](1...32)
    var nine = [UInt8](repeating: 0, count: 32)
    nine[0] = 9
    let expected = try secret(key, nine)
    #expect(try X25519.publicKey(of: SecretBytes(key)) == expected)

    // The highest bit of a public key, and 9 + p instead of 9.
    var marked = nine
    marked[31] = 0x80
    #expect(try secret(key, marked) == expected)
    let unreduced = [0xf6] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    #expect(try secret(key, unreduced) == expected)

    // The three lowest and the two highest bits of a private key.
    for (byte, mask) in [(0, 1), (0, 2), (0, 4), (31, 0x80), (31, 0x40)] as [(Int, UInt8)] {
      var other = key
      other[byte] ^= mask
      #expect(try secret(other, nine) == expected)
    }
    var different = key
    different[0] ^= 8
    #expect(try secret(different, nine) != expected)
  }

  @Test(arguments: [0, 1, 31, 33, 64])
  func keysOfAnotherSizeAreRefused(byteCount: Int) {
    let wrong = [UInt8](repeating: 9, count: byteCount)
    let right = [UInt8](repeating: 9, count: 32)
    let expected = CryptoError.wrongByteCount(found: byteCount, expected: 32)
    #expect(throws: expected) { try secret(wrong, right) }
    #expect(throws: expected) { try secret(right, wrong) }
    #expect(throws: expected) { try X25519.publicKey(of: SecretBytes(wrong)) }
  }

  @Test func secretsCompareByTheirBytes() {
    let first = SecretBytes([1, 2, 3])
    #expect(first == SecretBytes([1, 2, 3]))
    #expect(first.hashValue == SecretBytes([1, 2, 3]).hashValue)
    #expect(first != SecretBytes([1, 2, 4]))
    #expect(first != SecretBytes([0, 2, 3]))
    #expect(first != SecretBytes([1, 2]))
    #expect(SecretBytes([]) == SecretBytes([]))
    #expect(SecretBytes([]).copied() == [])
    #expect(first.copied() == [1, 2, 3])
  }

  @Test func wipingOverwrites() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
    defer { buffer.deallocate() }
    for index in buffer.indices { buffer[index] = 0xa5 }
    Platform.wipe(buffer)
    #expect(buffer.allSatisfy { $0 == 0 })
  }

  #if canImport(DaybookCLibCrypto)
    /// Another user of OpenSSL in the process would take an error left in the thread's queue for its own.
    @Test func refusalsLeaveNoErrorInTheQueue() {
      ERR_clear_error()
      let zeros = [UInt8](repeating: 0, count: 32)
      #expect(throws: CryptoError.lowOrderPublicKey) { try secret(zeros, zeros) }
      let sealed = Sealed(text: zeros, key: zeros, nonce: Array(zeros[..<12]), associated: [])
      #expect(throws: CryptoError.notAuthentic) { try sealed.open() }
      #expect(ERR_peek_error() == 0)
    }
  #endif
}
