import DaybookEntities

/// A value of a budget that applied before a day.
public struct EarlierValue<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
  /// The first day on which the value no longer applied.
  public var until: Day
  /// The value.
  public var value: Value

  /// Creates a value that applied before a day.
  public init(until: Day, value: Value) {
    self.until = until
    self.value = value
  }
}

/// The categories that a budget covers.
public struct BudgetCategories: Hashable, Sendable, Codable {
  /// The expense categories; empty for all.
  public var categories: [CategoryID]
  /// Whether their subcategories are covered too.
  public var includesSubcategories: Bool

  /// Creates the categories of a budget.
  public init(_ categories: [CategoryID], includingSubcategories: Bool = true) {
    self.categories = categories
    includesSubcategories = includingSubcategories
  }

  private enum CodingKeys: String, CodingKey { case categories, includesSubcategories }

  /// Writes both properties; `includesSubcategories` only if it is `false`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(categories, forKey: .categories)
    if !includesSubcategories { try container.encode(false, forKey: .includesSubcategories) }
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the value has another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    categories = try container.decodeIfPresent([CategoryID].self, forKey: .categories) ?? []
    includesSubcategories =
      try container.decodeIfPresent(Bool.self, forKey: .includesSubcategories) ?? true
  }
}

extension Budget {
  /// The categories that the budget covers now.
  public var covered: BudgetCategories {
    get { BudgetCategories(categories, includingSubcategories: includesSubcategories) }
    set {
      (categories, includesSubcategories) = (newValue.categories, newValue.includesSubcategories)
    }
  }

  /// Whether amounts are or were carried over.
  public var carriesOver: Bool {
    rollover != .none || earlierRollovers.contains { $0.value != .none }
  }

  /// The rollover of the period that begins on a day: what it passes on to the next period.
  public func rollover(ofPeriodFrom day: Day) -> Rollover { earlierRollovers[day] ?? rollover }

  /// The categories that the period that begins on a day covers.
  public func categories(ofPeriodFrom day: Day) -> BudgetCategories {
    earlierCategories[day] ?? covered
  }

  /// Sets the periods from a day on; earlier periods stay as they were.
  ///
  /// A new period begins on the day. Earlier changes from `day` on are removed.
  ///
  /// - Parameter day: The day, or `nil` to change past periods too. A budget for a single range of
  ///   days has no other periods, so a change from or to one always changes past periods too.
  public mutating func setPeriod(_ new: BudgetPeriod, from day: Day?) {
    let isSingle = [period, new].contains { if case .custom = $0 { true } else { false } }
    set(\.period, to: new, \.earlierPeriods, from: isSingle ? nil : day)
  }

  /// Sets the rollover of the periods that begin on or after a day; earlier periods keep theirs.
  ///
  /// - Parameter day: The day, or `nil` to change past periods too. Earlier changes from `day` on
  ///   are removed.
  public mutating func setRollover(_ new: Rollover, ofPeriodsFrom day: Day?) {
    set(\.rollover, to: new, \.earlierRollovers, from: day)
  }

  /// Sets the categories of the periods that begin on or after a day; earlier periods keep theirs.
  ///
  /// - Parameter day: The day, or `nil` to change past periods too. Earlier changes from `day` on
  ///   are removed.
  public mutating func setCategories(_ new: BudgetCategories, ofPeriodsFrom day: Day?) {
    set(\.covered, to: new, \.earlierCategories, from: day)
  }

  private mutating func set<Value>(
    _ path: WritableKeyPath<Budget, Value>, to new: Value,
    _ earlier: WritableKeyPath<Budget, [EarlierValue<Value>]>, from day: Day?
  ) {
    // Nothing comes before the budget's start.
    if let day, day > start ?? Day.min {
      let before = self[keyPath: earlier][day.adding(days: -1)] ?? self[keyPath: path]
      self[keyPath: earlier].removeAll { $0.until >= day }
      if before != new { self[keyPath: earlier].append(EarlierValue(until: day, value: before)) }
    } else {
      self[keyPath: earlier] = []
    }
    self[keyPath: path] = new
  }

  /// All categories that the budget covers or covered by name.
  package var everyCategory: [CategoryID] {
    categories + earlierCategories.flatMap(\.value.categories)
  }

  /// Replaces a category by another one, in the past too.
  package mutating func replace(_ id: CategoryID, by other: CategoryID) {
    func replaced(_ list: [CategoryID]) -> [CategoryID] {
      guard list.contains(id) else { return list }
      var seen: Set<CategoryID> = []
      return list.map { $0 == id ? other : $0 }.filter { seen.insert($0).inserted }
    }
    categories = replaced(categories)
    for index in earlierCategories.indices {
      earlierCategories[index].value.categories =
        replaced(earlierCategories[index].value.categories)
    }
  }
}

extension Array {
  /// The value that applied on a day, or `nil` if the current one did.
  subscript<Value>(day: Day) -> Value? where Element == EarlierValue<Value> {
    first { $0.until > day }?.value
  }
}
