/// What a list that is kept current hears of its ledger.
enum LedgerEvent {
  /// The newest commit is this one.
  case commit(Token)
  /// The ledger has been closed: nothing more will be heard.
  case closed
  /// For now it can't be told.
  case failure(DaybookError)
}

extension Ledger {
  /// Calls `body` at once and whenever there are new commits, until the task is cancelled or the ledger
  /// closed.
  ///
  /// Where the ledger can't be looked at, it is tried again every second.
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

/// A commit that came in; never equal to another, so that none is passed over.
private struct Noticed: Sendable {
  let token: Token
}
