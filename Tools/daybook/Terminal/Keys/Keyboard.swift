import DaybookPlatform

/// A terminal's keyboard, which is read key by key, and its alternate screen for drawing.
///
/// While an instance exists, keys aren't echoed. The terminal is restored by ``leave()``, at exit,
/// and when a signal ends the process.
///
/// Not `Sendable`: an instance is used by one task. Only one instance may exist at a time.
package final class Keyboard {
  private var reader = KeyReader()
  private var isLeft = false
  /// The window's size when it was last drawn or reported.
  private var drawnSize = Keyboard.size

  /// Whether input and output are a terminal that can draw.
  package static var isThere: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && Terminal.variable("TERM") != "dumb"
  }

  /// Takes control of the terminal; returns `nil` if there is no terminal.
  package init?() {
    guard Keyboard.isThere, TerminalState.takeOver() else { return nil }
  }

  deinit { leave() }

  /// Restores the terminal.
  package func leave() {
    if isLeft { return }
    isLeft = true
    TerminalState.giveBack()
  }

  /// Waits for the next key.
  package func next() -> Key {
    while true {
      if let key = reader.next() { return key }
      var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // A lone escape is the Escape key if nothing follows within 50 ms. The size is polled because
      // SIGWINCH may be delivered to a thread other than this one.
      let ready = poll(&entry, 1, reader.hasLoneEscape ? 50 : 200)
      if ready == 0, let key = reader.next(isAtRest: true) { return key }
      if ready < 0, errno != EINTR { return .gone }
      if Keyboard.size != drawnSize {
        drawnSize = Keyboard.size
        return .resized
      }
      if ready <= 0 { continue }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .gone }
      reader.take(bytes[..<count])
    }
  }

  /// The number of lines and columns of the window.
  package static var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0
    else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Draws lines from the top of the screen and clears the rest.
  package func draw(_ lines: [String]) {
    drawnSize = Keyboard.size
    var text = "\u{1B}[H"
    for (place, line) in lines.prefix(Keyboard.size.rows).enumerated() {
      text += (place == 0 ? "" : "\r\n") + line + "\u{1B}[K"
    }
    TerminalState.write(text + "\u{1B}[J")
  }
}

/// The terminal's original state, which is restored when the process ends, normally or by a signal.
private enum TerminalState {
  /// The original attributes.
  ///
  /// `nonisolated(unsafe)`: `takeOver` writes it before it installs the handlers that read it, and
  /// never while a handler is installed.
  nonisolated(unsafe) private static var before = termios()
  /// Whether the terminal has been taken over.
  ///
  /// `nonisolated(unsafe)`: a signal handler may read it between two writes, but each write is a
  /// single store, and restoring twice is harmless.
  nonisolated(unsafe) private static var isTaken = false

  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// The sequence that switches to the alternate screen and hides the cursor; `exit` reverses both.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let exit: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

  static func takeOver() -> Bool {
    guard !isTaken, tcgetattr(STDIN_FILENO, &before) == 0 else { return false }
    isTaken = true
    atexit { TerminalState.giveBack() }
    for number in endings {
      signal(number) { number in
        TerminalState.giveBack()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN | ISIG)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0 else {
      isTaken = false
      return false
    }
    write(enter)
    return true
  }

  /// Restores the terminal.
  ///
  /// This can be called from a signal handler.
  static func giveBack() {
    if !isTaken { return }
    isTaken = false
    _ = put(exit.utf8Start, exit.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
  }

  static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { put($0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }

  private static func put(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(STDOUT_FILENO, bytes, count)
    #elseif canImport(Glibc)
      Glibc.write(STDOUT_FILENO, bytes, count)
    #else
      Musl.write(STDOUT_FILENO, bytes, count)
    #endif
  }
}
