public import Daybook
import Entities
import LedgerMerging
import Merging
import Projecting
import Replicas

// Findings are read from what the ledger keeps: no relay is asked, and no secret is needed.
extension Ledger {
  /// What merging did to what somebody recorded, in the order of the commits, and then what follows from what the ledger
  /// holds (``SyncFinding/Rule/sameName``, ``SyncFinding/Rule/closedAccount``); `nil` where it is not shared with other
  /// devices.
  ///
  /// - Parameter includingDismissed: Whether those that were put aside are among them.
  /// - Throws: `DaybookError`.
  /// - Complexity: O(findings, accounts and categories).
  public func findings(
    includingDismissed: Bool = false
  ) async throws(DaybookError) -> [SyncFinding]? {
    try await asReplica { replica in
      let found = includingDismissed ? replica.allFindings : replica.openFindings
      let merged = try await replica.told(try await found())
      return try await merged + findingsOfState(includingDismissed: includingDismissed)
    }
  }

  /// What the devices that share the ledger are called, by the replicas that headers of commits name; none where it is
  /// not shared.
  ///
  /// - Throws: `DaybookError`.
  /// - Complexity: O(devices).
  public func deviceNames() async throws(DaybookError) -> [UInt64: String] {
    try await asReplica { try await $0.deviceNames() } ?? [:]
  }

  /// Puts a finding aside, on all devices: somebody has looked at it.
  ///
  /// It is recorded like anything else: it is sent with the next exchange, and can be undone. Where somebody has put
  /// it aside already, nothing is recorded.
  ///
  /// - Parameters:
  ///   - id: its name (``SyncFinding/id``).
  ///   - token: puts it aside only where this is still the newest commit.
  ///   - key: makes it repeatable, as for `append`.
  /// - Returns: What was recorded; `nil` where there is no such finding.
  /// - Throws: `DaybookError`, as `append`.
  @discardableResult
  public func dismiss(
    finding id: String, expecting token: Token? = nil, key: String? = nil
  ) async throws(DaybookError) -> Receipt? {
    let known = try await findings(includingDismissed: true)
    guard known?.contains(where: { $0.id == id }) == true, let entity = EntityID(id) else {
      return nil
    }
    var options = AppendOptions(author: author, expecting: token)
    if let key {
      options.idempotencyKey = Array(key.utf8)
      options.requestDigest = Hash256(hashing: Array("dismiss \(id)".utf8))
    }
    let settled = options
    return try await wrapped {
      let appended = try await store.append(settled) { context in
        if try context.entity(.dismissal, entity) != nil { return }
        try context.apply(
          Change(
            kind: .dismissal, id: entity,
            number: context.number(ofInserted: .dismissal, entity, former: nil), before: nil,
            after: Record()))
      }
      return Receipt(token: appended.token, outcomes: [], isRepeat: appended.result == nil)
    }
  }

  /// The commands that record anew what is held because its period was closed meanwhile (``SyncFinding/Rule/held``): of
  /// a row that is there what was changed is changed, one that is not there is recorded under its id.
  ///
  /// - Parameters:
  ///   - id: the name of the finding.
  ///   - day: another day for it, such as one that is open; without one, its own: the period has to be reopened then.
  /// - Returns: None where nothing is left to do; `nil` where nothing of that name is held.
  /// - Throws: `DaybookError`.
  public func commands(
    taking id: String, on day: Day? = nil
  ) async throws(DaybookError) -> [Command]? {
    let held = try await asReplica { try await $0.held(id) } ?? nil
    guard let held else { return nil }
    return try await wrapped {
      try HeldCommand(ledger: self, day: day).command(held).map { [$0] } ?? []
    }
  }

  /// Records anew what is held, and puts the finding aside.
  ///
  /// - Parameters: as ``commands(taking:on:)`` and `append`.
  /// - Returns: What was recorded last; `nil` where nothing of that name is held.
  /// - Throws: `DaybookError` also where the command is refused, as in a period that is closed: it stays held then.
  @discardableResult
  public func take(
    finding id: String, on day: Day? = nil, expecting token: Token? = nil, key: String? = nil
  ) async throws(DaybookError) -> Receipt? {
    guard let commands = try await commands(taking: id, on: day) else { return nil }
    guard !commands.isEmpty else {
      return try await dismiss(finding: id, expecting: token, key: key)
    }
    let receipt = try await append(commands, expecting: token, key: key)
    try await dismiss(finding: id)
    return receipt
  }

  /// The replica that the ledger is; `nil` where it is not shared, or has not taken in all that it is joining.
  func asReplica<Value>(
    _ body: (Replica) async throws -> Value
  ) async throws(DaybookError) -> Value? {
    try await wrapped {
      guard let replica = try? Replica(store, rules: .ledger) else { return nil }
      return try await body(replica)
    }
  }

  private func wrapped<Value>(
    _ body: () async throws -> Value
  ) async throws(DaybookError) -> Value {
    var fault: any Error
    do { return try await body() } catch { fault = error }
    throw .wrapping(fault)
  }
}
