import Daybook
import Foundation
import SyncWire

extension LedgerSync {
  /// Keeps the ledger together with the others until the task is cancelled: sends what is recorded here as soon as
  /// it is, and takes what others record as soon as the relay tells of it.
  ///
  /// Where something is in the way it waits, longer each time up to a minute, and tries again; ``SyncState/problem``
  /// says what it is. What trying again cannot mend ends it.
  ///
  /// - Throws: ``SyncError`` that does not pass by itself; `CancellationError`.
  public func run() async throws {
    var delay = Self.firstDelay
    while true {
      var isListening = false
      do {
        // What is recorded from here on, listening tells of.
        let token = try ledger.token
        try await exchange()
        delay = Self.firstDelay
        board.change { $0.activity = .listening }
        isListening = true
        try await listen(after: token)
      } catch let error as SyncError where error.code == .restoredCopy && isListening {
        // Another copy goes on under this one's name: the next exchange takes another.
      } catch let error as SyncError where error.passes {
        let seconds = error.retryAfter.map { max(Double($0), delay) } ?? delay
        board.change {
          $0.activity = .waiting
          $0.problem = error
        }
        // Not all devices come back at the same moment.
        try await Task.sleep(for: .seconds(seconds * Double.random(in: 0.75...1.25)))
        delay = min(delay * 2, Self.lastDelay)
      }
    }
  }

  private static let firstDelay = 0.5
  private static let lastDelay = 60.0

  /// Exchanges whenever somebody records something, here or elsewhere.
  ///
  /// - Throws: what an exchange throws, once; then nobody listens any more.
  private func listen(after token: Token) async throws {
    let exchange = try await connected()
    let (calls, caller) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        while true {
          if try await translated({ try await exchange.ring() }) {
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
      // The ledger was closed, or one of them failed.
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
