package import DaybookEntities

/// Acknowledged commits that the journal lacks.
///
/// The views receive only durable commits. If they contain a commit that the journal lacks, an
/// older copy of the journal was put back, or its newest commits were damaged. `CURRENT` records
/// the loss until it is repaired or accepted.
package struct JournalLoss: Hashable, Sendable {
  /// The journal's newest commit when the loss was detected.
  package let newest: UInt64
  /// The newest commit that the views contained at that time.
  package let seen: UInt64
  /// The link of the views' newest commit.
  package let link: Hash256
  /// The generation of the views, which are kept but no longer live.
  package let views: UInt32

  package init(newest: UInt64, seen: UInt64, link: Hash256, views: UInt32) {
    self.newest = newest
    self.seen = seen
    self.link = link
    self.views = views
  }

  /// Parses a loss from its line in `CURRENT`.
  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 4, let newest = UInt64(parts[0]), let seen = UInt64(parts[1]),
      let link = Hash256(parts[2]), let views = UInt32(parts[3]),
      views > 0
    else { return nil }
    self.init(newest: newest, seen: seen, link: link, views: views)
  }

  /// The loss as written in its line in `CURRENT`.
  var text: String { "\(newest) \(seen) \(link) \(views)" }
}

extension JournalStore {
  /// Returns whether the journal lacks a durable commit or has another commit with its sequence.
  ///
  /// - Returns: `false` if the commit may have been purged.
  package func lacks(_ sequence: UInt64, link: Hash256) throws -> Bool {
    if sequence == 0 { return false }
    return try read { view throws in
      let head = try head(view)
      if sequence > head.sequence { return true }
      if try sequence < floor(view).sequence { return false }
      return try self.link(of: sequence, head: head, view).prefix != link.prefix
    }
  }
}
