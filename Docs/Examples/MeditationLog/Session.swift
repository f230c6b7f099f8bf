public import DaybookEntities
internal import DaybookJournal

/// One session in a meditation log.
public struct Session: Hashable, Sendable {
  /// The technique.
  public enum Technique: UInt8, Hashable, Sendable, CaseIterable {
    /// Breath meditation.
    case breath = 0
    /// Body scan.
    case bodyScan = 1
    /// Loving-kindness meditation.
    case lovingKindness = 2
    /// Walking meditation.
    case walking = 3
  }

  /// The session's id.
  public let id: EntityID
  /// The first minute, in minutes since 1970 (UTC).
  public var start: UInt32
  /// The length in minutes.
  public var minutes: UInt32
  /// The technique.
  public var technique: Technique
  /// A note in the person's own words.
  public var note: String

  /// Creates a session.
  public init(
    id: EntityID, start: UInt32, minutes: UInt32, technique: Technique, note: String = ""
  ) {
    self.id = id
    self.start = start
    self.minutes = minutes
    self.technique = technique
    self.note = note
  }

  /// The minute after the last one.
  var end: UInt64 { UInt64(start) + UInt64(minutes) }
}

extension Session {
  /// The kind's number; apps use 64 to 255.
  static let kind = EntityKind(rawValue: 64)

  /// The kind's definition: the note is personal, and rows are ordered by their first minute.
  static let schema = Schema([
    KindDefinition(kind: kind, name: "session", personalTags: [Tag.note], clusterTag: Tag.start)
  ])

  /// The properties' tags, which are part of the format and must never change.
  enum Tag {
    /// Four bytes, minutes since 1970.
    static let start: UInt8 = 1
    /// A varint.
    static let minutes: UInt8 = 2
    /// One byte; absent for the breath technique.
    static let technique: UInt8 = 3
    /// UTF-8; absent if empty.
    static let note: UInt8 = 4
  }

  /// The encoded session.
  var record: Record {
    var writer = RecordWriter()
    writer.put(Tag.start) { $0.u32be(start) }
    writer.put(Tag.minutes) { $0.varint(UInt64(minutes)) }
    if technique != .breath { writer.put(Tag.technique) { $0.u8(technique.rawValue) } }
    writer.put(Tag.note, text: note)
    return writer.record
  }

  /// Decodes a session.
  ///
  /// - Throws: `DecodingFault` if the record is damaged.
  init(id: EntityID, record: RawSpan) throws(DecodingFault) {
    self.init(id: id, start: 0, minutes: 0, technique: .breath)
    var reader = RecordReader(record)
    while let property = try reader.next() {
      var value = ByteReader(property.value)
      switch property.tag {
      case Tag.start:
        start = try value.u32be()
      case Tag.minutes:
        minutes = UInt32(truncatingIfNeeded: try value.varint())
      case Tag.technique:
        guard let known = Technique(rawValue: try value.u8()) else {
          throw .invalidValue("technique")
        }
        technique = known
      case Tag.note:
        note = try value.text(property.value.byteCount)
      default:
        throw .invalidValue("property \(property.tag)")
      }
    }
  }
}
