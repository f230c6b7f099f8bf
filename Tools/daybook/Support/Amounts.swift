import Daybook

/// Parsing of amounts as people write them, such as `12.50`, `1,234.56` or `12.50 USD`.
enum Amounts {
  /// Parses an amount.
  ///
  /// An amount without a currency code is in the currency `standard`.
  ///
  /// - Throws: `CommandFailure` if the text isn't an amount or its currency is unknown.
  static func money(
    _ text: String, in standard: Currency?, _ snapshot: borrowing Snapshot
  ) throws -> Money {
    var figures = text[...]
    var currency = standard
    guard text.contains(where: \.isNumber) else {
      throw CommandFailure(
        .usage, code: "amount", "“\(text)” isn't an amount: it has no digits.", remedy: forms)
    }
    let letters = text.reversed().prefix { $0.isLetter }
    if !letters.isEmpty {
      figures = text.dropLast(letters.count)
      currency = try Lookup.currency(String(letters.reversed()), in: snapshot)
    }
    guard let currency else {
      throw CommandFailure.usage(
        "The currency of “\(text)” is missing.",
        remedy: "Name the account, or write the currency after the amount, such as \"\(text) EUR\"."
      )
    }
    do {
      return try Money.parse(figures, currency: currency)
    } catch {
      throw CommandFailure(
        .usage, code: "amount", "\(error)".asSentence, remedy: remedy(figures, currency))
    }
  }

  private static let forms =
    "Write an amount with a decimal point, such as 1234.56, or with a currency code, such as "
    + "\"1234.56 USD\"."

  /// Returns the remedy for an amount with another decimal mark or a currency symbol.
  private static func remedy(_ text: Substring, _ currency: Currency) -> String {
    if text.contains(","),
      let other = try? Money.parse(text, currency: currency, decimalMark: ",")
    {
      return "Did you mean \(other.text)? \(forms)"
    }
    let signs: [Character: String] = ["€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₸": "KZT"]
    guard let sign = text.first(where: { $0.isCurrencySymbol }) else { return forms }
    let figures = text.filter { !$0.isCurrencySymbol }
    let code = signs[sign] ?? currency.code
    return "Write the currency code after the number, such as \"\(figures) \(code)\"."
  }

  /// Parses a positive amount, for commands in which another word states the direction.
  ///
  /// - Parameters:
  ///   - what: A noun for the amount, such as “an expense”.
  ///   - remedy: Returns the command for the opposite direction.
  /// - Throws: `CommandFailure` if the amount is zero or negative.
  static func size(
    _ text: String, in standard: Currency?, _ snapshot: borrowing Snapshot, of what: String,
    ifNegative remedy: (_ positive: String) -> String
  ) throws -> Money {
    let money = try money(text, in: standard, snapshot)
    guard money.minorUnits != 0 else {
      throw CommandFailure(
        .usage, code: "amount", "The amount of \(what) can't be 0.",
        remedy: "Give an amount above 0.")
    }
    guard money.minorUnits > 0 else {
      let positive = text.trimmingPrefix { $0 == "-" || $0 == "−" || $0 == " " }
      throw CommandFailure(
        .usage, code: "amount", "The amount of \(what) can't be negative: “\(text)”.",
        remedy: remedy(positive.contains(" ") ? "\"\(positive)\"" : String(positive)))
    }
    return money
  }

  /// Parses the balance of an account, given as an amount or as a debt.
  ///
  /// - Parameters:
  ///   - amount: The balance.
  ///   - owed: The debt, written without a minus, if `amount` is `nil`.
  ///   - account: The account, in whose currency the balance must be.
  /// - Throws: `CommandFailure` if a debt is negative or the currency differs.
  static func held(
    _ amount: String?, owed: String?, by account: Account, _ snapshot: borrowing Snapshot
  ) throws -> Money {
    var money = try money(amount ?? owed ?? "", in: account.currency, snapshot)
    if let owed {
      guard money.minorUnits >= 0 else {
        throw CommandFailure(
          .usage, code: "amount", "The amount owed can't be negative: “\(owed)”.",
          remedy: "Remove the minus sign. If nothing is owed, give the balance without --owed.")
      }
      money = try money.negated()
    }
    guard money.currency == account.currency else {
      throw CommandFailure.usage(
        "The account \(account.name) is in \(account.currency), not in \(money.currency).",
        remedy: "Write the amount in \(account.currency).")
    }
    return money
  }
}
