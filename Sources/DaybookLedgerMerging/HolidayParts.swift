import DaybookBookkeeping
import DaybookEntities
import DaybookMerging

/// The parts into which the holidays are split for merging: one for each day.
///
/// If one device adds a day and another one removes a different one, both changes are kept.
enum HolidayParts {
  private static let tag = EntityKind.settings.tag(of: "holidays")

  /// Splits the register's value, unless ``join(_:)`` wouldn't return the same bytes.
  static func apart(_ bytes: [UInt8]) -> [RegisterValue] {
    let parts = days(in: bytes).map { day in
      RegisterValue(register(of: day), encoded(day))
    }.sorted { $0.register < $1.register }
    return join(parts) == bytes ? parts : [RegisterValue(PostingParts.whole, bytes)]
  }

  /// Joins parts; returns `nil` if they are incompatible.
  static func join(_ parts: [RegisterValue]) -> [UInt8]? {
    if parts.contains(where: { $0.register == PostingParts.whole }) {
      return parts.count == 1 ? parts[0].bytes : nil
    }
    if parts.isEmpty { return [] }
    let days = parts.compactMap { day(in: $0.bytes) }.sorted()
    guard days.count == parts.count else { return nil }
    var writer = RecordWriter()
    writer.put(tag) { ListCoding<Day>.write(days, to: &$0) }
    return writer.record.bytes
  }

  /// The holidays in a value of the whole register, or in one part.
  static func days(in register: Register, _ bytes: [UInt8]) -> [Day] {
    register >= PostingParts.firstLine ? day(in: bytes).map { [$0] } ?? [] : days(in: bytes)
  }

  private static func days(in bytes: [UInt8]) -> [Day] {
    Record(bytes: bytes)[tag].flatMap { try? ListCoding<Day>.apart($0) } ?? []
  }

  private static func day(in part: [UInt8]) -> Day? {
    var reader = ByteReader(part.span.bytes)
    return (try? reader.u32be()).map { Day(biased: $0) }
  }

  private static func encoded(_ day: Day) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32be(day.biased)
    return writer.bytes
  }

  /// The register of a day.
  ///
  /// Days more than a century apart can have the same one; such holidays aren't split.
  private static func register(of day: Day) -> Register {
    let first = PostingParts.firstLine.rawValue
    let count = UInt32(UInt16.max - first)
    return Register(rawValue: first + UInt16(day.biased % count))
  }
}
