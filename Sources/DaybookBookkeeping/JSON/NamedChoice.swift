/// A choice among a few named cases: stored as one byte, written as its name in JSON.
public protocol NamedChoice: RawRepresentable, CaseIterable, Hashable, Sendable, Codable
where RawValue == UInt8 {
  /// The case with code 0, which isn't stored in records.
  static var first: Self { get }
}

extension NamedChoice {
  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(self)")
  }

  /// Reads the name.
  ///
  /// - Throws: `DecodingError`, which lists the valid names, if the name isn't one of them.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let choice = Self.allCases.first(where: { "\($0)" == name }) else {
      let names = Self.allCases.map { "“\($0)”" }.joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(name.excerpt)” isn't one of \(names)")
    }
    self = choice
  }
}

extension AccountKind: NamedChoice {
  /// The case with code 0.
  public static var first: AccountKind { .asset }
}
extension CategoryKind: NamedChoice {
  /// The case with code 0.
  public static var first: CategoryKind { .expense }
}
extension TransactionType: NamedChoice {
  /// The case with code 0.
  public static var first: TransactionType { .expense }
}
extension TransactionKind: NamedChoice {
  /// The case with code 0.
  public static var first: TransactionKind { .expense }
}
extension Status: NamedChoice {
  /// The case with code 0.
  public static var first: Status { .cleared }
}
extension Rollover: NamedChoice {
  /// The case with code 0.
  public static var first: Rollover { .none }
}
extension MergePolicy: NamedChoice {
  /// The case with code 0.
  public static var first: MergePolicy { .lastWriter }
}
extension RuleField: NamedChoice {
  /// The case with code 0.
  public static var first: RuleField { .any }
}
extension RuleMatch: NamedChoice {
  /// The case with code 0.
  public static var first: RuleMatch { .contains }
}
extension ScheduleUnit: NamedChoice {
  /// The case with code 0.
  public static var first: ScheduleUnit { .day }
}
extension WeekendPolicy: NamedChoice {
  /// The case with code 0.
  public static var first: WeekendPolicy { .keep }
}
extension MonthEndPolicy: NamedChoice {
  /// The case with code 0.
  public static var first: MonthEndPolicy { .clamp }
}
