import Entities

/// How much history is kept.
public enum RetentionPolicy: Hashable, Sendable {
  /// All of it: what holds until a policy is set.
  case keepEverything
  /// What was recorded within so many seconds; a week is what most apps need.
  case age(seconds: Int64)
  /// The newest so many commits.
  case count(Int)
  /// The newest commits that together take up so many bytes.
  case bytes(Int)

  /// A week.
  public static let week = RetentionPolicy.age(seconds: 7 * 86_400)

  init(_ bytes: [UInt8]) throws(DecodingFault) {
    var reader = ByteReader(bytes.span.bytes)
    let kind = try reader.u8()
    let amount = Int64(bitPattern: try reader.u64be())
    switch kind {
    case 0: self = .keepEverything
    case 1: self = .age(seconds: amount)
    case 2: self = .count(Int(clamping: amount))
    case 3: self = .bytes(Int(clamping: amount))
    default: throw .invalidValue("retention policy \(kind)")
    }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 9)
    let (kind, amount): (UInt8, Int64) =
      switch self {
      case .keepEverything: (0, 0)
      case .age(let seconds): (1, seconds)
      case .count(let count): (2, Int64(count))
      case .bytes(let count): (3, Int64(count))
      }
    writer.u8(kind)
    writer.u64be(UInt64(bitPattern: amount))
    return writer.bytes
  }
}
