import DaybookSyncWire
import Relay

extension PostgresFault {
  /// The reign of the server whose schema raised this error, or `nil` for any other error.
  var reign: Int64? {
    guard case .statement(let state, _, _, let hint) = self, state.hasPrefix("DB") else {
      return nil
    }
    return Int64(hint)
  }

  /// The refusal that is sent to the device.
  var refusal: RelayRefusal {
    guard case .statement(let state, let what, let detail, _) = self else {
      return RelayRefusal(.unavailable, description, retryAfter: 1)
    }
    let bound = UInt64(detail)
    switch state {
    case "DB001": return RelayRefusal(.noLedger, "This relay doesn't have the ledger.")
    case "DB003":
      return RelayRefusal(.gap, "Expected push number \(detail), not \(what).", expected: bound)
    case "DB004":
      return RelayRefusal(
        .numberReused,
        "Push number \(what) was used for other contents. This replica is probably a restored copy."
      )
    case "DB005":
      return RelayRefusal(
        .baseBeyondHead, "Base \(what) is beyond the head \(detail).", expected: bound)
    case "DB006":
      return RelayRefusal(
        .trimmed, "Push number \(what) was deleted because it is below the floor.")
    case "DB007":
      return RelayRefusal(
        .baseBelowFloor, "Base \(what) is below the floor \(detail).", expected: bound)
    case "DB008":
      return RelayRefusal(
        .overQuota, "The ledger has reached its quota of \(detail) bytes at this relay.",
        expected: bound)
    case "DB009": return RelayRefusal(.unauthorized, "The token is unknown or revoked.")
    case "DB010":
      return RelayRefusal(.wrongReplica, "The replica belongs to another token of this ledger.")
    case "DB011":
      return RelayRefusal(
        .wrongReplica, "A token has at most \(detail) replicas. Pair this device again.")
    case "DB012":
      return RelayRefusal(
        .tooMany, "The ledger already has \(detail) devices, the most that a relay allows.")
    case "DB013":
      return RelayRefusal(
        .baseBeyondHead, "The snapshot's position is beyond the head of the log.", expected: bound)
    case "DB014": return RelayRefusal(.notFound, "The chunk \(what) is missing. Send it first.")
    case "DB016":
      return RelayRefusal(
        .tooMany, "The ledger already has \(what) open invitations. Try again later.",
        retryAfter: Int(detail))
    case "DB017": return RelayRefusal(.malformed, "The mailbox belongs to another ledger.")
    case "53100": return RelayRefusal(.full, "The database's disk is full. Nothing was stored.")
    default: return RelayRefusal(.unavailable, description, retryAfter: 1)
    }
  }
}
