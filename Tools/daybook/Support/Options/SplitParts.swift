import ArgumentParser
import Daybook

/// Reads the parts of a split: `Food=12.50`, `Household=7.30`, `Uncategorised=3.00`.
enum SplitParts {
  /// Refuses what has no amount.
  static func validate(_ texts: [String]) throws {
    for text in texts where !text.contains("=") {
      throw ValidationError(
        "“\(text)” isn't a part of a split. Write it as CATEGORY=AMOUNT, such as Food=12.50.")
    }
  }

  /// The parts; amounts without a code are in the currency given.
  ///
  /// - Parameter kind: What the whole is. Of two categories with one path a part takes that of this kind,
  ///   though a salary may be split with its tax.
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
      parts.append(Draft.Part(money, found))
    }
    return parts
  }

  /// Whether a name stands for no category: “Uncategorised” in either spelling, unless a category has
  /// that name.
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
