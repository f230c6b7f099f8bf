import DaybookBookkeeping
import DaybookEntities

// The phrases from which sentences are built.
extension EnglishFindings {
  /// The name of a device, in quotes; `you` for this device.
  func name(_ party: FindingParty) -> String {
    switch party {
    case .thisDevice: "you"
    case .device(let name): "“\(name)”"
    case .unknown: "another device"
    }
  }

  /// The phrase for a subject within a sentence.
  func phrase(_ subject: FindingSubject) -> String {
    let details = details(subject)
    switch subject.kind {
    case .transaction: return details.isEmpty ? "a transaction" : "“\(details)”"
    case .settings: return "the ledger's settings"
    default:
      let noun = noun(subject.kind)
      if !details.isEmpty { return "the \(noun) “\(details)”" }
      return "aeiou".contains(noun.prefix(1)) ? "an \(noun)" : "a \(noun)"
    }
  }

  func quoted(_ subject: FindingSubject) -> String { "“\(details(subject))”" }

  func details(_ subject: FindingSubject) -> String {
    [subject.name, subject.day.map(format.day) ?? "", subject.amount.map(format.money) ?? ""]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  func noun(_ kind: EntityKind) -> String {
    switch kind {
    case .mapping: "import mapping"
    case .settings: "ledger settings"
    default: kind.noun
    }
  }

  func plural(_ kind: EntityKind) -> String { kind == .category ? "categories" : "accounts" }

  static func number(_ count: Int) -> String { count == 2 ? "two" : "\(count)" }

  // MARK: Changes

  /// The party's actions, such as “changed its amount to 950.00 and hid it”.
  ///
  /// - Parameter whole: The phrase for the changed entity; if `nil`, “it” is used, because the
  ///   sentence has already named the entity.
  func deeds(_ changes: [FindingChange], of whole: String? = nil) -> String {
    if changes.isEmpty { return "changed \(whole ?? "it")" }
    var phrases: [String] = []
    for (index, change) in changes.enumerated() {
      phrases.append(deed(change, of: index == 0 ? whole : nil))
    }
    return Self.joined(phrases)
  }

  private func deed(_ change: FindingChange, of whole: String?) -> String {
    let object = whole ?? "it"
    if let words = Self.flags[change.property], change.isFlag {
      return change.wanted == .flag(true) ? "\(words.set) \(object)" : "\(words.unset) \(object)"
    }
    let property = property(change)
    let owned = whole.map { "the \(property) of \($0)" } ?? "its \(property)"
    guard let wanted = change.wanted else {
      return change.holds == nil ? "changed \(owned)" : "removed \(owned)"
    }
    return "changed \(owned) to \(text(wanted))"
  }

  /// The changed properties, such as “the currency of the account “Cash” to USD”.
  func list(_ changes: [FindingChange], of whole: String) -> String {
    Self.joined(
      changes.map { change in
        "the \(property(change)) of \(whole)" + (change.wanted.map { " to \(text($0))" } ?? "")
      })
  }

  /// The kept values and the lost values.
  func values(_ changes: [FindingChange]) -> String {
    changes.isEmpty ? "one of them is kept." : changes.map(value).joined(separator: "; ") + "."
  }

  func value(_ change: FindingChange) -> String {
    let property = "the \(property(change))"
    switch (change.holds, change.wanted) {
    case (nil, nil): return "one of the two is kept for \(property)"
    case (let holds?, nil): return "\(property) is still \(text(holds))"
    case (nil, let wanted?): return "\(property) is not \(text(wanted)), but empty"
    case (let holds?, let wanted?):
      return "\(property) is \(text(holds)), not \(text(wanted))"
    }
  }

  private static func joined(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }

  // MARK: Properties and values

  private func property(_ change: FindingChange) -> String {
    let name = Self.properties[change.property] ?? PropertyDescription.words(change.property)
    guard let part = change.part else { return name }
    return "\(name) in “\(format.names[part] ?? "a deleted category")”"
  }

  func text(_ value: PropertyValue) -> String {
    switch value {
    case .day(let day): format.day(day)
    case .money(let money): format.money(money)
    case .entity(let id): format.names[id].map { "“\($0)”" } ?? "one that is gone"
    case .bytes: "another value"
    case .postings(let postings):
      postings.map { posting in
        let id = posting.accountID?.rawValue ?? posting.categoryID?.rawValue
        let name = id.flatMap { format.names[$0] } ?? "one that is gone"
        return "\(name) \(format.money(posting.amount))"
      }.joined(separator: ", ")
    default: value.text { format.names[$0] ?? "one that is gone" }
    }
  }

  /// The verbs for setting and unsetting a flag.
  private static let flags: [String: (set: String, unset: String)] = [
    "isHidden": ("hid", "showed"), "isClosed": ("closed", "reopened"),
    "isDeleted": ("deleted", "restored"), "isEnabled": ("enabled", "disabled"),
    "isArchived": ("archived", "reopened"),
  ]

  /// Everyday words for properties that have other names in files.
  private static let properties = [
    "order": "place in the list", "pausedFrom": "pause", "countMax": "number of times",
    "categorizedBy": "rule that chose the category", "isHidden": "hiding", "isClosed": "closing",
    "isDeleted": "deletion", "isEnabled": "enabling", "isArchived": "archiving",
    "line": "part", "order of the lines": "order of the parts",
  ]
}

extension FindingChange {
  /// Whether the property is a flag.
  var isFlag: Bool {
    for value in [wanted, holds] {
      if case .flag? = value { return true }
    }
    return EnglishFindings.isFlag(property)
  }
}

extension EnglishFindings {
  static func isFlag(_ property: String) -> Bool { flags[property] != nil }
}
