internal import Entities
internal import Journal

/// Where the changes of each entity lie in the journal, so that what happened to one is read without the rest.
///
/// It is made when it is first asked, in one pass over history, and follows history from then on. It is small:
/// insertions of a kind have ascending numbers, so of these one in sixty-four is noted, and the others are
/// found by looking on from there.
struct ChangeIndex {
  /// A change of the entity with a number.
  fileprivate struct Mark {
    var number: UInt64
    var place: ChangePlace
  }

  /// What is known of one kind.
  fileprivate struct Kind {
    /// Some of the insertions in ascending order of numbers.
    var insertions: [Mark] = []
    var greatestNumber: UInt64 = 0
    var sinceMark = 0
    /// The change, counted over all kinds, that was noted last.
    var markedAt = 0
    /// All other changes, ordered by number and place up to `sortedCount`, then as they came.
    var others: [Mark] = []
    var sortedCount = 0
    /// Entities that were deleted: with the same id another may have come, of another number.
    var deleted: Set<EntityID> = []
  }

  private var kinds: [UInt8: Kind] = [:]
  /// Which files it is of; others have the same changes elsewhere.
  private let path: String
  /// Up to which change it knows history.
  private var next: ChangePlace
  private var changeCount = 0

  /// Of so many insertions one is noted.
  fileprivate static let insertionsPerMark = 64
  /// An insertion is noted after so many changes in any case.
  fileprivate static let changesPerMark = 1_024
  /// So many changes are read in one transaction.
  private static let sliceChangeCount = 1 << 18
  /// So many changes may stand unordered.
  fileprivate static let unsortedCountMax = 1_024

  init(_ journal: JournalStore) throws {
    path = journal.path
    next = ChangePlace(sequence: try journal.floor().sequence + 1)
  }

  /// Whether its places are those of a journal.
  func isOf(_ journal: JournalStore) throws -> Bool {
    let floor = try journal.floor().sequence
    return path == journal.path && next.sequence > floor
  }

  /// Brings it up to the newest commit.
  mutating func follow(_ journal: JournalStore) throws {
    let last = try journal.head().sequence
    while next.sequence <= last {
      var taken = 0
      var rest: ChangePlace?
      try journal.forEachChangeHead(from: next, through: last) { change in
        if taken == Self.sliceChangeCount {
          rest = change.place
          return false
        }
        taken += 1
        note(change)
        return true
      }
      next = rest ?? ChangePlace(sequence: last + 1)
    }
  }

  private mutating func note(_ change: ChangeHead) {
    changeCount += 1
    kinds[change.kind.rawValue, default: Kind()].note(change, changeCount)
  }

  /// Where the changes of an entity lie, in order; `nil` where it has to be looked for in all of history.
  func places(
    of id: EntityID, _ kind: EntityKind, number: UInt64, in journal: JournalStore
  ) throws -> [ChangePlace]? {
    guard let known = kinds[kind.rawValue], !known.deleted.contains(id) else { return nil }
    var places = known.others(of: number)
    let floor = ChangePlace(sequence: try journal.floor().sequence + 1)
    places.removeAll { $0 < floor }
    guard let (start, end) = known.insertions(around: number), end.map({ $0 > floor }) ?? true
    else { return places }
    try journal.forEachChangeHead(
      from: max(start, floor), through: min(next.sequence - 1, end?.sequence ?? .max)
    ) { change in
      guard change.kind == kind, change.operation == .insert else { return true }
      if change.id == id { places.insert(change.place, at: 0) }
      return change.id != id && change.number < number
    }
    return places
  }
}

extension ChangeIndex.Kind {
  fileprivate mutating func note(_ change: ChangeHead, _ count: Int) {
    if change.operation == .delete { deleted.insert(change.id) }
    guard change.operation == .insert, change.number > greatestNumber else {
      others.append(.init(number: change.number, place: change.place))
      if others.count - sortedCount > ChangeIndex.unsortedCountMax + others.count / 8 { sort() }
      return
    }
    greatestNumber = change.number
    sinceMark += 1
    guard
      insertions.isEmpty || sinceMark >= ChangeIndex.insertionsPerMark
        || count - markedAt >= ChangeIndex.changesPerMark
    else { return }
    insertions.append(.init(number: change.number, place: change.place))
    (sinceMark, markedAt) = (0, count)
  }

  private mutating func sort() {
    others.sort { ($0.number, $0.place) < ($1.number, $1.place) }
    sortedCount = others.count
  }

  /// The changes of an entity that are no insertions in order.
  fileprivate func others(of number: UInt64) -> [ChangePlace] {
    var low = 0
    var high = sortedCount
    while low < high {
      let middle = (low + high) / 2
      if others[middle].number < number { low = middle + 1 } else { high = middle }
    }
    let sorted = others[low..<sortedCount].prefix { $0.number == number }
    let recent = others[sortedCount...].filter { $0.number == number }
    return (sorted + recent).map(\.place)
  }

  /// Between which places the insertion of a number lies; the second is that of a later one.
  fileprivate func insertions(around number: UInt64) -> (ChangePlace, ChangePlace?)? {
    var low = 0
    var high = insertions.count
    while low < high {
      let middle = (low + high) / 2
      if insertions[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    return (insertions[low - 1].place, low < insertions.count ? insertions[low].place : nil)
  }
}
