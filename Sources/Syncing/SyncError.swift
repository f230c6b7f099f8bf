import Bookkeeping

/// Why a ledger cannot be brought together with the others, and what to do about it.
///
/// Nothing that was recorded is lost by any of them: recording goes on, and what was recorded is sent once the
/// reason is gone.
public struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, to switch on.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The ledger is not shared: start, or join.
    case notShared
    /// The ledger is shared already.
    case alreadyShared
    /// A ledger that holds something was to join another: the two were never one.
    case notEmpty
    /// Joining was interrupted: join again.
    case incomplete
    /// The pairing code was used, or its ten minutes are over, or nobody has shown it.
    case codeGone
    /// The relay does not answer.
    case unreachable
    /// The relay lets this device in no more, or never did.
    case notAllowed
    /// The relay has no room for more.
    case relayFull
    /// The relay wants to be asked later.
    case busy
    /// The relay, or another device, speaks a version that this one does not.
    case otherVersion
    /// The relay keeps another ledger than this one.
    case otherLedger
    /// The relay's log ends before what was seen of it.
    case rolledBack
    /// The relay's log is not the one that this or another device saw.
    case tampered
    /// What the relay answered makes no sense.
    case malformed
    /// A key is missing here: the device was revoked, or its secrets are gone.
    case missingKey
    /// The device was away for so long that the log has moved on without it.
    case awayTooLong
    /// Another copy of the ledger goes on under this one's name.
    case restoredCopy
    /// The secrets cannot be read or kept.
    case secrets
    /// A device is not known here.
    case unknownDevice
    /// A commit that was recorded here can't be encoded for the others.
    case unsendable
    /// The ledger itself cannot go on.
    case ledger
  }

  /// What went wrong.
  public var code: Code
  /// What, where and why, as a sentence.
  public var message: String
  /// What to do about it, as a sentence.
  public var remedy: String
  /// In how many seconds to try again, where the relay said so.
  public var retryAfter: Int?

  /// An error.
  public init(_ code: Code, _ message: String, remedy: String, retryAfter: Int? = nil) {
    self.code = code
    self.message = message.ended
    self.remedy = remedy.ended
    self.retryAfter = retryAfter
  }

  /// Message and remedy in one line.
  public var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }

  /// The folder was copied by other means than a backup, and both go on.
  static let restoredCopy = SyncError(
    .restoredCopy, "Another copy of this ledger goes on under this one's name.",
    remedy: "Sync again: this one takes a name of its own. If that does not help, join again from "
      + "another device, into a new folder.")

  /// The relay was restored from a copy that is older than what was seen of its log.
  static func restoredRelay(seen: UInt64, head: UInt64) -> SyncError {
    SyncError(
      .rolledBack,
      "The relay was restored from a backup: \(seen) entries of its log were seen here, its log ends at \(head), "
        + "and the two are not one.",
      remedy:
        "Nothing that was recorded here is lost. On the device that has most, `daybook sync leave` and "
        + "`sync start` with a new log of `daybook-relay init`; join it from the others, into new folders."
    )
  }

  /// Whether trying again by itself may help.
  public var passes: Bool {
    switch code {
    case .unreachable, .busy, .relayFull, .malformed: true
    default: false
    }
  }
}
