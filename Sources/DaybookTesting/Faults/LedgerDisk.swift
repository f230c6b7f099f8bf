import DaybookLMDB

/// A disk that a test can make full or slow.
///
/// ```swift
/// let disk = LedgerDisk()
/// var options = Ledger.Options()
/// options.use(disk)
/// let ledger = try await Ledger.open(at: path, options: options)
/// disk.isFull = true
/// // Appending throws the code `full`; reading still works.
/// ```
public final class LedgerDisk: Sendable {
  let disk = FaultyDisk()

  /// Creates a disk with free space and without delays.
  public init() {}

  /// Whether the disk is full.
  ///
  /// While the disk is full, commits fail with code `full` and record nothing, but reading still
  /// works. The disk becomes full between two commits, never during one.
  public var isFull: Bool {
    get { disk.isFull }
    set { disk.isFull = newValue }
  }

  /// The additional duration of each flush, clamped to one hour.
  ///
  /// Each append waits for at least one flush. An in-memory ledger doesn't flush.
  public var flushDelay: Duration {
    get { .microseconds(Int64(disk.flushMicroseconds)) }
    set {
      let microseconds = min(max(newValue, .zero), .seconds(3_600)) / .microseconds(1)
      disk.flushMicroseconds = UInt32(microseconds)
    }
  }
}
