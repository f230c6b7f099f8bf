import Daybook
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SyncError {
  /// Turns an error of a lower layer into a ``SyncError``.
  ///
  /// Cancellations and unknown errors are returned unchanged.
  ///
  /// - Parameters:
  ///   - relay: The address of the relay, if one was contacted.
  ///   - isPairing: Whether a person has just entered the relay's address, and nothing is shared
  ///     through this relay yet.
  static func wrapping(
    _ error: any Error, at relay: String? = nil, isPairing: Bool = false
  ) -> any Error {
    let place = relay.map { "The relay at \($0)" } ?? "The relay"
    return switch error {
    case is SyncError, is CancellationError: error
    case let refusal as RelayRefusal: SyncError(refusal, place)
    case let fault as WireError: SyncError(fault)
    case let fault as ProofFault: SyncError(fault)
    case let fault as FoldFault: SyncError(fault)
    case let fault as ReplicaFault: SyncError(fault)
    case let error as URLError where error.code == .cancelled: CancellationError()
    case let error as URLError:
      SyncError(
        .unreachable, "\(place) doesn't respond: \(error.localizedDescription)",
        remedy: "Check the address and the network"
          + (isPairing ? ", then try again." : ". You can keep recording; changes are sent later."))
    default:
      if let known = DaybookError.translating(error) as? DaybookError {
        SyncError(
          known.code == .suspended ? .suspended : .ledger, known.message, remedy: known.remedy)
      } else {
        error
      }
    }
  }

  private init(_ refusal: RelayRefusal, _ place: String) {
    let code: Code
    let remedy: String
    switch refusal.code {
    case .unauthorized:
      self = .unknownToken(place)
      return
    case .wrongReplica:
      (code, remedy) = (
        .notAllowed,
        "Show a code on another device (`daybook sync invite`), and join on this device into a new "
          + "folder."
      )
    case .noLedger:
      (code, remedy) = (
        .notAllowed,
        "Ask the relay's operator to create a log for this ledger. If the relay has a new address, "
          + "run `daybook sync relay ADDRESS`."
      )
    case .gap, .malformed, .beyondHead, .notFound:
      (code, remedy) = (
        .malformed, "Try again. If the problem persists, contact the relay's operator."
      )
    case .numberReused:
      self = .restoredCopy
      return
    case .baseBeyondHead:
      (code, remedy) = (.rolledBack, SyncError.newLog)
    case .baseBelowFloor, .trimmed:
      (code, remedy) = (
        .awayTooLong,
        "Try again. If the problem persists, run `daybook sync` on another device first."
      )
    case .overQuota, .full:
      (code, remedy) = (.relayFull, "Ask the relay's operator for more space.")
    case .tooLarge:
      (code, remedy) = (.malformed, "Divide the changes into several commits.")
    case .tooMany, .unavailable:
      (code, remedy) = (.busy, "Try again in a moment; `daybook sync watch` retries automatically.")
    case .otherVersion:
      (code, remedy) = (.otherVersion, "Update Daybook on this device, or the relay.")
    }
    self.init(
      code, "\(place) refused: \(refusal.message)", remedy: remedy, retryAfter: refusal.retryAfter)
  }

  /// Returns the error for a relay that doesn't accept this device: the device was revoked, the
  /// address is another relay's, or the relay has lost its log.
  private static func unknownToken(_ place: String) -> SyncError {
    SyncError(
      .notAllowed, "\(place) doesn't accept this device: its token is wrong, or was revoked.",
      remedy:
        "Check the address with `daybook sync relay`. If this device was revoked, show a code on "
        + "another one with `daybook sync invite`, and join on this device into a new folder. If "
        + "the relay accepts none of the devices, create a new log with `daybook-relay init`; "
        + "then, on the device with the most data, run `daybook sync leave` and `daybook sync "
        + "start`."
    )
  }

  private init(_ fault: WireError) {
    switch fault.code {
    case .unknownVersion:
      self.init(
        .otherVersion, "The relay or another device uses a different version: \(fault.message).",
        remedy: "Update Daybook on all devices.")
    case .missingKey:
      self.init(
        .missingKey, "This device can't read the other devices' changes: \(fault.message).",
        remedy:
          "This device was revoked. Join again with a code from another device, into a new folder.")
    case .notAuthentic:
      self.init(
        .tampered,
        "An entry of the relay's log was changed after a device wrote it: \(fault.message).",
        remedy: SyncError.suspectLog)
    case .tooLarge:
      self.init(
        .malformed, "A change is too large to send: \(fault.message).",
        remedy: "Divide the changes into several commits.")
    default:
      self.init(
        .malformed, "Couldn't read the relay's response: \(fault).",
        remedy: "Daybook retries automatically. If the problem persists, check the relay's address."
      )
    }
  }

  private init(_ fault: ProofFault) {
    if case .rolledBack(let seen, let head) = fault {
      self.init(
        .rolledBack,
        "The relay's log ends at entry \(head), but this device has seen \(seen) entries: the "
          + "relay was emptied, or restored from an older copy.",
        remedy: SyncError.newLog)
    } else {
      self.init(
        .tampered, "The relay's log can't be trusted: \(fault).", remedy: SyncError.suspectLog)
    }
  }

  private init(_ fault: FoldFault) {
    self.init(
      .otherVersion, "Couldn't apply an entry of the log: \(fault).",
      remedy: "Update Daybook on this device. You can keep recording in the meantime.")
  }

  private init(_ fault: ReplicaFault) {
    switch fault {
    case .notShared:
      self.init(
        .notShared, "This ledger isn't shared.",
        remedy: "Share it with `daybook sync start`, or join another device's ledger with "
          + "`daybook sync join`.")
    case .incomplete:
      self.init(
        .incomplete, "This copy of the ledger is incomplete: joining was interrupted.",
        remedy: "Join again with `daybook sync join`.")
    case .notEmpty:
      self.init(
        .notEmpty, "Couldn't join: this ledger has data of its own, or is already shared.",
        remedy: "Join with a new ledger.")
    case .unknownOwnCommit: self = .restoredCopy
    }
  }
}
