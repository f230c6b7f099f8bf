import DaybookProjections

/// Sums the figures of categories, converting the sums of each day at that day's rate.
///
/// Each category is converted separately, so that a group's figure is the sum of its categories'.
struct CategorySumming {
  private struct Key: Hashable {
    let category: CategoryID
    let currency: Currency
  }

  private let kind: CategoryKind
  private let tree: CategoryTree
  private let grouping: Grouping
  private let base: Currency
  private let ignoresExcludedCategories: Bool
  private var converter: Converter
  private var day: Day?
  private var ofDay: [Key: (units: Int128, count: Int)] = [:]
  private var sums: [CategoryID: ConvertedSum] = [:]

  /// The categories that are summed together.
  enum Grouping {
    /// Each category separately.
    case each
    /// Each top-level category with its subcategories.
    case top
    /// The given members as one category.
    case one(Category, members: Set<CategoryID>)
  }

  /// Creates an empty sum.
  ///
  /// - Parameter ignoringExcludedCategories: Whether excluded categories count, because one of them is
  ///   queried.
  init(
    kind: CategoryKind, tree: CategoryTree, grouping: Grouping, base: Currency,
    ignoringExcludedCategories: Bool = false
  ) {
    self.kind = kind
    self.tree = tree
    self.grouping = grouping
    self.base = base
    ignoresExcludedCategories = ignoringExcludedCategories
    converter = Converter(to: base)
  }

  /// Adds the figures of a day; days must be added in order.
  mutating func add(
    _ figures: CategoryTotals.Figures, on day: Day, in snapshot: borrowing Snapshot
  ) throws {
    if day != self.day {
      try endDay(in: snapshot)
      self.day = day
    }
    guard let category = tree.category(figures.key.category), category.kind == kind,
      group(of: category) != nil
    else { return }
    let net = figures.moneyIn - figures.moneyOut
    let key = Key(category: category.id, currency: figures.key.currency)
    ofDay[key, default: (0, 0)].units += kind == .expense ? net : -net
    ofDay[key, default: (0, 0)].count += figures.count
  }

  /// Returns the converted sums, in the order in which the categories were recorded.
  mutating func finish(in snapshot: borrowing Snapshot) throws -> [ConvertedCategoryTotal] {
    try endDay(in: snapshot)
    return sums.compactMap { id, sum in
      sum.isEmpty
        ? nil
        : tree[id].map {
          ConvertedCategoryTotal(category: $0, amount: sum.converted(to: base))
        }
    }.sorted { $0.category.number < $1.category.number }
  }

  private mutating func endDay(in snapshot: borrowing Snapshot) throws {
    guard let day else { return }
    var left: [Key: (units: Int128, count: Int)] = [:]
    for (key, figure) in ofDay where figure.units != 0 {
      guard let group = tree[key.category].flatMap(group) else { continue }
      let converted = try converter.convert(figure.units, key.currency, on: day, in: snapshot)
      if let converted {
        sums[group.id, default: ConvertedSum()].add(converted)
      } else {
        let place = Key(category: group.id, currency: key.currency)
        left[place, default: (0, 0)].units += figure.units
        left[place, default: (0, 0)].count += figure.count
      }
    }
    for (key, part) in left where part.units != 0 {
      let count = try count(key, on: day, in: snapshot) ?? part.count
      sums[key.category, default: ConvertedSum()].leaveOut(part.units, key.currency, count: count)
    }
    ofDay.removeAll(keepingCapacity: true)
  }

  private func group(of category: Category) -> Category? {
    switch grouping {
    case .each: category
    case .top: tree.root(of: category)
    case .one(let whole, let members): members.contains(category.id) ? whole : nil
    }
  }

  // Counts the transactions that make up a group's figure; a split over several categories of the
  // group counts once. Returns `nil` if each category is its own group.
  private func count(_ key: Key, on day: Day, in snapshot: borrowing Snapshot) throws -> Int? {
    if case .each = grouping { return nil }
    return try snapshot.countCountedRows(
      on: day, ignoringCategories: ignoresExcludedCategories
    ) { transaction, counts in
      if transaction.settledCurrency == base { return false }
      return transaction.postings.contains { posting in
        guard case .category(let id) = posting.account, posting.amount.currency == key.currency
        else { return false }
        return counts(id) && tree[id].flatMap(group)?.id == key.category
      }
    }
  }
}
