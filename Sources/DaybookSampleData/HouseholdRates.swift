package import DaybookBookkeeping

/// The sample household's exchange rates, which give the value of one euro on every weekday.
package struct HouseholdRates: Sendable {
  /// The quoted currencies, in the order of the file.
  package static let currencies = ["USD", "JPY", "KZT"]
  /// The scale of quotes, which are in ten-thousandths.
  static let scale: Int64 = 10_000

  /// The quotes of each weekday, oldest first.
  package private(set) var days: [(day: Day, quotes: [Int64])] = []

  /// Generates a random walk from plausible initial values.
  package init(from first: Day, through last: Day, seed: UInt64) {
    var random = SeededGenerator(seed: seed ^ 0x5EED_0F_7A7E5)
    var quotes: [Int64] = [11_200, 1_290_000, 4_700_000]
    let bounds: [ClosedRange<Int64>] = [
      9_600...12_400, 1_150_000...1_750_000, 4_300_000...6_200_000,
    ]
    var day = first
    while day <= last {
      for index in quotes.indices {
        let step = quotes[index] / 250
        let next = quotes[index] + random.number(-step..<step + 1)
        quotes[index] = min(max(next, bounds[index].lowerBound), bounds[index].upperBound)
      }
      if day.weekday <= 5 { days.append((day, quotes)) }
      day = day.adding(days: 1)
    }
  }

  /// Converts euro cents to another currency, minus a bank fee of 0.5 %.
  func exchanged(_ cents: Int64, to currency: String, on day: Day) -> Int64 {
    guard let quote = quote(of: currency, on: day) else { return cents }
    let gross = cents * quote / Self.scale
    let net = gross - gross / 200
    return HouseholdCurrency.digits(of: currency) == 0 ? net / 100 : net
  }

  /// Converts an amount in another currency to euro cents at the day's rate.
  func euroCents(_ units: Int64, of currency: String, on day: Day) -> Int64 {
    guard let quote = quote(of: currency, on: day) else { return units }
    let hundredths = HouseholdCurrency.digits(of: currency) == 0 ? units * 100 : units
    return max(1, hundredths * Self.scale / quote)
  }

  /// Returns the quote of a day, or of the last weekday before it.
  private func quote(of currency: String, on day: Day) -> Int64? {
    guard let column = Self.currencies.firstIndex(of: currency), !days.isEmpty else { return nil }
    var low = 0
    var high = days.count
    while low < high {
      let middle = (low + high) / 2
      if days[middle].day <= day { low = middle + 1 } else { high = middle }
    }
    return days[max(low - 1, 0)].quotes[column]
  }

  /// The rates as CSV, newest first, in the format of the European Central Bank.
  package var csv: String {
    var text = "Date," + Self.currencies.joined(separator: ",") + ",\n"
    for (day, quotes) in days.reversed() {
      text += "\(day)"
      for quote in quotes {
        let fraction = String(quote % Self.scale + Self.scale).dropFirst()
        text += ",\(quote / Self.scale).\(fraction)"
      }
      text += ",\n"
    }
    return text
  }
}
