import Daybook
import Foundation
import Merging
import Replicas
import SyncWire

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
  ///   - isPairing: Whether a person has just entered that address, and nothing is shared through
  ///     it yet.
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
        .unreachable, "\(place) does not answer: \(error.localizedDescription)",
        remedy: "Check the address and the network"
          + (isPairing ? ", then try again." : ". You can go on recording: it is sent later."))
    default:
      if let known = DaybookError.translating(error) as? DaybookError {
        SyncError(.ledger, known.message, remedy: known.remedy)
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
        "Show a code on another device (`daybook sync invite`), and join here into a new folder."
      )
    case .noLedger:
      (code, remedy) = (
        .notAllowed,
        "Ask the relay's operator to create a log for this ledger. If the ledger has a new address: "
          + "`daybook sync relay ADDRESS`."
      )
    case .gap, .malformed, .beyondHead, .notFound:
      (code, remedy) = (.malformed, "Try again. If it lasts, tell the relay's operator.")
    case .numberReused:
      self = .restoredCopy
      return
    case .baseBeyondHead:
      (code, remedy) = (.rolledBack, "Ask the relay's operator whether it was restored.")
    case .baseBelowFloor, .trimmed:
      (code, remedy) = (
        .awayTooLong, "Try again. If it lasts, run `daybook sync` on another device first."
      )
    case .overQuota, .full:
      (code, remedy) = (.relayFull, "Ask the relay's operator for more room.")
    case .tooLarge:
      (code, remedy) = (.malformed, "Record it in several commits.")
    case .tooMany, .unavailable:
      (code, remedy) = (.busy, "Try again in a moment; `daybook sync watch` does so by itself.")
    case .otherVersion:
      (code, remedy) = (.otherVersion, "Update Daybook here, or the relay.")
    }
    self.init(
      code, "\(place) refused: \(refusal.message)", remedy: remedy, retryAfter: refusal.retryAfter)
  }

  /// The error if the relay doesn't know this device: the device was revoked, the address is
  /// another relay's, or the relay has lost its log.
  private static func unknownToken(_ place: String) -> SyncError {
    SyncError(
      .notAllowed, "\(place) does not know this device: its token is wrong, or was revoked.",
      remedy:
        "Check the address with `daybook sync relay`. If this device was removed, show a code "
        + "on another one with `daybook sync invite`, and join here into a new folder. If the relay knows "
        + "none of the devices any more, create a new log with `daybook-relay init`; then, on the device "
        + "that has most, `daybook sync leave` and `daybook sync start`.")
  }

  private init(_ fault: WireError) {
    switch fault.code {
    case .unknownVersion:
      self.init(
        .otherVersion, "The relay or another device speaks another version: \(fault.message).",
        remedy: "Update Daybook on all devices.")
    case .missingKey:
      self.init(
        .missingKey, "This device lacks the key of what the others recorded: \(fault.message).",
        remedy: "It was turned away: join again from another device, into a new folder.")
    case .notAuthentic:
      self.init(
        .tampered, "Something in the relay's log is not what a device wrote: \(fault.message).",
        remedy: "Do not go on with this relay before it is known why.")
    case .tooLarge:
      self.init(
        .malformed, "Something is too large to be sent: \(fault.message).",
        remedy: "Record it in several commits.")
    default:
      self.init(
        .malformed, "The relay's answer cannot be read: \(fault).",
        remedy: "It is tried again; if it lasts, check the relay's address.")
    }
  }

  private init(_ fault: ProofFault) {
    if case .rolledBack(let seen, let head) = fault {
      self.init(
        .rolledBack,
        "The relay's log ends at entry \(head), but this device has seen \(seen) entries: the relay was "
          + "emptied, or restored from an older copy.",
        remedy: "Ask the relay's operator what happened. Nothing that was recorded here is lost.")
    } else {
      self.init(
        .tampered, "The relay's log is not the one that was seen before: \(fault).",
        remedy: "Do not go on with this relay before it is known why.")
    }
  }

  private init(_ fault: FoldFault) {
    self.init(
      .otherVersion, "An entry of the log cannot be folded here: \(fault).",
      remedy: "Update Daybook on this device; recording goes on meanwhile.")
  }

  private init(_ fault: ReplicaFault) {
    switch fault {
    case .notShared:
      self.init(
        .notShared, "This ledger is not shared.",
        remedy: "Share it with `daybook sync start`, or join another device's ledger with "
          + "`daybook sync join`.")
    case .incomplete:
      self.init(
        .incomplete, "This ledger has not taken in all of the ledger that it is joining.",
        remedy: "Join again with `sync join`.")
    case .notEmpty:
      self.init(
        .notEmpty, "This ledger has something of its own, or is shared already.",
        remedy: "Join with a new ledger.")
    case .unknownOwnCommit: self = .restoredCopy
    }
  }
}
