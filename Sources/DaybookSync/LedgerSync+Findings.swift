public import Daybook
@_exported public import DaybookFindings

extension LedgerSync {
  /// Returns the findings that aren't dismissed.
  ///
  /// - Throws: ``SyncError``.
  public func findings() async throws -> [SyncFinding] {
    let exchange = try await connected()
    // This runs between exchanges, so that all findings are from the same state.
    return try await translated {
      try await exchange.alone { [ledger] _ in try await ledger.findings() ?? [] }
    }
  }

  /// Dismisses a finding that a person has reviewed.
  ///
  /// The dismissal is recorded like any other change: the next exchange sends it, and it can be
  /// undone.
  ///
  /// - Returns: Whether the finding existed and wasn't dismissed yet.
  /// - Throws: ``SyncError``.
  @discardableResult
  public func dismiss(_ id: String) async throws -> Bool {
    let exchange = try await connected()
    let isThere = try await translated {
      let open = try await exchange.alone { [ledger] _ in try await ledger.findings() ?? [] }
      guard open.contains(where: { $0.id == id }) else { return false }
      try await ledger.dismiss(finding: id)
      return true
    }
    _ = try await refresh()
    return isThere
  }

  /// Records a deferred change again, and dismisses its finding.
  ///
  /// If the changed entity exists, the change is applied to it. Otherwise, the entity is recorded
  /// with its original id.
  ///
  /// - Parameters:
  ///   - id: The finding's ``SyncFinding/id``.
  ///   - day: Another day for the transaction, such as a day in an open period. If `nil`, the
  ///     transaction keeps its day, whose period must be reopened first.
  /// - Returns: Whether there was a deferred change with this id.
  /// - Throws: ``SyncError``; `DaybookError` if the command is refused, for example because the
  ///   period is closed. The change then stays deferred.
  @discardableResult
  public func take(_ id: String, on day: Day? = nil) async throws -> Bool {
    _ = try await connected()
    guard try await ledger.take(finding: id, on: day) != nil else { return false }
    _ = try await refresh()
    return true
  }
}
