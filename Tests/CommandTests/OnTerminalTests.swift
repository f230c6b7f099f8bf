// Goal: on a terminal answers fit it and are coloured, and everywhere else they are plain. Method: the
// command is run with a pseudo terminal of sixty columns as its output.
import DaybookPlatform
import Foundation
import Testing

@Suite struct OnTerminalTests {
  /// Runs the command with a terminal at its output and gives what was written there.
  private func onTerminal(
    _ desk: Desk, _ arguments: [String], columns: UInt16, environment: [String: String] = [:]
  ) throws -> String {
    let (master, name) = try PseudoTerminal.open()
    let slave = open(name, O_RDWR | O_NOCTTY)
    try #require(slave >= 0)
    var size = winsize(ws_row: 25, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(slave, UInt(TIOCSWINSZ), &size) == 0)
    let reader = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Desk.binary))
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: desk.folder)
    var variables = ProcessInfo.processInfo.environment
    for name in ["COLUMNS", "NO_COLOR", "DAYBOOK_LEDGER"] { variables[name] = nil }
    variables["TERM"] = "xterm"
    for (name, value) in environment { variables[name] = value }
    process.environment = variables
    process.standardOutput = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The terminal's buffer holds what these commands write; it is read after they end, while our
    // own end keeps it open.
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    var text: [UInt8] = []
    while true {
      let count = read(reader.fileDescriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      text += bytes[..<count]
    }
    close(slave)
    return String(decoding: text, as: UTF8.self)
  }

  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking")
    try desk.done("categories create Food")
    for place in 1...3 {
      try desk.run([
        "add", "expense", "12.50", "--account", "Checking", "--category", "Food", "--on",
        "2026-02-0\(place)", "--payee", "寿司 まさ, a place with a very long name indeed, in Berlin",
      ])
    }
    return desk
  }

  @Test func linesFitAndAreColoured() throws {
    let desk = try desk()
    let text = try onTerminal(desk, ["list", "--sections"], columns: 60)
    #expect(text.contains("\u{1B}["))
    #expect(text.contains("…"))
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }
    #expect(lines.count >= 6)
    for line in lines {
      let columns = line.unicodeScalars.reduce(0) {
        $0 + ((0x3040...0x9FFF).contains($1.value) ? 2 : 1)
      }
      #expect(columns <= 60, "\(line)")
    }
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func colourCanBeTurnedOff(environment: [String: String]) throws {
    let desk = try desk()
    for command in [["list"], ["balance"], ["months", "--today", "2026-02-15", "--count", "1"]] {
      let text = try onTerminal(desk, command, columns: 100, environment: environment)
      #expect(!text.contains("\u{1B}"), "\(text)")
    }
  }

  @Test func elsewhereNothingIsCutOrColoured() throws {
    let desk = try desk()
    let text = try desk.done("list --sections").output
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("in Berlin"))
  }
}
