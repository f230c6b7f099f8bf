import Daybook
import Foundation

/// The input of a submitted form, with its errors.
struct SentForm: Sendable {
  /// The values by field; a field can have several values.
  var values: [String: [String]] = [:]
  /// The errors by field; errors of the whole form are under `""`.
  var faults: [String: String] = [:]

  /// Creates a form with the given values.
  init(_ values: [String: String] = [:]) { self.values = values.mapValues { [$0] } }

  /// Creates the form submitted with a request.
  init(_ context: PageContext) {
    for field in context.request.form { values[field.name, default: []].append(field.value) }
  }

  /// Returns the value of a field without surrounding whitespace.
  func text(_ name: String) -> String {
    (values[name]?.first ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func optional(_ name: String) -> String? {
    let text = text(name)
    return text.isEmpty ? nil : text
  }

  /// Returns the enum case whose name is the value of a field.
  func choice<Choice: CaseIterable>(_ name: String, as type: Choice.Type = Choice.self) -> Choice? {
    let text = text(name)
    return Choice.allCases.first { "\($0)" == text }
  }

  /// Returns all non-empty values of a field.
  func all(_ name: String) -> [String] { (values[name] ?? []).filter { !$0.isEmpty } }

  func isOn(_ name: String) -> Bool { text(name) == "on" }

  /// Returns the comma-separated parts of a field.
  func list(_ name: String) -> [String] {
    text(name).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  // MARK: Validated values

  /// Returns a required text; adds an error if it is empty.
  mutating func needed(_ name: String, _ context: PageContext) -> String {
    if text(name).isEmpty { faults[name] = context[.needed] }
    return text(name)
  }

  /// Returns an amount, or `nil` if the field is empty; adds an error if it is required or invalid.
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

  /// Returns a whole number in a range; an empty field gives the lower bound.
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

  /// Returns a chosen id, or `nil` if there is none.
  mutating func id<Owner>(
    _ name: String, _ context: PageContext, isNeeded: Bool = false
  ) -> Identifier<Owner>? {
    let id = optional(name).flatMap { Identifier<Owner>($0) }
    if id == nil, isNeeded { faults[name] = context[.needed] }
    return id
  }

  /// Adds the ledger's refusal as an error of the first field that it could refer to.
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
    faults[field] = context.text(error)
  }
}
