// A terminal that a test holds the other end of: it presses keys, and reads what is shown.
import DaybookPlatform
import Foundation
import Testing

/// A command that runs on a pseudo terminal, as if a person sat there.
final class PseudoTerminal {
  private let master: Int32
  private let slave: Int32
  let process = Process()
  /// All that has been shown so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  // Bytes, because what is read at a time may end within a character.
  private var bytes: [UInt8] = []

  init(
    _ desk: Desk, _ arguments: [String], rows: UInt16 = 20, columns: UInt16 = 80,
    environment: [String: String] = [:]
  ) throws {
    let (master, name) = try Self.open()
    self.master = master
    #if canImport(Darwin)
      slave = Darwin.open(name, O_RDWR | O_NOCTTY)
    #else
      slave = Glibc.open(name, O_RDWR | O_NOCTTY)
    #endif
    try #require(slave >= 0)
    resize(rows: rows, columns: columns)
    process.executableURL = URL(fileURLWithPath: try #require(Desk.binary))
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: desk.folder)
    var variables = ProcessInfo.processInfo.environment
    for name in ["COLUMNS", "NO_COLOR", "DAYBOOK_LEDGER"] { variables[name] = nil }
    variables["TERM"] = "xterm"
    variables["NO_COLOR"] = "1"
    for (name, value) in environment { variables[name] = value }
    process.environment = variables
    let end = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = end
    process.standardOutput = end
    process.standardError = end
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(slave)
    close(master)
  }

  /// Gives the window another size, and tells the command.
  func resize(rows: UInt16, columns: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    if process.isRunning { kill(process.processIdentifier, SIGWINCH) }
  }

  /// Presses keys.
  func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Whether lines are read as usual: echoed, and one at a time.
  var isAsUsual: Bool {
    var state = termios()
    tcgetattr(slave, &state)
    return state.c_lflag & tcflag_t(ICANON) != 0 && state.c_lflag & tcflag_t(ECHO) != 0
  }

  private func take() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { return }
      bytes += buffer[..<count]
    }
  }

  /// Waits until something new is shown that holds a text; what is shown from then on is new again.
  func wait(for wanted: String, at place: SourceLocation = #_sourceLocation) throws {
    for _ in 0..<3_000 {
      take()
      if let found = bytes[seen...].firstRange(of: wanted.utf8) {
        seen = found.upperBound
        return
      }
      usleep(10_000)
    }
    try #require(
      Bool(false), "never shown: \(wanted)\n\(String(decoding: bytes[seen...], as: UTF8.self))",
      sourceLocation: place)
  }
  private var seen = 0

  /// Waits until the command has ended, and gives its exit code.
  func end() -> Int32 {
    for _ in 0..<3_000 where process.isRunning {
      take()
      usleep(10_000)
    }
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    take()
    return process.terminationStatus
  }

  /// A pseudo terminal: the end that we hold, and the name of the one that the command is given.
  static func open() throws -> (master: Int32, name: String) {
    #if canImport(Glibc)
      // What grantpt, unlockpt and ptsname do; Glibc's module shows none of them.
      let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var locked: Int32 = 0
      var number: UInt32 = 0
      let isOpen =
        ioctl(master, 0x4004_5431, &locked) == 0 && ioctl(master, 0x8004_5430, &number) == 0
      try #require(master >= 0 && isOpen)
      return (master, "/dev/pts/\(number)")
    #else
      let master = posix_openpt(O_RDWR | O_NOCTTY)
      let isOpen = master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0
      try #require(isOpen)
      return (master, String(cString: try #require(ptsname(master))))
    #endif
  }
}
