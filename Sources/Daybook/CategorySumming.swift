import CategoryTotals

/// Gathers the figures of categories day by day and converts each day's sum when the day is over.
struct CategorySumming {
  private struct Key: Hashable {
    let category: CategoryID
    let currency: Currency
  }

  private let kind: CategoryKind
  private let tree: CategoryTree
  private let rollUp: Bool
  private let base: Currency
  private var converter: Converter
  private var day: Day?
  private var ofDay: [Key: (units: Int128, count: Int)] = [:]
  private var sums: [CategoryID: ConvertedSum] = [:]

  init(kind: CategoryKind, tree: CategoryTree, rollUp: Bool, base: Currency) {
    self.kind = kind
    self.tree = tree
    self.rollUp = rollUp
    self.base = base
    converter = Converter(to: base)
  }

  /// Adds figures of a day; days come in order.
  mutating func add(
    _ figures: CategoryTotals.Figures, on day: Day, in snapshot: borrowing Snapshot
  ) throws {
    if day != self.day {
      try endDay(in: snapshot)
      self.day = day
    }
    let number = figures.key.category
    guard let category = rollUp ? tree.root(of: number) : tree.category(number),
      category.kind == kind
    else { return }
    let net = figures.moneyIn - figures.moneyOut
    let key = Key(category: category.id, currency: figures.key.currency)
    ofDay[key, default: (0, 0)].units += kind == .expense ? net : -net
    ofDay[key, default: (0, 0)].count += figures.count
  }

  /// The converted sums, in the order of the categories' recording.
  mutating func finish(in snapshot: borrowing Snapshot) throws -> [ConvertedCategoryTotal] {
    try endDay(in: snapshot)
    return sums.compactMap { id, sum in
      sum.isEmpty
        ? nil
        : tree.byID[id].map {
          ConvertedCategoryTotal(category: $0, amount: sum.converted(to: base))
        }
    }.sorted { $0.category.number < $1.category.number }
  }

  private mutating func endDay(in snapshot: borrowing Snapshot) throws {
    guard let day else { return }
    for (key, figure) in ofDay where figure.units != 0 {
      let converted = try converter.convert(figure.units, key.currency, on: day, in: snapshot)
      if let converted {
        sums[key.category, default: ConvertedSum()].add(converted)
      } else {
        // Rolled up, a split over several subcategories must count once.
        let count = rollUp ? try count(key, on: day, in: snapshot) : figure.count
        sums[key.category, default: ConvertedSum()]
          .leaveOut(figure.units, key.currency, count: count)
      }
    }
    ofDay.removeAll(keepingCapacity: true)
  }

  private func count(_ key: Key, on day: Day, in snapshot: borrowing Snapshot) throws -> Int {
    let members = Set(try tree.members(key.category, withSubcategories: true))
    return try snapshot.countRows(on: day) { transaction in
      transaction.postings.contains { posting in
        guard case .category(let id) = posting.target else { return false }
        return posting.amount.currency == key.currency && members.contains(id)
      }
    }
  }
}
