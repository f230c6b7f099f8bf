public import Daybook
import DaybookEngine
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookReplicas

// Findings are read from the ledger, without a relay or secrets.
extension Ledger {
  /// Returns the ledger's findings.
  ///
  /// Findings from merging come first, in the order of their commits. Findings computed from the
  /// ledger's contents follow (``SyncFinding/Rule/sameName``, ``SyncFinding/Rule/closedAccount``).
  ///
  /// - Parameter includingDismissed: Whether to include dismissed findings.
  /// - Returns: `nil` if the ledger isn't shared with other devices.
  /// - Throws: `DaybookError` if the ledger can't be read.
  /// - Complexity: O(findings, accounts and categories).
  public func findings(
    includingDismissed: Bool = false
  ) async throws(DaybookError) -> [SyncFinding]? {
    try await asReplica { replica in
      let found = includingDismissed ? replica.allFindings : replica.openFindings
      let merged = try await replica.described(try await found())
      return try await merged + findingsOfState(includingDismissed: includingDismissed)
    }
  }

  /// Returns the names of the devices that share the ledger, keyed by the replicas in commit
  /// headers; empty if it isn't shared.
  ///
  /// - Throws: `DaybookError` if the ledger can't be read.
  /// - Complexity: O(devices).
  public func deviceNames() async throws(DaybookError) -> [UInt64: String] {
    try await asReplica { try await $0.deviceNames() } ?? [:]
  }

  /// Dismisses a finding on all devices, after a person has reviewed it.
  ///
  /// The dismissal is recorded like any other change: the next exchange sends it, and it can be
  /// undone. Nothing is recorded if the finding was already dismissed.
  ///
  /// - Parameters:
  ///   - id: The finding's ``SyncFinding/id``.
  ///   - token: If set, the finding is dismissed only if this is still the newest commit.
  ///   - key: Makes the call idempotent, as for `append`.
  /// - Returns: The receipt; `nil` if there is no such finding.
  /// - Throws: `DaybookError`, as for `append`.
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

  /// Returns the commands that record a deferred change again (``SyncFinding/Rule/held``).
  ///
  /// If the changed transaction exists, it is amended; otherwise it is recorded under its original
  /// id.
  ///
  /// - Parameters:
  ///   - id: The finding's ``SyncFinding/id``.
  ///   - day: A different day for the change, such as a day that isn't in a closed period. If
  ///     `nil`, the change's own day is used, so its period must be reopened first.
  /// - Returns: An empty list if no command is needed; `nil` if there is no deferred change with
  ///   this id.
  /// - Throws: `DaybookError` if the ledger can't be read.
  public func commands(
    taking id: String, on day: Day? = nil
  ) async throws(DaybookError) -> [Command]? {
    let held = try await asReplica { try await $0.held(id) } ?? nil
    guard let held else { return nil }
    return try await wrapped {
      try HeldCommand(ledger: self, day: day).command(held).map { [$0] } ?? []
    }
  }

  /// Records a deferred change again, and dismisses its finding.
  ///
  /// - Parameters:
  ///   - id: The finding's ``SyncFinding/id``.
  ///   - day: A different day for the change, as for ``commands(taking:on:)``.
  ///   - token: If set, the change is recorded only if this is still the newest commit.
  ///   - key: Makes the call idempotent, as for `append`.
  /// - Returns: The receipt; `nil` if there is no deferred change with this id.
  /// - Throws: `DaybookError`. If the command is refused, for example because the period is closed,
  ///   the change remains deferred.
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

  /// Calls `body` with the ledger's replica; returns `nil` if the ledger isn't shared, or hasn't
  /// finished joining.
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
