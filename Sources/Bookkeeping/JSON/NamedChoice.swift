/// One of a few named choices: a byte on disk, its name in JSON.
public protocol NamedChoice: RawRepresentable, CaseIterable, Hashable, Sendable, Codable
where RawValue == UInt8 {
  /// The choice that a record leaves out: that of code 0.
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
  /// - Throws: `DecodingError` that lists the names where it is none of them.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let choice = Self.allCases.first(where: { "\($0)" == name }) else {
      let names = Self.allCases.map { "“\($0)”" }.joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(name.excerpt)” is none of \(names)")
    }
    self = choice
  }
}

extension AccountKind: NamedChoice {
  /// The choice of code 0.
  public static var first: AccountKind { .asset }
}
extension CategoryKind: NamedChoice {
  /// The choice of code 0.
  public static var first: CategoryKind { .expense }
}
extension TransactionType: NamedChoice {
  /// The choice of code 0.
  public static var first: TransactionType { .expense }
}
extension Status: NamedChoice {
  /// The choice of code 0.
  public static var first: Status { .cleared }
}
extension Rollover: NamedChoice {
  /// The choice of code 0.
  public static var first: Rollover { .none }
}
extension MergePolicy: NamedChoice {
  /// The choice of code 0.
  public static var first: MergePolicy { .lastWriter }
}
extension RuleField: NamedChoice {
  /// The choice of code 0.
  public static var first: RuleField { .any }
}
extension RuleMatch: NamedChoice {
  /// The choice of code 0.
  public static var first: RuleMatch { .contains }
}
extension ScheduleUnit: NamedChoice {
  /// The choice of code 0.
  public static var first: ScheduleUnit { .day }
}
extension MonthEndPolicy: NamedChoice {
  /// The choice of code 0.
  public static var first: MonthEndPolicy { .clamp }
}
