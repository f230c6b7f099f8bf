import ArgumentParser
import Daybook

/// `daybook rules add`: creates a rule.
struct RulesAddCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a rule, tried after the existing ones.",
    discussion: """
        daybook rules add Rides --contains uber --category Transport
        daybook rules add Rent --where "payee starts Housing" --least 800 --tag home
        daybook rules add Abroad --account Dollars --tag abroad --continues --first
        daybook rules add Amazon --where "payee starts AMZN" --set-payee Amazon
        daybook rules add Plan --contains sparplan --account Checking --transfer-to Savings

      --transfer-to works in both directions: incoming money comes from that account. If both \
      accounts are imported, the other account's row completes the transfer.

      A rule without an action leaves matching transactions unchanged, and \
      keeps later rules from changing them.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The rule's name.")
  var name: String

  @OptionGroup(title: "Conditions") var conditions: RuleConditionOptions
  @OptionGroup(title: "Actions") var actions: RuleActionOptions
  @OptionGroup(title: "Order") var place: RulePlaceOptions

  func validate() throws {
    guard actions.category == nil || actions.transferTo == nil else {
      throw ValidationError("Use either --category or --transfer-to, not both.")
    }
  }

  func execute() async throws {
    let new = NewCategories()
    let recorded = try await ledger.record(creating: new) { snapshot in
      try Lookup.checkFree(name, for: nil, in: snapshot)
      let conditions = try conditions.conditions(in: snapshot)
      guard !conditions.isEmpty else {
        throw CommandFailure(
          .refused, code: "refused",
          "Couldn't add the rule: it has no condition and would change every transaction.",
          remedy: "Add a condition, such as --contains TEXT or --account NAME.")
      }
      let category = try actions.category.map {
        try new.id(
          of: $0, kind: self.conditions.categoryKind, tellingKindsApartBy: "--type", in: snapshot)
      }
      var rule = CategoryRule(
        id: .unassigned, name: name, conditions: conditions, category: category)
      rule.description = actions.description ?? ""
      rule.payee = actions.setPayee ?? ""
      rule.transferAccount = try actions.transferTo.map { try Lookup.account($0, in: snapshot).id }
      rule.tags = actions.tag
      rule.matchesAny = self.conditions.combination == .any
      rule.continues = actions.ending == .continues
      let rules = try Lookup.rules(in: snapshot)
      guard place.isGiven else {
        rule.order = (rules.map(\.order).max() ?? -1) + 1
        return [.putRule(rule)]
      }
      return try place.placing(rule, among: rules, snapshot).commands
    }
    try ledger.answer(
      recorded, "Added rule “\(name)”. To see what it would change, run `daybook rules preview`.")
  }
}

/// `daybook rules edit`: changes a rule's name, conditions and actions.
struct RulesEditCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a rule. Transactions keep the categories it set.",
    discussion: """
        daybook rules edit Rides --category Travel
        daybook rules edit Rides --contains uber --where "payee starts Bolt" --any

      Everything you don't specify stays unchanged. New conditions replace all existing ones, and \
      new tags replace all existing tags. To change the order, use `daybook rules move`.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The rule's name or id.", completion: LedgerCompletion.rules)
  var rule: String

  @Option(help: "The new name.")
  var name: String?

  @OptionGroup(title: "Conditions") var conditions: RuleConditionOptions
  @OptionGroup(title: "Actions") var actions: RuleActionOptions

  @Flag(help: "Remove the category.")
  var noCategory = false

  @Flag(help: "Remove the description.")
  var noDescription = false

  @Flag(help: "Set no payee.")
  var noSetPayee = false

  @Flag(help: "Make no transfers.")
  var noTransferTo = false

  @Flag(help: "Remove the tags.")
  var noTags = false

  func validate() throws {
    let contradictions: [(Bool, String)] = [
      (noCategory && actions.category != nil, "--category or --no-category"),
      (noDescription && actions.description != nil, "--description or --no-description"),
      (noSetPayee && actions.setPayee != nil, "--set-payee or --no-set-payee"),
      (noTransferTo && actions.transferTo != nil, "--transfer-to or --no-transfer-to"),
      (noTags && !actions.tag.isEmpty, "--tag or --no-tags"),
      (actions.category != nil && actions.transferTo != nil, "--category or --transfer-to"),
    ]
    for (isGiven, flags) in contradictions where isGiven {
      throw ValidationError("Use either \(flags), not both.")
    }
  }

  func execute() async throws {
    var changed: CategoryRule?
    let created = NewCategories()
    let recorded = try await ledger.record(creating: created) { snapshot in
      let old = try Lookup.rule(rule, in: snapshot)
      let new = try changing(old, created, snapshot)
      guard new != nil else {
        throw CommandFailure.usage(
          "Nothing to change.",
          remedy: "Add an option such as --category NAME or --contains TEXT.")
      }
      changed = new
      return new.map { [.putRule($0)] } ?? []
    }
    guard let changed else { return }
    try ledger.answer(
      recorded,
      "Changed rule “\(changed.name)”. To see what it would change, run `daybook rules "
        + "preview`.")
  }

  /// The rule with the requested changes, or `nil` if none were requested.
  private func changing(
    _ old: CategoryRule, _ created: NewCategories, _ snapshot: borrowing Snapshot
  ) throws -> CategoryRule? {
    var rule = old
    var isGiven = noCategory || noDescription || noTags || noSetPayee || noTransferTo
    func set<Value>(_ value: Value?, _ path: WritableKeyPath<CategoryRule, Value>) {
      guard let value else { return }
      rule[keyPath: path] = value
      isGiven = true
    }
    if let name { try Lookup.checkFree(name, for: old.id, in: snapshot) }
    set(name, \.name)
    let conditions = try conditions.conditions(in: snapshot)
    set(conditions.isEmpty ? nil : conditions, \.conditions)
    set(self.conditions.combination.map { $0 == .any }, \.matchesAny)
    set(actions.ending.map { $0 == .continues }, \.continues)
    if noCategory { rule.category = nil }
    if let category = actions.category {
      let found = try created.id(
        of: category, kind: self.conditions.categoryKind, tellingKindsApartBy: "--type",
        in: snapshot)
      set(found, \.category)
    }
    if noDescription { rule.description = "" }
    set(actions.description, \.description)
    if noSetPayee { rule.payee = "" }
    set(actions.setPayee, \.payee)
    if noTransferTo { rule.transferAccount = nil }
    if let account = actions.transferTo {
      set(try Lookup.account(account, in: snapshot).id, \.transferAccount)
      rule.category = nil
    }
    if actions.category != nil { rule.transferAccount = nil }
    if noTags { rule.tags = [] }
    set(actions.tag.isEmpty ? nil : actions.tag, \.tags)
    return isGiven ? rule : nil
  }
}

/// `daybook rules move`: changes a rule's place in the order.
struct RulesMoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Change the order in which rules are tried.",
    discussion: "  daybook rules move Rides --before Fuel")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The rule's name or id.", completion: LedgerCompletion.rules)
  var rule: String

  @OptionGroup var place: RulePlaceOptions

  func validate() throws {
    guard place.isGiven else {
      throw ValidationError("Use one of --first, --last, --before RULE and --after RULE.")
    }
  }

  func execute() async throws {
    var name = rule
    var place = (index: 0, count: 0)
    let recorded = try await ledger.record { snapshot in
      let rules = try Lookup.rules(in: snapshot)
      let found = try Lookup.rule(rule, in: snapshot)
      let (commands, index) = try self.place.placing(found, among: rules, snapshot)
      name = found.name
      place = (index, rules.count)
      return commands
    }
    try ledger.answer(
      recorded, with: SortedMembers(["place": place.index + 1, "count": place.count]),
      "Moved rule “\(name)” to position \(place.index + 1) of \(place.count).")
  }
}

/// A command that turns rules on or off.
protocol RulesSwitchCommand: LedgerCommand {
  var rules: [String] { get }
  static var turnsOn: Bool { get }
}

extension RulesSwitchCommand {
  func execute() async throws {
    var names: [String] = []
    let recorded = try await ledger.record { snapshot in
      try rules.map { text in
        var rule = try Lookup.rule(text, in: snapshot)
        rule.isEnabled = Self.turnsOn
        names.append(rule.name)
        return .putRule(rule)
      }
    }
    let list = names.map { "“\($0)”" }.joined(separator: ", ")
    let noun = names.count == 1 ? "rule" : "rules"
    try ledger.answer(recorded, "\(Self.turnsOn ? "Enabled" : "Disabled") \(noun) \(list).")
  }
}

/// `daybook rules enable`: turns rules on.
struct RulesEnableCommand: RulesSwitchCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Enable rules.")
  static let turnsOn = true

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The rules' names or ids.", completion: LedgerCompletion.rules)
  var rules: [String]
}

/// `daybook rules disable`: turns rules off without removing them.
struct RulesDisableCommand: RulesSwitchCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Disable rules, so that they aren't tried.")
  static let turnsOn = false

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The rules' names or ids.", completion: LedgerCompletion.rules)
  var rules: [String]
}
