import Daybook

/// Reads amounts as people write them: `12.50`, `1,234.56`, `12.50 USD`.
enum Amounts {
  /// An amount; without a code it is in the currency given.
  static func money(
    _ text: String, in standard: Currency?, _ snapshot: borrowing Snapshot
  ) throws -> Money {
    var figures = text[...]
    var currency = standard
    let letters = text.reversed().prefix { $0.isLetter }
    if !letters.isEmpty {
      figures = text.dropLast(letters.count)
      currency = try Lookup.currency(String(letters.reversed()), in: snapshot)
    }
    guard let currency else {
      throw CommandFailure.usage(
        "It is not clear in which currency “\(text)” is.",
        remedy: "Name the account, or write the currency after the amount: \"\(text) EUR\".")
    }
    do {
      return try Money.parse(figures, currency: currency)
    } catch {
      throw CommandFailure(
        .usage, code: "amount", "\(error)".asSentence,
        remedy: "Write it with a point before the decimals, such as 1234.56.")
    }
  }
}
