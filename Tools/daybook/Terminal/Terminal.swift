import DaybookPlatform

/// The properties of an output: a terminal, or a file or pipe.
package struct Terminal: Sendable {
  /// Whether the output is a terminal.
  package var isTerminal: Bool
  /// The maximum width of a line in columns, or `nil` without a limit.
  package var columns: Int?
  /// Whether text may be coloured.
  package var inColour: Bool

  /// Whether the symbols that the command uses must be ASCII.
  package var isASCII: Bool
  /// The symbol in place of truncated text.
  package var ellipsis: String { isASCII ? "..." : "…" }

  /// Creates a description with the given properties, for tests.
  package init(isTerminal: Bool, columns: Int?, inColour: Bool, isASCII: Bool = false) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.inColour = inColour
    self.isASCII = isASCII
  }

  /// Detects the properties of the output with a file descriptor.
  ///
  /// Colour is on for terminals only, and off if `NO_COLOR` is set or `TERM` is `dumb`. The width is
  /// the terminal's or, if unknown, `COLUMNS` or 80. Other outputs have no maximum width unless
  /// `COLUMNS` is set. Symbols are ASCII if the locale names an encoding other than UTF-8.
  package init(descriptor: Int32) {
    isTerminal = isatty(descriptor) == 1
    let asked = Self.variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    columns = isTerminal ? Self.windowColumns(descriptor) ?? asked ?? 80 : asked
    inColour =
      isTerminal && (Self.variable("NO_COLOR") ?? "").isEmpty && Self.variable("TERM") != "dumb"
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Self.variable($0) }
      .first { !$0.isEmpty }
    isASCII = Self.isASCII(locale: locale)
  }

  /// Returns whether terminals with a given locale may be limited to ASCII.
  ///
  /// Without a locale, as in a container or under cron, UTF-8 is assumed.
  package static func isASCII(locale: String?) -> Bool {
    guard let locale = locale?.lowercased() else { return false }
    if locale == "c" || locale == "posix" { return true }
    guard let charset = locale.split(separator: ".").dropFirst().first else { return false }
    return !charset.hasPrefix("utf-8") && !charset.hasPrefix("utf8")
  }

  /// Standard output.
  package static var output: Terminal { Terminal(descriptor: STDOUT_FILENO) }
  /// Standard error, for progress, remarks and failures.
  package static var errors: Terminal { Terminal(descriptor: STDERR_FILENO) }

  /// The value of an environment variable.
  package static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The number of lines of the terminal's window, or `nil` if it is unknown.
  package static func windowLines(_ descriptor: Int32) -> Int? {
    windowSize(descriptor).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil }
  }

  private static func windowColumns(_ descriptor: Int32) -> Int? {
    windowSize(descriptor).flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil }
  }

  private static func windowSize(_ descriptor: Int32) -> winsize? {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }
}
