import Daybook

/// The months that the table of envelopes shows.
struct EnvelopeRange {
  static let countDefault = 3
  static let countMax = 6

  let months: Range<Month>

  /// Returns the number of months in the address.
  static func count(_ context: PageContext) -> Int {
    let asked = context.query("months").flatMap { Int($0) } ?? countDefault
    return min(max(asked, 1), countMax)
  }

  /// Reads the first month from the address; by default, the current month is in the middle.
  init(_ context: PageContext, count: Int) {
    let current = context.today.monthOf
    let first = context.query("from").flatMap { Month($0) }.flatMap { $0.isUsual ? $0 : nil }
    let start = first ?? current.adding(-(count - 1) / 2)
    months = start..<start.adding(count)
  }

  /// The month that narrow screens show, and with which assigning begins.
  var focus: Month { months.lowerBound.adding((months.count - 1) / 2) }

  /// Returns the address of the table in which a month is the one of narrow screens.
  static func address(of month: Month, _ context: PageContext) -> Address {
    month == context.today.monthOf
      ? Address("/envelopes") : Address("/envelopes", [("from", "\(month.adding(-1))")])
  }
}

extension Month {
  /// Whether a household can have figures in the month.
  var isUsual: Bool { (1900...2999).contains(year) }
}
