import DaybookPlatform
import Dispatch
import Synchronization

/// The handling of Ctrl-C during an import, which reports the recorded transactions.
///
/// Before the commit begins, nothing from the file is in the ledger, so the command ends
/// immediately. Afterwards, the commit either is cancelled or completes, and the import reports
/// which. A second Ctrl-C ends the command without waiting.
final class Interruption: Sendable {
  private struct State: Sendable {
    var isRecording = false
    var isAsked = false
    /// A sentence about earlier recorded files; empty if there are none.
    var recorded = ""
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let json: Bool
  /// The source of signals, which only `init` and `deinit` access; these never run concurrently.
  private nonisolated(unsafe) let source: any DispatchSourceSignal

  /// Starts handling Ctrl-C.
  init(json: Bool) {
    self.json = json
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(
      signal: SIGINT, queue: .global(qos: .userInitiated))
    source.setEventHandler { [weak self] in self?.interrupt() }
    source.resume()
  }

  /// Handles Ctrl-C again after other code has changed the signal's handler.
  func watchAgain() { signal(SIGINT, SIG_IGN) }

  deinit {
    source.cancel()
    signal(SIGINT, SIG_DFL)
  }

  /// Whether Ctrl-C was pressed.
  var isAsked: Bool { state.withLock(\.isAsked) }

  /// Marks the point after which rows may be recorded.
  func willRecord() { state.withLock { $0.isRecording = true } }

  /// Marks the end of recording: the commit is on disk, or it is certain that nothing was recorded.
  func hasRecorded(_ sentence: String?) {
    state.withLock {
      $0.isRecording = false
      if let sentence { $0.recorded = sentence }
    }
  }

  /// Runs work that Ctrl-C cancels.
  func cancelling<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await body() }
    state.withLock { $0.cancel = { task.cancel() } }
    defer { state.withLock { $0.cancel = nil } }
    return try await task.value
  }

  /// The failure of an import that ended before anything from the current file was recorded.
  func failure() -> CommandFailure {
    let recorded = state.withLock(\.recorded)
    return CommandFailure(
      .interrupted, code: "interrupted",
      recorded.isEmpty
        ? "Interrupted. Nothing was recorded."
        : "Interrupted. \(recorded) Nothing else was imported.",
      remedy: "")
  }

  private func interrupt() {
    let end = state.withLock { state -> CommandFailure? in
      guard state.isRecording else {
        // Exit while holding the lock, so that no commit can begin in the meantime.
        Output.complain(
          CommandFailure(
            .interrupted, code: "interrupted",
            state.recorded.isEmpty
              ? "Interrupted. Nothing was recorded."
              : "Interrupted. \(state.recorded) Nothing else was imported.", remedy: ""), json: json
        )
        _exit(ExitStatus.interrupted.rawValue)
      }
      guard state.isAsked else {
        state.isAsked = true
        state.cancel?()
        return nil
      }
      return CommandFailure(
        .interrupted, code: "interrupted",
        "Interrupted while recording. The file was imported completely or not at all.",
        remedy: "To see whether it was imported, run `daybook history`.")
    }
    guard let end else { return }
    Output.complain(end, json: json)
    _exit(ExitStatus.interrupted.rawValue)
  }
}
