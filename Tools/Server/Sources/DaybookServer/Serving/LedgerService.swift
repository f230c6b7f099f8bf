import Daybook
import Hummingbird
import Moments
import Synchronization

/// The ledger that is served, and what requests share.
final class LedgerService: Sendable {
  let ledger: Ledger
  /// What answers questions about the past.
  let past: PastReader
  let uploads = UploadStore()
  /// Which day it is; the one place where the server looks at a calendar.
  let today: @Sendable () -> Day
  /// How many streams are open.
  let streams = Mutex(0)

  /// So many streams may be open at once.
  static let streamCountMax = 256

  init(
    _ ledger: Ledger, past: PastReader? = nil, today: @escaping @Sendable () -> Day
  ) {
    self.ledger = ledger
    self.past = past ?? PastReader(ledger)
    self.today = today
  }

  /// Refuses a write where the ledger can only be read.
  func checkWriting() throws {
    if let reason = ledger.readOnlyReason { throw reason }
  }
}
