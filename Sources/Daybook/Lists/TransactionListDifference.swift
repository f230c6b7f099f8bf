/// The changes between two versions of a list of sections.
///
/// The indices follow the rules of a table view's batch update. Removals, and the origins of moves,
/// are places in the old list. Insertions, updates, and the destinations of moves are places in the
/// new list.
///
/// Rows of removed and inserted sections are not listed separately. A section is identified by its
/// day, a row by its transaction. Sections never move, because they are ordered by day. A row moves
/// if its transaction is amended to another day and both days are in both lists.
public struct TransactionListDifference: Hashable, Sendable {
  /// The place of a row: its section and its index in the section, both counted from 0.
  public struct Place: Hashable, Comparable, Sendable {
    /// The index of the section.
    public var section: Int
    /// The index of the row in the section.
    public var row: Int

    /// Creates a place from a section and a row, both counted from 0.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }

    /// Orders places as in the list.
    public static func < (left: Place, right: Place) -> Bool {
      left.section != right.section ? left.section < right.section : left.row < right.row
    }
  }

  /// A row that moved to another section.
  public struct Move: Hashable, Sendable {
    /// The row's place in the old list.
    public var from: Place
    /// The row's place in the new list.
    public var to: Place
  }

  /// The removed sections, including their rows, as ascending places in the old list.
  public private(set) var removedSections: [Int] = []
  /// The inserted sections, including their rows, as ascending places in the new list.
  public private(set) var insertedSections: [Int] = []
  /// The remaining sections with a changed count or changed sums, as ascending places in the new
  /// list.
  public private(set) var updatedSections: [Int] = []
  /// The rows removed from remaining sections, as ascending places in the old list.
  public private(set) var removedRows: [Place] = []
  /// The rows inserted into remaining sections, as ascending places in the new list.
  public private(set) var insertedRows: [Place] = []
  /// The rows that moved from one remaining section to another.
  public private(set) var movedRows: [Move] = []
  /// The remaining or moved rows with changed content, as ascending places in the new list.
  public private(set) var updatedRows: [Place] = []

  /// Whether there are no changes.
  public var isEmpty: Bool {
    removedSections.isEmpty && insertedSections.isEmpty && updatedSections.isEmpty
      && removedRows.isEmpty && insertedRows.isEmpty && movedRows.isEmpty && updatedRows.isEmpty
  }

  /// Computes the changes between two versions of a list.
  ///
  /// Both versions are ordered by newest day, then by newest recorded.
  ///
  /// - Complexity: O(rows of both versions).
  public init(from old: [TransactionSection], to new: [TransactionSection]) {
    let oldDays = Dictionary(
      old.enumerated().map { ($1.day, $0) }, uniquingKeysWith: { first, _ in first })
    let newDays = Set(new.map(\.day))
    removedSections = old.indices.filter { !newDays.contains(old[$0].day) }
    insertedSections = new.indices.filter { oldDays[new[$0].day] == nil }
    // The rows of the remaining sections. Recording numbers never change, so a row with another
    // number is a different row.
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

/// The identity of a row, which is the same in both lists.
private struct RowIdentity: Hashable {
  let id: TransactionID
  let number: UInt64

  init(_ row: TransactionRow) {
    id = row.id
    number = row.transaction.number
  }
}
