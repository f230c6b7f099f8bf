import Daybook
import Hummingbird
import Moments
import Synchronization

/// The served ledger, and the state that requests share.
final class LedgerService: Sendable {
  let ledger: Ledger
  /// The reader for past states of the ledger.
  let past: PastReader
  let uploads = UploadStore()
  /// Returns the current day; the server doesn't read the current day anywhere else.
  let today: @Sendable () -> Day
  /// The number of open streams.
  let streams = Mutex(0)

  /// The maximum number of streams open at once.
  static let streamCountMax = 256

  init(
    _ ledger: Ledger, past: PastReader? = nil, today: @escaping @Sendable () -> Day
  ) {
    self.ledger = ledger
    self.past = past ?? PastReader(ledger)
    self.today = today
  }

  /// Throws the reason why the ledger is read-only, if it is.
  func checkWriting() throws {
    if let reason = ledger.readOnlyReason { throw reason }
  }
}
