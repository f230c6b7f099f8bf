import Daybook
import DaybookSyncWire
import Foundation

extension LedgerSync {
  /// Syncs until the task is cancelled.
  ///
  /// It sends local changes as soon as they are recorded, and pulls other devices' changes as soon
  /// as the relay announces them.
  ///
  /// While the ledger is suspended, this method waits. After a temporary error, it waits and retries.
  /// The delay doubles each time, up to a minute, and ``SyncState/problem`` contains the error. Any
  /// other error ends the method.
  ///
  /// - Throws: ``SyncError`` if retrying can't help; `CancellationError`.
  public func run() async throws {
    var delay = Self.firstDelay
    while true {
      var isListening = false
      do {
        // Read the token before the exchange, so that listening covers all commits after it.
        let token = try await translated { try ledger.token }
        try await exchange()
        delay = Self.firstDelay
        board.change { $0.activity = .listening }
        isListening = true
        try await listen(after: token)
      } catch let error as SyncError where error.code == .restoredCopy && isListening {
        // Another copy records under this replica's name. The next exchange sets a new name.
      } catch let error as SyncError where error.code == .suspended {
        board.change { $0.activity = .waiting }
        guard await ledger.store.waitWhileSuspended() else {
          try Task.checkCancellation()
          throw error
        }
      } catch let error as SyncError where error.passes {
        let seconds = error.retryAfter.map { max(Double($0), delay) } ?? delay
        board.change {
          $0.activity = .waiting
          $0.problem = error
        }
        // Spread the retries, so that not all devices return at the same moment.
        try await Task.sleep(for: .seconds(seconds * Double.random(in: 0.75...1.25)))
        delay = min(delay * 2, Self.lastDelay)
      }
    }
  }

  private static let firstDelay = 0.5
  private static let lastDelay = 60.0

  /// Exchanges whenever this or another device records changes.
  ///
  /// - Throws: The first error of an exchange, after listening has stopped.
  private func listen(after token: Token) async throws {
    let exchange = try await connected()
    let (calls, caller) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        while true {
          if try await translated({ try await exchange.waitForEntries() }) {
            try await exchangeAgain(exchange)
          }
          try Task.checkCancellation()
        }
      }
      group.addTask { [self] in
        try await translated {
          for try await entry in ledger.changes(after: token)
          where entry.header.replica == exchange.own {
            caller.yield()
          }
        }
      }
      group.addTask { [self] in
        for await _ in calls { try await exchangeAgain(exchange) }
      }
      // The ledger was closed, or one of the tasks failed.
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func exchangeAgain(_ exchange: Exchange) async throws {
    let found = try await standing(exchange) { try await $0.exchangeAgain() }
    let time = options.now()
    board.change { state in
      state.exchanged = time
      found.apply(to: &state)
    }
  }
}
