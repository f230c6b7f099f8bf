import ArgumentParser
import Daybook

/// The options for a rule's conditions.
struct RuleConditionOptions: ParsableArguments {
  /// Whether all conditions must be satisfied, or only one.
  enum Combination: String, EnumerableFlag {
    case all, any

    static func help(for value: Combination) -> ArgumentHelp? {
      value == .all ? "All conditions must match (the default)." : "Any one condition must match."
    }
  }

  @Option(help: "The description, payee or note contains this text, ignoring case and accents.")
  var contains: [String] = []

  @Option(help: "The description, payee or note equals this text, ignoring case and accents.")
  var equals: [String] = []

  @Option(help: "The description, payee or note starts with this text, ignoring case and accents.")
  var starts: [String] = []

  @Option(
    help: "The description, payee or note matches this pattern: * is any text, ? one character.")
  var pattern: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "A condition on one field, such as \"payee starts Uber\": description, payee or note; then "
        + "contains, equals, starts or pattern; then the text.", valueName: "field match text"))
  var texts: [RuleTextArgument] = []

  @Option(help: "The transaction is on this account.", completion: LedgerCompletion.accounts)
  var account: [String] = []

  @Option(help: "The transaction is an expense, or income.")
  var type: [CategoryKindArgument] = []

  @Option(help: "The amount is at least this, incoming or outgoing.")
  var least: String?

  @Option(help: "The amount is at most this, incoming or outgoing.")
  var most: String?

  @Flag
  var combination: Combination?

  /// The kind of category that the conditions imply, or `nil` if they don't imply one.
  var categoryKind: CategoryKind? { type.count == 1 ? type[0].kind : nil }

  /// The conditions, with every name looked up; empty if no condition is given.
  func conditions(in snapshot: borrowing Snapshot) throws -> [RuleCondition] {
    var conditions: [RuleCondition] = []
    for (match, texts) in [
      (RuleMatch.contains, contains), (.equals, equals), (.starts, starts), (.pattern, pattern),
    ] {
      conditions += texts.map { .text(.any, match, $0) }
    }
    conditions += texts.map { .text($0.field, $0.match, $0.text) }
    let accounts = try account.map { try Lookup.account($0, in: snapshot) }
    conditions += accounts.map { .account($0.id) }
    conditions += type.map { .type($0 == .income ? .income : .expense) }
    let currencies = Set(accounts.map(\.currency))
    let standard = currencies.count == 1 ? currencies.first : nil
    if let amount = try amount(in: standard, snapshot) { conditions.append(amount) }
    return conditions
  }

  private func amount(
    in standard: Currency?, _ snapshot: borrowing Snapshot
  ) throws -> RuleCondition? {
    let currency = try standard ?? snapshot.settings().baseCurrency
    let from = try least.map { try Amounts.money($0, in: currency, snapshot) }
    let through = try most.map { try Amounts.money($0, in: currency, snapshot) }
    guard (from ?? through) != nil else { return nil }
    guard from == nil || through == nil || from?.currency == through?.currency else {
      throw CommandFailure.usage(
        "--least and --most are in different currencies.",
        remedy: "Give both in the same currency.")
    }
    let units = (from: from?.minorUnits, through: through?.minorUnits)
    guard units.from ?? 0 >= 0, units.through ?? 0 >= 0 else {
      throw CommandFailure.usage(
        "--least and --most must be 0 or more.",
        remedy: "Amounts are compared without their sign. To match only expenses or income, use "
          + "--type.")
    }
    guard units.from ?? 0 <= units.through ?? .max else {
      throw CommandFailure.usage(
        "--least is greater than --most.", remedy: "Swap the two amounts.")
    }
    return .amount(from: from, through: through)
  }
}

/// A condition for a text, in three words, such as `payee starts Uber`.
struct RuleTextArgument: ExpressibleByArgument {
  var field: RuleField
  var match: RuleMatch
  var text: String

  init?(argument: String) {
    let words = argument.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3,
      let field = RuleField.allCases.first(where: { $0.word == words[0].lowercased() }),
      let match = RuleMatch.allCases.first(where: { "\($0)" == words[1].lowercased() })
    else { return nil }
    (self.field, self.match, text) = (field, match, words[2])
  }
}

/// The options for a rule's actions.
struct RuleActionOptions: ParsableArguments {
  /// Whether later rules are tried on a transaction that the rule matches.
  enum Ending: String, EnumerableFlag {
    case stop, continues

    static func help(for value: Ending) -> ArgumentHelp? {
      value == .stop
        ? "Try no later rules on the transaction (the default)."
        : "Try later rules too; the first category applies."
    }
  }

  @Option(help: "The category to set.", completion: LedgerCompletion.categories)
  var category: String?

  @Option(
    help: ArgumentHelp("The payee to set, unless a person entered one.", valueName: "payee"))
  var setPayee: String?

  @Option(
    help: "Make a transfer with this account of an imported row, instead of setting a category.",
    completion: LedgerCompletion.accounts)
  var transferTo: String?

  @Option(help: "The description to set.")
  var description: String?

  @Option(help: "A tag to add; repeatable.")
  var tag: [String] = []

  @Flag
  var ending: Ending?
}

/// The options for a rule's place in the order in which rules are tried.
struct RulePlaceOptions: ParsableArguments {
  @Flag(help: "Try the rule first.")
  var first = false

  @Flag(help: "Try the rule last.")
  var last = false

  @Option(help: ArgumentHelp("Try the rule just before this one.", valueName: "rule"))
  var before: String?

  @Option(help: ArgumentHelp("Try the rule just after this one.", valueName: "rule"))
  var after: String?

  /// Whether a place is given.
  var isGiven: Bool { first || last || before != nil || after != nil }

  func validate() throws {
    guard [first, last, before != nil, after != nil].count(where: \.self) < 2 else {
      throw ValidationError("Use only one of --first, --last, --before and --after.")
    }
  }

  /// Inserts a rule at its place.
  ///
  /// Returns the commands that record the new order, and the rule's new index.
  ///
  /// - Parameter rules: All rules in their order.
  /// - Throws: `CommandFailure` if the rule is to be placed next to itself.
  func placing(
    _ rule: CategoryRule, among rules: [CategoryRule], _ snapshot: borrowing Snapshot
  ) throws -> (commands: [Command], index: Int) {
    var ordered = rules.filter { $0.id != rule.id }
    var index = first ? 0 : ordered.count
    if let name = before ?? after {
      let other = try Lookup.rule(name, in: snapshot)
      guard let found = ordered.firstIndex(where: { $0.id == other.id }) else {
        throw CommandFailure.usage(
          "Couldn't move “\(rule.name)” next to itself.", remedy: "Name another rule.")
      }
      index = before == nil ? found + 1 : found
    }
    ordered.insert(rule, at: index)
    var commands: [Command] = []
    for (order, var one) in ordered.enumerated() where one.id == rule.id || one.order != order {
      one.order = Int64(order)
      commands.append(.putRule(one))
    }
    return (commands, index)
  }
}
