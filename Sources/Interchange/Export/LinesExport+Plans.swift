import Daybook

extension LinesExport {
  static func line(_ budget: Budget) -> String {
    var text = JSONText()
    text.put("type", "budget")
    text.put("id", budget.id)
    text.put("number", number: budget.number)
    text.put("name", budget.name)
    text.put("categories", list: budget.categories.map(\.description))
    text.put("withoutSubcategories", flag: !budget.includesSubcategories)
    text.put("amount", budget.amount.text)
    text.put("currency", budget.amount.currency.code)
    switch budget.period {
    case .monthly(let resetDay):
      text.put("period", "monthly")
      text.put("resetDay", number: resetDay)
    case .weekly: text.put("period", "weekly")
    case .yearly: text.put("period", "yearly")
    case .custom(let days):
      text.put("period", "custom")
      text.put("periodStart", days.lowerBound)
      text.put("periodEnd", days.upperBound)
    }
    if budget.rollover != .none { text.put("rollover", "\(budget.rollover)") }
    text.put("start", budget.start)
    text.put("end", budget.end)
    text.put(
      "steps",
      objects: budget.steps.map { step in
        var text = JSONText()
        text.put("day", step.day)
        text.put("units", number: step.units)
        return text
      })
    text.put("archived", flag: budget.isArchived)
    text.put("note", budget.note)
    text.put("order", number: budget.order)
    return text.line
  }

  static func line(_ series: Series) -> String {
    var text = JSONText()
    text.put("type", "series")
    text.put("id", series.id)
    text.put("number", number: series.number)
    text.put("name", series.name)
    text.put("template", object: object(series.template))
    text.put("every", number: series.schedule.count)
    text.put("unit", "\(series.schedule.unit)")
    if series.schedule.monthEnd != .clamp { text.put("monthEnd", "\(series.schedule.monthEnd)") }
    text.put("anchor", series.anchor)
    text.put("end", series.end)
    text.put("countMax", number: series.countMax)
    text.put("pausedFrom", series.pausedFrom)
    text.put("skipped", list: series.skipped.map { "\($0.lowerBound)/\($0.upperBound)" })
    text.put("ahead", number: series.ahead, unless: 1)
    return text.line
  }

  private static func object(_ template: SeriesTemplate) -> JSONText {
    var text = JSONText()
    text.put("type", "\(template.type)")
    text.put("amount", template.amount.text)
    text.put("currency", template.amount.currency.code)
    text.put("account", template.account)
    text.put("category", template.category)
    text.put("otherAccount", template.otherAccount)
    // Zero is not the same as absent here.
    text.put("accountUnits", template.accountUnits.map { "\($0)" })
    text.put("description", template.description)
    text.put("payee", template.payee)
    text.put("note", template.note)
    text.put("tags", list: template.tags)
    text.put("pending", flag: template.isPending)
    return text
  }

  static func line(_ rule: CategoryRule) -> String {
    var text = JSONText()
    text.put("type", "rule")
    text.put("id", rule.id)
    text.put("number", number: rule.number)
    text.put("name", rule.name)
    text.put("order", number: rule.order)
    text.put("disabled", flag: !rule.isEnabled)
    text.put("matchesAny", flag: rule.matchesAny)
    text.put("conditions", objects: rule.conditions.map(object))
    text.put("category", rule.category)
    text.put("description", rule.description)
    text.put("tags", list: rule.tags)
    text.put("continues", flag: rule.continues)
    return text.line
  }

  static func line(_ mapping: SavedMapping) -> String {
    var text = JSONText()
    text.put("type", "mapping")
    text.put("id", mapping.id)
    text.put("number", number: mapping.number)
    text.put("name", mapping.name)
    text.put("contents", mapping.contents)
    text.put("delimiter", mapping.look.delimiter)
    text.put("header", list: mapping.look.header)
    text.put("columnCount", number: mapping.look.columnCount)
    text.put("account", mapping.account)
    return text.line
  }

  private static func object(_ condition: RuleCondition) -> JSONText {
    var text = JSONText()
    switch condition {
    case .text(let field, let match, let words):
      text.put("field", "\(field)")
      text.put("match", "\(match)")
      text.put("text", words)
    case .account(let id):
      text.put("account", id)
    case .amount(let from, let through, let currency):
      text.put("from", from.map { "\($0)" })
      text.put("through", through.map { "\($0)" })
      text.put("currency", currency.code)
    case .type(let type):
      text.put("type", "\(type)")
    }
    return text
  }
}
