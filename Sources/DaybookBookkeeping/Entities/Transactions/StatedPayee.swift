package import DaybookEntities

/// The payee that a transaction had before a rule or a person replaced it.
public struct StatedPayee: Hashable, Sendable, Codable {
  /// The text; empty if the transaction had no payee.
  public var payee: String
  /// The rule that chose the present payee; `nil` if a person chose it.
  public var rule: RuleID?

  /// Creates a replaced payee.
  public init(_ payee: String, rule: RuleID? = nil) {
    self.payee = payee
    self.rule = rule
  }

  private enum Key: String, CodingKey { case payee, rule }

  /// Writes the text and the rule.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(payee, forKey: .payee)
    try container.put(rule, .rule)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(try container.decode(String.self, forKey: .payee), rule: try container.take(.rule))
  }
}

/// The coding of a replaced payee: 0, or 1 and the id of the rule; then the text.
package struct StatedPayeeCoding: RequiredCoding {
  @inline(__always) package static var blank: StatedPayee { StatedPayee("") }

  package static func write(_ value: StatedPayee, to writer: inout ByteWriter) {
    writer.optional(value.rule) { $0.id($1.rawValue) }
    writer.string(value.payee)
  }

  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> StatedPayee {
    let rule = try walk.value.flag() ? RuleID(try walk.value.id()) : nil
    return StatedPayee(try walk.value.string(), rule: rule)
  }

  package static func shown(_ value: StatedPayee, _ bytes: RawSpan) -> PropertyValue {
    .text(value.payee)
  }
}

extension PropertyCoding where Self == StatedPayeeCoding {
  /// The coding of a replaced payee.
  @inline(__always) static var statedPayee: Self { Self() }
}

extension Transaction {
  /// Whether a rule may set the payee, because no person has chosen it.
  package var isPayeeOpenToRules: Bool {
    statedPayee.map { $0.rule != nil } ?? (importIdentity != nil || details.payee.isEmpty)
  }

  /// Keeps the payee that the bank stated when a person replaces it.
  mutating func replacePayee(of old: Transaction) {
    guard details.payee != old.details.payee else { return }
    let stated = old.statedPayee?.payee ?? old.details.payee
    statedPayee = importIdentity == nil || details.payee == stated ? nil : StatedPayee(stated)
  }

  /// Sets the payee that a rule chose.
  mutating func setPayee(_ new: String, by rule: RuleID) {
    let stated = statedPayee?.payee ?? details.payee
    details.payee = new
    statedPayee = new == stated ? nil : StatedPayee(stated, rule: rule)
  }
}
