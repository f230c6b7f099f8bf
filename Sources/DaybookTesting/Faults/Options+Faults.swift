public import Daybook
import LMDB
import Projecting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Ledger.Options {
  /// Opens the ledger by a clock that the test sets.
  public mutating func use(_ clock: LedgerClock) {
    adjust { $0.clock = { clock.microsecondsSince1970 } }
  }

  /// Opens the ledger on a disk that can be full or slow.
  public mutating func use(_ disk: LedgerDisk) {
    adjust { $0.disk = disk.disk }
  }

  /// Sets aside room for a ledger that is soon used up: the code `full` follows, of itself and in the midst of
  /// work.
  ///
  /// - Parameter byteCount: For the journal and for the views each; at least 64 kB.
  public mutating func limitRoom(toByteCount byteCount: Int) {
    adjust { $0.mapByteCount = max(byteCount, 1 << 16) }
  }

  /// Does something whenever the ledger's work comes to a point; the work waits meanwhile.
  ///
  /// What a killed process would leave behind is what the ledger's folder holds then: copy it in `body`. The
  /// ledger itself must not be asked there.
  ///
  /// - Parameter body: Runs on a thread of the ledger.
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

  /// Kills this process with `SIGKILL` when the ledger's work comes to a point: for exit tests.
  ///
  /// ```swift
  /// await #expect(processExitsWith: .signal(SIGKILL)) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - point: Where.
  ///   - count: How often it passes there before.
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

  /// Opens the ledger as if the machine had stopped, and started again, since it was last open.
  ///
  /// Views that were not flushed are built anew, and the newest commits put back from the redo log. The files are
  /// as they were: that a disk loses what was not flushed is not part of it.
  ///
  /// - Parameter run: Which run of the machine it is, of those that a test goes through.
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
