/// What a device shows to be let in: 32 random bytes, in hexadecimal digits.
public enum DeviceToken {
  /// A new token, from the system's source of randomness.
  public static func make() -> String { LedgerKey().bytes.map { hex($0) }.joined() }

  /// What a relay keeps of a token: SHA-256("daybook token", the token).
  public static func hash(_ token: String) -> WireHash {
    WireHash(hashing: Array("daybook token".utf8) + Array(token.utf8))
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }
}
