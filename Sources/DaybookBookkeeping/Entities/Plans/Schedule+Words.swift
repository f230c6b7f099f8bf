extension Schedule {
  /// The schedule in words, such as `every 2 weeks` or `every month on the last Friday`.
  public var text: String {
    let interval = count == 1 ? "every \(unit)" : "every \(count) \(unit)s"
    if unit == .month, monthEnd == .lastDay, !hasParts { return "\(interval) on the last day" }
    var days = dayWords
    if !positions.isEmpty {
      let places = Self.list(positions.map(Self.ordinal), "and")
      days =
        isOnWorkdays
        ? "the \(places) weekday"
        : "the \(places) of \(days.isEmpty ? "the anchor's day" : days)"
    }
    let months = Self.list(months.map { Self.monthNames[($0 + 11) % 12] }, "and")
    return interval + (days.isEmpty ? "" : " on \(days)")
      + (months.isEmpty ? "" : days.isEmpty || unit != .year ? " in \(months)" : " of \(months)")
  }

  private var isOnWorkdays: Bool {
    monthDays.isEmpty && weekdays == (1...5).map { ScheduleWeekday($0) }
  }

  private var dayWords: String {
    let numbers = monthDays.sorted { ($0 < 0 ? 100 + $0 : $0) < ($1 < 0 ? 100 + $1 : $1) }.map {
      $0 == -1 ? "last day" : $0 < 0 ? "\(Self.ordinal($0)) day" : Self.ordinal($0)
    }
    let names = weekdays.sorted { left, right in
      let (first, second) = (left.ordinal, right.ordinal)
      return (first < 0 ? 100 + first : first, left.weekday)
        < (second < 0 ? 100 + second : second, right.weekday)
    }.map { day in
      let name = Self.weekdayNames[(day.weekday + 6) % 7]
      return day.ordinal == 0 ? name : "\(Self.ordinal(day.ordinal)) \(name)"
    }
    let isOrdinal = weekdays.contains { $0.ordinal != 0 }
    let onWeekdays =
      isOnWorkdays
      ? "weekdays"
      : (isOrdinal ? "the " : "")
        + Self.list(names, monthDays.isEmpty && positions.isEmpty ? "and" : "or")
    if monthDays.isEmpty { return names.isEmpty ? "" : onWeekdays }
    let onDays = "the " + Self.list(numbers, "and")
    return names.isEmpty ? onDays : "\(onDays) if it is \(onWeekdays)"
  }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let weekdayNames = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  private static func list(_ words: [String], _ join: String) -> String {
    words.count < 2
      ? words.first ?? ""
      : words.dropLast().joined(separator: ", ") + " \(join) \(words[words.count - 1])"
  }

  private static func ordinal(_ number: Int) -> String {
    if number == -1 { return "last" }
    if number < 0 { return "\(ordinal(-number))-last" }
    let isTeen = (11...13).contains(number % 100)
    let ending = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
    return "\(number)\(ending)"
  }
}

extension Schedule {
  /// Sets the days of the schedule from words: `1, 15`, `15 and last day`, `last Friday`, `Monday,
  /// Thursday`, or `last weekday` for the last day from Monday to Friday.
  ///
  /// - Throws: ``ScheduleError`` if the words name no days.
  public mutating func setDays(_ words: String) throws(ScheduleError) {
    (monthDays, weekdays, positions) = ([], [], [])
    let items = words.lowercased().split(separator: ",").flatMap { part in
      part.split(whereSeparator: \.isWhitespace).split(separator: "and")
    }
    for item in items {
      var item = Array(item.drop { $0 == "the" })
      if item.count > 1, item.last == "day" { item.removeLast() }
      guard let word = item.last, item.count <= 2 else { throw Self.unknown(words) }
      var place = 0
      if item.count == 2 {
        guard let number = Self.place(item[0]) else { throw Self.unknown(words) }
        place = number
      }
      if word == "weekday" || word == "weekdays" || word == "business" {
        weekdays += (1...5).map { ScheduleWeekday($0) }
        if place != 0 { positions.append(place) }
      } else if let day = Self.weekday(word) {
        weekdays.append(ScheduleWeekday(day, ordinal: place))
      } else if item.count == 1, let day = Self.place(word) {
        monthDays.append(day)
      } else {
        throw Self.unknown(words)
      }
    }
    guard !items.isEmpty else { throw Self.unknown(words) }
    guard monthDays.isEmpty || weekdays.isEmpty,
      positions.isEmpty || weekdays.count == 5 * positions.count
    else {
      throw ScheduleError(
        "can't combine “\(words.excerpt)” in one schedule; add a recurring transaction for each")
    }
  }

  private static func unknown(_ words: String) -> ScheduleError {
    ScheduleError(
      "“\(words.excerpt)” doesn't name days; give days such as “1,15”, “15,last”, “last friday” "
        + "or “monday,thursday”")
  }

  private static func weekday(_ word: Substring) -> Int? {
    let name = word.hasSuffix("s") ? word.dropLast() : word
    guard name.utf8.count >= 3 else { return nil }
    return weekdayNames.firstIndex {
      let full = $0.lowercased()
      return full == name || name.utf8.count <= 4 && full.hasPrefix(name)
        || full.hasPrefix(word) && word.utf8.count <= 5
    }.map { $0 + 1 }
  }

  private static func place(_ word: Substring) -> Int? {
    let names = ["first", "second", "third", "fourth", "fifth"]
    if word == "last" { return -1 }
    if word.hasSuffix("-last") {
      return place(word.dropLast(5)).flatMap { $0 > 1 ? -$0 : nil }
    }
    if let index = names.firstIndex(of: String(word)) { return index + 1 }
    let digits = ["st", "nd", "rd", "th"].contains(word.suffix(2)) ? word.dropLast(2) : word
    guard let number = Int(digits), (1...31).contains(number) else { return nil }
    return number
  }
}
