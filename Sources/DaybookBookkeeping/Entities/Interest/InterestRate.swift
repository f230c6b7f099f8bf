package import DaybookEntities

/// A nominal interest rate: an exact number of percent per year, 0 to 1,000, with at most six
/// decimals.
public struct InterestRate: Hashable, Sendable {
  /// The rate in millionths of a percent: 12,500,000 is 12.5 %.
  public let millionths: Int64

  /// The highest rate in millionths of a percent.
  static let millionthsMax: Int64 = 1_000_000_000
  /// Dividing the millionths of a percent by this number yields the fraction of the balance.
  static let unit: Int128 = 100_000_000
  /// No interest.
  public static let zero = InterestRate(unchecked: 0)

  /// Creates a rate, or returns `nil` if it is negative or above 1,000 %.
  public init?(millionths: Int64) {
    guard (0...Self.millionthsMax).contains(millionths) else { return nil }
    self.millionths = millionths
  }

  private init(unchecked millionths: Int64) { self.millionths = millionths }

  /// Parses a number of percent, such as "12.5": digits and at most one decimal mark.
  ///
  /// Returns `nil` if the text has another form, more than six decimals or is above 1,000.
  public init?(_ text: some StringProtocol, decimalMark: Character = ".") {
    var scanner = AmountScanner(decimalMark: decimalMark, decimalsMax: 6)
    do throws(AmountScanner.Fault) {
      for scalar in text.unicodeScalars { try scanner.take(scalar) }
      self.init(millionths: try scanner.finish())
    } catch {
      return nil
    }
  }
}

extension InterestRate: CustomStringConvertible, Codable {
  /// The number of percent without trailing zeros, such as "12.5".
  public var description: String {
    var (digits, decimals) = (millionths, 6)
    while decimals > 0, digits % 10 == 0 {
      digits /= 10
      decimals -= 1
    }
    return decimalText(Int128(digits), digits: decimals)
  }

  /// Writes the number of percent as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the string isn't a rate.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let rate = InterestRate(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription:
          "“\(text.excerpt)” is not an interest rate: a number of percent from 0 to 1000 with at "
          + "most 6 decimals is expected")
    }
    self = rate
  }
}

/// An interest rate and the first day for which it applies.
public struct RateStep: Hashable, Sendable, Codable {
  /// The first day.
  public var from: Day
  /// The rate per year.
  public var rate: InterestRate

  /// Creates a rate that applies from a day on.
  public init(from: Day, rate: InterestRate) {
    self.from = from
    self.rate = rate
  }
}

extension RateStep: ListElement {
  package func write(to writer: inout ByteWriter) {
    writer.u32be(from.biased)
    writer.zigzag(rate.millionths)
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    from = try reader.day()
    guard let rate = InterestRate(millionths: try reader.zigzag()) else {
      throw .invalidValue("interest rate")
    }
    self.rate = rate
  }

  package static func shown(_ list: [RateStep]) -> PropertyValue? {
    .texts(list.map { "\($0.rate) % from \($0.from)" })
  }
}
