import ArgumentParser
import Daybook
import DaybookPlatform
import DaybookTerminal
import Dispatch
import Synchronization

extension ReportCommand {
  /// Shows the report, and shows it again whenever a commit of any process changes it.
  ///
  /// Exits with code 130 after Ctrl-C, with 128 plus the signal's number after another signal, and
  /// with 0 when the output is closed.
  func follow(as format: OutputFormat) async throws {
    guard asOf == nil else {
      throw CommandFailure.usage(
        "--follow can't be used with --as-of, which shows an unchanging past state.",
        remedy: "Leave out one of them.")
    }
    let screen = FollowedScreen(format)
    let task = Task {
      try await ledger.withLedger { opened in
        for try await state in opened.observe({ try FollowedState(report($0), as: format) }) {
          try screen.show(state.report)
        }
      }
    }
    let end = FollowingEnd()
    // Make a write to a closed pipe fail with an error instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    FollowingEvents.onClosedPipe(STDOUT_FILENO) {
      end.reason = 0
      task.cancel()
    }
    let sources =
      FollowingEvents.on([SIGINT, SIGTERM]) { number in
        end.reason = number
        task.cancel()
      }
      // Ignore an error here: drawing after the next commit reports it.
      + FollowingEvents.on([SIGWINCH]) { _ in try? screen.redraw() }
    defer { for source in sources { source.cancel() } }
    do {
      try await task.value
    } catch let error as CommandFailure where error.code == Output.closedPipe {
      return
    }
    guard let reason = end.reason, reason != 0 else { return }
    try screen.finish()
    throw ExitCode(128 + reason)
  }
}

/// A report that compares equal to any report with the same output.
private struct FollowedState: Equatable, Sendable {
  var report: Report
  private var written: WrittenReport

  init(_ report: Report, as format: OutputFormat) throws {
    self.report = report
    let wide = Terminal(isTerminal: false, columns: nil, inColour: false)
    written = try WrittenReport(report, as: format, for: wide, inOneLine: true)
  }

  static func == (left: Self, right: Self) -> Bool { left.written == right.written }
}

/// The output of a followed report.
///
/// A table on a terminal is redrawn in place. All other output is appended: states in CSV and TSV
/// each have a header and are separated by an empty line, JSON is written as one line per state,
/// and tables are separated by a line with the time.
private final class FollowedScreen: Sendable {
  private let format: OutputFormat
  private let isInPlace: Bool
  private let shown = Mutex<Report?>(nil)

  init(_ format: OutputFormat) {
    self.format = format
    isInPlace = format == .table && Terminal.output.isTerminal
  }

  func show(_ report: Report) throws {
    try shown.withLock { shown in
      if isInPlace {
        try draw(report, isFirst: shown == nil)
      } else {
        try append(report, isFirst: shown == nil)
      }
      shown = report
    }
  }

  /// Redraws the current state, for example after a resize.
  func redraw() throws {
    guard isInPlace else { return }
    try shown.withLock { shown in
      if let shown { try draw(shown, isFirst: true) }
    }
  }

  /// Moves the cursor below the report.
  func finish() throws {
    if isInPlace { try Output.write("\n") }
  }

  private func append(_ report: Report, isFirst: Bool) throws {
    let written = try WrittenReport(report, as: format, for: .output, inOneLine: true)
    let separator =
      switch format {
      case _ where isFirst: ""
      case .table: "\n== \(Time.text(Time.now))Z\n"
      case .csv, .tsv: "\n"
      case .json: ""
      }
    try Output.write(separator + written.text)
    for remark in written.remarks { try Output.remark(remark) }
  }

  /// Draws the report from the first line of the window.
  ///
  /// The last line shows the number of lines that don't fit.
  private func draw(_ report: Report, isFirst: Bool) throws {
    let terminal = Terminal.output
    let room = max((Terminal.windowLines(STDOUT_FILENO) ?? 24) - 1, 1)
    var lines = report.lines(for: terminal)
    let hidden = max(lines.count - room, 0)
    if hidden > 0 { lines.removeLast(hidden) }
    let more = hidden > 0 ? "; \(Figures.count(hidden)) more lines" : ""
    let note = "Ctrl-C to stop\(more); updated \(Time.text(Time.now)) UTC"
      .truncated(to: (terminal.columns ?? 80) - 1, ellipsis: terminal.ellipsis)
    // Lines are overwritten in place and cleared to their end, which avoids flicker.
    let text = lines.map { $0 + "\u{1B}[K\r\n" }.joined()
    try Output.write(
      (isFirst ? "\u{1B}[2J" : "") + "\u{1B}[H" + text
        + Style.dim.apply(to: note, inColour: terminal.inColour) + "\u{1B}[J")
  }

}

/// The reason why following a report ended, unless the ledger ended it.
final class FollowingEnd: Sendable {
  private let found = Mutex<Int32?>(nil)

  /// The first signal received, or 0 if the output was closed.
  var reason: Int32? {
    get { found.withLock { $0 } }
    set { found.withLock { $0 = $0 ?? newValue } }
  }
}

/// Callbacks for signals and closed pipes, without polling.
enum FollowingEvents {
  /// Calls `body` on a global queue each time the process receives one of the signals.
  static func on(
    _ signals: [Int32], _ body: @escaping @Sendable (Int32) -> Void
  ) -> [any DispatchSourceSignal] {
    signals.map { number in
      // The default action would end the process before the source is notified.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { body(number) }
      source.resume()
      return source
    }
  }

  /// Calls `body` when the read end of a pipe is closed.
  ///
  /// A thread waits for the event until the process ends. This is needed because nothing is written
  /// between two commits, so no failed write would reveal the closed pipe.
  static func onClosedPipe(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFIFO || kind == S_IFSOCK else { return }
    DispatchQueue.global().async {
      var watched = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&watched, 1, -1) < 0, errno == EINTR {}
      body()
    }
  }
}
