import Daybook
import Foundation

/// Names and values of properties, for showing changes in the history.
enum PropertyText {
  private static let words: [String: Word] = [
    "name": .name, "note": .note, "order": .order, "account": .account, "tags": .tags,
    "isHidden": .hidden, "isDeleted": .deleted, "end": .last, "description": .description,
    "day": .day, "currency": .currency, "category": .category, "amount": .amount,
    "tolerance": .tolerance, "weekends": .weekends, "holidays": .holidays,
    "valueDay": .valueDay, "type": .type, "steps": .stepAmount, "start": .first,
    "skipped": .skippedDay, "schedule": .schedule, "rollover": .rollover, "rate": .rate,
    "quoted": .quoted, "period": .period, "payee": .payee, "pausedFrom": .paused,
    "parent": .parent, "openingDay": .openingDay, "openingBalance": .opening,
    "mergePolicy": .mergePolicy, "matchesAny": .matchesAny, "kind": .kind,
    "isPending": .pending, "isEnabled": .enabled, "isClosed": .closed, "isArchived": .archived,
    "includesSubcategories": .includesBelow, "identifiers": .identifiers,
    "origins": .importLine,
    "firstWeekday": .firstWeekday, "countMax": .countMax, "continues": .continues,
    "conditions": .condition, "code": .code, "closedThrough": .closedThrough,
    "categories": .categories, "earlierCategories": .categories, "earlierPeriods": .period,
    "earlierRollovers": .rollover, "proratesShortPeriods": .prorates, "baseCurrency": .baseCurrency,
    "base": .base,
    "balance": .balance, "anchor": .first, "ahead": .ahead, "status": .status,
    "postings": .postings, "importReference": .importLine, "imported": .originals,
    "series": .kindSeries, "occurrence": .occurrence, "categorizedBy": .byRule,
    "isConverted": .converted, "month": .month, "source": .from,
    "isExcludedFromTotals": .excludedFromTotals, "distinctFrom": .distinctFrom,
    "attachments": .attachments, "isOutsideBudget": .outsideBudget,
    "carriesOverspending": .carriesOverspending, "goal": .goal,
    "from": .from, "rates": .rates, "dayCount": .dayCount, "isCapitalised": .capitalised,
    "interval": .interval, "firstDue": .first, "dueDay": .dueDay, "principal": .principal,
    "paymentCount": .paymentCount, "repayment": .repayment, "loweredOn": .loweredOn,
    "otherAccount": .toAccount, "other account": .toAccount, "posting note": .note,
    "direction": .direction, "line": .parts, "order of the lines": .order,
    "type of the split": .split, "existence": .existence,
  ]

  /// Returns the name of a property.
  static func name(_ name: String, _ context: PageContext) -> String {
    words[name].map { context[$0] } ?? name
  }

  private static let choices: [String: Word] = [
    "expense": .anExpense, "income": .income, "transfer": .transfer, "cleared": .cleared,
    "pending": .pending, "reconciled": .reconciled, "asset": .asset, "liability": .liability,
    "equity": .equity, "none": .rolloverNone, "surplus": .rolloverSurplus,
    "deficit": .rolloverDeficit, "both": .rolloverBoth, "lastWriter": .policyLast,
    "firstWriter": .policyFirst, "error": .policyError, "in": .columnCredit, "out": .columnDebit,
    "unchanged": .noChange, "edited": .updated, "keep": .weekendsKeep,
    "before": .weekendsBefore, "after": .weekendsAfter,
    "periods": .equalPeriods, "annuity": .annuity, "equalPrincipal": .equalPrincipal,
    "month": .monthly, "quarter": .quarter, "year": .yearly,
  ]

  // Day counts have the same names in all languages.
  private static let dayCounts = [
    "actual365": "actual/365", "actualActual": "actual/actual", "actual360": "actual/360",
    "thirty360": "30E/360",
  ]

  /// Returns the name of a choice.
  static func choice(_ name: String, _ context: PageContext) -> String {
    choices[name].map { context[$0] } ?? weekday(name, context) ?? dayCounts[name] ?? name
  }

  /// Returns the name of a weekday, such as `sunday`.
  private static func weekday(_ name: String, _ context: PageContext) -> String? {
    let names = [
      "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = context.locale
    return names.firstIndex(of: name).map { calendar.standaloneWeekdaySymbols[$0] }
  }

  /// Describes the periods of a budget.
  static func period(_ period: BudgetPeriod, _ context: PageContext) -> String {
    switch period {
    case .monthly(let day):
      day == 1 ? context[.monthly] : "\(context[.monthly]), \(context[.resetDay]) \(day)"
    case .weekly: context[.weekly]
    case .yearly: context[.yearly]
    case .custom(let span): days(span, context)
    case .halfMonthly: context[.halfMonth]
    case .quarterly: context[.quarter]
    case .weeks(let count, let day):
      "\(several(count, context[.weekly], context[.weeks], context)), "
        + "\(context[.countedFrom]) \(context.day(day))"
    case .months(let count, let day):
      "\(several(count, context[.monthly], context[.months], context)), "
        + "\(context[.countedFrom]) \(context.day(day))"
    }
  }

  private static func several(
    _ count: Int, _ one: String, _ many: String, _ context: PageContext
  ) -> String { count == 1 ? one : "\(context[.every]) \(count) \(many)" }

  /// Describes former values with the days until which they applied.
  static func earlier<Value>(
    _ list: [EarlierValue<Value>], _ context: PageContext, _ text: (Value) -> String
  ) -> String {
    list.map { "\(text($0.value)) \(context[.validUntil]) \(context.day($0.until))" }
      .joined(separator: "; ")
  }

  /// Describes a range of days, or a single day.
  static func days(_ span: Range<Day>, _ context: PageContext) -> String {
    let last = span.upperBound.adding(days: -1)
    return last > span.lowerBound
      ? "\(context.day(span.lowerBound)) – \(context.day(last))" : context.day(span.lowerBound)
  }

  /// Describes a schedule, such as `monthly` or `every 3 months`.
  static func schedule(_ schedule: Schedule, _ context: PageContext) -> String {
    // Only the interval has words in every language.
    if schedule.hasParts {
      let isEnglish = context.locale.language.languageCode?.identifier == "en"
      return isEnglish ? schedule.text : RecurrenceRule(schedule).text()
    }
    let unit = context[schedule.unit.word(schedule.count)]
    return schedule.count == 1 ? unit : "\(context[.every]) \(schedule.count) \(unit)"
  }
}

extension EntityKind {
  var word: Word {
    switch self {
    case .settings: .kindSettings
    case .account: .kindAccount
    case .category: .kindCategory
    case .transaction: .kindTransaction
    case .rate: .kindRate
    case .budget: .kindBudget
    case .series: .kindSeries
    case .rule: .kindRule
    case .assertion: .kindAssertion
    case .currency: .kindCurrency
    case .mapping: .kindMapping
    case .allocation: .kindAllocation
    case .terms: .kindTerms
    default: .kindOther
    }
  }
}
