import Logging
import Relay
import ServiceLifecycle

/// A relay's periodic maintenance: deletes expired invitations, and entries below the floor.
struct RelayUpkeep: Service {
  private let store: any RelayStore
  private let metrics: RelayMetrics
  private let options: RelayOptions
  private let logger = Logger(label: "daybook-relay")

  /// The maximum number of entries deleted in one commit, so that pushes don't wait long.
  private static let sliceEntryCount = 256

  init(_ store: any RelayStore, _ metrics: RelayMetrics, _ options: RelayOptions) {
    self.store = store
    self.metrics = metrics
    self.options = options
  }

  /// Runs maintenance periodically until the relay stops.
  ///
  /// Errors are logged, and the next round tries again.
  @concurrent func run() async {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do { try await goRound() } catch { logger.error("Upkeep: \(error)") }
        do { try await Task.sleep(for: .seconds(options.upkeepSeconds)) } catch { return }
      }
    }
  }

  /// Runs maintenance once.
  func goRound() async throws {
    try await store.expireInvitations(now: options.now())
    for ledger in try await store.trimmable() {
      while !Task.isCancelled {
        let count = try await store.trim(ledger, entryCountMax: Self.sliceEntryCount)
        metrics.count(.trimmedEntries, count)
        if count == 0 { break }
      }
    }
  }
}
