import DaybookCrypto
import DaybookEntities

/// A code of 26 characters that a person reads on one device and enters on another device to add
/// that device.
///
/// The code has 120 random bits and 10 check bits that detect typing errors, in Crockford's base 32
/// (no I, L, O, U). The name of the invitation's mailbox at the relay is derived from the code. The
/// relay stores the invitation until it is taken, for at most ten minutes. The relay doesn't have
/// the key that opens the invitation.
public struct PairingCode: Hashable, Sendable {
  /// The 15 random bytes.
  let secret: [UInt8]

  static let characterCount = 26
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Creates a random code from the system's source of randomness.
  public init() { secret = randomBytes(15) }

  init(secret: [UInt8]) { self.secret = secret }

  /// Parses a code that a person typed.
  ///
  /// Lower case, spaces and hyphens are allowed. O is read as 0, and I and L are read as 1.
  ///
  /// - Returns: `nil` if the text isn't a code or contains a typing error.
  public init?(_ text: some StringProtocol) {
    var bits: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
      guard let value = Self.value(byte), bits.count < Self.characterCount else { return nil }
      bits.append(value)
    }
    guard bits.count == Self.characterCount else { return nil }
    var secret = [UInt8](repeating: 0, count: 15)
    for bit in 0..<120 where bits[bit / 5] >> UInt8(4 - bit % 5) & 1 == 1 {
      secret[bit / 8] |= 1 << UInt8(7 - bit % 8)
    }
    self.init(secret: secret)
    guard characters.suffix(2) == bits.suffix(2) else { return nil }
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    let upper = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
    switch upper {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return alphabet.firstIndex(of: upper).map { UInt8($0) }
    }
  }

  /// The code's characters as 26 numbers below 32.
  private var characters: [UInt8] {
    var numbers = [UInt8](repeating: 0, count: 24)
    for bit in 0..<120 where secret[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1 {
      numbers[bit / 5] |= 1 << UInt8(4 - bit % 5)
    }
    let check = Hash256(hashing: Array("daybook code".utf8) + secret).bytes
    return numbers + [check[0] & 31, check[1] & 31]
  }

  /// The code in groups: `XXXXX-XXXXX-XXXXX-XXXXX-XXXXXX`.
  public var text: String {
    let symbols = characters.map { Self.alphabet[Int($0)] }
    let groups = (0..<5).map { symbols[$0 * 5..<($0 == 4 ? 26 : $0 * 5 + 5)] }
    return groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }

  /// The name of the mailbox in which the relay stores the invitation: 32 hexadecimal digits.
  public var mailbox: String { hexText(Array(derived("daybook mailbox").bytes.prefix(16))) }

  /// The key that seals the invitation.
  var key: LedgerKey { derived("daybook invitation") }

  private func derived(_ purpose: String) -> LedgerKey {
    LedgerKey(from: SecretBytes(secret), info: Array(purpose.utf8))
  }
}
