/// An event of a ledger, as delivered to live lists.
enum LedgerEvent {
  /// The newest commit has this token.
  case commit(Token)
  /// The ledger has been closed; there are no further events.
  case closed
  /// The ledger can't be read at the moment.
  case failure(DaybookError)
}

extension Ledger {
  /// Calls `body` immediately and after every new commit, until the task is cancelled or the ledger
  /// is closed.
  ///
  /// If the ledger can't be read, the method tries again every second.
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

/// A notification of a new commit.
///
/// The type isn't `Equatable`, so that no notification is dropped as equal to the previous one.
private struct Noticed: Sendable {
  let token: Token
}
