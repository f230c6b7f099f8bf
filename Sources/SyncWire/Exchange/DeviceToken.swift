public import Entities

/// What a device shows to be let in: 32 random bytes, in hexadecimal digits.
public enum DeviceToken {
  /// A new token, from the system's source of randomness.
  public static func make() -> String { hexText(randomBytes(32)) }

  /// What a relay keeps of a token: SHA-256("daybook token", the token).
  public static func hash(_ token: String) -> Hash256 {
    Hash256(hashing: Array("daybook token".utf8) + Array(token.utf8))
  }
}
