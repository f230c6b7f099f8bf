import DaybookEntities

/// A policy that determines how much history is kept.
public enum RetentionPolicy: Hashable, Sendable {
  /// All history is kept; this is the default.
  case keepEverything
  /// Commits that are at most this many seconds old are kept; a week is enough for most apps.
  case age(seconds: Int64)
  /// The given number of newest commits is kept.
  case count(Int)
  /// The newest commits are kept, as long as they occupy at most this many bytes.
  case bytes(Int)

  /// Commits of the last week are kept.
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
