import DaybookCrypto
import Entities

/// What one reads from one device and types into another, so that the ledger comes to it: 26 characters.
///
/// 120 random bits and 10 bits that find slips of the pen, in Crockford's base 32 (no I, L, O, U).
/// The relay knows a name that follows from the code, under which it keeps the invitation until it
/// is taken or ten minutes are over; the key that opens the invitation it does not know.
public struct PairingCode: Hashable, Sendable {
  /// The 15 random bytes.
  let secret: [UInt8]

  static let characterCount = 26
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// A new code, from the system's source of randomness.
  public init() { secret = randomBytes(15) }

  init(secret: [UInt8]) { self.secret = secret }

  /// A code as somebody typed it: small letters, spaces and hyphens are allowed, O is 0, I and L are 1.
  ///
  /// - Returns: `nil` where it is no code, or has a slip of the pen.
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

  /// The 26 numbers below 32.
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

  /// The name under which the relay keeps the invitation: 32 hexadecimal digits.
  public var mailbox: String { hexText(Array(derived("daybook mailbox").bytes.prefix(16))) }

  /// The key that seals the invitation.
  var key: LedgerKey { derived("daybook invitation") }

  private func derived(_ purpose: String) -> LedgerKey {
    LedgerKey(from: SecretBytes(secret), info: Array(purpose.utf8))
  }
}
