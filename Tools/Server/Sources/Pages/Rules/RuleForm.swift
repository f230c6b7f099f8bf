import Daybook

/// The form for a rule: the texts to match, further conditions, and actions.
enum RuleForm: EntityForm {
  static let path = "/rules"
  static let view = MenuView.rules
  static let title = Word.newRule

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> CategoryRule? {
    try snapshot.rules().first { $0.entityID == id }
  }

  static func name(_ entity: CategoryRule, _ names: NameBook, _ context: PageContext) -> String {
    entity.name
  }

  static func fields(
    _ entity: CategoryRule?, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [FormField] {
    let categories = TransactionFilterForm.categories(names, context)
    guard let entity else {
      return [
        .text("name", .name, isRequired: true), .text("text1", .contains, isRequired: true),
        .choice("category", .category, categories, isOptional: true),
        .choice("transfer", .toAccount, TransactionFilterForm.accounts(names), isOptional: true),
        .text("payee", .newPayee),
      ]
    }
    var fields: [FormField] = [.text("name", .name, isRequired: true)]
    fields.append(
      .choice("any", .matchesAny, [("all", context[.matchAll]), ("any", context[.matchAny])]))
    for number in 1...lineCount(entity) {
      fields += [
        .choice(
          "field\(number)", .field, RuleField.allCases.map { ("\($0)", context[$0.word]) }),
        .choice(
          "match\(number)", .match, RuleMatch.allCases.map { ("\($0)", context[$0.word]) }),
        .text("text\(number)", .text),
      ]
    }
    let types = TransactionType.allCases.map { ("\($0)", context[$0.word]) }
    return fields + [
      .choice("account", .account, TransactionFilterForm.accounts(names), isOptional: true),
      .choice("type", .type, types, isOptional: true), .text("least", .least),
      .text("most", .most), .choice("category", .category, categories, isOptional: true),
      .choice("transfer", .toAccount, TransactionFilterForm.accounts(names), isOptional: true),
      .text("payee", .newPayee),
      .text("description", .newDescription),
      .text("tags", .newTags, hint: context[.several]), .flag("continues", .continues),
      .flag("enabled", .enabled),
    ]
  }

  /// Returns the number of text lines, including one empty line for another text.
  private static func lineCount(_ entity: CategoryRule) -> Int {
    entity.conditions.count { if case .text = $0 { true } else { false } } + 1
  }

  static func values(_ entity: CategoryRule?, _ context: PageContext) -> SentForm {
    guard let entity else { return SentForm() }
    var form = SentForm([
      "name": entity.name, "any": entity.matchesAny ? "any" : "all",
      "category": entity.category.map { "\($0)" } ?? "", "description": entity.description,
      "transfer": entity.transferAccount.map { "\($0)" } ?? "", "payee": entity.payee,
      "tags": entity.tags.joined(separator: ", "), "continues": entity.continues ? "on" : "",
      "enabled": entity.isEnabled ? "on" : "",
    ])
    var number = 0
    for condition in entity.conditions {
      switch condition {
      case .text(let field, let match, let text):
        number += 1
        form.values["field\(number)"] = ["\(field)"]
        form.values["match\(number)"] = ["\(match)"]
        form.values["text\(number)"] = [text]
      case .account(let id): form.values["account"] = ["\(id)"]
      case .type(let type): form.values["type"] = ["\(type)"]
      case .amount(let from, let through):
        form.values["least"] = from.map { [AmountText.typed($0, context.locale)] }
        form.values["most"] = through.map { [AmountText.typed($0, context.locale)] }
      }
    }
    return form
  }

  static func commands(
    _ form: inout SentForm, _ entity: CategoryRule?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command] {
    let name = form.needed("name", context)
    guard let entity else {
      let text = form.needed("text1", context)
      var rule = CategoryRule(
        name: name, conditions: [.text(.any, .contains, text)],
        category: form.id("category", context))
      rule.transferAccount = form.id("transfer", context)
      rule.payee = form.text("payee")
      if rule.category == nil, rule.transferAccount == nil, rule.payee.isEmpty {
        form.faults["category"] = context[.needed]
      }
      return [.putRule(rule)]
    }
    var rule = entity
    rule.name = name
    rule.matchesAny = form.text("any") == "any"
    rule.category = form.id("category", context)
    rule.transferAccount = form.id("transfer", context)
    rule.payee = form.text("payee")
    rule.description = form.text("description")
    rule.tags = form.list("tags")
    rule.continues = form.isOn("continues")
    rule.isEnabled = form.isOn("enabled")
    rule.conditions = []
    for number in 1...lineCount(entity) {
      guard let text = form.optional("text\(number)") else { continue }
      let field = form.choice("field\(number)", as: RuleField.self) ?? .any
      let match = form.choice("match\(number)", as: RuleMatch.self) ?? .contains
      rule.conditions.append(.text(field, match, text))
    }
    if let account: AccountID = form.id("account", context) {
      rule.conditions.append(.account(account))
    }
    if let type = TransactionType(name: form.text("type")) { rule.conditions.append(.type(type)) }
    let old = entity.conditions.compactMap { condition in
      if case .amount(let from, let through) = condition {
        (from ?? through)?.currency
      } else {
        nil
      }
    }
    if form.optional("least") != nil || form.optional("most") != nil {
      guard let currency = try old.first ?? snapshot.settings().baseCurrency else {
        form.faults["least"] = context[.noBase]
        return []
      }
      rule.conditions.append(
        .amount(
          from: form.money("least", currency, context),
          through: form.money("most", currency, context)))
    }
    return rule == entity ? [] : [.putRule(rule)]
  }

  static func deletions(
    _ entity: CategoryRule, _ names: NameBook, _ context: PageContext
  ) -> [Deletion] {
    [Deletion(value: "", text: "", command: .removeRule(entity.id))]
  }
}

extension RuleField {
  var word: Word {
    switch self {
    case .any: .fieldAny
    case .description: .description
    case .payee: .payee
    case .note: .note
    }
  }
}

extension RuleMatch {
  var word: Word {
    switch self {
    case .contains: .matchContains
    case .equals: .matchEquals
    case .starts: .matchStarts
    case .pattern: .matchPattern
    }
  }
}

extension LedgerSite {
  /// Applies the rules to past transactions, as shown in the preview.
  func applyRules(_ context: PageContext) async throws -> PageAnswer {
    try await append([.applyRules(nil)], context)
    return redirect(Address("/rules", [("done", "saved")]))
  }
}
