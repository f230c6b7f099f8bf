/// An error in computing or parsing amounts.
public enum MoneyError: Error, Hashable, Sendable {
  /// The result is too large; the text describes the computation.
  case overflow(String)
  /// An operation combined amounts in two different currencies.
  case currencies(Currency, Currency)
  /// A text is not an amount; contains the reason and the text.
  case notAnAmount(String, text: String)
  /// A text has more decimals than the currency has.
  case tooManyDecimals(Currency, text: String)
  /// A rate isn't greater than zero, or has more than 18 decimals.
  case notARate(String)
}

extension MoneyError: CustomStringConvertible {
  /// The problem and its solution.
  public var description: String {
    switch self {
    case .overflow(let what):
      "\(what) is too large for an amount; enter smaller amounts"
    case .currencies(let left, let right):
      "\(left) and \(right) can't be combined; convert one of them first"
    case .notAnAmount(let why, let text):
      "“\(text.excerpt)” is not an amount: \(why)"
    case .tooManyDecimals(let currency, let text):
      "“\(text.excerpt)” has more than the \(currency.digits) decimals of \(currency); "
        + "round it, or check the decimal mark"
    case .notARate(let text):
      "“\(text.excerpt)” is not a rate: a number above zero with at most 18 decimal places is expected"
    }
  }
}
