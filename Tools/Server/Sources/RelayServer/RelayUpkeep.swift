import Logging
public import Relay
public import ServiceLifecycle

/// What a relay does by itself while it serves, at each round: deletes invitations whose time is over.
public struct RelayUpkeep: Service {
  let store: any RelayStore
  let options: RelayOptions
  let seconds: Double
  private let logger = Logger(label: "daybook-relay")

  /// Rounds over a store.
  ///
  /// - Parameter seconds: How long to wait from one to the next.
  public init(
    _ store: any RelayStore, options: RelayOptions = RelayOptions(), seconds: Double = 60
  ) {
    self.store = store
    self.options = options
    self.seconds = seconds
  }

  /// Goes round until the relay ends; what fails is logged, and tried again at the next round.
  @concurrent public func run() async {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do { try await goRound() } catch { logger.error("Upkeep: \(error)") }
        do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
      }
    }
  }

  /// One round.
  func goRound() async throws { try await store.expireInvitations(now: options.now()) }
}
