import Daybook

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

  /// The rules of names that shall be tried; all of them where nothing is named.
  static func rules(
    named names: [String], in snapshot: borrowing Snapshot
  ) throws -> [CategoryRule]? {
    if names.isEmpty { return nil }
    let found = try names.map { try rule($0, in: snapshot) }
    if let off = found.first(where: { !$0.isEnabled }) {
      throw CommandFailure(
        .refused, code: "refused", "Couldn't use the rule “\(off.name)”: it is disabled.",
        remedy: "Enable it first: daybook rules enable \"\(off.name)\"")
    }
    return found
  }

  /// Refuses a name that another rule has: rules are named by it.
  static func checkFree(
    _ name: String, for rule: RuleID?, in snapshot: borrowing Snapshot
  ) throws {
    let taken = try rules(in: snapshot).contains {
      $0.id != rule && $0.name.lowercased() == name.lowercased()
    }
    guard taken else { return }
    throw CommandFailure(
      .refused, code: "refused", "A rule “\(name)” already exists.",
      remedy: "Choose another name, or change the existing rule: daybook rules edit \"\(name)\"")
  }
}

extension Names {
  /// What must hold of a row for a rule, in words.
  func text(of rule: CategoryRule) -> String {
    rule.conditions.map { condition in
      switch condition {
      case .text(let field, let match, let text): "\(field.word) \(match) “\(text)”"
      case .account(let id): "on \(name(of: id))"
      case .amount(let from, let through):
        [from.map { "at least \($0.text)" }, through.map { "at most \($0.text)" }]
          .compactMap(\.self).joined(separator: ", ") + " \(condition.currency?.code ?? "")"
      case .type(let type): "\(type)"
      }
    }.joined(separator: rule.matchesAny ? " or " : " and ")
  }
}
