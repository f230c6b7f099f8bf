import LMDB

/// A disk that is full, or slow, as long as a test says so.
///
/// ```swift
/// let disk = LedgerDisk()
/// var options = Ledger.Options()
/// options.use(disk)
/// let ledger = try await Ledger.open(at: path, options: options)
/// disk.isFull = true
/// // Appending throws the code `full`; reading goes on.
/// ```
public final class LedgerDisk: Sendable {
  let disk = FaultyDisk()

  /// A disk that has room and takes no time.
  public init() {}

  /// Whether there is no room: whatever would be committed is refused with the code `full`, nothing of it is
  /// recorded, and everything can be read.
  ///
  /// The disk becomes full between two commits, never within one.
  public var isFull: Bool {
    get { disk.isFull }
    set { disk.isFull = newValue }
  }

  /// What each flush takes longer: before an append is answered there is at least one.
  ///
  /// At most an hour. A ledger in memory flushes nothing.
  public var flushDelay: Duration {
    get { .microseconds(Int64(disk.flushMicroseconds)) }
    set {
      let microseconds = min(max(newValue, .zero), .seconds(3_600)) / .microseconds(1)
      disk.flushMicroseconds = UInt32(microseconds)
    }
  }
}
