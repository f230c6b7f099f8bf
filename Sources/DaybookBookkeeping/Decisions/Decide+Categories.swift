import DaybookEntities

extension BookkeepingState {
  /// Creates a category.
  mutating func create(_ new: NewCategory) throws(Refusal) -> Outcome {
    let name = try checkedName(new.name, of: "the category")
    var category = Category(id: try freshID(new.id), name: name, kind: new.kind)
    category.details = new.details
    category.name = name
    category.origins = try checkedOrigins(new.origins, of: name)
    try check(category.excess, of: "category “\(name)”")
    try checkGoal(of: category)
    try checkPlace(category, height: 1)
    try emit(nil, category)
    return .category(category.id)
  }

  /// Changes a category's properties.
  mutating func amend(
    _ id: CategoryID, _ given: CategoryChange
  ) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    let old = stored.entity
    var change = given
    if given.seen != nil {
      let merge = Merge(
        policy: try reading { try settings().mergePolicy }, what: name(id), id: id.rawValue)
      change = try change.merged(into: old.details, merge)
    }
    var new = old
    change.apply(to: &new.details)
    if let name = change.name {
      new.name = try checkedName(name, of: "category “\(old.name)”")
    }
    if let origins = change.origins {
      new.origins = try checkedOrigins(origins, of: old.name)
    }
    try check(new.excess, of: "category “\(old.name)”")
    if new.goal != old.goal { try checkGoal(of: new) }
    if new.parent != old.parent || (new.name != old.name && !old.isDeleted) {
      let height = new.parent == old.parent ? 1 : try self.height(of: id)
      try checkPlace(new, height: height)
    }
    try emit(stored, new)
    return .category(id)
  }

  /// Returns the distinct identities of a category in other programs' books.
  func checkedOrigins(_ origins: [String], of name: String) throws(Refusal) -> [String] {
    guard origins.count <= Limits.identifierCountMax else {
      throw Refusal(
        .limit,
        "category “\(name)” can have at most \(Limits.identifierCountMax) identities in other "
          + "programs; remove some first")
    }
    var checked: [String] = []
    for origin in origins {
      try check(
        origin, "an identity of category “\(name)” in another program",
        max: Limits.identifierByteCountMax)
      guard !origin.isEmpty else {
        throw Refusal(
          .value, "an identity of category “\(name)” in another program is empty; remove it")
      }
      if !checked.contains(origin) { checked.append(origin) }
    }
    return checked
  }

  /// Refuses a place in the tree that is taken, too deep, below another kind or below the category
  /// itself.
  mutating func checkPlace(_ category: Category, height: Int) throws(Refusal) {
    try checkAbove(category, height: height)
    try checkFree(category)
  }

  /// Refuses a place in the tree that is too deep, below a category of another kind, or below the
  /// category itself.
  mutating func checkAbove(_ category: Category, height: Int) throws(Refusal) {
    var depth = height
    var above = category.parent
    while let id = above {
      guard id != category.id else {
        throw Refusal(
          .cycle,
          "can't move category “\(category.name)” below itself or its own subcategory; choose "
            + "another parent",
          [id.rawValue])
      }
      let parent = try required(id)
      guard parent.kind == category.kind else {
        throw Refusal(
          .kind,
          "can't move the \(category.kind) category “\(category.name)” below \(name(id)); choose a "
            + "parent of the same kind",
          [id.rawValue])
      }
      guard !parent.isDeleted || id != category.parent else {
        throw Refusal(
          .closed, "\(name(id)) is deleted and can't be a parent; choose another one", [id.rawValue]
        )
      }
      depth += 1
      guard depth <= Limits.categoryDepthMax else {
        throw Refusal(
          .limit,
          "category “\(category.name)” would be more than \(Limits.categoryDepthMax) levels deep; "
            + "choose a higher parent",
          [id.rawValue])
      }
      above = parent.parent
    }
    guard depth <= Limits.categoryDepthMax else {
      throw Refusal(
        .limit,
        "the subcategories of “\(category.name)” would be more than \(Limits.categoryDepthMax) "
          + "levels deep; choose a higher parent",
        [category.id.rawValue])
    }
  }

  /// Refuses a name that a sibling already has.
  mutating func checkFree(_ category: Category) throws(Refusal) {
    let isReserved =
      category.parent == nil && Folding.key(category.name) == Folding.key(Category.builtinName)
    let other =
      try reading {
        try self.category(named: category.name, kind: category.kind, parent: category.parent)
      }
    guard isReserved || other != nil && other?.id != category.id else { return }
    throw Refusal(
      .duplicateName,
      "\(category.kind == .income ? "an income" : "an expense") category "
        + "“\(other?.name ?? Category.builtinName)” already exists there; choose another name",
      other.map { [$0.id.rawValue] } ?? [])
  }

  /// The number of levels of a category and its descendants.
  mutating func height(of id: CategoryID) throws(Refusal) -> Int {
    let all = try reading { try categories() }
    var level: Set<CategoryID> = [id]
    var height = 0
    while !level.isEmpty, height <= Limits.categoryDepthMax {
      height += 1
      level = Set(all.filter { $0.parent.map(level.contains) ?? false }.map(\.id))
    }
    return height
  }

  /// Returns a category that exists and is not built in, with its effective parent and its stored
  /// record, or refuses.
  mutating func requiredStored(_ id: CategoryID) throws(Refusal) -> Stored<Category> {
    let category = try required(id)
    let stored: Stored<Category>? = try stored(id.rawValue)
    return Stored(entity: category, record: stored?.record ?? category.record())
  }
}
