public import Daybook
@_exported public import Findings

extension LedgerSync {
  /// What the ledger's people are to be told of, and nobody has put aside.
  ///
  /// - Throws: ``SyncError``.
  public func findings() async throws -> [SyncFinding] {
    let exchange = try await connected()
    // One after the other with exchanges: what is told is as of one of them.
    return try await translated {
      try await exchange.alone { [ledger] _ in try await ledger.findings() ?? [] }
    }
  }

  /// Puts a finding aside: somebody has looked at it.
  ///
  /// It is recorded like anything else: it is sent with the next exchange, and can be undone.
  ///
  /// - Returns: Whether there was one that was not put aside yet.
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

  /// Records anew what is held because its period was closed meanwhile, and puts the finding aside.
  ///
  /// Of a row that is there, what was changed is changed; one that is not there is recorded under its id.
  ///
  /// - Parameters:
  ///   - id: the name of the finding (``SyncFinding/id``).
  ///   - day: another day for it, such as one that is open; without one, its own: the period has to be reopened then.
  /// - Returns: Whether something of that name is held.
  /// - Throws: ``SyncError``; `DaybookError` where the command is refused, as in a period that is closed: it stays held
  ///   then.
  @discardableResult
  public func take(_ id: String, on day: Day? = nil) async throws -> Bool {
    _ = try await connected()
    guard try await ledger.take(finding: id, on: day) != nil else { return false }
    _ = try await refresh()
    return true
  }
}
