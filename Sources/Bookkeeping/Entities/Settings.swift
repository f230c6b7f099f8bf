public import Entities

/// Who wins where two writers change the same property.
public enum MergePolicy: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// The amendment that is decided last.
  case lastWriter = 0
  /// What was stored when the amendment arrives; the amendment's value is dropped.
  case firstWriter = 1
  /// Nobody: the amendment is refused.
  case error = 2
}

/// What holds for the whole ledger; there is one, with a fixed id.
public struct Settings: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The currency that reports convert to.
  public var baseCurrency: Currency?
  /// The first day of the week: 1 Monday … 7 Sunday.
  public var firstWeekday: Int
  /// The last day of the closed period: nothing up to it may change.
  public var closedThrough: Day?
  /// Who wins where two writers change the same property.
  public var mergePolicy: MergePolicy

  /// The id of the only settings.
  public static let id = EntityID(high: 0, low: 1)

  /// Settings by their properties; without arguments, those of a new ledger.
  public init(
    number: UInt64 = 0, baseCurrency: Currency? = nil, firstWeekday: Int = 1,
    closedThrough: Day? = nil, mergePolicy: MergePolicy = .lastWriter
  ) {
    self.number = number
    self.baseCurrency = baseCurrency
    self.firstWeekday = firstWeekday
    self.closedThrough = closedThrough
    self.mergePolicy = mergePolicy
  }

  /// The kind of settings.
  public static var kind: EntityKind { .settings }
  /// The fixed id.
  public var entityID: EntityID { Settings.id }

  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    self.init(number: number)
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.Settings.baseCurrency: baseCurrency = try property.currency()
      case Tag.Settings.firstWeekday:
        var value = ByteReader(property.value)
        firstWeekday = Int(try value.u8())
        try value.end(property.tag)
        guard (2...7).contains(firstWeekday) else { throw .invalidValue("first weekday") }
      case Tag.Settings.closedThrough: closedThrough = try property.day()
      case Tag.Settings.mergePolicy: mergePolicy = try property.code()
      default: throw property.unknown
      }
    }
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Settings.baseCurrency, currency: baseCurrency)
    writer.put(
      Tag.Settings.firstWeekday,
      code: firstWeekday == 1 ? 0 : UInt8(truncatingIfNeeded: firstWeekday))
    writer.put(Tag.Settings.closedThrough, day: closedThrough)
    writer.put(Tag.Settings.mergePolicy, code: mergePolicy.rawValue)
    return writer.record
  }
}
