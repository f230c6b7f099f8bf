import Daybook

extension Lookup {
  /// The rules in the order in which they are tried.
  static func rules(in snapshot: borrowing Snapshot) throws -> [CategoryRule] {
    try snapshot.rules().sorted { ($0.order, $0.number) < ($1.order, $1.number) }
  }

  /// Finds a rule by its id or its name, ignoring case.
  ///
  /// - Throws: `CommandFailure` if no rule or several rules match.
  static func rule(_ text: String, in snapshot: borrowing Snapshot) throws -> CategoryRule {
    let all = try rules(in: snapshot)
    let found = all.filter { $0.name.lowercased() == text.lowercased() || "\($0.id)" == text }
    return try only(
      of: found, called: text, (one: "rule", several: "rules"), among: all.map(\.name),
      list: "daybook rules list", create: "daybook rules add")
  }

  /// The named rules, or `nil` for all rules if `names` is empty.
  ///
  /// - Throws: `CommandFailure` if a rule doesn't exist or is turned off.
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

  /// Throws if another rule already has the name, because commands identify rules by name.
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
  /// The category that a rule sets, or the account with which it makes transfers.
  func place(of rule: CategoryRule) -> String {
    rule.transferAccount.map { "↔ \(name(of: $0))" } ?? rule.category.map { path(of: $0) } ?? ""
  }

  /// The conditions of a rule in words.
  func text(of rule: CategoryRule) -> String {
    rule.conditions.map { $0.text { name(of: AccountID($0)) } }
      .joined(separator: rule.matchesAny ? " or " : " and ")
  }
}
