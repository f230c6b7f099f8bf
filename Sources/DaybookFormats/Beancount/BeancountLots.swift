import DaybookBookkeeping

/// The lots that accounts hold at cost.
struct BeancountLots {
  private struct Lot {
    var units: JournalNumber
    /// The cost per unit.
    var cost: JournalAmount
    var day: Day
    var label: String?
  }

  private var lots: [PlaceKey: [Lot]] = [:]

  /// The reason why lots can't be reduced.
  enum Failure: Error {
    case none
    case several
    case tooFew(JournalNumber)
    case tooLarge
  }

  /// Returns whether an amount reduces existing lots.
  func isReduction(_ key: PlaceKey, _ units: JournalNumber) -> Bool {
    (lots[key] ?? []).contains { $0.units.isNegative != units.isNegative && !$0.units.isZero }
  }

  /// Adds a lot, or increases an existing lot with the same cost, day and label.
  mutating func add(
    _ key: PlaceKey, _ units: JournalNumber, cost: JournalAmount, day: Day, label: String?
  ) {
    guard !units.isZero else { return }
    // Identical lots are merged.
    for index in (lots[key] ?? []).indices {
      if let known = lots[key]?[index], known.cost.commodity == cost.commodity, known.day == day,
        known.label == label, known.cost.number.equals(cost.number),
        let sum = known.units.adding(units)
      {
        lots[key]?[index].units = sum
        return
      }
    }
    lots[key, default: []].append(Lot(units: units, cost: cost, day: day, label: label))
  }

  /// Reduces the matching lots and returns their costs.
  ///
  /// - Parameter units: The units by which the lots are reduced. The costs have the same sign.
  mutating func take(
    _ key: PlaceKey, _ units: JournalNumber, _ spec: BeancountLot,
    _ method: BeancountBooking.Method
  ) throws(Failure) -> [JournalAmount] {
    let all = lots[key] ?? []
    var found = all.indices.filter { fits(all[$0], spec, units) }
    guard !found.isEmpty else { throw .none }
    switch method {
    case .fifo: found.sort { (all[$0].day, $0) < (all[$1].day, $1) }
    case .lifo: found.sort { (all[$0].day, $0) > (all[$1].day, $1) }
    case .hifo:
      found.sort { isMore(all[$0].cost.number, than: all[$1].cost.number, orFirst: $0 < $1) }
    case .strict, .strictWithSize, .none:
      if found.count > 1 { found = try whole(found, all, units, method) }
    }
    var rest = units.magnitude
    var worths: [JournalAmount] = []
    for index in found where !rest.isZero {
      let held = all[index].units.magnitude
      guard let left = held.subtracting(rest) else { throw .tooLarge }
      let taken = left.isNegative ? held : rest
      guard let remaining = rest.subtracting(taken), let kept = held.subtracting(taken),
        let worth = taken.multiplied(by: all[index].cost.number)
      else { throw .tooLarge }
      rest = remaining
      lots[key]?[index].units = all[index].units.isNegative ? kept.negated : kept
      worths.append(
        JournalAmount(
          number: units.isNegative ? worth.negated : worth, commodity: all[index].cost.commodity))
    }
    guard rest.isZero else { throw .tooFew(rest) }
    lots[key]?.removeAll { $0.units.isZero }
    return worths
  }

  /// Resolves a match with several lots.
  ///
  /// The match is unambiguous only if the amount reduces all lots to zero or, with
  /// `STRICT_WITH_SIZE`, if one lot has exactly the amount's size.
  private func whole(
    _ found: [Int], _ all: [Lot], _ units: JournalNumber, _ method: BeancountBooking.Method
  ) throws(Failure) -> [Int] {
    if method == .strictWithSize,
      let same = found.first(where: { all[$0].units.magnitude.equals(units.magnitude) })
    {
      return [same]
    }
    var sum = JournalNumber.zero
    for index in found {
      guard let next = sum.adding(all[index].units) else { throw .tooLarge }
      sum = next
    }
    guard sum.magnitude.equals(units.magnitude) else { throw .several }
    return found
  }

  private func fits(_ lot: Lot, _ spec: BeancountLot, _ units: JournalNumber) -> Bool {
    guard lot.units.isNegative != units.isNegative else { return false }
    if let commodity = spec.commodity, commodity != lot.cost.commodity { return false }
    if let day = spec.day, day != lot.day { return false }
    if let label = spec.label, label != lot.label { return false }
    if let cost = spec.perUnit, !cost.equals(lot.cost.number) { return false }
    if spec.perUnit == nil, let total = spec.total {
      guard let one = total.divided(by: units.magnitude) else { return false }
      return one.equals(lot.cost.number)
    }
    return true
  }

  private func isMore(_ left: JournalNumber, than right: JournalNumber, orFirst: Bool) -> Bool {
    guard let difference = left.subtracting(right), !difference.isZero else { return orFirst }
    return !difference.isNegative
  }
}
