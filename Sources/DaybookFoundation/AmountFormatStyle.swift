public import Bookkeeping
public import Foundation

/// Shows amounts as people of a locale write them: `1.234,50 €` in Germany.
///
/// ```swift
/// Text(transaction.amount ?? .zero(.eur), format: .money)
/// balance.formatted(.total.presentation(.isoCode).locale(Locale(identifier: "de_DE")))
/// ```
public struct AmountFormatStyle<Amount: FormattableAmount>: FormatStyle {
  /// How the currency is shown: a sign, its code or its name.
  public typealias Presentation = CurrencyFormatStyleConfiguration.Presentation
  /// When a sign is shown.
  public typealias SignDisplayStrategy = CurrencyFormatStyleConfiguration.SignDisplayStrategy

  /// The locale; that of the user where none is given.
  public var locale: Locale
  private var currencyPresentation = Presentation.standard
  private var signStrategy = SignDisplayStrategy.automatic

  /// A style of a locale.
  public init(locale: Locale = .autoupdatingCurrent) { self.locale = locale }

  /// The same in another locale.
  public func locale(_ locale: Locale) -> Self { with { $0.locale = locale } }
  /// The same with the currency shown otherwise.
  public func presentation(_ presentation: Presentation) -> Self {
    with { $0.currencyPresentation = presentation }
  }
  /// The same with signs shown otherwise.
  public func sign(strategy: SignDisplayStrategy) -> Self { with { $0.signStrategy = strategy } }

  /// The amount as a text, with all decimals of its currency.
  public func format(_ value: Amount) -> String {
    let currency = value.currency
    if Currency.iso(currency.code) == currency {
      return value.decimal.formatted(
        Decimal.FormatStyle.Currency(code: currency.code, locale: locale)
          .precision(.fractionLength(currency.digits)).presentation(currencyPresentation)
          .sign(strategy: signStrategy))
    }
    // Locales know nothing of a ledger's own currencies.
    let number = value.decimal.formatted(
      Decimal.FormatStyle(locale: locale).precision(.fractionLength(currency.digits))
    )
    return "\(number)\u{A0}\(currency.code)"
  }

  private func with(_ body: (inout Self) -> Void) -> Self {
    var copy = self
    body(&copy)
    return copy
  }
}

/// What an ``AmountFormatStyle`` shows.
public protocol FormattableAmount: Sendable {
  /// Of what.
  var currency: Currency { get }
  /// How much, exactly.
  var decimal: Decimal { get }
}

extension Money: FormattableAmount {}
extension Total: FormattableAmount {}

extension FormatStyle where Self == AmountFormatStyle<Money> {
  /// Amounts as people write them.
  public static var money: Self { Self() }
}
extension FormatStyle where Self == AmountFormatStyle<Total> {
  /// Totals as people write them.
  public static var total: Self { Self() }
}

extension FormattableAmount {
  /// The amount in a style.
  public func formatted<Style: FormatStyle>(_ style: Style) -> Style.FormatOutput
  where Style.FormatInput == Self {
    style.format(self)
  }
  /// The amount as the user's locale writes it.
  public func formatted() -> String { AmountFormatStyle<Self>().format(self) }
}
