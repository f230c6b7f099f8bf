/// Goal: series of every schedule, and all that can be done to them and their rows. Method: see `Script`.
package import Daybook
import DaybookRandom
import DaybookTesting

extension ScriptWriter {
  package mutating func recurring() -> Command {
    let known = random.some(oracle.series)
    guard let known, random.chance(75) else { return .putSeries(series(fresh())) }
    let id = random.chance(3) ? fresh() : known.id
    let on = random.chance(50) ? Self.today : day(around: 2026)
    let paused = random.some(oracle.series.filter { $0.pausedFrom != nil }.map(\.id))
    if let paused, random.chance(25) { return .resumeSeries(paused, on: on) }
    switch random.number(0...19) {
    case 0..<5: return .generateDue(through: on)
    case 5, 6: return .skipOccurrence(link(known))
    case 7, 8, 9: return .unskipOccurrence(link(known))
    case 10, 11: return .link(transactionID(), link(known))
    case 12:
      let linked = oracle.transactions.filter { $0.series != nil }.map(\.id)
      return .unlink(random.some(linked) ?? transactionID())
    case 13, 14: return .pauseSeries(id, after: on)
    case 15: return .stopSeries(id, after: on)
    case 16: return .removeSeries(id, withRows: random.chance(50))
    default:
      var next = random.chance(50) ? known : series(known.id)
      if next.template.parts.isEmpty || random.chance(10) {
        next.template.amount = money(for: next.template.account)
      } else {
        divide(&next.template)
      }
      let scopes: [SeriesScope] = [.seriesOnly, .future(from: on), .all(from: on)]
      return random.chance(25) ? .putSeries(next) : .amendSeries(next, random.pick(scopes))
    }
  }

  /// A place in a series: a due day, most of the time.
  private mutating func link(_ series: Series) -> SeriesLink {
    let due = oracle.dueDays(of: series, through: Self.today.adding(days: 90))
    let day = random.chance(85) ? random.some(due) ?? day() : day()
    return SeriesLink(random.chance(3) ? fresh() : series.id, due: day)
  }

  private mutating func series(_ id: SeriesID) -> Series {
    let unit = random.pick(ScheduleUnit.allCases)
    let counts: ClosedRange<Int> =
      switch unit {
      case .day: 15...90
      case .week: 2...9
      case .month: 1...5
      case .year: 1...1
      }
    let type = random.pick(TransactionType.allCases)
    let account = random.chance(10) ? nil : accountID()
    var template = SeriesTemplate(type: type, amount: money(for: account), account: account)
    template.description = random.pick(["", "Rent", "Uber"])
    if type == .transfer {
      template.otherAccount = accountID()
    } else if random.chance(80) {
      template.category = categoryID(type == .income ? .income : .expense)
    }
    if type != .transfer, rare.chance(30) { divide(&template) }
    var schedule = Schedule(
      every: random.number(counts), unit, monthEnd: random.pick(MonthEndPolicy.allCases))
    if random.chance(35) { addParts(to: &schedule) }
    var series = Series(
      id: id, name: random.chance(4) ? " " : "Series \(random.number(0...9)) ", template: template,
      schedule: schedule,
      anchor: day(around: 2026, months: -8...3))
    series.ahead = Int64(random.number(0...2))
    series.weekends = random.pick([.keep, .keep, .before, .after])
    if random.chance(15) { series.countMax = Int64(random.number(1...4)) }
    if random.chance(15) { series.end = day(around: 2026) }
    if random.chance(10) { series.skipped = [series.anchor..<series.anchor.adding(days: 40)] }
    return series
  }

  /// Divides a template into parts in one currency, which most of the time make up the amount.
  private mutating func divide(_ template: inout SeriesTemplate) {
    let isIncome = template.type == .income
    let currency = template.amount.currency
    var parts: [Draft.Part] = []
    var sum: Int64 = 0
    for _ in 0..<rare.number(1...3) {
      let units = Int64(rare.number(0...9_000))
      let isOther = rare.chance(30)
      let others = oracle.accounts.filter { $0.currency == currency }.map(\.id)
      if isOther, let other = rare.some(others) {
        parts.append(Draft.Part(Money(units, currency), to: other, isReversed: rare.chance(20)))
        sum += parts[parts.count - 1].isReversed ? -units : units
      } else {
        let kind: CategoryKind = rare.chance(75) == isIncome ? .income : .expense
        let category = rare.chance(85) ? categoryID(kind) : nil
        let isReversed = rare.chance(20)
        parts.append(
          Draft.Part(
            Money(units, currency), category, note: rare.chance(20) ? "part" : "",
            isReversed: isReversed))
        let known = category.flatMap { id in oracle.categories.first { $0.id == id }?.kind }
        let spends = (known ?? (isIncome ? .income : .expense)) == .expense
        sum += spends != isReversed ? units : -units
      }
    }
    // The rest makes the parts add up to an amount that has the direction of the type.
    let wanted = Int64(rare.number(0...20_000)) * (isIncome ? -1 : 1)
    let rest = wanted - sum
    parts.append(
      Draft.Part(
        Money(abs(rest), currency), nil, isReversed: isIncome ? rest > 0 : rest < 0))
    template.category = nil
    template.parts = parts
    if rare.chance(90) { template.amount = Money(abs(wanted), currency) }
  }

  /// Adds days, weekdays and months in the form in which a ledger stores them.
  private mutating func addParts(to schedule: inout Schedule) {
    let rules =
      switch schedule.unit {
      case .day: ["FREQ=DAILY;INTERVAL=17;BYDAY=MO,WE", "FREQ=DAILY;INTERVAL=9;BYMONTHDAY=-1,2,15"]
      case .week:
        ["FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TH", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU"]
      case .month:
        [
          "FREQ=MONTHLY;BYMONTHDAY=1,15", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=5MO",
          "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=15,30;SKIP=BACKWARD",
          "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=1,31;SKIP=FORWARD",
          "FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
        ]
      case .year: ["FREQ=YEARLY;BYMONTH=3,9", "FREQ=YEARLY;BYMONTH=2,11;BYDAY=4TH"]
      }
    if let rule = try? RecurrenceRule(random.pick(rules)) { schedule = rule.schedule }
  }
}
