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
public struct LedgerSettings: LedgerEntity {
  /// The currency that reports convert to.
  public var baseCurrency: Currency?
  /// The first day of the week: 1 Monday … 7 Sunday.
  public var firstWeekday: Int
  /// The last day of the closed period: nothing up to it may change.
  public var closedThrough: Day?
  /// Who wins where two writers change the same property.
  public var mergePolicy: MergePolicy
  /// The recording number.
  public var number: UInt64

  /// The id of the only settings.
  public static let id = EntityID(high: 0, low: 1)

  /// What the settings are in the journal: kind 1, of which there is one entity.
  public static var kind: EntityKind { .settings }
  /// The fixed id.
  public var entityID: EntityID { LedgerSettings.id }
}

extension LedgerSettings {
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

  /// The settings of a new ledger.
  public static let blank = LedgerSettings()

  /// The table of properties.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> LedgerSettings {
    LedgerSettings.init(baseCurrency:firstWeekday:closedThrough:mergePolicy:number:)(
      try p(1, "baseCurrency", baseCurrency, .optional(.currency), .plain),
      try p(2, "firstWeekday", WeekdayName(number: firstWeekday), .weekday, .plain).number,
      try p(3, "closedThrough", closedThrough, .optional(.day), .plain),
      try p(4, "mergePolicy", mergePolicy, .choice(), .plain),
      p.number)
  }
}
