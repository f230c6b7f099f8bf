import DaybookEngine
import DaybookLMDB
import DaybookProjections

/// Caches figures that are computed from all transactions of some days, between snapshots.
///
/// The cache doesn't need to be notified of commits. A snapshot of a later commit finds the changed
/// days in the journal, and discards the figures of these days.
final class FigureCache: Sendable {
  /// Identifies a figure.
  ///
  /// Besides the transactions of its days, a figure can depend on the accounts, categories, rates
  /// and settings as of the commit.
  struct Key: Hashable, Sendable {
    /// What the figure is about.
    enum Subject: Hashable, Sendable {
      case payees, tags, duplicates, transfers, totals, envelopes
      /// What each category has, or each with its subcategories.
      case categories(CategoryKind, rollUp: Bool)
      /// What a category has, with or without its subcategories.
      case category(CategoryID, includingSubcategories: Bool)
      /// What a card paid.
      case card(AccountID)
      /// What an account outside the budget paid.
      case outside(AccountID)
    }

    var subject: Subject
    /// The days of the transactions on which the figure depends.
    var days: Range<Day>
    var base: Currency?
  }

  private struct Entry {
    var token: Token
    let origin: FigureOrigin
    var figures: [Key: any Sendable] = [:]
  }

  private let entry = Lock<Entry?>(nil)

  /// The maximum number of figures to keep: a few reports by month, of several years.
  private static let countMax = 2_000

  /// The kinds of entities on which no figure depends.
  private static let unrelated: Set<EntityKind> = [
    .budget, .series, .rule, .assertion, .fingerprint, .mapping, .allocation, .terms,
  ]

  /// Returns a figure as of a snapshot's commit, computing it if it isn't known.
  ///
  /// - Parameters:
  ///   - noteReading: Informs observers of what is read of transactions to compute the figure.
  ///   - compute: Computes the figure.
  func figure<Figure: Sendable>(
    _ key: Key, in snapshot: borrowing Snapshot,
    noting noteReading: (borrowing View) throws -> Void = {
      $0.noteReading(EntityKind.transaction)
    },
    _ compute: () throws -> Figure
  ) throws -> Figure {
    // The figure may be known already.
    try noteReading(snapshot.view)
    for kind in [EntityKind.account, .category, .rate, .settings] {
      snapshot.view.noteReading(kind)
    }
    let known = current(in: snapshot)
    if let figure = known?.figures[key] as? Figure { return figure }
    let figure = try compute()
    entry.withLock { entry in
      guard let known, entry?.token == known.token, entry?.origin == known.origin else { return }
      if known.figures.count >= Self.countMax { entry?.figures.removeAll() }
      entry?.figures[key] = figure
    }
    return figure
  }

  // The entry as of a snapshot's commit, or `nil` if the cached entry is of a later commit.
  private func current(in snapshot: borrowing Snapshot) -> Entry? {
    let token = snapshot.view.untrackedToken
    var fresh = Entry(
      token: token, origin: FigureOrigin(snapshot, of: Transactions.self))
    if let known = entry.withLock({ $0 }), known.origin == fresh.origin {
      if known.token == token { return known }
      if known.token.sequence > token.sequence { return nil }
      let changed = snapshot.view.daysChanged(since: known.token, ignoring: Self.unrelated)
      if let changed {
        fresh.figures = known.figures.filter { key, _ in !changed.contains { key.days.contains($0) }
        }
      }
    }
    let entry = fresh
    self.entry.withLock { present in
      if let present, present.origin.isNewer(present.token, than: entry.origin, token) { return }
      present = entry
    }
    return entry
  }
}
