import Daybook
import DaybookSync
import DaybookTerminal

/// The lines for a finding: its text, the affected entities, and commands that settle it.
struct FindingLines {
  /// The names of devices, by replica.
  let devices: [UInt64: String]
  let names: Names
  let ledger: Ledger

  func list(
    _ finding: SyncFinding, _ text: String, _ snapshot: borrowing Snapshot
  ) throws -> [String] {
    let head = "\(finding.id.prefix(8))  \(text)\(finding.asks ? " Please choose one." : "")"
    let indented = try listed(finding, snapshot) + advice(finding, snapshot)
    return ([head] + indented.map { "          \($0)" }).map(\.printable)
  }

  /// The properties that distinguish entities with the same name.
  private func listed(
    _ finding: SyncFinding, _ snapshot: borrowing Snapshot
  ) throws -> [String] {
    guard finding.rule == .sameName else { return [] }
    return try ([finding.entity] + finding.unseen.map(\.entity)).map { id in
      let balance =
        finding.kind == .account
        ? try ", balance \(Figures.withCode(snapshot.balance(of: AccountID(id), on: .max)))" : ""
      let device = try maker(of: id).map { ", created on \($0)" } ?? ""
      return "\(id)\(balance)\(device)"
    }
  }

  /// Returns the device that created an entity, or `nil` if the history doesn't show it.
  private func maker(of id: EntityID) throws -> String? {
    var cursor = try ledger.timeline(of: id).cursor()
    return try cursor.next().flatMap { devices[$0.header.replica] }
  }

  /// Commands that settle the finding.
  private func advice(
    _ finding: SyncFinding, _ snapshot: borrowing Snapshot
  ) throws -> [String] {
    let short = finding.id.prefix(8)
    switch finding.rule {
    case .deletionStands: return ["To restore it: daybook undelete \(finding.entity)"]
    case .held:
      return [
        "To record it on its own day, after reopening the period: daybook sync findings --take "
          + "\(short)",
        "To record it on another day: daybook sync findings --take \(short) --on DAY",
      ]
    case .notLinked:
      return ["To see which transactions can be linked: daybook transfers find"]
    case .valueLost, .clash, .locked, .tooLate, .balanced, .cycle:
      guard finding.kind == .transaction,
        let row = try snapshot.transaction(TransactionID(finding.entity))
      else { return ["To use the other value, enter it again."] }
      let halves = try finding.lostHalves(in: snapshot)
      guard halves.isEmpty else {
        return halves.map {
          "The other device linked a transaction that is now missing. To restore it: daybook "
            + "undelete \($0)"
        }
      }
      return [
        finding.rule == .balanced
          ? "To split it again: daybook edit \(row.place) --part CATEGORY=AMOUNT"
          : "To use the other value, enter it again: daybook edit \(row.place)"
      ]
    case .sameName:
      let ids = [finding.entity] + finding.unseen.map(\.entity)
      let group = finding.kind == .account ? "accounts" : "categories"
      return ["To merge two: daybook \(group) merge \(ids[1]) \(ids[0])"]
    case .closedAccount:
      return ["To see its transactions: daybook register \(finding.entity)"]
    case .closedUnseen: return []
    }
  }
}
