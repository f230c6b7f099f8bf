#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What stands at the other end of an output: a person's terminal, or a file or pipe.
package struct Terminal: Sendable {
  /// Whether a person looks at it.
  package var isTerminal: Bool
  /// How many columns a line may take; nil where there is no limit.
  package var columns: Int?
  /// Whether text may be coloured.
  package var inColour: Bool

  /// Whether the signs that the command itself sets have to be plain ASCII.
  package var isASCII: Bool
  /// What stands in place of what was cut.
  package var ellipsis: String { isASCII ? "..." : "…" }

  /// A terminal described by hand, as tests do.
  package init(isTerminal: Bool, columns: Int?, inColour: Bool, isASCII: Bool = false) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.inColour = inColour
    self.isASCII = isASCII
  }

  /// What a file descriptor leads to.
  ///
  /// Colour is for terminals only, and off where `NO_COLOR` is set to anything or `TERM` is `dumb`.
  /// The width is the terminal's own, then `COLUMNS`, then 80; what is no terminal has none, unless
  /// `COLUMNS` is set. Signs are plain ASCII where the locale names another encoding than UTF-8.
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

  /// Whether a locale is one whose terminals can't be relied on to show more than ASCII.
  ///
  /// Where none is set, as in a container or under cron, there is nothing that speaks against UTF-8.
  package static func isASCII(locale: String?) -> Bool {
    guard let locale = locale?.lowercased() else { return false }
    if locale == "c" || locale == "posix" { return true }
    guard let charset = locale.split(separator: ".").dropFirst().first else { return false }
    return !charset.hasPrefix("utf-8") && !charset.hasPrefix("utf8")
  }

  /// Standard output.
  package static var output: Terminal { Terminal(descriptor: STDOUT_FILENO) }
  /// Standard error, where progress and complaints go.
  package static var errors: Terminal { Terminal(descriptor: STDERR_FILENO) }

  /// An environment variable.
  package static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// How many lines the window of a terminal has.
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
