internal import DaybookEntities
internal import DaybookJournal

/// An index that locates each entity's changes in the journal without reading all of history.
///
/// The index is built in one pass over history when it is first needed, and is updated with new
/// commits after that. To keep it small, it stores only one in 64 insertions. The insertions of a
/// kind have ascending numbers, so an insertion that isn't stored is found by scanning forward from
/// the last stored insertion before it.
struct ChangeIndex {
  /// The place of a change, and its entity's recording number.
  fileprivate struct Mark {
    var number: UInt64
    var place: ChangePlace
  }

  /// The index of one kind.
  fileprivate struct Kind {
    /// The stored insertions, in ascending order of numbers.
    var insertions: [Mark] = []
    var greatestNumber: UInt64 = 0
    var sinceMark = 0
    /// The number of changes, over all kinds, when the last insertion was stored.
    var markedAt = 0
    /// All changes other than insertions; the first `sortedCount` are sorted by number and place,
    /// and the rest are in order of arrival.
    var others: [Mark] = []
    var sortedCount = 0
    /// The deleted entities, whose ids may be reused with other numbers.
    var deleted: Set<EntityID> = []
  }

  private var kinds: [UInt8: Kind] = [:]
  /// The path of the journal's files, because places are valid only in these files.
  private let path: String
  /// The place of the next change to read.
  private var next: ChangePlace
  private var changeCount = 0

  /// Only one in this many insertions is stored.
  fileprivate static let insertionsPerMark = 64
  /// The number of changes after which the next insertion is always stored.
  fileprivate static let changesPerMark = 1_024
  /// The maximum number of changes read in one transaction.
  private static let sliceChangeCount = 1 << 18
  /// `others` is sorted again when more than this many of its changes, plus an eighth of all of
  /// them, are unsorted.
  fileprivate static let unsortedCountMax = 1_024

  init(_ journal: JournalStore) throws {
    path = journal.path
    next = ChangePlace(sequence: try journal.floor().sequence + 1)
  }

  /// Returns whether the index's places are valid in the given journal.
  func isOf(_ journal: JournalStore) throws -> Bool {
    let floor = try journal.floor().sequence
    return path == journal.path && next.sequence > floor
  }

  /// Adds all changes up to the journal's newest commit.
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

  /// Returns the places of an entity's changes, in order, or `nil` if all of history must be
  /// searched.
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

  /// Returns the places of an entity's changes other than insertions in ascending order.
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

  /// Returns the places of the last stored insertion at or before `number` and of the first one
  /// after it, if any.
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
