public import DaybookEntities

/// The token that authenticates a device to the relay: 32 random bytes, as hexadecimal digits.
public enum DeviceToken {
  /// Creates a random token from the system's source of randomness.
  public static func make() -> String { hexText(randomBytes(32)) }

  /// Returns the hash that a relay stores instead of the token: SHA-256("daybook token", the
  /// token).
  public static func hash(_ token: String) -> Hash256 {
    Hash256(hashing: Array("daybook token".utf8) + Array(token.utf8))
  }
}
