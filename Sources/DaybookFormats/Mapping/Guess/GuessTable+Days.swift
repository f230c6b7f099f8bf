import DaybookBookkeeping
import DaybookEntities

extension GuessTable {
  /// The date formats to try, the most common ones first.
  static let patterns: [DatePattern] = [
    "yyyy-MM-dd", "yyyy/M/d", "yyyy.M.d", "yyyyMMdd", "d.M.yyyy", "d/M/yyyy", "M/d/yyyy",
    "d-M-yyyy",
    "M-d-yyyy", "d MMM yyyy", "d. MMM yyyy", "d.MMM.yyyy", "d-MMM-yyyy", "d/MMM/yyyy", "ddMMMyyyy",
    "MMM d, yyyy", "MMM d yyyy", "MMM-d-yyyy", "d 'de' MMM 'de' yyyy", "yyyy. MMM d", "yyyy MMM d",
    "yyyy-MMM-d", "d.M.yy", "d/M/yy", "M/d/yy", "d-M-yy", "M-d-yy", "d MMM yy", "d. MMM yy",
    "d-MMM-yy",
    "d/MMM/yy", "ddMMMyy", "MMM d, yy", "d-MMM-y", "d. M. yyyy", "yyMMdd",
  ].compactMap { DatePattern($0) }

  /// Parses a day, and returns whether more text, such as a time, follows it.
  static func day(_ text: String, _ pattern: DatePattern) -> (day: Day, hasRest: Bool)? {
    let bytes = Array(text.utf8)
    guard bytes.count <= 40, let found = pattern.match(0..<bytes.count, in: bytes.span),
      (1900..<2200).contains(found.year),
      let day = Day(year: found.year, month: found.month, day: found.day)
    else { return nil }
    let rest = String(decoding: bytes[found.end...], as: UTF8.self)
    guard pattern.parts.last != .rest, !rest.isEmpty else { return (day, false) }
    let isTime = pattern.text == "yyyyMMdd" ? isClock(rest) || isTime(rest) : isTime(rest)
    return isTime ? (day, true) : nil
  }

  /// Returns whether the text after a day is a time of day or a dot.
  private static func isTime(_ text: String) -> Bool {
    if text == "." { return true }
    guard text.first?.isNumber == false, text.contains(":") || text.contains(".") else {
      return false
    }
    return text.split { !$0.isLetter }.allSatisfy { $0.count <= 4 }
      && text.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLetter || " :.+-/T[],".contains($0)) }
      && text.contains { $0.isNumber }
  }

  /// Returns whether a text begins with six digits that are a time of day, as in
  /// `20260203101112[0:GMT]`.
  private static func isClock(_ text: String) -> Bool {
    let digits = text.prefix { $0.isNumber }
    guard digits.count == 6, let number = Int(digits) else { return false }
    return number / 10_000 < 24 && number / 100 % 100 < 60 && number % 100 < 60
  }

  static func isDay(_ text: String) -> Bool {
    guard text.utf8.count >= 6, text.utf8.count <= 40, text.contains(where: \.isNumber) else {
      return false
    }
    return patterns.contains { day(text, $0) != nil }
  }

  struct DateGuess {
    var column: Int
    var format: String
    /// The other possible format, and a value that means different days in the two formats.
    var other: (format: String, example: String)?
  }

  /// Returns the column that contains dates in the largest number of records, and the format that
  /// matches most of them.
  func dateColumn() throws(InterchangeError) -> DateGuess? {
    let given = try place(of: facts.dateColumn)
    var known: [DatePattern]?
    if let format = facts.dateFormat {
      guard let pattern = DatePattern(format) else {
        throw InterchangeError(
          .mapping, "“\(format)” isn't a date format.",
          remedy: "Write it with yyyy or yy, MM, M or MMM, and dd or d, such as dd.MM.yyyy.")
      }
      known = [pattern]
    }
    var found: [(column: Int, fits: [Fit])] = []
    for column in 0..<width where given == nil || column == given {
      let values = records.compactMap {
        column < $0.cells.count && !$0.cells[column].isEmpty ? $0.cells[column] : nil
      }
      let fits = Self.fits(values, known ?? Self.patterns)
      guard let count = fits.first?.days.count else { continue }
      guard given != nil || isNamed(column, HeaderWords.date) || count * 2 > values.count else {
        continue
      }
      found.append((column, fits))
    }
    // A total at the end may have its date in a different column from the rows.
    let most = found.map { $0.fits[0].days.count }.max() ?? 0
    let likely = found.filter { $0.fits[0].days.count * 10 >= most * 6 }
    let best = likely.max { (rank($0.column), -$0.column) < (rank($1.column), -$1.column) }
    guard let best else { return nil }
    return chosen(best.column, best.fits, isGiven: known != nil)
  }

  private func rank(_ column: Int) -> Int {
    (isNamed(column, HeaderWords.date) ? 2 : 0) - (isNamed(column, HeaderWords.valueDate) ? 1 : 0)
  }

  struct Fit {
    var pattern: DatePattern
    var values: [String]
    var days: [Day]
    var hasRest: Bool

    /// The number of days between the first and the last day.
    var span: Int { (days.min()).map { $0.distance(to: days.max() ?? $0) } ?? 0 }

    var isSorted: Bool {
      let pairs = zip(days, days.dropFirst())
      return pairs.allSatisfy { $0 <= $1 } || pairs.allSatisfy { $0 >= $1 }
    }
  }

  /// Returns the patterns that match the largest number of values.
  private static func fits(_ values: [String], _ patterns: [DatePattern]) -> [Fit] {
    var fits: [Fit] = []
    for pattern in patterns {
      var fit = Fit(pattern: pattern, values: [], days: [], hasRest: false)
      for value in values {
        guard let (day, hasRest) = day(value, pattern) else { continue }
        fit.values.append(value)
        fit.days.append(day)
        fit.hasRest = fit.hasRest || hasRest
      }
      if !fit.days.isEmpty { fits.append(fit) }
    }
    let most = fits.map(\.days.count).max() ?? 0
    return fits.filter { $0.days.count == most }
  }

  private func chosen(_ column: Int, _ fits: [Fit], isGiven: Bool) -> DateGuess? {
    guard var best = fits.min(by: { $0.span < $1.span }) else { return nil }
    var others = fits.filter { $0.days != best.days }
    if !others.isEmpty, !isGiven {
      // Rows are usually sorted by day. In regions with a decimal comma, the day comes before the
      // month.
      let sorted = fits.filter(\.isSorted)
      if Set(best.days).count >= 3, let only = sorted.first,
        sorted.allSatisfy({ $0.days == only.days })
      {
        best = only
        others = []
      } else if isDayFirst(column),
        let first = fits.first(where: { !$0.pattern.text.hasPrefix("M") })
      {
        best = first
        others = []
      }
    }
    var guess = DateGuess(column: column, format: best.pattern.text)
    if best.hasRest { guess.format += "*" }
    if let other = others.first(where: { $0.values == best.values }) {
      let differ = best.days.indices.first { best.days[$0] != other.days[$0] } ?? 0
      guess.other = (other.pattern.text + (best.hasRest ? "*" : ""), best.values[differ])
    }
    return guess
  }

  /// Returns whether the file comes from a region where the day is written before the month.
  private func isDayFirst(_ date: Int) -> Bool {
    if facts.decimal == "," { return true }
    let titles = self.titles.enumerated().filter { $0.offset != date }.map(\.element)
    let other = [
      "fecha", "importe", "valor ", "descri", "omschr", "bedrag", "betrag", "buchung", "libelle",
      "montant",
      "importo", "causale", "belop", "kwota", "castka", "historico", "concepto", "saldo",
    ]
    let english = ["description", "descript"]
    if titles.contains(where: { title in
      other.contains { title.contains($0) } && !english.contains { title.contains($0) }
    }) {
      return true
    }
    let cells = records.flatMap(\.cells)
    let commas = cells.count { $0.count <= 14 && Self.hasDecimals($0, ",") }
    let points = cells.count { $0.count <= 14 && Self.hasDecimals($0, ".") }
    return commas > 0 && points == 0
  }

  /// Returns whether a text is an amount with two decimals after the mark.
  static func hasDecimals(_ text: String, _ mark: Character) -> Bool {
    guard let place = text.lastIndex(of: mark) else { return false }
    let digits = text[text.index(after: place)...].prefix { $0.isNumber }
    return digits.count == 2 && units(text, String(mark)) != nil
  }
}
