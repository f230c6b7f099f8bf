import Daybook
import Foundation
import Merging
import Replicas
import SyncWire

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SyncError {
  /// What an error of the layers below means for whoever shares a ledger.
  static func wrapping(_ error: any Error) -> any Error {
    switch error {
    case is SyncError, is CancellationError: error
    case let refusal as RelayRefusal: SyncError(refusal)
    case let fault as WireError: SyncError(fault)
    case let fault as ProofFault: SyncError(fault)
    case let fault as FoldFault: SyncError(fault)
    case let fault as ReplicaFault: SyncError(fault)
    case let error as URLError where error.code == .cancelled: CancellationError()
    case let error as URLError:
      SyncError(
        .unreachable, "The relay does not answer: \(error.localizedDescription)",
        remedy: "What is recorded meanwhile is sent once it does.")
    default:
      if let known = DaybookError.translating(error) as? DaybookError {
        SyncError(.ledger, known.message, remedy: known.remedy)
      } else {
        error
      }
    }
  }

  private init(_ refusal: RelayRefusal) {
    let code: Code
    let remedy: String
    switch refusal.code {
    case .unauthorized, .wrongReplica:
      (code, remedy) = (
        .notAllowed, "Pair this device again: show a code on another one, and join."
      )
    case .noLedger:
      (code, remedy) = (
        .notAllowed,
        "Ask the relay's operator. If the ledger has a new address: `daybook sync relay ADDRESS`."
      )
    case .gap, .malformed, .beyondHead, .notFound:
      (code, remedy) = (.malformed, "It is tried again; if it lasts, tell whoever keeps the relay.")
    case .numberReused:
      self = .restoredCopy
      return
    case .baseBeyondHead:
      (code, remedy) = (.rolledBack, "Ask whoever keeps the relay whether it was restored.")
    case .baseBelowFloor, .trimmed:
      (code, remedy) = (.awayTooLong, "Try again; if it lasts, exchange on another device before.")
    case .overQuota, .full:
      (code, remedy) = (.relayFull, "Ask whoever keeps the relay for more room.")
    case .tooLarge:
      (code, remedy) = (.malformed, "Record it in several commits.")
    case .tooMany, .unavailable:
      (code, remedy) = (.busy, "It is tried again by itself.")
    case .otherVersion:
      (code, remedy) = (.otherVersion, "Update Daybook here, or the relay.")
    }
    self.init(
      code, "The relay refused: \(refusal.message)", remedy: remedy, retryAfter: refusal.retryAfter)
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
        "The relay's log ends at \(head), and \(seen) entries were seen: it was rolled back.",
        remedy: "Ask whoever keeps it whether it was restored; nothing recorded here is lost.")
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
        remedy: "Start with `sync start`, or join another one's with `sync join`.")
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
