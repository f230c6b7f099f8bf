internal import DaybookJournal
internal import DaybookLMDB
internal import DaybookPlatform

/// Watches for commits of other processes while this process has listeners.
///
/// Each open store has at most one watching thread, which runs only while there is a listener. The
/// thread waits for changes to the file `DOORBELL`. It also polls the views' checkpoint, in case a
/// notification was lost. It holds no transaction while it waits.
final class Watcher: Sendable {
  private struct State {
    var listenerCount = 0
    var watch: FolderWatch?
    /// Whether the thread must not run because the store is suspended.
    var isSuspended = false
    /// The closure of the first listener, for starting the thread again.
    var look: (@Sendable () -> Checkpoint?)?
  }

  private let state = Lock(State())
  /// Locked while the thread ends.
  private let ending = Monitor()
  /// The number of threads that have not released their descriptors yet.
  private let threadCount = Lock(0)
  private let folder: String
  private let isNeeded: Bool
  private let isDeaf: Bool
  private let pollMilliseconds: Int32
  private let bell: Bell

  /// The time that the thread waits after an event, so that several events become one notification.
  private static let gatheringMicroseconds: UInt32 = 1_000

  init(folder: String, options: EventStoreOptions, bell: Bell) {
    self.folder = folder
    // No other process writes to a private folder.
    isNeeded = !options.isEphemeral
    isDeaf = options.ignoresDoorbell
    pollMilliseconds = Int32(clamping: max(options.pollMilliseconds, 1))
    self.bell = bell
  }

  /// The number of listeners.
  var listenerCount: Int { state.withLock { $0.listenerCount } }

  /// Whether the thread is running.
  var isRunning: Bool { state.withLock { $0.watch != nil } }

  /// Adds a listener, starting the thread for the first one.
  ///
  /// - Parameter look: Returns the checkpoint of the views, or `nil` if it cannot be read.
  /// - Throws: ``ProjectingError`` with `limit` if the system has no thread or descriptor left.
  func enter(_ look: @escaping @Sendable () -> Checkpoint?) throws {
    try state.withLock { state in
      state.look = look
      if isNeeded, state.watch == nil, !state.isSuspended { state.watch = try start(look) }
      state.listenerCount += 1
    }
  }

  private func start(_ look: @escaping @Sendable () -> Checkpoint?) throws -> FolderWatch {
    guard let watch = FolderWatch(folder: folder, isDeaf: isDeaf) else {
      throw ProjectingError(
        .limit, "There is no file descriptor left for watching. Close unneeded files.")
    }
    // Emptied when the thread ends, because the thread's closure may be released later.
    let kept = Lock<FolderWatch?>(watch)
    let (bell, pollMilliseconds, threadCount, ending) = (
      bell, pollMilliseconds, threadCount, ending
    )
    try startThread {
      while let watch = kept.withLock({ $0 }),
        watch.wait(milliseconds: pollMilliseconds) == .look
      {
        bell.ring(at: look())
        usleep(Watcher.gatheringMicroseconds)
      }
      kept.withLock { $0 = nil }
      ending.locked { threadCount.withLock { $0 -= 1 } }
      ending.wakeAll(.progress)
    }
    // Counted only now, because a thread that could not be started never ends. The caller holds the
    // lock of the state, so `suspend` can't wait in between.
    threadCount.withLock { $0 += 1 }
    return watch
  }

  /// Stops the thread and waits until it has closed its descriptors; listeners stay registered.
  func suspend() {
    state.withLock { state in
      state.isSuspended = true
      state.watch?.stop()
      state.watch = nil
    }
    ending.locked {
      while threadCount.withLock({ $0 > 0 }) { ending.wait(for: .progress) }
    }
  }

  /// Starts the thread again if there are listeners.
  func resume() throws {
    try state.withLock { state in
      if isNeeded, state.listenerCount > 0, state.watch == nil, let look = state.look {
        state.watch = try start(look)
      }
      state.isSuspended = false
    }
  }

  /// Removes a listener, stopping the thread after the last one.
  func leave() {
    state.withLock { state in
      state.listenerCount -= 1
      guard state.listenerCount == 0 else { return }
      state.watch?.stop()
      state.watch = nil
      state.look = nil
    }
  }
}

/// Registers a listener with the watcher until this object is deallocated.
final class Listener: Sendable {
  private let store: EventStore

  init(_ store: EventStore) throws {
    try store.watcher.enter { [weak store] in try? store?.checkpoint() }
    self.store = store
  }

  deinit { store.watcher.leave() }
}
