/// An event of a ledger that a live list reacts to.
enum LedgerEvent {
  /// The newest commit has this token.
  case commit(Token)
  /// The ledger has been closed; no more events follow.
  case closed
  /// The ledger couldn't be read for now.
  case failure(DaybookError)
}

extension Ledger {
  /// Calls `body` at once and after every new commit, until the task is cancelled or the ledger is
  /// closed.
  ///
  /// If the ledger can't be read, it is retried every second.
  @MainActor func follow(_ body: (LedgerEvent) -> Void) async {
    while !Task.isCancelled {
      do {
        for try await noticed in observe({ Noticed(token: $0.token) }) {
          body(.commit(noticed.token))
        }
        if !Task.isCancelled { body(.closed) }
        return
      } catch {
        body(.failure(.wrapping(error)))
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
}

/// A new commit; not `Equatable`, so that no commit is filtered out as a duplicate.
private struct Noticed: Sendable {
  let token: Token
}
