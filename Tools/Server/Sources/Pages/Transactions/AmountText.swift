import Daybook
import Foundation

/// Parsing and formatting of amounts as people type them.
///
/// Amounts have the marks of the user's locale, and can be sums such as `12.50+3`.
enum AmountText {
  /// Parses an amount, or returns `nil` if the text is invalid.
  static func read(_ text: String, _ currency: Currency, _ locale: Locale) -> Money? {
    var sum = Money.zero(currency)
    var part = ""
    var isLess = false
    for character in text + "+" {
      guard character == "+" || character == "-" else {
        part.append(character)
        continue
      }
      let trimmed = part.trimmingCharacters(in: .whitespaces)
      if !trimmed.isEmpty {
        guard let money = one(trimmed, currency, locale),
          let next = try? isLess ? sum - money : sum + money
        else { return nil }
        sum = next
      } else if isLess {
        return nil
      }
      part = ""
      isLess = character == "-"
    }
    return text.contains(where: \.isNumber) ? sum : nil
  }

  /// Formats an amount for typing: with its sign and the language's decimal mark, but without a
  /// currency.
  static func typed(_ money: Money, _ locale: Locale) -> String { typed(Total(money), locale) }

  /// Formats a total for typing.
  static func typed(_ total: Total, _ locale: Locale) -> String {
    let text = total.text
    return locale.decimalSeparator == "," ? text.replacing(".", with: ",") : text
  }

  /// Parses a single amount, in which marks can only have their meaning in the locale.
  private static func one(_ text: String, _ currency: Currency, _ locale: Locale) -> Money? {
    let mark: Character = locale.decimalSeparator == "," ? "," : "."
    let other: Character = mark == "," ? "." : ","
    // 12.505 is 12505 in German, but is ambiguous in French, which groups digits with spaces.
    let isUnclear =
      text.count { $0 == other } == 1 && !text.contains(mark)
      && locale.groupingSeparator != String(other)
    return isUnclear ? nil : try? Money.parse(text, currency: currency, decimalMark: mark)
  }
}
