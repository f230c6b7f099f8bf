import Daybook
import Synchronization

/// The verifications of the ledger since the server started.
final class Proof: Sendable {
  /// The progress and the results of verifications.
  struct State: Sendable {
    /// The completed part of a running verification, from 0 to 1.
    var progress: Double?
    /// The last completed verification: its newest commit, its report, and the head of the hash
    /// chain at that time.
    var last: (sequence: UInt64, report: VerifyReport, head: String)?
    /// The error that stopped the last verification.
    var fault: DaybookError?
  }

  private let state = Mutex(State())

  var now: State { state.withLock { $0 } }

  /// Starts a verification unless one is running.
  ///
  /// - Returns: The task of the verification, or `nil` if one is already running.
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

  /// Returns the label for the last verified commit, which every page shows.
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
