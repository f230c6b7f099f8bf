public import DaybookEntities
internal import DaybookJournal

/// One entry of a workout history.
///
/// The example stores its own kind of entity in an event store; it has nothing to do with money.
public struct Workout: Hashable, Sendable {
  /// The status of a workout.
  public enum Status: UInt8, Hashable, Sendable {
    /// It hasn't taken place yet.
    case planned = 0
    /// It was done.
    case done = 1
    /// It was skipped.
    case skipped = 2
  }

  /// The entry's id.
  public let id: EntityID
  /// The day, as days since 1970-01-01.
  public var day: Int32
  /// The status.
  public var status: Status
  /// The length in minutes.
  public var minutes: UInt32
  /// A description in the person's own words.
  public var title: String

  /// Creates an entry.
  public init(id: EntityID, day: Int32, status: Status, minutes: UInt32, title: String) {
    self.id = id
    self.day = day
    self.status = status
    self.minutes = minutes
    self.title = title
  }
}

extension Workout {
  /// The kind's number; apps use 64 to 255.
  static let kind = EntityKind(rawValue: 64)

  /// The kind's definition: the title is personal, and rows are ordered by day.
  static let schema = Schema([
    KindDefinition(kind: kind, name: "workout", personalTags: [Tag.title], clusterTag: Tag.day)
  ])

  /// The properties' tags, which are part of the format and must never change.
  enum Tag {
    /// Four bytes, biased so that earlier days sort first.
    static let day: UInt8 = 1
    /// One byte; absent if planned.
    static let status: UInt8 = 2
    /// A varint; absent if 0.
    static let minutes: UInt8 = 3
    /// UTF-8; absent if empty.
    static let title: UInt8 = 4
  }

  /// Returns the number that orders a day's rows.
  static func cluster(of day: Int32) -> UInt32 { UInt32(bitPattern: day) ^ 0x8000_0000 }

  /// Returns the day of such a number.
  static func day(of cluster: UInt32) -> Int32 { Int32(bitPattern: cluster ^ 0x8000_0000) }

  /// The encoded entry.
  var record: Record {
    var writer = RecordWriter()
    writer.put(Tag.day) { $0.u32be(Workout.cluster(of: day)) }
    if status != .planned { writer.put(Tag.status) { $0.u8(status.rawValue) } }
    if minutes != 0 { writer.put(Tag.minutes) { $0.varint(UInt64(minutes)) } }
    writer.put(Tag.title, text: title)
    return writer.record
  }

  /// Decodes an entry.
  ///
  /// - Throws: `DecodingFault` if the record is damaged.
  init(id: EntityID, record: RawSpan) throws(DecodingFault) {
    self.init(id: id, day: 0, status: .planned, minutes: 0, title: "")
    var reader = RecordReader(record)
    while let property = try reader.next() {
      var value = ByteReader(property.value)
      switch property.tag {
      case Tag.day:
        day = Workout.day(of: try value.u32be())
      case Tag.status:
        guard let known = Status(rawValue: try value.u8()) else { throw .invalidValue("status") }
        status = known
      case Tag.minutes:
        minutes = UInt32(truncatingIfNeeded: try value.varint())
      case Tag.title:
        title = try value.text(property.value.byteCount)
      default:
        throw .invalidValue("property \(property.tag)")
      }
    }
  }
}
