import ArgumentParser
import Daybook

/// The parsing of a split's parts, such as `Food=12.50`, `Household=7.30` or `Uncategorised=3.00`.
enum SplitParts {
  /// Throws if a part has no amount.
  static func validate(_ texts: [String], to others: [String] = []) throws {
    for text in texts where !text.contains("=") {
      throw ValidationError(
        "“\(text)” isn't a part of a split. Write it as CATEGORY=AMOUNT, such as Food=12.50.")
    }
    for text in others where !text.contains("=") {
      throw ValidationError(
        "“\(text)” isn't a part that goes to another account. Write it as ACCOUNT=AMOUNT, such as "
          + "Savings=200.")
    }
  }

  /// Parses the parts.
  ///
  /// Amounts without a code are in the currency `standard`. A negative amount is a part in the other
  /// direction, such as a returned item.
  ///
  /// - Parameter kind: The kind of the whole split. It selects one of two categories with the same
  ///   path. A part can still be of the other kind, such as the tax in a salary.
  static func read(
    _ texts: [String], of kind: CategoryKind, in standard: Currency?, creating new: NewCategories,
    _ snapshot: borrowing Snapshot
  ) throws -> [Draft.Part] {
    var parts: [Draft.Part] = []
    for text in texts {
      let mark = text.lastIndex(of: "=") ?? text.endIndex
      let money = try Amounts.money(String(text[mark...].dropFirst()), in: standard, snapshot)
      let name = String(text[..<mark])
      let found =
        try isUncategorised(name, in: snapshot)
        ? nil : try category(name, kind, creating: new, in: snapshot)
      parts.append(Draft.Part(try size(money), found, isReversed: money.minorUnits < 0))
    }
    return parts
  }

  /// Parses the parts that go to other accounts, such as `Savings=200`.
  ///
  /// Amounts without a code are in the other account's currency.
  static func read(
    to texts: [String], _ snapshot: borrowing Snapshot
  ) throws -> [Draft.Part] {
    var parts: [Draft.Part] = []
    for text in texts {
      let mark = text.lastIndex(of: "=") ?? text.endIndex
      let account = try Lookup.account(String(text[..<mark]), in: snapshot)
      let money = try Amounts.money(
        String(text[mark...].dropFirst()), in: account.currency, snapshot)
      parts.append(
        Draft.Part(try size(money), to: account.id, isReversed: money.minorUnits < 0))
    }
    return parts
  }

  /// Parses the parts of a recurring transaction, and sets them and their sum in its template.
  static func read(
    _ options: PartOptions, in standard: Currency?, into template: inout SeriesTemplate,
    creating new: NewCategories, _ snapshot: borrowing Snapshot
  ) throws {
    let isIncome = template.type == .income
    let kind: CategoryKind = isIncome ? .income : .expense
    template.parts =
      try read(options.part, of: kind, in: standard, creating: new, snapshot)
      + read(to: options.partTo, snapshot)
    (template.category, template.otherAccount) = (nil, nil)
    guard let first = template.parts.first?.amount else { return }
    var sum = Money(0, first.currency)
    for part in template.parts {
      // A new category has the kind of the whole split.
      let own = try part.category.flatMap { try snapshot.category($0)?.kind } ?? kind
      let isPaid = (part.account != nil || own == .expense) != part.isReversed
      sum = try isPaid != isIncome ? sum + part.amount : sum - part.amount
    }
    guard sum.minorUnits >= 0 else {
      throw CommandFailure.usage(
        "The parts add up to \(sum), which is negative.",
        remedy: "Use \(isIncome ? "expense" : "income"), or change the signs of the parts.")
    }
    template.amount = sum
  }

  /// Returns an amount without its sign.
  private static func size(_ money: Money) throws -> Money {
    money.minorUnits < 0 ? try money.negated() : money
  }

  /// Returns whether a name means “no category”: “Uncategorised” in either spelling, unless a
  /// category has this name.
  private static func isUncategorised(
    _ name: String, in snapshot: borrowing Snapshot
  ) throws -> Bool {
    let name = Folding.key(name)
    let words = [Category.builtinName, "Uncategorized"].map { Folding.key($0) }
    guard words.contains(name) else { return false }
    return try !snapshot.categories().contains { Folding.key($0.name) == name }
  }

  private static func category(
    _ text: String, _ kind: CategoryKind, creating new: NewCategories,
    in snapshot: borrowing Snapshot
  ) throws -> CategoryID {
    if let path = CategoryPath(text) {
      let found = try CategoryTree(snapshot, kind: kind).matches(path)
      if found.count == 1 { return found[0].id }
      if try CategoryTree(snapshot).matches(path).isEmpty {
        return try new.id(of: text, kind: kind, in: snapshot)
      }
    }
    return try Lookup.category(text, in: snapshot).id
  }
}
