package import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookReplicas
import DaybookSyncWire

// Findings without a lost value, which follow from the ledger's contents.
extension SyncFinding {
  /// Accounts with the same name, and sibling categories with the same name.
  ///
  /// A device refuses to create a second entity with the same name, so different devices created
  /// these independently.
  ///
  /// - Complexity: O(accounts and categories).
  static func alike(in snapshot: borrowing Snapshot) throws -> [SyncFinding] {
    var named: [[String]: [EntityID]] = [:]
    for account in try snapshot.accounts() {
      named[["account", Folding.key(account.name)], default: []].append(account.id.rawValue)
    }
    for category in try snapshot.categories() {
      let place = category.parent.map { "\($0)" } ?? ""
      named[["\(category.kind)", place, Folding.key(category.name)], default: []]
        .append(category.id.rawValue)
    }
    return named.filter { $0.value.count > 1 }.map { key, ids in
      alike(key.count == 2 ? .account : .category, ids.sorted())
    }
    .sorted { ($0.kind, $0.entity) < ($1.kind, $1.entity) }
  }

  private static func alike(_ kind: EntityKind, _ ids: [EntityID]) -> SyncFinding {
    let id = name("daybook same name") { writer in
      writer.u8(kind.rawValue)
      for id in ids { writer.id(id) }
    }
    return SyncFinding(
      id: id, kind: kind, entity: ids[0], rule: .sameName, asks: false, values: [],
      unseen: ids.dropFirst().map { UnseenEntity(kind: kind, entity: $0) })
  }

  /// Accounts that are closed or deleted and have a balance other than zero.
  ///
  /// These accounts accept no transactions. The balance may come from a device that added or
  /// deleted a transaction before it received the closing.
  ///
  /// - Complexity: O(accounts).
  static func closedAccounts(in snapshot: borrowing Snapshot) throws -> [SyncFinding] {
    try snapshot.balances(on: .max, includingDeleted: true)
      .filter { ($0.account.isClosed || $0.account.isDeleted) && $0.balance.units != 0 }
      .map { closed($0.account.id.rawValue, $0.balance) }
      .sorted { $0.entity < $1.entity }
  }

  private static func closed(_ id: EntityID, _ balance: Total) -> SyncFinding {
    // If the balance changes, the finding gets a new id, so that a person reviews it again.
    let name = name("daybook closed account") { writer in
      writer.id(id)
      writer.raw("\(balance.units)".utf8)
    }
    let value = Value(property: "balance", holds: balance.money.map { .money($0) })
    return SyncFinding(
      id: name, kind: .account, entity: id, rule: .closedAccount, asks: false, values: [value],
      unseen: [])
  }

  /// The id of a finding: the hash of its contents.
  private static func name(_ domain: String, _ write: (inout ByteWriter) -> Void) -> String {
    var writer = ByteWriter(reserving: 64)
    writer.raw(domain.utf8)
    write(&writer)
    return name(of: writer)
  }
}

extension Ledger {
  /// Returns the findings computed from the ledger's contents: same names, then closed accounts;
  /// empty if it isn't shared.
  ///
  /// - Parameter includingDismissed: Whether to include dismissed findings.
  package func findingsOfState(
    includingDismissed: Bool = false
  ) async throws(DaybookError) -> [SyncFinding] {
    try await asReplica { replica in
      let found = try read { try SyncFinding.alike(in: $0) + SyncFinding.closedAccounts(in: $0) }
      if found.isEmpty || includingDismissed { return found }
      let names = found.compactMap { EntityID($0.id) }
      let aside = try await replica.existing(.dismissal, names)
      return found.filter { finding in !aside.contains { EntityID(finding.id) == $0 } }
    } ?? []
  }
}
