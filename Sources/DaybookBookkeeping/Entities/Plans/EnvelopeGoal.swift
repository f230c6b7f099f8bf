package import DaybookEntities

/// The amount that a category's envelope should receive or have.
public struct EnvelopeGoal: Hashable, Sendable {
  /// The kinds of goals.
  public enum Kind: Hashable, Sendable {
    /// The envelope has the amount at the end of the month of a day.
    ///
    /// Each month needs an equal share of the missing amount. Months after the day need nothing.
    case byDay(Day)
    /// The envelope receives the amount each month.
    case monthly
    /// The envelope always has the amount.
    case balance
  }

  /// The kind of goal.
  public var kind: Kind
  /// The amount, in the base currency; greater than zero.
  public var amount: Money

  /// Creates a goal.
  public init(_ kind: Kind, _ amount: Money) {
    self.kind = kind
    self.amount = amount
  }

  /// Returns the amount that an envelope still needs in a month: at least 0, in minor units.
  ///
  /// If the missing amount can't be divided equally among the remaining months, the first of them need
  /// one minor unit more.
  ///
  /// - Parameters:
  ///   - units: The goal's amount.
  ///   - given: The amount assigned and moved to the envelope in the month.
  ///   - rest: The amount carried over, less the month's spending.
  package func needed(in month: Month, of units: Int128, given: Int128, rest: Int128) -> Int128 {
    switch kind {
    case .monthly: return max(0, units - given)
    case .balance: return max(0, units - rest - given)
    case .byDay(let day):
      let count = Int128(day.monthOf.rawValue) - Int128(month.rawValue) + 1
      guard count > 0 else { return 0 }
      let missing = max(0, units - rest)
      return max(0, (missing + count - 1) / count - given)
    }
  }
}

extension Command {
  /// Sets the goal of a category's envelope, which replaces its earlier goal.
  ///
  /// The amount must be in the base currency and greater than zero.
  public static func setGoal(_ goal: EnvelopeGoal, for category: CategoryID) -> Command {
    var change = CategoryChange()
    change.goal = goal
    return .amendCategory(category, change)
  }

  /// Removes the goal of a category's envelope.
  public static func removeGoal(of category: CategoryID) -> Command {
    var change = CategoryChange()
    change.goal = .some(nil)
    return .amendCategory(category, change)
  }
}

extension EnvelopeGoal: Codable {
  private enum Key: String, CodingKey { case kind, amount, day }
  private enum Name: String, Codable { case byDay, monthly, balance }

  /// Writes `{"kind": "monthly", "amount": …}`, and `day` for the kind `byDay`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch kind {
    case .byDay(let day):
      try container.encode(Name.byDay, forKey: .kind)
      try container.encode(amount, forKey: .amount)
      try container.encode(day, forKey: .day)
    case .monthly:
      try container.encode(Name.monthly, forKey: .kind)
      try container.encode(amount, forKey: .amount)
    case .balance:
      try container.encode(Name.balance, forKey: .kind)
      try container.encode(amount, forKey: .amount)
    }
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the value isn't a goal.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let day = try container.decodeIfPresent(Day.self, forKey: .day)
    switch (try container.decode(Name.self, forKey: .kind), day) {
    case (.byDay, let day?): kind = .byDay(day)
    case (.monthly, nil): kind = .monthly
    case (.balance, nil): kind = .balance
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .day, in: container,
        debugDescription: "a goal has a day if it is of the kind “byDay”, and only then")
    }
    amount = try container.decode(Money.self, forKey: .amount)
  }
}

/// The coding of an envelope's goal: the amount as money, then one byte (0 monthly, 1 balance, 2 by
/// day), then the day for the last one.
package struct GoalCoding: RequiredCoding {
  package static var blank: EnvelopeGoal { EnvelopeGoal(.monthly, MoneyCoding.blank) }

  package static func write(_ value: EnvelopeGoal, to writer: inout ByteWriter) {
    writer.money(value.amount)
    switch value.kind {
    case .monthly: writer.u8(0)
    case .balance: writer.u8(1)
    case .byDay(let day):
      writer.u8(2)
      writer.u32be(day.biased)
    }
  }

  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> EnvelopeGoal {
    let amount = try walk.value.money()
    switch try walk.value.u8() {
    case 0: return EnvelopeGoal(.monthly, amount)
    case 1: return EnvelopeGoal(.balance, amount)
    case 2: return EnvelopeGoal(.byDay(try walk.value.day()), amount)
    default: throw .invalidValue("goal")
    }
  }

  package static func shown(_ value: EnvelopeGoal, _ bytes: RawSpan) -> PropertyValue {
    .goal(value)
  }
}

extension PropertyCoding where Self == GoalCoding {
  /// The coding of an envelope's goal.
  static var goal: Self { Self() }
}
