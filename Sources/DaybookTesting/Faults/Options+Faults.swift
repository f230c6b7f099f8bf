public import Daybook
import DaybookEngine
import DaybookLMDB
import DaybookPlatform

extension Ledger.Options {
  /// Makes the ledger use a clock that the test controls.
  public mutating func use(_ clock: LedgerClock) {
    adjust { $0.clock = { clock.microsecondsSince1970 } }
  }

  /// Makes the ledger use a disk that can be full or slow.
  public mutating func use(_ disk: LedgerDisk) {
    adjust { $0.disk = disk.disk }
  }

  /// Limits the ledger's space, so that appends eventually fail with code `full`, possibly in the
  /// middle of an operation.
  ///
  /// - Parameter byteCount: The limit for the journal, and for the views, in bytes; at least 64 kB.
  public mutating func limitRoom(toByteCount byteCount: Int) {
    adjust { $0.mapByteCount = max(byteCount, 1 << 16) }
  }

  /// Calls a closure whenever the ledger reaches a crash point.
  ///
  /// The ledger waits until the closure returns. In the meantime, the ledger's folder is in the
  /// state that a killed process would leave behind, so the closure can copy it. The closure must
  /// not use the ledger.
  ///
  /// - Parameter body: The closure, which is called on a thread of the ledger.
  public mutating func onReaching(
    _ point: CrashPoint, perform body: @escaping @Sendable () -> Void
  ) {
    adjust { engine in
      let before = engine.trace
      engine.trace = { name in
        before?(name)
        if name == point.rawValue { body() }
      }
    }
  }

  /// Kills this process with `SIGKILL` when the ledger reaches a crash point, for exit tests.
  ///
  /// ```swift
  /// await #expect(processExitsWith: .signal(SIGKILL)) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - point: The crash point.
  ///   - count: The number of times that the ledger passes the point before the crash.
  public mutating func crash(at point: CrashPoint, afterPassing count: Int = 0) {
    let left = Lock(count)
    onReaching(point) {
      let isDue = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isDue { kill(getpid(), SIGKILL) }
    }
  }

  /// Opens the ledger as if the machine had been restarted since the ledger was last opened.
  ///
  /// Views that weren't flushed are rebuilt, and the newest commits are restored from the redo log.
  /// The files aren't changed, so this doesn't simulate the loss of unflushed data.
  ///
  /// - Parameter run: The number of the simulated run of the machine.
  public mutating func pretendRestart(_ run: Int = 1) {
    adjust { $0.bootIdentity = "run \(run) of a test" }
  }

  private mutating func adjust(_ change: @escaping @Sendable (inout EventStoreOptions) -> Void) {
    let before = adjustsEngine
    adjustsEngine = { engine in
      before?(&engine)
      change(&engine)
    }
  }
}
