/// Common currencies: `Money(12_50, .eur)`.
///
/// For all others, use `Currency.iso(_:)`.
extension Currency {
  /// The UAE dirham.
  public static let aed = Currency(common: "AED")
  /// The Australian dollar.
  public static let aud = Currency(common: "AUD")
  /// The Brazilian real.
  public static let brl = Currency(common: "BRL")
  /// The Canadian dollar.
  public static let cad = Currency(common: "CAD")
  /// The Swiss franc.
  public static let chf = Currency(common: "CHF")
  /// The Chinese yuan.
  public static let cny = Currency(common: "CNY")
  /// The Czech koruna.
  public static let czk = Currency(common: "CZK")
  /// The Danish krone.
  public static let dkk = Currency(common: "DKK")
  /// The euro.
  public static let eur = Currency(common: "EUR")
  /// The pound sterling.
  public static let gbp = Currency(common: "GBP")
  /// The Hong Kong dollar.
  public static let hkd = Currency(common: "HKD")
  /// The Hungarian forint.
  public static let huf = Currency(common: "HUF")
  /// The Indonesian rupiah.
  public static let idr = Currency(common: "IDR")
  /// The Israeli new shekel.
  public static let ils = Currency(common: "ILS")
  /// The Indian rupee.
  public static let inr = Currency(common: "INR")
  /// The Japanese yen, which has no decimals.
  public static let jpy = Currency(common: "JPY", digits: 0)
  /// The South Korean won, which has no decimals.
  public static let krw = Currency(common: "KRW", digits: 0)
  /// The Kazakhstani tenge.
  public static let kzt = Currency(common: "KZT")
  /// The Mexican peso.
  public static let mxn = Currency(common: "MXN")
  /// The Norwegian krone.
  public static let nok = Currency(common: "NOK")
  /// The New Zealand dollar.
  public static let nzd = Currency(common: "NZD")
  /// The Polish złoty.
  public static let pln = Currency(common: "PLN")
  /// The Romanian leu.
  public static let ron = Currency(common: "RON")
  /// The Saudi riyal.
  public static let sar = Currency(common: "SAR")
  /// The Swedish krona.
  public static let sek = Currency(common: "SEK")
  /// The Singapore dollar.
  public static let sgd = Currency(common: "SGD")
  /// The Thai baht.
  public static let thb = Currency(common: "THB")
  /// The Turkish lira; `try` is a Swift keyword, so write it in backticks.
  public static let `try` = Currency(common: "TRY")
  /// The Ukrainian hryvnia.
  public static let uah = Currency(common: "UAH")
  /// The US dollar.
  public static let usd = Currency(common: "USD")
  /// The South African rand.
  public static let zar = Currency(common: "ZAR")

  /// All of these currencies, for tests that compare them with ISO 4217.
  package static var common: [Currency] {
    [
      aed, aud, brl, cad, chf, cny, czk, dkk, eur, gbp, hkd, huf, idr, ils, inr, jpy, krw, kzt, mxn,
      nok, nzd, pln, ron, sar, sek, sgd, thb, `try`, uah, usd, zar,
    ]
  }

  private init(common code: StaticString, digits: UInt64 = 2) {
    var packed = digits
    var shift: UInt64 = 56
    code.withUTF8Buffer { bytes in
      for byte in bytes {
        packed |= UInt64(byte) << shift
        shift -= 8
      }
    }
    self.init(packed: packed)
  }
}
