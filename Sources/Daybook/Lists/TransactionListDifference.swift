/// What became of a list of sections: enough to turn the old list into the new one.
///
/// The rules are those of a batch update of a table view: what is removed, and where something moves
/// from, is said in places of the old list; what is inserted or updated, and where something moves
/// to, in places of the new list.
///
/// Rows of removed sections go, and rows of inserted sections come, with their sections, and are not
/// listed again. A section is known by its day, a row by its transaction. Sections never move: their
/// order is that of their days. A row moves when its transaction is amended to another day while both
/// days stay.
public struct TransactionListDifference: Hashable, Sendable {
  /// Where a row is: which section, and which row of it, both counted from 0.
  public struct Place: Hashable, Comparable, Sendable {
    /// Which section.
    public var section: Int
    /// Which row of the section.
    public var row: Int

    /// A place by its section and row, both counted from 0.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }

    /// Orders places as they stand in the list.
    public static func < (left: Place, right: Place) -> Bool {
      left.section != right.section ? left.section < right.section : left.row < right.row
    }
  }

  /// A row that is elsewhere.
  public struct Move: Hashable, Sendable {
    /// Its place in the old list.
    public var from: Place
    /// Its place in the new list.
    public var to: Place
  }

  /// Sections that are gone with their rows: places in the old list, ascending.
  public private(set) var removedSections: [Int] = []
  /// Sections that are new with their rows: places in the new list, ascending.
  public private(set) var insertedSections: [Int] = []
  /// Sections that stay and have another count or other sums: places in the new list, ascending.
  public private(set) var updatedSections: [Int] = []
  /// Rows that are gone from sections that stay: places in the old list, ascending.
  public private(set) var removedRows: [Place] = []
  /// Rows that are new in sections that stay: places in the new list, ascending.
  public private(set) var insertedRows: [Place] = []
  /// Rows that went from one section that stays to another.
  public private(set) var movedRows: [Move] = []
  /// Rows that stay or move and say something else: places in the new list, ascending.
  public private(set) var updatedRows: [Place] = []

  /// Whether the lists are the same.
  public var isEmpty: Bool {
    removedSections.isEmpty && insertedSections.isEmpty && updatedSections.isEmpty
      && removedRows.isEmpty && insertedRows.isEmpty && movedRows.isEmpty && updatedRows.isEmpty
  }

  /// What turns one list into another.
  ///
  /// Both are as lists are: newest day first, then newest recorded first.
  ///
  /// - Complexity: O(rows of both).
  public init(from old: [TransactionSection], to new: [TransactionSection]) {
    let oldDays = Dictionary(
      old.enumerated().map { ($1.day, $0) }, uniquingKeysWith: { first, _ in first })
    let newDays = Set(new.map(\.day))
    removedSections = old.indices.filter { !newDays.contains(old[$0].day) }
    insertedSections = new.indices.filter { oldDays[new[$0].day] == nil }
    // Rows of the sections that stay. A number is for ever: with another one it is another row.
    var earlier: [RowIdentity: Place] = [:]
    for section in old.indices where newDays.contains(old[section].day) {
      for row in old[section].rows.indices {
        earlier[RowIdentity(old[section].rows[row])] = Place(section: section, row: row)
      }
    }
    for section in new.indices {
      guard let before = oldDays[new[section].day] else { continue }
      if old[before].summary != new[section].summary { updatedSections.append(section) }
      for row in new[section].rows.indices {
        let here = Place(section: section, row: row)
        let fresh = new[section].rows[row]
        guard let there = earlier.removeValue(forKey: RowIdentity(fresh)) else {
          insertedRows.append(here)
          continue
        }
        if there.section != before { movedRows.append(Move(from: there, to: here)) }
        if old[there.section].rows[there.row] != fresh { updatedRows.append(here) }
      }
    }
    removedRows = earlier.values.sorted()
  }
}

/// What a row is known by between two lists.
private struct RowIdentity: Hashable {
  let id: TransactionID
  let number: UInt64

  init(_ row: TransactionRow) {
    id = row.id
    number = row.transaction.number
  }
}
