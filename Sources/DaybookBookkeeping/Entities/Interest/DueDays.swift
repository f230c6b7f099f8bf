extension Month {
  /// A day of the month; the last day if the month is shorter.
  func day(_ number: Int) -> Day {
    first.adding(days: min(max(number, 1), Day.length(ofMonth: month, year: year)) - 1)
  }
}

extension AccountTerms {
  /// Returns a due day by its number, from 0; negative numbers are days before the first one.
  public func due(_ index: Int) -> Day {
    firstDue.monthOf.adding(index * interval.monthCount).day(Int(clamping: dueDay))
  }

  /// The number of due days of a loan's payments; without limit if interest is posted.
  public var dueCount: Int { loan.map { Int(clamping: $0.paymentCount) } ?? .max }

  /// Whether interest or a payment falls due on a day.
  public func isDue(_ day: Day) -> Bool {
    let index = index(reaching: day)
    return index >= 0 && index < dueCount && due(index) == day
  }

  /// The days on which interest or payments fall due, up to and including a day.
  ///
  /// - Complexity: O(due days).
  public func dueDays(through last: Day) -> [Day] {
    var days: [Day] = []
    while days.count < dueCount {
      let day = due(days.count)
      if day > last { break }
      days.append(day)
    }
    return days
  }

  /// The number of the first due day on or after a day; it can be negative.
  func index(reaching day: Day) -> Int {
    let months = Int(day.monthOf.rawValue) - Int(firstDue.monthOf.rawValue)
    // Division truncates, so start one interval earlier.
    var index = months / interval.monthCount - 1
    while due(index) < day { index += 1 }
    return index
  }

  /// The due days around a day: after the first, up to and including the second.
  ///
  /// They continue before the first due day and after the last one.
  func period(of day: Day) -> (after: Day, through: Day) {
    let index = index(reaching: day)
    return (due(index - 1), due(index))
  }
}
