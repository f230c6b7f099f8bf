import Daybook
import Foundation

/// Descriptions of commits: author, time, source and changed values.
enum CommitText {
  /// Returns a row for a list of commits.
  ///
  /// - Parameter isNumbered: Whether the commit's number is shown, as in the history.
  static func row(
    _ entry: HistoryEntry, _ context: PageContext, _ names: NameBook, isNumbered: Bool = true
  ) -> HTML {
    """
    <li>\(heading(entry, context, isNumbered: isNumbered)) <span class="what">\(summary(entry, context, names))</span></li>
    """
  }

  /// Returns a commit's time and author and, if it is numbered, its number and source.
  static func heading(
    _ entry: HistoryEntry, _ context: PageContext, isNumbered: Bool = true
  ) -> HTML {
    let link = context.link("/history/\(entry.sequence)")
    let moment = time(entry.header.wallMicroseconds, context)
    let by = entry.header.author.flatMap { $0.isEmpty ? nil : $0 }
    let who = by.map { "\(context[.madeBy]) \($0)" } ?? ""
    let name = context.devices[entry.header.replica].map { "\(context[.onDevice]) \($0)" }
    let device = context.devices.isEmpty ? "" : " \(name ?? context[.merged])"
    let reversal = entry.reversal.map { reversal -> HTML in
      " \(context[reversal.isRedo ? .redone : .undone]) <a href=\"\(context.link("/history/\(reversal.sequence)"))\">\(reversal.sequence)</a>"
    }
    guard isNumbered else {
      let what: HTML? = entry.reversal.map { " · \(context[$0.isRedo ? .again : .undo])" }
      return """
        <span class="commit"><a href="\(link)">\(moment)</a> <span class="aside">\(who)\(device)\(what)</span></span>
        """
    }
    return """
      <span class="commit"><a href="\(link)">\(context[.commit]) \(entry.sequence)</a> \
      <span class="aside">\(moment) \(who) · \(entry.header.source)\(device)\(reversal)</span></span>
      """
  }

  /// Returns a time as an element that says which instant it is.
  private static func time(_ microseconds: Int64, _ context: PageContext) -> HTML {
    let date = Date(timeIntervalSince1970: Double(microseconds / 1_000_000))
    return "<time datetime=\"\(date.formatted(.iso8601))\">\(context.moment(microseconds))</time>"
  }

  /// Returns the number of changes by kind, or the name of the entity if there is only one change.
  static func summary(
    _ entry: HistoryEntry, _ context: PageContext, _ names: NameBook
  ) -> String {
    let total = entry.header.changeCount
    if entry.header.isRenumbering { return renumbered(entry, context) }
    if total == 1, let change = entry.changes.first {
      let what = "\(context[change.kind.word]) \(context[change.operation.word])"
      let subject = subject(change, context, names)
      return subject.isEmpty ? what : "\(what): \(subject)"
    }
    var counts: [String: Int] = [:]
    for change in entry.changes where change.kind != .fingerprint {
      counts["\(context[change.kind.word]) \(context[change.operation.word])", default: 0] += 1
    }
    // For a large commit, only the first changes are loaded: show their kinds, and the total count.
    guard entry.changes.count == total else {
      let names = counts.keys.sorted().joined(separator: ", ")
      return "\(context.number(total)) \(context[.changesMade]): \(names), …"
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\(context.number($0.value)) × \($0.key)" }.joined(separator: ", ")
  }

  /// Returns the transactions whose recording numbers a sync changed, or their count.
  private static func renumbered(_ entry: HistoryEntry, _ context: PageContext) -> String {
    let rows = entry.renumbered.filter { $0.kind == .transaction }
    guard rows.count == 1, let row = rows.first else {
      return "\(context.number(entry.header.changeCount / 2)) × \(context[.renumbered])"
    }
    return "\(context[.renumbered]): #\(row.former) → #\(row.number)"
  }

  /// Returns the name of the changed entity; empty if it has none.
  private static func subject(
    _ change: RecordedChange, _ context: PageContext, _ names: NameBook
  ) -> String {
    if let name = names.known(change.id) { return name }
    let subject = names.subjects[change.id]
    func value(_ property: String) -> PropertyValue? {
      let difference = change.differences.first { $0.name == property }
      return difference?.after ?? difference?.before ?? subject?.properties[property]
    }
    func texts(_ properties: String...) -> [String] {
      properties.compactMap { property in
        value(property).map { self.value($0, property, context, names) }
      }
    }
    return switch change.kind {
    case .transaction:
      [texts("payee", "description", "series").first, texts("day").first]
        .compactMap(\.self).joined(separator: ", ")
    case .rate: texts("base", "quoted", "day").joined(separator: ", ")
    case .assertion: texts("account", "day").joined(separator: ", ")
    case .currency: texts("currency").joined()
    case .terms: texts("account").joined()
    case .allocation:
      [texts("category", "account").first, texts("month").first].compactMap(\.self)
        .joined(separator: ", ")
    default: texts("name").joined()
    }
  }

  /// The maximum number of changes shown for each commit.
  static let changeCountMax = 100

  /// A filter for commits with only their first changes.
  static var beginnings: HistoryFilter {
    var filter = HistoryFilter()
    filter.changeCountMax = changeCountMax
    return filter
  }

  /// Returns tables of the values before and after each change.
  ///
  /// - Parameter total: The number of all changes; by default the number in the entry.
  static func changes(
    _ entry: HistoryEntry, of total: Int? = nil, _ context: PageContext, _ names: NameBook
  ) -> HTML {
    let tables = entry.changes.prefix(changeCountMax).map { change -> HTML in
      let currency = names.subjects[change.id]?.currency
      let rows = change.differences(in: currency).map { difference -> HTML in
        """
        <tr><th scope="row">\(PropertyText.name(difference.name, context))</th><td>\(value(difference.before, difference.name, context, names))</td>\
        <td>\(value(difference.after, difference.name, context, names))</td></tr>
        """
      }
      let name: HTML = "\(context[change.kind.word]) \(context[change.operation.word])"
      let page = change.kind == .transaction ? "/transactions/\(change.id)" : "/why/\(change.id)"
      let title: HTML = "<a href=\"\(context.link(page))\">\(name)</a>"
      return """
        <table class="figures differences"><caption>\(title)</caption><thead><tr><th scope="col">\(context[.property])</th>\
        <th scope="col">\(context[.before])</th><th scope="col">\(context[.after])</th></tr></thead><tbody>\(rows)</tbody></table>
        """
    }
    let rest = (total ?? entry.changes.count) - tables.count
    let more: HTML? = rest > 0 ? "<p class=\"aside\">+ \(context.number(rest))</p>" : nil
    return "\(Array(tables))\(more)"
  }

  static func value(
    _ value: PropertyValue?, _ property: String, _ context: PageContext, _ names: NameBook
  ) -> String {
    switch value {
    case nil: "–"
    case .text(let text): text
    case .texts(let texts): texts.joined(separator: ", ")
    // The value is the first day after the end.
    case .day(let day): context.day(property == "end" ? day.adding(days: -1) : day)
    case .month(let month): context.month(month)
    case .number(let number): "\(number)"
    case .flag(let flag): flag ? "✓" : "–"
    case .choice(let choice): PropertyText.choice(choice, context)
    case .entity(let id): names.name(id, context)
    case .currency(let currency): currency.code
    case .money(let money): context.amount(money)
    case .quote(let quote): "\(quote)"
    case .entities(let ids): ids.map { names.name($0, context) }.joined(separator: ", ")
    case .days(let spans): spans.map { PropertyText.days($0, context) }.joined(separator: ", ")
    case .steps(let steps):
      steps.map { "\(context.day($0.day)): \(context.amount($0.amount))" }.joined(separator: "; ")
    case .schedule(let schedule): PropertyText.schedule(schedule, context)
    case .period(let period): PropertyText.period(period, context)
    case .earlierPeriods(let list):
      PropertyText.earlier(list, context) { PropertyText.period($0, context) }
    case .earlierRollovers(let list):
      PropertyText.earlier(list, context) { PropertyText.choice("\($0)", context) }
    case .earlierCategories(let list):
      PropertyText.earlier(list, context) { covered in
        let ids = covered.categories.map { names.name($0.rawValue, context) }
        let text = ids.isEmpty ? context[.allExpenses] : ids.joined(separator: ", ")
        return covered.includesSubcategories ? text : "\(text) \(context[.withoutBelow])"
      }
    case .goal(let goal):
      switch goal.kind {
      case .byDay(let day): "\(context.amount(goal.amount)) · \(context.day(day))"
      case .monthly: "\(context.amount(goal.amount)) · \(context[.monthly])"
      case .balance: "\(context.amount(goal.amount)) · \(context[.balance])"
      }
    case .conditions(let conditions):
      conditions.map { RulesPage.text($0, context, names) }.joined(separator: "; ")
    case .bytes: "(\(context[.updated]))"
    case .postings(let postings):
      postings.map { posting in
        let name =
          switch posting.account {
          case .account(let id): names.name(id, context)
          case .category(let id): names.name(id, context)
          }
        return "\(name) \(context.amount(posting.amount))"
      }.joined(separator: "; ")
    }
  }
}

extension RecordedChange.Operation {
  var word: Word {
    switch self {
    case .insert: .inserted
    case .update: .updated
    case .delete: .deleted
    }
  }
}
