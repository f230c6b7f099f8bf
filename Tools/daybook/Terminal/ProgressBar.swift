import DaybookPlatform

/// A progress bar on standard error, drawn only on a terminal.
package struct ProgressBar {
  private let title: String
  private let terminal: Terminal
  private var lastDrawn: ContinuousClock.Instant?
  private static let pause: Duration = .milliseconds(80)

  /// Creates a bar, which is drawn only if `terminal` is a terminal.
  package init(_ title: String, terminal: Terminal = .errors) {
    self.title = title.printable
    self.terminal = terminal
  }

  /// Draws the number of finished items, at most a dozen times a second.
  package mutating func update(_ done: Int, of total: Int) {
    guard total > 0 else { return }
    update(Double(done) / Double(total), "\(done) of \(total)  ")
  }

  /// Draws the finished part, from 0 to 1, at most a dozen times a second.
  package mutating func update(_ part: Double) {
    update(part, "")
  }

  /// Draws the finished part, and a note before its percentage.
  package mutating func update(_ part: Double, note: String) {
    update(part, note)
  }

  private mutating func update(_ part: Double, _ counts: String) {
    guard terminal.isTerminal else { return }
    let now = ContinuousClock.now
    if let lastDrawn, now - lastDrawn < Self.pause, part < 1 { return }
    lastDrawn = now
    draw("\r\u{1B}[K" + Self.line(title, part, counts, terminal))
  }

  /// Removes the bar, so that further output begins on an empty line.
  package mutating func finish() {
    guard terminal.isTerminal, lastDrawn != nil else { return }
    lastDrawn = nil
    draw("\r\u{1B}[K")
  }

  /// Returns the line for a finished part, within the terminal's columns.
  package static func line(
    _ title: String, _ part: Double, _ counts: String, _ terminal: Terminal
  ) -> String {
    let share = min(max(part, 0), 1)
    let counts = "\(counts)\(Int(share * 100)) %"
    let columns = terminal.columns ?? 80
    let width = min(columns - DisplayWidth.of(title) - DisplayWidth.of(counts) - 5, 40)
    guard width >= 5 else {
      return "\(title) \(counts)".truncated(to: columns - 1, ellipsis: terminal.ellipsis)
    }
    let filled = Int(share * Double(width))
    let bar =
      String(repeating: "━", count: filled) + String(repeating: "┈", count: width - filled)
    let shown = terminal.isASCII ? bar.inASCII : bar
    return title + "  " + Style.cyan.apply(to: shown, inColour: terminal.inColour) + "  " + counts
  }

  private func draw(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      // Ignore errors: a failure to draw the bar must not stop the work.
      _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
