import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ctrl-C while something is read and recorded: it ends the command, and what is said of it is true.
///
/// Until a commit is begun, nothing of the file is in the ledger, and the command ends at once. After
/// that the commit is called off, or waited for: whoever imports then says which of both it was.
final class Interruption: Sendable {
  private struct State: Sendable {
    var isRecording = false
    var isAsked = false
    /// What was recorded before, in a sentence; empty for nothing.
    var recorded = ""
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let json: Bool
  /// Touched by `init` and `deinit` alone, which no two threads do at once.
  private nonisolated(unsafe) let source: any DispatchSourceSignal

  /// Watches for Ctrl-C from now on.
  init(json: Bool) {
    self.json = json
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(
      signal: SIGINT, queue: .global(qos: .userInitiated))
    source.setEventHandler { [weak self] in self?.interrupt() }
    source.resume()
  }

  /// Watches again after somebody else had Ctrl-C.
  func watchAgain() { signal(SIGINT, SIG_IGN) }

  deinit {
    source.cancel()
    signal(SIGINT, SIG_DFL)
  }

  /// Whether Ctrl-C was pressed.
  var isAsked: Bool { state.withLock(\.isAsked) }

  /// From here on something may be recorded.
  func willRecord() { state.withLock { $0.isRecording = true } }

  /// What was recorded is on disk, or it is known that nothing was.
  func hasRecorded(_ sentence: String?) {
    state.withLock {
      $0.isRecording = false
      if let sentence { $0.recorded = sentence }
    }
  }

  /// Runs work that is cancelled by Ctrl-C.
  func cancelling<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await body() }
    state.withLock { $0.cancel = { task.cancel() } }
    defer { state.withLock { $0.cancel = nil } }
    return try await task.value
  }

  /// What is said where it ended before anything of this file was recorded.
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
        // The lock is kept for ever: nobody begins to record while the command ends.
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
