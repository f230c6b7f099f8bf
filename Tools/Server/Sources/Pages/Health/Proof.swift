import Daybook
import Synchronization

/// Up to where the ledger has been verified since the server began, and how far a check that runs now has come.
final class Proof: Sendable {
  /// What is known.
  struct State: Sendable {
    /// The part that is done, from 0 to 1, while a check runs.
    var progress: Double?
    /// The last check that came to its end: through which commit, its report, and the head of the chain then.
    var last: (sequence: UInt64, report: VerifyReport, head: String)?
    /// Why the last check could not be done.
    var fault: DaybookError?
  }

  private let state = Mutex(State())

  var now: State { state.withLock { $0 } }

  /// Verifies the ledger; at once where nobody does so already.
  ///
  /// - Returns: The check, to be waited for where somebody wants to; `nil` where one runs already.
  @discardableResult
  func begin(_ ledger: Ledger) -> Task<Void, Never>? {
    let isFirst = state.withLock { state in
      guard state.progress == nil else { return false }
      state.progress = 0
      state.fault = nil
      return true
    }
    guard isFirst else { return nil }
    return Task {
      do {
        let anchor = try ledger.anchor()
        let report = try await ledger.verify { part in
          self.state.withLock { $0.progress = part }
        }
        self.state.withLock { state in
          state.last = (report.commitCount, report, anchor.text)
          state.progress = nil
        }
      } catch {
        self.state.withLock { state in
          state.fault = error as? DaybookError
          state.progress = nil
        }
      }
    }
  }

  /// The mark on every page: up to which commit everything is proven.
  func mark(_ context: PageContext, _ newest: Token) -> HTML {
    let state = now
    let link = context.link("/health")
    if let progress = state.progress {
      let part = context.percent(perMille: Int(progress * 1_000))
      return "<a class=\"proof\" href=\"\(link)\">\(context[.verifying]) \(part)</a>"
    }
    guard let last = state.last else {
      return "<a class=\"proof\" href=\"\(link)\">\(context[.notVerified])</a>"
    }
    guard last.report.isSound else {
      return "<a class=\"proof below\" href=\"\(link)\">✗ \(context[.verifiedNot])</a>"
    }
    return """
      <a class="proof" href="\(link)">✓ \(context[.verifiedUpTo]) \(context[.commit]) \(last.sequence)</a>
      """
  }
}
