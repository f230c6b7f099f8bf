import ArgumentParser
import Daybook
import Terminal

/// `daybook rules`: what puts rows into categories by itself.
struct RulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Keep rules that put rows into categories by themselves.",
    discussion: """
      Rules are tried in order when a row is recorded or imported without a category; the first that \
      matches counts. What a person has chosen is never touched.
      """,
    subcommands: [
      RulesListCommand.self, RulesAddCommand.self, RulesRemoveCommand.self,
      RulesPreviewCommand.self, RulesApplyCommand.self,
    ], defaultSubcommand: RulesListCommand.self)
}

/// `daybook rules list`: all rules, in the order in which they are tried.
struct RulesListCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the rules in the order in which they are tried.")

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let (rules, names) = try await ledger.read { snapshot in
      (try Lookup.rules(in: snapshot), try Names(snapshot))
    }
    if ledger.json {
      return try Output.json(.object([("rules", .array(rules.map { .rule($0, names) }))]))
    }
    var table = TextTable([
      .init("Name"), .init("Where"), .init("Category"), .init("Tags"), .init(""),
    ])
    for rule in rules {
      table.add([
        .init(rule.name), .init(names.text(of: rule)),
        .init(rule.category.map { names.path(of: $0) } ?? ""),
        .init(rule.tags.joined(separator: ", ")), .init(rule.isEnabled ? "" : "off", .dim),
      ])
    }
    try Output.table(table, ifEmpty: "No rules.")
  }
}

/// `daybook rules add`: a new rule, tried after the others.
struct RulesAddCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a rule, which is tried after the others.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "What the rule is called.")
  var name: String

  @Option(help: "Description, payee or note have this text in them, in any case.")
  var contains: [String] = []

  @Option(help: "Description, payee or note match this pattern: * any characters, ? one.")
  var pattern: [String] = []

  @Option(help: "The row is on this account.")
  var account: String?

  @Option(help: "The amount is at least this much.")
  var least: String?

  @Option(help: "The amount is at most this much.")
  var most: String?

  @Option(help: "The category that rows get.")
  var category: String?

  @Option(help: "A tag that rows get; may be repeated.")
  var tag: [String] = []

  @Flag(help: "One of several texts is enough.")
  var any = false

  func execute() async throws {
    try await ledger.record { snapshot in
      var conditions: [RuleCondition] = contains.map { .text(.any, .contains, $0) }
      conditions += pattern.map { .text(.any, .pattern, $0) }
      let found = try account.map { try Lookup.account($0, in: snapshot) }
      if let found { conditions.append(.account(found.id)) }
      if least != nil || most != nil {
        let standard = try found?.currency ?? snapshot.settings().baseCurrency
        let bounds = try [least, most].map {
          try $0.map { try Amounts.money($0, in: standard, snapshot) }
        }
        guard let currency = bounds.compactMap({ $0?.currency }).first else { return [] }
        conditions.append(
          .amount(from: bounds[0]?.minorUnits, through: bounds[1]?.minorUnits, currency))
      }
      let category = try category.map { try Lookup.category($0, in: snapshot).id }
      var rule = CategoryRule(id: .new, name: name, conditions: conditions, category: category)
      rule.tags = tag
      rule.matchesAny = any
      rule.order = (try Lookup.rules(in: snapshot).map(\.order).max() ?? -1) + 1
      return [.putRule(rule)]
    }
    try ledger.answer(
      [("rule", .string(name))], "Added “\(name)”. See what it would do: daybook rules preview.")
  }
}

/// `daybook rules remove`: a rule goes; what it did stays.
struct RulesRemoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a rule; the rows it put somewhere stay there.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "Its name or id.")
  var rule: String

  func execute() async throws {
    try await ledger.record { [.removeRule(try Lookup.rule(rule, in: $0).id)] }
    try ledger.answer([("removed", .string(rule))], "Removed “\(rule)”.")
  }
}

/// `daybook rules preview`: what the rules would do to rows of the past.
struct RulesPreviewCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview", abstract: "Show what the rules would make of rows of the past.")

  @OptionGroup var ledger: LedgerOptions

  @Option(help: "How many rows, at most.")
  var limit = 50

  func execute() async throws {
    let (previews, names) = try await ledger.read { snapshot in
      (try snapshot.rulePreview(limit: limit), try Names(snapshot))
    }
    if ledger.json {
      return try Output.json(
        .object([
          (
            "rows",
            .array(
              previews.map {
                .object([
                  ("before", .transaction($0.transaction, names)),
                  ("after", .transaction($0.ruled, names)),
                ])
              })
          )
        ]))
    }
    var table = TextTable([
      .init("Place", isFlexible: false), .init("What"), .init("Category"), .init("would be"),
      .init("by"),
    ])
    for preview in previews {
      let row = preview.transaction
      let words = [row.payee, row.description, row.note].filter { !$0.isEmpty }
      table.add([
        .init(row.place, .dim), .init(words.joined(separator: "; ")),
        .init(RowSummary(row, names).category), .init(RowSummary(preview.ruled, names).category),
        .init(names.chooser(of: preview.ruled)),
      ])
    }
    try Output.table(table, ifEmpty: "The rules would change nothing.")
  }
}

/// `daybook rules apply`: does it, as one commit.
struct RulesApplyCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply the rules to rows of the past, as one commit that `daybook undo` takes back.")

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let receipt = try await ledger.record { _ in [.applyRules(nil)] }
    var count = 0
    for case .rows(let rows) in receipt.outcomes { count += rows }
    try ledger.answer(
      [("rows", .count(count)), ("sequence", .count(receipt.token.sequence))],
      count == 0
        ? "The rules change nothing."
        : "\(Figures.count(count)) \(count == 1 ? "row" : "rows") changed by commit "
          + "\(receipt.token.sequence).")
  }
}

extension Lookup {
  /// The rules in the order in which they are tried.
  static func rules(in snapshot: borrowing Snapshot) throws -> [CategoryRule] {
    try snapshot.rules().sorted { ($0.order, $0.number) < ($1.order, $1.number) }
  }

  /// The rule of a name (whatever its case) or an id.
  static func rule(_ text: String, in snapshot: borrowing Snapshot) throws -> CategoryRule {
    let all = try rules(in: snapshot)
    let found = all.filter { $0.name.lowercased() == text.lowercased() || "\($0.id)" == text }
    return try only(
      of: found, called: text, (one: "rule", several: "rules"), among: all.map(\.name),
      list: "daybook rules list", create: "daybook rules add")
  }
}

extension Names {
  /// What must hold of a row for a rule, in words.
  func text(of rule: CategoryRule) -> String {
    rule.conditions.map { condition in
      switch condition {
      case .text(let field, let match, let text):
        "\(field == .any ? "text" : "\(field)") \(match) “\(text)”"
      case .account(let id): "on \(name(of: id))"
      case .amount(let from, let through, let currency):
        [
          from.map { "at least \(Money($0, currency).text)" },
          through.map { "at most \(Money($0, currency).text)" },
        ].compactMap(\.self).joined(separator: ", ") + " \(currency.code)"
      case .type(let type): "\(type)"
      }
    }.joined(separator: rule.matchesAny ? " or " : " and ")
  }
}

extension JSON {
  /// A rule.
  static func rule(_ rule: CategoryRule, _ names: Names) -> JSON {
    .object([
      ("id", .string("\(rule.id)")), ("name", .string(rule.name)),
      ("where", .string(names.text(of: rule))), ("isEnabled", .bool(rule.isEnabled)),
      ("category", .optional(rule.category.map { names.path(of: $0) })),
      ("tags", .array(rule.tags.map { .string($0) })), ("order", .count(rule.order)),
    ])
  }
}
