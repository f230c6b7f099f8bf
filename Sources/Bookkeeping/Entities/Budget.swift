public import Entities

/// What a budget's periods are.
public enum BudgetPeriod: Hashable, Sendable {
  /// Months that begin on a day of the month (1 to 31, clamped to the month's end).
  case monthly(resetDay: Int)
  /// Weeks that begin on the ledger's first weekday.
  case weekly
  /// Calendar years.
  case yearly
  /// One span of days.
  case custom(Range<Day>)
}

/// What a budget carries into its next period.
public enum Rollover: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Nothing.
  case none = 0
  /// What was left.
  case surplus = 1
  /// What was overspent.
  case deficit = 2
  /// Either.
  case both = 3
}

/// An amount that a budget has from a day on.
public struct BudgetStep: Hashable, Sendable {
  /// The first day.
  public var day: Day
  /// The amount in minor units of the budget's currency.
  public var units: Int64

  /// A step.
  public init(day: Day, units: Int64) {
    self.day = day
    self.units = units
  }
}

/// How much may be spent on categories in a period.
public struct Budget: LedgerEntity {
  /// The budget's id.
  public var id: BudgetID
  /// The recording number.
  public var number: UInt64
  /// The name.
  public var name: String
  /// The expense categories it watches; none means all.
  public var categories: [CategoryID]
  /// Whether what is below those categories counts too.
  public var includesSubcategories = true
  /// The amount for a period.
  public var amount: Money
  /// The periods.
  public var period: BudgetPeriod
  /// What is carried over.
  public var rollover = Rollover.none
  /// The first day that counts; what is carried over is counted from it.
  public var start: Day?
  /// The day from which it no longer counts.
  public var end: Day?
  /// Other amounts, days ascending: each is that of the periods that begin on its day or later, so that
  /// past periods keep theirs.
  public var steps: [BudgetStep] = []
  /// Whether it is put aside.
  public var isArchived = false
  /// Free text.
  public var note = ""
  /// The place in a list.
  public var order: Int64 = 0

  /// A budget; set the rarer properties afterwards.
  public init(
    id: BudgetID, number: UInt64 = 0, name: String, categories: [CategoryID], amount: Money,
    period: BudgetPeriod
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.categories = categories
    self.amount = amount
    self.period = period
  }

  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// The kind of budgets.
  public static var kind: EntityKind { .budget }
}

extension Budget {
  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var amount: Money?
    self.init(
      id: BudgetID(id), number: number, name: "", categories: [],
      amount: Money(0, Currency(packed: 0)), period: .weekly)
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      var value = ByteReader(property.value)
      switch property.tag {
      case Tag.Budget.name: name = try property.text()
      case Tag.Budget.categories:
        for _ in 0..<(try value.count()) { categories.append(CategoryID(try value.id())) }
      case Tag.Budget.excludesSubcategories: includesSubcategories = !(try property.flag())
      case Tag.Budget.amount: amount = try property.money()
      case Tag.Budget.period: period = try BudgetPeriod(&value)
      case Tag.Budget.rollover: rollover = try property.code()
      case Tag.Budget.start: start = try property.day()
      case Tag.Budget.end: end = try property.day()
      case Tag.Budget.steps:
        for _ in 0..<(try value.count()) {
          let day = try value.day()
          steps.append(BudgetStep(day: day, units: try value.zigzag()))
        }
      case Tag.Budget.isArchived: isArchived = try property.flag()
      case Tag.Budget.note: note = try property.text()
      case Tag.Budget.order: order = try property.signed()
      default: throw property.unknown
      }
    }
    guard let amount else { throw .invalidValue("budget without amount") }
    self.amount = amount
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Budget.name, text: name)
    writer.put(Tag.Budget.categories, list: categories) { $0.id($1.rawValue) }
    writer.put(Tag.Budget.excludesSubcategories, flag: !includesSubcategories)
    writer.put(Tag.Budget.amount, money: amount)
    writer.put(Tag.Budget.period) { period.write(to: &$0) }
    writer.put(Tag.Budget.rollover, code: rollover.rawValue)
    writer.put(Tag.Budget.start, day: start)
    writer.put(Tag.Budget.end, day: end)
    writer.put(Tag.Budget.steps, list: steps) {
      $0.u32be($1.day.biased)
      $0.zigzag($1.units)
    }
    writer.put(Tag.Budget.isArchived, flag: isArchived)
    writer.put(Tag.Budget.note, text: note)
    writer.put(Tag.Budget.order, signed: order)
    return writer.record
  }
}

extension BudgetPeriod {
  fileprivate init(_ reader: inout ByteReader) throws(DecodingFault) {
    switch try reader.u8() {
    case 0:
      let day = Int(try reader.u8())
      guard (1...31).contains(day) else { throw .invalidValue("reset day") }
      self = .monthly(resetDay: day)
    case 1: self = .weekly
    case 2: self = .yearly
    case 3:
      let (first, end) = (try reader.day(), try reader.day())
      guard first <= end else { throw .invalidValue("budget period") }
      self = .custom(first..<end)
    default: throw .invalidValue("budget period")
    }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .monthly(let resetDay):
      writer.u8(0)
      writer.u8(UInt8(clamping: resetDay))
    case .weekly: writer.u8(1)
    case .yearly: writer.u8(2)
    case .custom(let days):
      writer.u8(3)
      writer.u32be(days.lowerBound.biased)
      writer.u32be(days.upperBound.biased)
    }
  }
}
