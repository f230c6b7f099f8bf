internal import Journal
internal import LMDB

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Notices what other processes commit, as long as anybody here listens.
///
/// One thread for each open store, started for the first listener and ended with the last. It waits
/// for the doorbell, and looks at the views' checkpoint now and then in case that was missed. It
/// holds no transaction while it waits.
final class Watcher: Sendable {
  private struct State {
    var listenerCount = 0
    var watch: FolderWatch?
  }

  private let state = Lock(State())
  private let folder: String
  private let isNeeded: Bool
  private let isDeaf: Bool
  private let pollMilliseconds: Int32
  private let bell: Bell

  /// After an event, the thread lets others gather for so long.
  private static let gatheringMicroseconds: UInt32 = 1_000

  init(folder: String, options: EventStoreOptions, bell: Bell) {
    self.folder = folder
    // Nobody else writes in a private folder.
    isNeeded = !options.isEphemeral
    isDeaf = options.isDeafToDoorbell
    pollMilliseconds = Int32(clamping: max(options.pollMilliseconds, 1))
    self.bell = bell
  }

  /// How many listen.
  var listenerCount: Int { state.withLock { $0.listenerCount } }

  /// Whether the thread is wanted.
  var isRunning: Bool { state.withLock { $0.watch != nil } }

  /// One more listens.
  ///
  /// - Parameter look: tells up to where the views are now, or nothing where that is not to be had.
  /// - Throws: ``ProjectingError`` with `limit` where the system has no thread or descriptor left.
  func enter(_ look: @escaping @Sendable () -> Checkpoint?) throws {
    try state.withLock { state in
      if isNeeded, state.watch == nil { state.watch = try start(look) }
      state.listenerCount += 1
    }
  }

  private func start(_ look: @escaping @Sendable () -> Checkpoint?) throws -> FolderWatch {
    guard let watch = FolderWatch(folder: folder, isDeaf: isDeaf) else {
      throw ProjectingError(
        .limit, "The system refused a file descriptor for watching. Close what is not needed.")
    }
    let (bell, pollMilliseconds) = (bell, pollMilliseconds)
    try startThread {
      while watch.wait(milliseconds: pollMilliseconds) == .look {
        bell.ring(at: look())
        usleep(Watcher.gatheringMicroseconds)
      }
    }
    return watch
  }

  /// One fewer listens.
  func leave() {
    state.withLock { state in
      state.listenerCount -= 1
      guard state.listenerCount == 0 else { return }
      state.watch?.stop()
      state.watch = nil
    }
  }
}

/// Somebody who wants to hear of commits, from when it is made until it is let go of.
final class Listener: Sendable {
  private let store: EventStore

  init(_ store: EventStore) throws {
    try store.watcher.enter { [weak store] in try? store?.checkpoint() }
    self.store = store
  }

  deinit { store.watcher.leave() }
}
