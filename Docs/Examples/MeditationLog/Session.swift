public import DaybookEntities
internal import DaybookJournal

/// One sitting of a meditation log.
public struct Session: Hashable, Sendable {
  /// How it was sat.
  public enum Technique: UInt8, Hashable, Sendable, CaseIterable {
    /// Attending to the breath.
    case breath = 0
    /// Going through the body, part by part.
    case bodyScan = 1
    /// Wishing well.
    case lovingKindness = 2
    /// Walking slowly.
    case walking = 3
  }

  /// Which sitting.
  public let id: EntityID
  /// When it began, in minutes since 1970 (UTC).
  public var start: UInt32
  /// How long it took, in minutes.
  public var minutes: UInt32
  /// How it was sat.
  public var technique: Technique
  /// What is worth remembering, in the person's own words.
  public var note: String

  /// A sitting.
  public init(
    id: EntityID, start: UInt32, minutes: UInt32, technique: Technique, note: String = ""
  ) {
    self.id = id
    self.start = start
    self.minutes = minutes
    self.technique = technique
    self.note = note
  }

  /// The minute after its last one.
  var end: UInt64 { UInt64(start) + UInt64(minutes) }
}

extension Session {
  /// The kind's number: applications use 64 to 255.
  static let kind = EntityKind(rawValue: 64)

  /// What the store needs to know: the note is personal, and rows are ordered by their beginning.
  static let schema = Schema([
    KindDefinition(kind: kind, name: "session", personalTags: [Tag.note], clusterTag: Tag.start)
  ])

  /// The properties' tags, part of the format: never renumbered.
  enum Tag {
    /// Four bytes, minutes since 1970.
    static let start: UInt8 = 1
    /// A varint.
    static let minutes: UInt8 = 2
    /// One byte; absent for the breath.
    static let technique: UInt8 = 3
    /// UTF-8; absent where empty.
    static let note: UInt8 = 4
  }

  /// The sitting, packed.
  var record: Record {
    var writer = RecordWriter()
    writer.put(Tag.start) { $0.u32be(start) }
    writer.put(Tag.minutes) { $0.varint(UInt64(minutes)) }
    if technique != .breath { writer.put(Tag.technique) { $0.u8(technique.rawValue) } }
    writer.put(Tag.note, text: note)
    return writer.record
  }

  /// Unpacks a sitting.
  ///
  /// - Throws: `DecodingFault` where the record is damaged.
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
