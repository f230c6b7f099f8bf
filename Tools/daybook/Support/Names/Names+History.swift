import Daybook

// The words of `history`, `undo` and `redo`.
extension Names {
  /// Returns the kind and name of the changed entity, such as `transaction 2026-02-14#3, Rewe`.
  ///
  /// For entities that were deleted later, this is the former name. If the name isn't known, the id
  /// is used.
  func title(of change: RecordedChange) -> String {
    if change.kind == .settings { return "settings" }
    let noun = change.kind.noun
    let subject = subjects[change.id]
    if change.kind == .fingerprint { return noun }
    let name = name(of: change, subject)
    if change.kind == .transaction {
      let row = change.insertedTransaction ?? change.deletedTransaction
      guard let day = row?.day ?? subject?.day else { return "\(noun) \(change.id)" }
      let place = "\(noun) \(day)#\(change.stored.number)"
      return name.map { "\(place), \($0)" } ?? place
    }
    if let name { return "\(noun) \(name)" }
    return "\(noun) " + (change.stored.isErased ? "(erased)" : "\(change.id)")
  }

  private func name(of change: RecordedChange, _ subject: HistorySubject?) -> String? {
    var properties = subject?.properties ?? [:]
    // Use the values of the change, because the entity may have had a different name at that time.
    for difference in change.differences {
      if let value = difference.after ?? difference.before { properties[difference.name] = value }
    }
    func text(_ property: String) -> String? {
      guard let text = properties[property].map({ self.text(of: $0, quoted: false) }) else {
        return nil
      }
      return text.isEmpty ? nil : text
    }
    switch change.kind {
    case .transaction: return text("payee") ?? text("description") ?? text("series")
    case .category where change.operation == .update:
      return tree.knownPath(of: CategoryID(change.id)) ?? text("name")
    case .category:
      guard let name = text("name") else { return nil }
      return text("parent").map { "\($0):\(name)" } ?? name
    case .rate:
      guard let base = text("base"), let quoted = text("quoted") else { return nil }
      return ["\(base)/\(quoted)", text("day")].compactMap(\.self).joined(separator: ", ")
    case .assertion:
      return text("account").map { "of \($0)\(text("day").map { ", \($0)" } ?? "")" }
    case .allocation:
      let target = text("category") ?? text("account").map { "the payment of \($0)" }
      let money = [target.map { "to \($0)" }, text("source").map { "from \($0)" }]
      return (money + [text("month").map { "in \($0)" }]).compactMap(\.self).joined(separator: " ")
    case .terms: return text("account").map { "of \($0)" }
    case .currency: return text("currency")
    default: return text("name")
    }
  }

  /// Returns the changed properties in words, such as `amount: 50.00 EUR → 60.00 EUR`.
  func differences(of change: RecordedChange) -> [String] {
    change.differences(in: subjects[change.id]?.currency).map { text(of: $0, in: change) }
  }

  private func text(of difference: RecordedChange.Difference, in change: RecordedChange) -> String {
    let name = Self.words(for: difference.name)
    if difference.isErased { return "\(name): (erased)" }
    let before = difference.before.map { text(of: $0, in: difference.name, quoted: true) }
    let after = difference.after.map { text(of: $0, in: difference.name, quoted: true) }
    return switch (before, after) {
    case (nil, let after?): "\(name): \(after)"
    case (let before?, nil):
      "\(name): \(before)\(change.operation == .delete ? "" : " → nothing")"
    default: "\(name): \(before ?? "") → \(after ?? "")"
    }
  }

  /// Returns the text of a property's value, as other commands print it.
  func text(of value: PropertyValue, in property: String, quoted: Bool) -> String {
    switch (property, value) {
    // The value is the first day after the end.
    case ("end", .day(let day)): "\(day.adding(days: -1))"
    // The value is the file's layout, as JSON.
    case ("contents", .text): "layout of the file"
    case (_, .texts(let texts)) where property == "postingNotes":
      texts.map { quoted ? "“\($0)”" : $0 }.joined(separator: ", ")
    case (_, .choice(let choice)): Self.words(in: choice)
    default: text(of: value, quoted: quoted)
    }
  }

  /// The text of a value, for people.
  func text(of value: PropertyValue, quoted: Bool = true) -> String {
    value.text(isQuoted: quoted) { id in
      if let name = name(of: id) { return name }
      guard let subject = subjects[id] else { return "\(id)" }
      return subject.name ?? (subject.isErased ? "(erased)" : "\(id)")
    }
  }

  /// The everyday words for a property.
  private static func words(for property: String) -> String {
    wordsByProperty[property] ?? words(in: property)
  }

  private static let wordsByProperty = [
    "ahead": "recorded in advance", "anchor": "first due date", "categorizedBy": "chosen by rule",
    "code": "code", "contents": "columns", "continues": "later rules are tried",
    "countMax": "number of times", "earlierCategories": "earlier categories",
    "earlierPeriods": "earlier periods", "earlierRollovers": "earlier carry-over",
    "end": "last day", "firstWeekday": "first day of the week",
    "header": "column names", "identifiers": "account numbers", "importReference": "bank reference",
    "imported": "since the import", "includesSubcategories": "includes subcategories",
    "isArchived": "archived", "isClosed": "closed", "isConverted": "converted at a rate",
    "isDeleted": "deleted", "isExcludedFromTotals": "excluded from totals",
    "isOutsideBudget": "outside the budget",
    "isEnabled": "enabled", "isHidden": "hidden", "isPending": "pending",
    "matchesAny": "one condition is enough", "occurrence": "due date", "order": "position",
    "origins": "identities in other programs",
    "otherAccount": "to account", "pausedFrom": "paused from", "postingNotes": "notes of postings",
    "proratesShortPeriods": "shares of short periods", "quoted": "in currency",
    "rollover": "carried over", "series": "recurring transaction",
    "skipped": "skipped days", "steps": "later amounts", "tolerance": "tolerance of the amount",
  ]

  /// The words of a name in camel case.
  private static func words(in name: String) -> String {
    name.reduce(into: "") { words, letter in
      if letter.isUppercase { words += " " }
      words += letter.lowercased()
    }
  }
}
