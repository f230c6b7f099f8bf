package import DaybookEntities

/// Acknowledged commits that the journal lacks.
///
/// The views only receive durable commits. If they contain a commit that the journal lacks, an
/// older copy of the journal was put back, or its newest commits were damaged. `CURRENT` notes this
/// until the loss is repaired or accepted.
package struct JournalLoss: Hashable, Sendable {
  /// The journal's newest commit when the loss was noticed.
  package let newest: UInt64
  /// The newest commit that the views contained.
  package let seen: UInt64
  /// The link of that commit.
  package let link: Hash256
  /// The generation of these views, which are kept but no longer live.
  package let views: UInt32

  package init(newest: UInt64, seen: UInt64, link: Hash256, views: UInt32) {
    self.newest = newest
    self.seen = seen
    self.link = link
    self.views = views
  }

  /// Parses the value of the line in `CURRENT`.
  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 4, let newest = UInt64(parts[0]), let seen = UInt64(parts[1]),
      let link = Hash256(parts[2]), let views = UInt32(parts[3]),
      views > 0
    else { return nil }
    self.init(newest: newest, seen: seen, link: link, views: views)
  }

  /// The value of the line in `CURRENT`.
  var text: String { "\(newest) \(seen) \(link) \(views)" }
}

extension JournalStore {
  /// Whether a commit that was durable isn't in the journal, or another one has its sequence.
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
