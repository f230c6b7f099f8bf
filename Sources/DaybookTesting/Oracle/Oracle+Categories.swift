/// Goal: reimplement categories and their deletion. Method: follow the documentation of the
/// commands and rule 11 of SCENARIOS.
import Daybook

extension Oracle {
  mutating func create(_ new: NewCategory) throws {
    let name = try checkedName(new.name)
    let id = try id(new.id, isTaken: categories.contains { $0.id == new.id })
    var category = Category(id: id, name: "", kind: new.kind)
    category.details = new.details
    category.name = name
    try check(category.note.utf8.count <= 4000, .limit)
    category.origins = try checkedOrigins(category.origins)
    try checkGoal(category)
    try checkPlace(category)
    categories.append(category)
    categories[categories.count - 1].number = number(.category)
  }

  mutating func amend(_ id: CategoryID, _ change: CategoryChange) throws {
    let index = try categoryIndex(id)
    let old = categories[index]
    var new = old
    new.details = try details(of: change, old)
    if new.name == change.name { new.name = try checkedName(new.name) }
    try check(new.note.utf8.count <= 4000, .limit)
    if new.origins == change.origins { new.origins = try checkedOrigins(new.origins) }
    if new.goal != old.goal { try checkGoal(new) }
    if new.parent != old.parent || (!new.isDeleted && new.name != old.name) {
      try checkPlace(new)
    }
    categories[index] = new
  }

  /// Returns the amended details.
  ///
  /// They are listed one by one, so that it is a compile-time error to omit one.
  private func details(of change: CategoryChange, _ old: Category) throws -> CategoryDetails {
    let name = try amended(\.name, of: old, change)
    let parent = try amended(\.parent, of: old, change)
    let isHidden = try amended(\.isHidden, of: old, change)
    let note = try amended(\.note, of: old, change)
    let order = try amended(\.order, of: old, change)
    let origins = try amended(\.origins, of: old, change)
    let carries = try amended(\.carriesOverspending, of: old, change)
    let isExcluded = try amended(\.isExcludedFromTotals, of: old, change)
    let goal = try amended(\.goal, of: old, change)
    return CategoryDetails.init(
      name:parent:isHidden:note:order:origins:carriesOverspending:isExcludedFromTotals:goal:
    )(
      name, parent, isHidden, note, order, origins, carries, isExcluded, goal)
  }

  /// Returns the identities without repetitions.
  private func checkedOrigins(_ given: [String]) throws -> [String] {
    try check(given.count <= 32, .limit)
    var checked: [String] = []
    for origin in given {
      try check(origin.utf8.count <= 100, .limit)
      try check(!origin.isEmpty, .value)
      if !checked.contains(origin) { checked.append(origin) }
    }
    return checked
  }

  private func checkPlace(_ category: Category) throws {
    var above = category.parent
    while let id = above {
      try check(id != category.id, .cycle)
      let parent = categories[try categoryIndex(id)]
      try check(parent.kind == category.kind, .kind)
      if id == category.parent { try check(!parent.isDeleted, .closed) }
      above = parent.parent
    }
    try checkFree(category)
  }

  private func checkFree(_ category: Category) throws {
    if category.parent == nil { try check(fold(category.name) != "uncategorised", .duplicateName) }
    for other in categories
    where other.id != category.id && !other.isDeleted && other.kind == category.kind
      && other.parent == category.parent
    {
      try check(fold(other.name) != fold(category.name), .duplicateName)
    }
  }

  mutating func delete(_ id: CategoryID, _ policy: DeletionPolicy<CategoryID>?) throws {
    let index = try categoryIndex(id)
    let category = categories[index]
    let deleted = PostingAccount.category(id)
    let rows = transactions.filter { touches($0, deleted) }
    var chosen = policy
    if chosen == nil, let parent = category.parent { chosen = .move(to: parent) }
    if chosen == nil { try check(rows.isEmpty, .inUse) }
    switch chosen {
    case .keepRows: break
    case .withRows:
      try checkUnnamed(id)
      for row in rows {
        let others = row.postings.contains { posting in
          if case .category = posting.account { return posting.account != deleted }
          return false
        }
        try check(!others, nil)
      }
      try deleteRows(deleted)
      releaseAllocations(of: id)
    case .move(let other):
      try moveAll(of: category, to: other)
    case nil:
      try checkUnnamed(id)
      releaseAllocations(of: id)
    }
    categories[index].isHidden = true
    categories[index].isDeleted = true
    try lift(category)
  }

  private mutating func moveAll(of category: Category, to other: CategoryID) throws {
    let id = category.id
    try check(other != id, .inUse)
    let heir = try usable(other, category.kind, [])
    try check(heir.kind == category.kind, .kind)
    try moveRows(.category(id), .category(other))
    for index in series.indices {
      if series[index].template.category == id { series[index].template.category = other }
      for part in series[index].template.parts.indices
      where series[index].template.parts[part].category == id {
        series[index].template.parts[part].category = other
      }
    }
    moveBudgets(from: id, to: other)
    try moveAllocations(from: id, to: other)
    moveRules(from: .category(id), to: .category(other))
    for index in terms.indices where terms[index].category == id { terms[index].category = other }
  }

  mutating func merge(_ id: CategoryID, into other: CategoryID) throws {
    let index = try categoryIndex(id)
    let category = categories[index]
    try moveAll(of: category, to: other)
    categories[index].isHidden = true
    categories[index].isDeleted = true
    if let heir = categories.firstIndex(where: { $0.id == other }), !other.isBuiltin {
      let all =
        categories[heir].origins
        + category.origins.filter { !categories[heir].origins.contains($0) }
      if all.count <= 32 { categories[heir].origins = all }
    }
    // A child that is the target itself is moved up, because the target can't be its own
    // descendant. If the target is a built-in category, all children are moved up.
    for child in categories.indices where categories[child].parent == id {
      if categories[child].id == other || other.isBuiltin {
        categories[child].parent = category.parent
        if !categories[child].isDeleted { try checkFree(categories[child]) }
      } else {
        categories[child].parent = other
        if !categories[child].isDeleted { try checkPlace(categories[child]) }
      }
    }
  }

  /// Refuses a category that is used by a recurring transaction, budget or rule.
  private func checkUnnamed(_ id: CategoryID) throws {
    for one in series {
      let named = [one.template.category] + one.template.parts.map(\.category)
      try check(!named.contains(id), .inUse)
    }
    try check(!budgets.contains { named(by: $0).contains(id) }, .inUse)
    try check(!rules.contains { $0.category == id }, .inUse)
    try check(!terms.contains { $0.category == id }, .inUse)
  }

  /// Moves the children of a category up one level.
  private mutating func lift(_ category: Category) throws {
    for index in categories.indices where categories[index].parent == category.id {
      categories[index].parent = category.parent
      if !categories[index].isDeleted { try checkFree(categories[index]) }
    }
  }

  func categoryIndex(_ id: CategoryID) throws -> Int {
    try check(!id.isBuiltin, .builtin)
    guard let found = categories.firstIndex(where: { $0.id == id }) else {
      throw OracleRefusal(.missing)
    }
    return found
  }
}
