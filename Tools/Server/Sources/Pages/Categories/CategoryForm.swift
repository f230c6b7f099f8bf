import Daybook

/// The form for a category.
enum CategoryForm: EntityForm {
  static let path = "/categories"
  static let view = MenuView.categories
  static let title = Word.newCategory

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> Category? {
    try snapshot.category(CategoryID(id)).flatMap { $0.isDeleted ? nil : $0 }
  }

  static func name(_ entity: Category, _ names: NameBook, _ context: PageContext) -> String {
    names.name(entity.id, context)
  }

  static func fields(
    _ entity: Category?, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [FormField] {
    let parents = TransactionFilterForm.categories(names, context, of: entity?.kind)
      .filter { $0.0 != entity.map { "\($0.id)" } }
    let parent = FormField.choice("parent", .parent, parents, isOptional: true)
    guard entity != nil else {
      let kinds = [("expense", context[.expense]), ("income", context[.income])]
      return [.text("name", .name, isRequired: true), .choice("kind", .kind, kinds), parent]
    }
    return [
      .text("name", .name, isRequired: true), parent, .text("note", .note),
      .flag("hidden", .hidden), .flag("excludedFromTotals", .excludedFromTotals),
    ]
  }

  static func values(_ entity: Category?, _ context: PageContext) -> SentForm {
    guard let entity else { return SentForm() }
    return SentForm([
      "name": entity.name, "parent": entity.parent.map { "\($0)" } ?? "", "note": entity.note,
      "hidden": entity.isHidden ? "on" : "",
      "excludedFromTotals": entity.isExcludedFromTotals ? "on" : "",
    ])
  }

  static func commands(
    _ form: inout SentForm, _ entity: Category?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command] {
    let name = form.needed("name", context)
    let parent: CategoryID? = form.id("parent", context)
    guard let entity else {
      // A subcategory has the kind of its parent.
      let above = try parent.flatMap { try snapshot.category($0) }
      let kind: CategoryKind = form.text("kind") == "income" ? .income : .expense
      return [
        .createCategory(NewCategory(name: name, kind: above?.kind ?? kind, parent: parent))
      ]
    }
    var change = CategoryChange(seen: entity)
    if name != entity.name { change.name = name }
    if parent != entity.parent { change.parent = .some(parent) }
    if form.text("note") != entity.note { change.note = form.text("note") }
    if form.isOn("hidden") != entity.isHidden { change.isHidden = form.isOn("hidden") }
    let isExcluded = form.isOn("excludedFromTotals")
    if isExcluded != entity.isExcludedFromTotals { change.isExcludedFromTotals = isExcluded }
    return change == CategoryChange(seen: entity) ? [] : [.amendCategory(entity.id, change)]
  }

  static func deletions(
    _ entity: Category, _ names: NameBook, _ context: PageContext
  ) -> [Deletion] {
    let others = TransactionFilterForm.categories(names, context, of: entity.kind)
    var ways: [Deletion] = []
    if entity.parent != nil {
      ways.append(
        Deletion(
          value: "parent", text: context[.toParent], command: .deleteCategory(entity.id, nil)))
    }
    ways += [
      Deletion(
        value: "keep", text: context[.keepRows], command: .deleteCategory(entity.id, .keepRows)),
      Deletion(
        value: "with", text: context[.withRows], command: .deleteCategory(entity.id, .withRows)),
    ]
    for (value, text) in others {
      guard let other = CategoryID(value), other != entity.id else { continue }
      ways.append(
        Deletion(
          value: value, text: "\(context[.moveRows]) \(text)",
          command: .deleteCategory(entity.id, .move(to: other))))
    }
    return ways
  }
}
