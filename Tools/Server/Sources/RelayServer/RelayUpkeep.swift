import Logging
import Relay
import ServiceLifecycle

/// What a relay does by itself while it serves, at each round: deletes invitations whose time is over, and lets go of
/// entries below the floor.
struct RelayUpkeep: Service {
  private let store: any RelayStore
  private let metrics: RelayMetrics
  private let options: RelayOptions
  private let logger = Logger(label: "daybook-relay")

  /// How many entries are let go of in one commit: pushes wait for no more than that.
  private static let sliceEntryCount = 256

  init(_ store: any RelayStore, _ metrics: RelayMetrics, _ options: RelayOptions) {
    self.store = store
    self.metrics = metrics
    self.options = options
  }

  /// Goes round until the relay ends; what fails is logged, and tried again at the next round.
  @concurrent func run() async {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do { try await goRound() } catch { logger.error("Upkeep: \(error)") }
        do { try await Task.sleep(for: .seconds(options.upkeepSeconds)) } catch { return }
      }
    }
  }

  /// One round.
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
