import DaybookEngine
import DaybookEntities
import DaybookProjections

/// Identifies the tables and exclusions from which figures were read.
///
/// Figures aren't shared between tables, because a rebuild may have corrected wrong tables.
struct FigureOrigin: Equatable {
  /// The generation of the views.
  let generation: UInt32
  /// The commit at which the projection's tables were last built.
  private let buildSequence: UInt64?
  /// The accounts and categories that totals leave out.
  private let exclusions: Exclusions?

  init(_ snapshot: borrowing Snapshot, of projection: (some Projection).Type) {
    generation = snapshot.view.generation
    buildSequence = try? snapshot.view.buildSequence(of: projection)
    exclusions = try? snapshot.excludedRows()?.exclusions
  }

  /// Returns whether figures of a commit are of newer views, or of a later commit, than others, which
  /// must not replace them.
  func isNewer(_ token: Token, than other: FigureOrigin, _ otherToken: Token) -> Bool {
    generation > other.generation || self == other && token.sequence > otherToken.sequence
  }
}

extension View {
  /// The maximum number of changes since a commit that caches follow.
  private static let changeCountMax = 1_000

  /// Returns the days of the transactions that have changed since a commit, before and after the
  /// changes.
  ///
  /// - Parameter unrelated: The kinds of entities, other than transactions, whose changes don't
  ///   matter.
  /// - Returns: `nil` if the days can't be determined, or if there were other changes.
  /// - Complexity: O(changes).
  func daysChanged(since token: Token, ignoring unrelated: Set<EntityKind>) -> Set<Day>? {
    // If history can't be read, the caller computes its figures again.
    guard
      let changes = try? changes(
        since: token, of: .transaction, countMax: View.changeCountMax),
      changes.kinds.isSubset(of: unrelated.union([.transaction]))
    else { return nil }
    var days: Set<Day> = []
    for change in changes.entities {
      for record in [change.before, change.after] {
        guard let record else { continue }
        do {
          let bytes = record.bytes
          let figures = try TransactionFigures(bytes.span.bytes)
          days.insert(figures.day)
          if let arrival = try figures.arrival(in: bytes.span.bytes) { days.insert(arrival.day) }
        } catch {
          return nil
        }
      }
    }
    return days
  }
}
