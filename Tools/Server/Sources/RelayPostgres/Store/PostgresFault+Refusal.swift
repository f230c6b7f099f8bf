import Relay
import SyncWire

extension PostgresFault {
  /// The reign of the server whose schema raised this error; `nil` for any other error.
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
    case "DB001": return RelayRefusal(.noLedger, "This relay does not keep the ledger.")
    case "DB003":
      return RelayRefusal(.gap, "Push number \(what) came where \(detail) is due.", expected: bound)
    case "DB004":
      return RelayRefusal(
        .numberReused,
        "Other bytes were pushed under number \(what): this replica is a restored copy.")
    case "DB005":
      return RelayRefusal(
        .baseBeyondHead, "Base \(what) is beyond the head \(detail).", expected: bound)
    case "DB006":
      return RelayRefusal(
        .trimmed, "Push number \(what) is no longer kept: it is below the floor.")
    case "DB007":
      return RelayRefusal(
        .baseBelowFloor, "Base \(what) is below the floor \(detail).", expected: bound)
    case "DB008":
      return RelayRefusal(
        .overQuota, "The ledger may hold \(detail) bytes at this relay.", expected: bound)
    case "DB009": return RelayRefusal(.unauthorized, "The token is not known, or was revoked.")
    case "DB010":
      return RelayRefusal(.wrongReplica, "The replica belongs to another token of this ledger.")
    case "DB011":
      return RelayRefusal(
        .wrongReplica, "A token has at most \(detail) replicas: pair this device again.")
    case "DB012":
      return RelayRefusal(.tooMany, "A ledger has at most \(detail) devices at a relay.")
    case "DB013":
      return RelayRefusal(
        .baseBeyondHead, "A snapshot shows a position up to the head.", expected: bound)
    case "DB014": return RelayRefusal(.notFound, "Chunk \(what) is missing: send it first.")
    case "DB016":
      return RelayRefusal(
        .tooMany, "\(what) invitations of this ledger wait to be taken, and no more may.",
        retryAfter: Int(detail))
    case "DB017": return RelayRefusal(.malformed, "The mailbox is another ledger's.")
    case "53100": return RelayRefusal(.full, "The database's disk is full.")
    default: return RelayRefusal(.unavailable, description, retryAfter: 1)
    }
  }
}
