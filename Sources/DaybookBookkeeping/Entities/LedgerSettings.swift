public import DaybookEntities

/// The policy that decides which value is kept when two writers change the same property.
public enum MergePolicy: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// The value of the later amendment.
  case lastWriter = 0
  /// The stored value; the amendment's value is dropped.
  case firstWriter = 1
  /// Neither value: the amendment is refused.
  case error = 2
}

/// The settings of the whole ledger; a single entity with a fixed id.
public struct LedgerSettings: LedgerEntity {
  /// The currency to which reports convert amounts.
  public var baseCurrency: Currency?
  /// The first day of the week, from 1 (Monday) to 7 (Sunday).
  public var firstWeekday: Int
  /// The last day of the closed period: figures through this day can't change.
  public var closedThrough: Day?
  /// The policy that decides which value is kept when two writers change the same property.
  public var mergePolicy: MergePolicy
  /// The days that aren't business days in addition to weekends, ascending; see
  /// ``Series/weekends``.
  public var holidays: [Day] = []
  /// The recording number.
  public var number: UInt64

  /// The id of the single settings entity.
  public static let id = EntityID(high: 0, low: 1)

  /// The kind of the settings in the journal: 1, which has one entity.
  public static var kind: EntityKind { .settings }
  /// The fixed id.
  public var entityID: EntityID { LedgerSettings.id }
}

extension LedgerSettings {
  /// Creates settings; without arguments, the settings of a new ledger.
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

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> LedgerSettings {
    LedgerSettings.init(baseCurrency:firstWeekday:closedThrough:mergePolicy:holidays:number:)(
      try p(1, "baseCurrency", baseCurrency, .optional(.currency), .plain),
      try p(2, "firstWeekday", WeekdayName(number: firstWeekday), .weekday, .plain).number,
      try p(3, "closedThrough", closedThrough, .optional(.day), .plain),
      try p(4, "mergePolicy", mergePolicy, .choice(), .plain),
      try p(5, "holidays", holidays, .list(), .plain),
      p.number)
  }
}
