import DaybookBookkeeping

/// The reason why a ledger couldn't be synced, and the remedy.
///
/// No sync error loses recorded data. Recording continues, and unsent changes are sent once the
/// problem is solved.
public struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A code for the reason, to switch on.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The ledger isn't shared: start sharing, or join.
    case notShared
    /// The ledger is already shared.
    case alreadyShared
    /// The ledger isn't empty, so it can't join another ledger.
    case notEmpty
    /// Joining was interrupted: join again.
    case incomplete
    /// The pairing code was used already, has expired (after ten minutes), or never existed.
    case codeGone
    /// The relay doesn't respond.
    case unreachable
    /// The relay has revoked this device, or never accepted it.
    case notAllowed
    /// The relay has no space left.
    case relayFull
    /// The relay asked this device to try again later.
    case busy
    /// The relay or another device uses a version that this device doesn't support.
    case otherVersion
    /// The relay has the log of another ledger.
    case otherLedger
    /// The relay's log ends before a position that this device has already seen.
    case rolledBack
    /// The relay's log differs from the log that this device or another one saw.
    case tampered
    /// The relay's response is invalid.
    case malformed
    /// A key is missing: the device was revoked, or its secrets are lost.
    case missingKey
    /// The device was offline for longer than the log is kept.
    case awayTooLong
    /// Another copy of the ledger is recording under this replica's name.
    case restoredCopy
    /// The secrets couldn't be read or saved.
    case secrets
    /// There is no such device.
    case unknownDevice
    /// A commit of this device can't be encoded for other devices.
    case unsendable
    /// The ledger is suspended; syncing continues when it is resumed.
    case suspended
    /// Reading or writing the ledger failed.
    case ledger
  }

  /// The reason.
  public var code: Code
  /// A sentence that states what failed, where and why.
  public var message: String
  /// The remedy, as a sentence.
  public var remedy: String
  /// The number of seconds after which to retry, if the relay specified it.
  public var retryAfter: Int?

  /// Creates an error.
  public init(_ code: Code, _ message: String, remedy: String, retryAfter: Int? = nil) {
    self.code = code
    self.message = message.ended
    self.remedy = remedy.ended
    self.retryAfter = retryAfter
  }

  /// The message and the remedy in one line.
  public var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }

  /// The error for a ledger whose folder was copied without making a backup, if both copies are in
  /// use.
  static let restoredCopy = SyncError(
    .restoredCopy,
    "Couldn't sync: another copy of this ledger is recording under this device's name.",
    remedy:
      "Sync again; this copy then gets a name of its own. If that doesn't help, join again with a "
      + "code from another device, into a new folder."
  )

  /// Returns the error for a relay that was restored from a copy older than the log seen before.
  static func restoredRelay(seen: UInt64, head: UInt64) -> SyncError {
    SyncError(
      .rolledBack,
      "The relay was restored from a backup: this device has seen \(seen) entries of its log, but "
        + "the log now ends at \(head) and differs.",
      remedy: newLog)
  }

  /// The remedy if the relay's log can no longer be used; see `Docs/Sync.md`, “After a restore”.
  static let newLog =
    "Nothing recorded on this device is lost. Create a new log with `daybook-relay init`. On the "
    + "device with the most data, run `daybook sync leave` and `daybook sync start`, and join from "
    + "the other devices into new folders."

  /// The remedy if the relay's log was altered, or restored without the relay noticing.
  static let suspectLog =
    "Ask the relay's operator whether it was restored or its files were changed, and don't use it "
    + "until that is known. \(newLog)"

  /// Whether an automatic retry may succeed.
  public var passes: Bool {
    switch code {
    case .unreachable, .busy, .relayFull, .malformed, .suspended: true
    default: false
    }
  }
}
