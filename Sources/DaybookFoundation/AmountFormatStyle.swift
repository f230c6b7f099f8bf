public import DaybookBookkeeping
public import Foundation

/// A style that formats amounts for a locale: `1.234,50 €` in Germany.
///
/// ```swift
/// Text(transaction.amount ?? .zero(.eur), format: .money)
/// balance.formatted(.total.presentation(.isoCode).locale(Locale(identifier: "de_DE")))
/// ```
public struct AmountFormatStyle<Amount: FormattableAmount>: FormatStyle {
  /// The presentation of the currency: by its symbol, code or name.
  public typealias Presentation = CurrencyFormatStyleConfiguration.Presentation
  /// The strategy for showing signs.
  public typealias SignDisplayStrategy = CurrencyFormatStyleConfiguration.SignDisplayStrategy

  /// The locale; by default, the user's.
  public var locale: Locale
  private var currencyPresentation = Presentation.standard
  private var signStrategy = SignDisplayStrategy.automatic

  /// Creates a style for a locale.
  public init(locale: Locale = .autoupdatingCurrent) { self.locale = locale }

  /// Returns the style with another locale.
  public func locale(_ locale: Locale) -> Self { with { $0.locale = locale } }
  /// Returns the style with another presentation of the currency.
  public func presentation(_ presentation: Presentation) -> Self {
    with { $0.currencyPresentation = presentation }
  }
  /// Returns the style with another strategy for showing signs.
  public func sign(strategy: SignDisplayStrategy) -> Self { with { $0.signStrategy = strategy } }

  /// Formats an amount with all decimals of its currency.
  public func format(_ value: Amount) -> String {
    let currency = value.currency
    if Currency.iso(currency.code) == currency {
      return value.decimal.formatted(
        Decimal.FormatStyle.Currency(code: currency.code, locale: locale)
          .precision(.fractionLength(currency.digits)).presentation(currencyPresentation)
          .sign(strategy: signStrategy))
    }
    // Locales don't include currencies defined by the ledger.
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

/// A value that an ``AmountFormatStyle`` can format.
public protocol FormattableAmount: Sendable {
  /// The currency.
  var currency: Currency { get }
  /// The exact amount.
  var decimal: Decimal { get }
}

extension Money: FormattableAmount {}
extension Total: FormattableAmount {}

extension FormatStyle where Self == AmountFormatStyle<Money> {
  /// The default style for amounts.
  public static var money: Self { Self() }
}
extension FormatStyle where Self == AmountFormatStyle<Total> {
  /// The default style for totals.
  public static var total: Self { Self() }
}

extension FormattableAmount {
  /// Formats the amount with a style.
  public func formatted<Style: FormatStyle>(_ style: Style) -> Style.FormatOutput
  where Style.FormatInput == Self {
    style.format(self)
  }
  /// Formats the amount for the user's locale.
  public func formatted() -> String { AmountFormatStyle<Self>().format(self) }
}
