import Daybook
import Foundation

/// A form as it was typed, and what is wrong with it.
struct SentForm: Sendable {
  /// The fields by name; a field can be sent several times.
  var values: [String: [String]] = [:]
  /// What is wrong, by field; under `""` what is wrong with the whole.
  var faults: [String: String] = [:]

  /// A form that nobody has filled in.
  init(_ values: [String: String] = [:]) { self.values = values.mapValues { [$0] } }

  /// The form as it was sent.
  init(_ context: PageContext) {
    for field in context.request.form { values[field.name, default: []].append(field.value) }
  }

  /// What stands in a field, without space around it.
  func text(_ name: String) -> String {
    (values[name]?.first ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func optional(_ name: String) -> String? {
    let text = text(name)
    return text.isEmpty ? nil : text
  }

  /// The case that was chosen in a field, by its name.
  func choice<Choice: CaseIterable>(_ name: String, as type: Choice.Type = Choice.self) -> Choice? {
    let text = text(name)
    return Choice.allCases.first { "\($0)" == text }
  }

  /// All that was chosen in a field.
  func all(_ name: String) -> [String] { (values[name] ?? []).filter { !$0.isEmpty } }

  func isOn(_ name: String) -> Bool { text(name) == "on" }

  /// What commas separate.
  func list(_ name: String) -> [String] {
    text(name).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  // MARK: Values, or faults

  /// A text that is needed.
  mutating func needed(_ name: String, _ context: PageContext) -> String {
    if text(name).isEmpty { faults[name] = context[.needed] }
    return text(name)
  }

  /// An amount; `nil` where there is none, which is a fault where it is needed or no amount.
  mutating func money(
    _ name: String, _ currency: Currency, _ context: PageContext, isNeeded: Bool = false
  ) -> Money? {
    guard let text = optional(name) else {
      if isNeeded { faults[name] = context[.needed] }
      return nil
    }
    let money = AmountText.read(text, currency, context.locale)
    if money == nil { faults[name] = context[.wrongAmount] }
    return money
  }

  mutating func day(_ name: String, _ context: PageContext, isNeeded: Bool = false) -> Day? {
    guard let text = optional(name) else {
      if isNeeded { faults[name] = context[.needed] }
      return nil
    }
    let day = Day(text)
    if day == nil { faults[name] = context[.wrongDay] }
    return day
  }

  /// A whole number in a range; what is missing is the least.
  mutating func number(
    _ name: String, in range: ClosedRange<Int>, _ context: PageContext
  ) -> Int {
    guard let text = optional(name) else { return range.lowerBound }
    guard let number = Int(text), range.contains(number) else {
      faults[name] = context[.wrongNumber]
      return range.lowerBound
    }
    return number
  }

  mutating func currency(
    _ name: String, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Currency? {
    let currency = try snapshot.currency(text(name).uppercased())
    if currency == nil { faults[name] = context[.wrongCurrency] }
    return currency
  }

  /// An id that was chosen; `nil` where none was.
  mutating func id<Owner>(
    _ name: String, _ context: PageContext, isNeeded: Bool = false
  ) -> Identifier<Owner>? {
    let id = optional(name).flatMap { Identifier<Owner>($0) }
    if id == nil, isNeeded { faults[name] = context[.needed] }
    return id
  }

  /// Puts a refusal of the ledger at the first of the fields that it can be about.
  mutating func refuse(
    _ error: DaybookError, _ names: [String], _ context: PageContext
  ) {
    let wanted: [String] =
      switch error.refusal?.code {
      case .duplicateName, .text, .duplicateID: ["name", "text1"]
      case .day, .closedPeriod: ["day", "first", "last", "openingDay"]
      case .negative, .overflow, .currencyMismatch, .noRate, .unbalanced:
        ["amount", "balance", "rate", "opening"]
      case .currency: ["currency", "base", "quoted"]
      case .cycle, .kind: ["parent", "category", "kind"]
      case .closed: ["account"]
      case .transfer: ["otherAccount"]
      default: []
      }
    let field = wanted.first { names.contains($0) } ?? ""
    faults[field] = context.told(error)
  }
}
