import Daybook

/// Names and values of properties, for showing changes in the history.
enum PropertyText {
  private static let words: [String: Word] = [
    "name": .name, "note": .note, "order": .order, "account": .account, "tags": .tags,
    "isHidden": .hidden, "isDeleted": .deleted, "end": .last, "description": .description,
    "day": .day, "currency": .currency, "category": .category, "amount": .amount,
    "valueDay": .valueDay, "type": .type, "steps": .stepAmount, "start": .first,
    "skipped": .skippedDay, "schedule": .schedule, "rollover": .rollover, "rate": .rate,
    "quoted": .quoted, "period": .period, "payee": .payee, "pausedFrom": .paused,
    "parent": .parent, "openingDay": .openingDay, "openingBalance": .opening,
    "mergePolicy": .mergePolicy, "matchesAny": .matchesAny, "kind": .kind,
    "isPending": .pending, "isEnabled": .enabled, "isClosed": .closed, "isArchived": .archived,
    "includesSubcategories": .includesBelow, "identifiers": .identifiers,
    "firstWeekday": .firstWeekday, "countMax": .countMax, "continues": .continues,
    "conditions": .condition, "code": .code, "closedThrough": .closedThrough,
    "categories": .categories, "baseCurrency": .baseCurrency, "base": .base,
    "balance": .balance, "anchor": .first, "ahead": .ahead, "status": .status,
    "postings": .postings, "importReference": .importLine, "imported": .originals,
    "series": .kindSeries, "occurrence": .occurrence, "categorizedBy": .byRule,
    "otherAccount": .toAccount, "other account": .toAccount, "posting note": .note,
    "direction": .direction, "line": .parts, "order of the lines": .order,
    "type of the split": .split, "existence": .existence,
  ]

  /// Returns the name of a property.
  static func name(_ name: String, _ context: PageContext) -> String {
    words[name].map { context[$0] } ?? name
  }

  private static let choices: [String: Word] = [
    "expense": .expense, "income": .income, "transfer": .transfer, "cleared": .cleared,
    "pending": .pending, "reconciled": .reconciled, "asset": .asset, "liability": .liability,
    "equity": .equity, "none": .rolloverNone, "surplus": .rolloverSurplus,
    "deficit": .rolloverDeficit, "both": .rolloverBoth, "lastWriter": .policyLast,
    "firstWriter": .policyFirst, "error": .policyError, "in": .columnCredit, "out": .columnDebit,
  ]

  /// Returns the name of a choice.
  static func choice(_ name: String, _ context: PageContext) -> String {
    choices[name].map { context[$0] } ?? name
  }

  /// Describes a value that history stores only as bytes.
  ///
  /// Schedules and periods are described in words, other values as “changed”.
  static func bytes(_ bytes: [UInt8], of property: String, _ context: PageContext) -> String {
    if property == "schedule", bytes.count == 3, let unit = ScheduleUnit(rawValue: bytes[0]),
      bytes[1] < 128
    {
      return schedule(Schedule(every: Int(bytes[1]), unit), context)
    }
    if property == "period", let code = bytes.first {
      let words: [Word] = [.month, .week, .year, .custom]
      if Int(code) < words.count { return context[words[Int(code)]] }
    }
    return "(\(context[.updated]))"
  }

  /// Describes a schedule, such as `monthly` or `every 3 months`.
  static func schedule(_ schedule: Schedule, _ context: PageContext) -> String {
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
    default: .kindOther
    }
  }
}
