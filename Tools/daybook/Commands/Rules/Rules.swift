import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook rules`: lists and manages the rules that categorise transactions.
struct RulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Manage rules that categorise transactions automatically.",
    discussion: """
      When a transaction is added or imported without a category, rules are tried in order and the \
      first match applies. A category that a person chose is never changed.
      """,
    subcommands: [
      RulesListCommand.self, RulesAddCommand.self, RulesEditCommand.self, RulesMoveCommand.self,
      RulesEnableCommand.self, RulesDisableCommand.self, RulesRemoveCommand.self,
      RulesPreviewCommand.self, RulesApplyCommand.self,
    ], defaultSubcommand: RulesListCommand.self)
}

/// `daybook rules list`: lists rules in the order in which they are tried.
struct RulesListCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List rules in the order in which they are tried.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var output: ReportOptions

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let rules = try Lookup.rules(in: snapshot)
    let names = try Names(snapshot)
    var report = Report(
      [
        .text("name", "Name", wraps: true, yielding: .never), .data("id"),
        .text("where", "Condition", wraps: true, yielding: .below(4)),
        .text("category", "Category", yielding: .below(5)), .data("transferTo"), .data("payee"),
        .text("description", "Description", yielding: .below(2)),
        .text(nil, "Tags", yielding: .below(1)), .data("tags"), .data("enabled"),
        .data("continues"), .text(nil, "", yielding: .below(3)),
      ], ifEmpty: "No rules.", json: JSONAnswer(["rules": rules], names))
    for rule in rules {
      let states = [rule.isEnabled ? nil : "off", rule.continues ? "continues" : nil]
      report.add([
        .init(rule.name), .init("\(rule.id)"), .init(names.text(of: rule)),
        .init(
          data: rule.category.map { names.path(of: $0) } ?? "", .init(names.place(of: rule))),
        .init(rule.transferAccount.map { names.name(of: $0) } ?? ""), .init(rule.payee),
        .init(
          data: rule.description,
          .init([rule.payee, rule.description].filter { !$0.isEmpty }.joined(separator: "; "))),
        .init(rule.tags.joined(separator: ", ")), .tags(rule.tags), .flag(rule.isEnabled),
        .flag(rule.continues),
        .init(states.compactMap(\.self).joined(separator: ", "), .dim),
      ])
    }
    return report
  }
}

/// `daybook rules remove`: removes a rule, but not its changes to transactions.
struct RulesRemoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a rule. Transactions keep the categories it set.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The rule's name or id.", completion: LedgerCompletion.rules)
  var rule: String

  func execute() async throws {
    let recorded = try await ledger.record { [.removeRule(try Lookup.rule(rule, in: $0).id)] }
    try ledger.answer(recorded, "Removed rule “\(rule)”.")
  }
}

/// `daybook rules preview`: shows the changes that the rules would make to recorded transactions.
struct RulesPreviewCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview", abstract: "Show what the rules would change in past transactions.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var output: ReportOptions

  private struct Content: Encodable, Sendable {
    var rows: [RulePreview]
    var withheld: [RulePreview]
  }

  @Argument(help: "Only these rules, by name or id.", completion: LedgerCompletion.rules)
  var rules: [String] = []

  @Option(help: "The maximum number of transactions to show.")
  var limit = 50

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let named = try Lookup.rules(named: rules, in: snapshot)
    let previews = try snapshot.rulePreview(named, limit: limit)
    let withheld = try snapshot.rulesWithheld(named, limit: 1_000)
    let names = try Names(snapshot)
    var report = Report(
      [
        .fixed("place", "Place"), .text(nil, "Text", yielding: .below(3)), .data("payee"),
        .data("description"), .data("note"), .text("category", "Category", yielding: .below(4)),
        .text("newCategory", "New category", yielding: .never),
        .text("rule", "Rule", yielding: .below(2)), .text(nil, "Also", yielding: .below(1)),
        .data("newDescription"), .data("newTags"),
      ],
      ifEmpty: "The rules would change no transactions.",
      json: JSONAnswer(Content(rows: previews, withheld: withheld), names))
    for preview in previews {
      let (row, ruled) = (preview.transaction, preview.ruled)
      let words = [row.payee, row.description, row.note].filter { !$0.isEmpty }
      report.add([
        .init(row.place, .dim), .init(words.joined(separator: "; ")), .init(row.payee),
        .init(row.description), .init(row.note), .init(RowSummary(row, names).category),
        .init(RowSummary(ruled, names).category), .init(names.chooser(of: ruled)),
        .init(Self.rest(preview)), .init(ruled.description), .tags(ruled.tags),
      ])
    }
    if let closed = try snapshot.settings().closedThrough, !withheld.isEmpty {
      let places = withheld.prefix(3).map(\.transaction.place)
      let rest = withheld.count > 3 ? ["and \(Figures.count(withheld.count - 3)) more"] : []
      report.remarks = [
        "Left out \(Figures.counted(withheld.count, "transaction")) "
          + "in the closed period through \(closed): "
          + "\((places + rest).joined(separator: ", ")). To apply the rules to them, reopen it first."
      ]
    }
    return report
  }

  /// The other properties that would change: the payee, the description and tags.
  private static func rest(_ preview: RulePreview) -> String {
    let (row, ruled) = (preview.transaction, preview.ruled)
    let payee = row.payee == ruled.payee ? [] : ["“\(ruled.payee)”"]
    let description =
      payee + (row.description == ruled.description ? [] : ["“\(ruled.description)”"])
    let tags = ruled.tags.filter { !row.tags.contains($0) }.map { "#\($0)" }
    return (description + tags).joined(separator: " ")
  }
}

/// `daybook rules apply`: applies the rules to recorded transactions in one commit.
struct RulesApplyCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply the rules to past transactions, in one commit that `daybook undo` can reverse."
  )

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "Only these rules, by name or id.", completion: LedgerCompletion.rules)
  var rules: [String] = []

  func execute() async throws {
    let recorded = try await ledger.record { snapshot in
      [.applyRules(try Lookup.rules(named: rules, in: snapshot)?.map(\.id))]
    }
    var count = 0
    for case .rows(let rows) in recorded.receipt.outcomes { count += rows }
    try ledger.answer(
      recorded,
      count == 0
        ? "No changes: all transactions follow the rules already."
        : "Changed \(Figures.counted(count, "transaction")) in commit "
          + "\(recorded.receipt.token.sequence).")
  }
}
