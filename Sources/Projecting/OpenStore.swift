internal import Journal
internal import LMDB

/// A journal and the views over it, opened from one reading of `CURRENT`.
///
/// Readers keep the object while they read, so a generation that was replaced stays until its last
/// reader has gone.
final class OpenStore: Sendable {
  let journal: JournalStore
  let views: ViewsStore
  let stamp: CurrentStamp?

  init(journal: JournalStore, views: ViewsStore, stamp: CurrentStamp?) {
    self.journal = journal
    self.views = views
    self.stamp = stamp
  }
}

extension EventStoreOptions {
  /// How the environments of a store are opened.
  func environmentOptions(_ durability: EnvironmentOptions.Durability) -> EnvironmentOptions {
    var environment = EnvironmentOptions()
    if let mapByteCount { environment.mapByteCount = mapByteCount }
    environment.durability = isEphemeral ? .deferred : durability
    return environment
  }
}
