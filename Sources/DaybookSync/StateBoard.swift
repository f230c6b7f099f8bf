import Synchronization

/// The sync state of a shared ledger, and its observers.
final class StateBoard: Sendable {
  private struct Content {
    var state = SyncState()
    var watchers: [Int: AsyncStream<SyncState>.Continuation] = [:]
    var next = 0
  }

  private let content = Mutex(Content())

  var state: SyncState { content.withLock { $0.state } }

  /// Changes the state, and notifies observers if the new state differs.
  func change(_ body: @Sendable (inout SyncState) -> Void) {
    content.withLock { content in
      let before = content.state
      body(&content.state)
      guard content.state != before else { return }
      for watcher in content.watchers.values { watcher.yield(content.state) }
    }
  }

  func states() -> AsyncStream<SyncState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncState.self, bufferingPolicy: .bufferingNewest(1))
    content.withLock { content in
      let number = content.next
      content.next += 1
      content.watchers[number] = continuation
      continuation.yield(content.state)
      continuation.onTermination = { [weak self] _ in
        self?.content.withLock { $0.watchers[number] = nil }
      }
    }
    return stream
  }
}
