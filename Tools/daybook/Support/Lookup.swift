import Daybook

/// Finds what people name: accounts, categories, transactions, currencies.
///
/// What is not there is
/// refused, with what there is.
enum Lookup {
  /// The currency of a code, in any case.
  static func currency(_ code: String, in snapshot: borrowing Snapshot) throws -> Currency {
    if let currency = try snapshot.currency(code.uppercased()) { return currency }
    throw CommandFailure.notFound(
      "There is no currency “\(code)”.",
      remedy: "Use an ISO 4217 code such as EUR, or one that this ledger defines.")
  }

  /// The account of a name (whatever its case) or an id.
  static func account(_ text: String, in snapshot: borrowing Snapshot) throws -> Account {
    if let account = try snapshot.account(named: text) { return account }
    if let id = EntityID(text), let account = try snapshot.account(AccountID(rawValue: id)) {
      return account
    }
    let names = try snapshot.accounts(includingDeleted: true).map(\.name)
    throw CommandFailure.notFound(
      "There is no account “\(text)”.",
      remedy: Suggestion.sentence(
        for: text, among: names, list: "daybook accounts list",
        create: "daybook accounts create"))
  }

  /// The category of a path such as `Food:Groceries`, of a name that only one has, or of an id.
  static func category(
    _ text: String, kind: CategoryKind? = nil, in snapshot: borrowing Snapshot
  ) throws -> Category {
    let tree = try CategoryTree(snapshot, kind: kind)
    let found = tree.matches(text)
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      if let id = EntityID(text), let category = try snapshot.category(CategoryID(rawValue: id)) {
        return category
      }
      throw CommandFailure.notFound(
        "There is no \(kind.map { "\($0) " } ?? "")category “\(text)”.",
        remedy: Suggestion.sentence(
          for: text, among: tree.paths, list: "daybook categories list",
          create: "daybook categories create"))
    }
    let paths = found.map { "\(tree.path(of: $0)) (\($0.kind))" }
    throw CommandFailure.notFound(
      "“\(text)” may be any of: \(paths.joined(separator: ", ")).",
      remedy: "Give the path from the top, such as Food:Groceries, and --kind where both have it.")
  }

  /// The only one of the things that a text names; several are told apart by their ids.
  ///
  /// - Parameters:
  ///   - names: what all things of the sort are called, of which the text may be a misspelt one.
  ///   - list: the command that lists them.
  static func only<Thing>(
    of found: [Thing], called text: String, _ sort: (one: String, several: String),
    among names: [String], list: String, create: String
  ) throws -> Thing {
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw CommandFailure.notFound(
        "\(found.count) \(sort.several) are called “\(text)”.",
        remedy: "Give the id; `\(list) --json` has it.")
    }
    throw CommandFailure.notFound(
      "There is no \(sort.one) “\(text)”.",
      remedy: Suggestion.sentence(for: text, among: names, list: list, create: create))
  }

  /// The transaction of an id, or of its place in the list: `2026-02-14#123`.
  static func transaction(_ text: String, in snapshot: borrowing Snapshot) throws -> Transaction {
    if let id = EntityID(text),
      let transaction = try snapshot.transaction(TransactionID(rawValue: id))
    {
      return transaction
    }
    if let key = key(text) {
      let after = TransactionKey(day: key.day, number: key.number + 1)
      let row = try snapshot.transactions(.all, after: after, limit: 1).first
      if let row, row.key == key { return row }
    }
    throw CommandFailure.notFound(
      "There is no transaction “\(text)”.",
      remedy: "Give its id, or its day and number such as 2026-02-14#123; "
        + "`daybook list` shows both.")
  }

  /// The place in the list that a text such as `2026-02-14#123` names.
  static func key(_ text: String) -> TransactionKey? {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, let day = Day(parts[0]), let number = UInt64(parts[1]),
      number < .max
    else { return nil }
    return TransactionKey(day: day, number: number)
  }
}

/// The categories of a ledger with their paths from the top.
struct CategoryTree {
  private let categories: [Category]
  private let byID: [CategoryID: Category]

  /// The tree of one kind, or of both.
  init(
    _ snapshot: borrowing Snapshot, kind: CategoryKind? = nil, includingDeleted: Bool = false
  ) throws {
    let all = try snapshot.categories(includingDeleted: true)
    var byID: [CategoryID: Category] = [:]
    for category in all { byID[category.id] = category }
    for id in [CategoryID.uncategorizedExpense, .uncategorizedIncome] {
      byID[id] = try snapshot.category(id)
    }
    self.byID = byID
    categories = all.filter {
      (includingDeleted || !$0.isDeleted) && (kind == nil || $0.kind == kind)
    }
  }

  /// All paths, for suggestions.
  var paths: [String] { categories.map { path(of: $0) } }

  /// The categories in the order of the tree, each with its depth.
  func ordered(kind: CategoryKind) -> [(category: Category, depth: Int)] {
    var children: [CategoryID?: [Category]] = [:]
    let ids = Set(categories.map(\.id))
    for category in categories where category.kind == kind {
      let parent = category.parent.flatMap { ids.contains($0) ? $0 : nil }
      children[parent, default: []].append(category)
    }
    var result: [(Category, Int)] = []
    var pending = (children[nil] ?? []).reversed().map { ($0, 0) }
    while let (category, depth) = pending.popLast() {
      result.append((category, depth))
      for child in (children[category.id] ?? []).reversed() { pending.append((child, depth + 1)) }
    }
    return result
  }

  /// The path of a category, its parents first: `Food:Groceries`.
  func path(of category: Category) -> String {
    var names = [category.name]
    var parent = category.parent
    // A tree has no cycles, but a damaged file must not hang the command.
    while let id = parent, let above = byID[id], names.count < 64 {
      names.append(above.name)
      parent = above.parent
    }
    return names.reversed().joined(separator: ":")
  }

  /// The path of a category by its id.
  func path(of id: CategoryID) -> String {
    byID[id].map { path(of: $0) } ?? "\(id)"
  }

  /// The categories a text may mean: those of that path, else those of that name.
  func matches(_ text: String) -> [Category] {
    let wanted = text.lowercased()
    let byPath = categories.filter { path(of: $0).lowercased() == wanted }
    return byPath.isEmpty ? categories.filter { $0.name.lowercased() == wanted } : byPath
  }
}

extension Lookup {
  /// A kind of entity by its name.
  static func kind(_ name: String) throws -> EntityKind {
    let kinds = KindDescription.all
    if let found = kinds.first(where: { $0.name == name.lowercased() }) { return found.kind }
    throw CommandFailure.notFound(
      "There is no kind “\(name)”.",
      remedy: "Kinds are \(kinds.map(\.name).joined(separator: ", ")).")
  }

  /// The id of anything: a transaction's place, an account's or category's name, or an id, which may be
  /// that of something deleted.
  static func entity(_ text: String, in snapshot: borrowing Snapshot) throws -> EntityID {
    if let id = EntityID(text) { return id }
    if key(text) != nil { return try transaction(text, in: snapshot).id.rawValue }
    if let account = try snapshot.account(named: text) { return account.id.rawValue }
    return try category(text, in: snapshot).id.rawValue
  }
}
