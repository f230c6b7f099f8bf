import ArgumentParser
import Daybook
import Dispatch
import Synchronization
import Terminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ReportCommand {
  /// Shows the report, and again whenever a commit of this or another process changes it.
  ///
  /// Ends with 130 when it is interrupted, and with 0 when nobody reads its output any more.
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
    // A write to a pipe that nobody reads is an error then, and not the end of the process.
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
      // Where it cannot be drawn, the next commit will say so.
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

/// A report, equal to another one that reads the same.
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

/// Where a followed report is shown: a terminal, on which it is drawn in place, or anything else, to
/// which one state is written after the other.
///
/// States of CSV and TSV are parted by an empty line, each with its header; JSON is an object a line; tables
/// are parted by a line with the time.
private final class FollowedScreen: Sendable {
  private let format: OutputFormat
  private let isInPlace: Bool
  private let shown = Mutex<Report?>(nil)

  init(_ format: OutputFormat) {
    self.format = format
    isInPlace = format == .table && Terminal.output.isTerminal
  }

  /// Shows a new state.
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

  /// Draws what is shown again, as after the window has another size.
  func redraw() throws {
    guard isInPlace else { return }
    try shown.withLock { shown in
      if let shown { try draw(shown, isFirst: true) }
    }
  }

  /// Leaves the cursor below what is shown.
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

  /// Fills the window from its first line on; what does not fit is counted in the last line.
  private func draw(_ report: Report, isFirst: Bool) throws {
    let terminal = Terminal.output
    let room = max((Terminal.windowLines(STDOUT_FILENO) ?? 24) - 1, 1)
    var lines = report.lines(for: terminal)
    let hidden = max(lines.count - room, 0)
    if hidden > 0 { lines.removeLast(hidden) }
    let more = hidden > 0 ? "; \(Figures.count(hidden)) more lines" : ""
    let note = "Updated \(Time.text(Time.now)) UTC\(more); press Ctrl-C to stop"
      .truncated(to: (terminal.columns ?? 80) - 1, ellipsis: terminal.ellipsis)
    // Each line is overwritten in place and its rest removed, so that nothing flickers.
    let text = lines.map { $0 + "\u{1B}[K\r\n" }.joined()
    try Output.write(
      (isFirst ? "\u{1B}[2J" : "") + "\u{1B}[H" + text
        + Style.dim.apply(to: note, inColour: terminal.inColour) + "\u{1B}[J")
  }

}

/// What ended the following, if it was not the ledger.
final class FollowingEnd: Sendable {
  private let found = Mutex<Int32?>(nil)

  /// The signal that asked for the end; 0 where nobody reads the output any more.
  var reason: Int32? {
    get { found.withLock { $0 } }
    set { found.withLock { $0 = $0 ?? newValue } }
  }
}

/// Signals and the other end of a pipe, waited for without looking again and again.
enum FollowingEvents {
  /// Calls back, on a thread of its own choosing, each time the process gets a signal.
  static func on(
    _ signals: [Int32], _ body: @escaping @Sendable (Int32) -> Void
  ) -> [any DispatchSourceSignal] {
    signals.map { number in
      // Otherwise the signal would end the process before it is told of it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { body(number) }
      source.resume()
      return source
    }
  }

  /// Calls back when nobody reads a pipe any more.
  ///
  /// A thread waits for that until the process ends: between two commits there is nothing to write by
  /// which it would be noticed.
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
