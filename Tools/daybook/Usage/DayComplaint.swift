import Daybook

extension ArgumentComplaint {
  private static let dayForms =
    "Write a day as year, month and day, such as 2026-02-15, or as today, yesterday or tomorrow."

  /// Returns the reason why a text isn't a day.
  static func day(_ text: String) -> ArgumentComplaint {
    let words = ["today", "yesterday", "tomorrow"]
    if let word = Suggestion.nearest(to: text, among: words), text.first?.isLetter == true {
      return ArgumentComplaint(
        reason: "it isn't a day",
        remedy: "Did you mean \(word)? \(dayForms)")
    }
    return numbered(text) ?? ArgumentComplaint(reason: "it isn't a day", remedy: dayForms)
  }

  /// Returns the reason why a text isn't a month.
  static func month(_ text: String) -> ArgumentComplaint {
    let forms = "Write a month as year and month, such as 2026-02."
    func complaint(_ reason: String, _ instead: String? = nil) -> ArgumentComplaint {
      ArgumentComplaint(
        reason: reason, remedy: instead.map { "Did you mean \($0)? \(forms)" } ?? forms)
    }
    if let day = Day(text) { return complaint("it is a day", "\(day.monthOf)") }
    guard let parts = Numbers(text) else { return complaint("it isn't a month") }
    guard parts.values.count == 2 else {
      return parts.values.count == 1 && parts.widths[0] == 4
        ? complaint("it is a year") : complaint("it isn't a month")
    }
    let isYearFirst = parts.widths[0] == 4
    let (year, month) =
      isYearFirst ? (parts.values[0], parts.values[1]) : (parts.values[1], parts.values[0])
    guard isYearFirst || parts.widths[1] == 4 else {
      return complaint("its year doesn't have four digits")
    }
    guard (1...12).contains(month) else { return complaint("there is no month \(month)") }
    guard year >= 1 else { return complaint("years start with 0001") }
    return complaint("it isn't a month", "\(Month(year: year, month: month))")
  }

  /// Returns the reason why a text of numbers isn't a valid day, or `nil` if the numbers don't have
  /// the form of a date.
  private static func numbered(_ text: String) -> ArgumentComplaint? {
    guard let parts = Numbers(text) else { return nil }
    let values = parts.values
    switch values.count {
    case 1 where parts.widths[0] == 8:
      let number = values[0]
      return written(number / 10_000, number / 100 % 100, number % 100)
    case 2 where parts.widths[0] == 4:
      let isMonth = (1...12).contains(values[1])
      return ArgumentComplaint(
        reason: isMonth ? "it is a month" : "there is no month \(values[1])", remedy: dayForms)
    case 3 where parts.widths[0] == 4:
      return written(values[0], values[1], values[2])
    case 3 where parts.widths[2] == 4 && parts.mark == ".":
      return written(values[2], values[1], values[0])
    case 3 where parts.widths[2] == 4:
      return americanOrNot(year: values[2], values[0], values[1])
    case 3:
      return ArgumentComplaint(reason: "its year doesn't have four digits", remedy: dayForms)
    default:
      return nil
    }
  }

  /// Returns the reason why year, month and day are invalid or, if they are valid, the way to write
  /// them.
  private static func written(_ year: Int, _ month: Int, _ day: Int) -> ArgumentComplaint {
    if let found = Day(year: year, month: month, day: day) {
      return ArgumentComplaint(
        reason: "it isn't written like a day", remedy: "Did you mean \(found)? \(dayForms)")
    }
    var reason = "there is no day \(day)"
    var remedy = dayForms
    if !(1...9999).contains(year) {
      reason = "years must be from 0001 to 9999"
    } else if !(1...12).contains(month) {
      reason = "there is no month \(month)"
      if let swapped = Day(year: year, month: day, day: month) {
        remedy = "Did you mean \(swapped)? \(dayForms)"
      }
    } else if day > 0 {
      let count = Day.length(ofMonth: month, year: year)
      reason = "\(name(month)) \(year) has \(count) days"
    }
    return ArgumentComplaint(reason: reason, remedy: remedy)
  }

  /// Returns the complaint that in a date such as `02/05/2026`, either number could be the month.
  private static func americanOrNot(year: Int, _ first: Int, _ second: Int) -> ArgumentComplaint {
    let days = [
      Day(year: year, month: second, day: first), Day(year: year, month: first, day: second),
    ].compactMap { $0 }
    guard let one = days.first else { return written(year, second, first) }
    let both = days.last.flatMap { $0 == one ? nil : " or \($0)" } ?? ""
    return ArgumentComplaint(
      reason: "it isn't written like a day", remedy: "Did you mean \(one)\(both)? \(dayForms)")
  }

  private static func name(_ month: Int) -> String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return names[month - 1]
  }

  /// Numbers separated by one kind of mark, such as `2026-2-5` or `5.2.2026`.
  private struct Numbers {
    var values: [Int] = []
    /// The number of digits of each number.
    var widths: [Int] = []
    var mark: Character?

    init?(_ text: String) {
      mark = text.first { !$0.isNumber }
      guard mark.map({ "-./ ".contains($0) }) ?? true else { return nil }
      let parts =
        mark.map { text.split(separator: $0, omittingEmptySubsequences: false) } ?? [text[...]]
      for part in parts {
        guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), part.utf8.count <= 8,
          let value = Int(part)
        else { return nil }
        values.append(value)
        widths.append(part.utf8.count)
      }
    }
  }
}
