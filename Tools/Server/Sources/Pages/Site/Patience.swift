import Daybook
import Synchronization

// Another program can lock the ledger for any length of time, and a large file takes a while to
// import. In both cases, the user sees a waiting page instead of an empty one.
extension LedgerSite {
  /// Returns the answer to a form, or a waiting page if the answer takes too long.
  ///
  /// The work continues, and is recorded when the ledger is available.
  func patiently(_ context: PageContext) async throws -> PageAnswer {
    let first = FirstAnswer()
    let timer = Task {
      try await Task.sleep(for: patience)
      first.give(.success(try waiting(context)))
    }
    defer { timer.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      first.wait(continuation)
      Task {
        do {
          var answer = try await change(context)
          if let header = context.own.header { answer.headers.append(header) }
          first.give(.success(answer))
        } catch {
          first.give(.failure(error))
        }
      }
    }
  }

  private func waiting(_ context: PageContext) throws -> PageAnswer {
    let page = Page(
      context[.waiting], nil, status: 503,
      body: """
        <p class="problem" role="alert">\(context[.waitingHint])</p>
        <p class="actions"><a class="button main" href="/history">\(context[.history])</a></p>
        """)
    var answer = try laidOut(page, context)
    answer.headers.append(("Retry-After", "10"))
    return answer
  }
}

/// The first of two answers; the other answer is discarded.
private final class FirstAnswer: Sendable {
  private enum State {
    case empty
    case asked(CheckedContinuation<PageAnswer, any Error>)
    case given(Result<PageAnswer, any Error>)
    case done
  }

  private let state = Mutex(State.empty)

  func wait(_ continuation: CheckedContinuation<PageAnswer, any Error>) {
    let answer: Result<PageAnswer, any Error>? = state.withLock { state in
      guard case .given(let answer) = state else {
        state = .asked(continuation)
        return nil
      }
      state = .done
      return answer
    }
    if let answer { continuation.resume(with: answer) }
  }

  func give(_ answer: Result<PageAnswer, any Error>) {
    let continuation: CheckedContinuation<PageAnswer, any Error>? = state.withLock { state in
      switch state {
      case .empty: state = .given(answer)
      case .asked(let continuation):
        state = .done
        return continuation
      case .given, .done: break
      }
      return nil
    }
    continuation?.resume(with: answer)
  }
}
