// Goal: a followed report shows each state that differs from the one before, whoever changed it, costs
// nothing while nothing happens, and ends cleanly. Method: the built command follows in one process while
// others write; what it wrote, its exit code and its processor time are looked at.
import DaybookPlatform
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct FollowTests {
  /// A command that goes on, and what it has written so far.
  private final class Follower {
    let process = Process()
    private let path: String
    private let errorsPath: String

    init(_ desk: Desk, _ words: String, environment: [String: String] = [:]) throws {
      path = "\(desk.folder)/follow-\(UUID().uuidString)"
      errorsPath = path + ".err"
      for file in [path, errorsPath] { try Data().write(to: URL(fileURLWithPath: file)) }
      process.executableURL = URL(fileURLWithPath: try #require(Desk.binary))
      process.arguments = words.split(separator: " ").map(String.init)
      process.currentDirectoryURL = URL(fileURLWithPath: desk.folder)
      var variables = ProcessInfo.processInfo.environment
      for name in ["COLUMNS", "NO_COLOR", "DAYBOOK_LEDGER"] { variables[name] = nil }
      for (name, value) in environment { variables[name] = value }
      process.environment = variables
      process.standardOutput = FileHandle(forWritingAtPath: path)
      process.standardError = FileHandle(forWritingAtPath: errorsPath)
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    var output: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? "" }

    /// Waits until the output is as wanted.
    func wait(_ wanted: (String) -> Bool) async throws -> Bool {
      for _ in 0..<1200 {
        if wanted(output) { return true }
        if !process.isRunning { return wanted(output) }
        try await Task.sleep(for: .milliseconds(50))
      }
      return false
    }

    func interrupt() -> Int32 {
      process.interrupt()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private func lineCount(_ text: String) -> Int { text.split(separator: "\n").count }

  @Test func eachStateAsALineOfJSON() async throws {
    let desk = try EverydayTests.household()
    let follower = try Follower(desk, "balance --follow --output json --today 2026-02-15")
    #expect(try await follower.wait { lineCount($0) == 1 })
    try desk.done("add expense 1 --account Checking --category Food --on 2026-02-15")
    #expect(try await follower.wait { lineCount($0) == 2 })
    // What it does not show says nothing: a row of tomorrow, a category, a rate that changes no worth.
    try desk.done("add expense 1 --account Checking --category Food --on 2026-02-16")
    try desk.done("categories create Rent")
    try desk.done("add expense 2 --account Checking --category Food --on 2026-02-15")
    #expect(try await follower.wait { lineCount($0) >= 3 })
    try await Task.sleep(for: .milliseconds(300))
    let states = try follower.output.split(separator: "\n").map {
      try Node(parsing: String($0), "\($0)", at: #_sourceLocation)["balances"].array
        .first { $0["account"]["name"].string == "Checking" }?["balance"]["amount"].string
    }
    #expect(states == ["2860.00", "2859.00", "2857.00"])
    #expect(follower.interrupt() == 130)
    #expect(follower.errors.isEmpty, "\(follower.errors)")
    // The last state is what the report says now.
    #expect(try EverydayTests.balances(desk)["Checking"] == "2857.00")
  }

  @Test func statesOfTablesAndCSVAreParted() async throws {
    let desk = try EverydayTests.household()
    let table = try Follower(desk, "list --limit 1 --follow --today 2026-02-15")
    let csv = try Follower(desk, "tags --follow --output csv --today 2026-02-15")
    #expect(try await table.wait { $0.contains("2026-02-14#4") })
    #expect(try await csv.wait { $0.hasPrefix("tag,count,lastDay\n") })
    try desk.done("add expense 1 --account Cash --category Food --on 2026-02-15 --tag a")
    #expect(try await table.wait { $0.contains("2026-02-15#5") })
    #expect(try await csv.wait { $0.hasSuffix("a,1,2026-02-15\n") })
    #expect(csv.output == "tag,count,lastDay\n\ntag,count,lastDay\na,1,2026-02-15\n")
    #expect(table.output.split(separator: "\n").count { $0.hasPrefix("== 2") } == 1)
    #expect(!table.output.contains("\u{1B}"))
    #expect(table.interrupt() == 130 && csv.interrupt() == 130)
  }

  @Test func budgetsMonthsAndInsightsAreFollowed() async throws {
    let desk = try EverydayTests.household()
    try desk.done("budget add Food 100 --category Food --start 2026-01-01")
    let words = ["budget list", "months --count 1", "insights", "categories top", "search food"]
    let followers = try words.map {
      try Follower(desk, $0 + " --follow --output csv --today 2026-02-15")
    }
    for follower in followers {
      #expect(try await follower.wait { $0.contains("40.00") || $0.contains("9.50") })
    }
    try desk.done("add expense 12.34 --account Cash --category Food --on 2026-02-15")
    for (follower, word) in zip(followers, words) {
      #expect(
        try await follower.wait { $0.contains("52.34") || $0.contains("-12.34") },
        "\(word): \(follower.output)")
      #expect(follower.interrupt() == 130)
    }
  }

  @Test func nothingIsDoneWhileNothingHappens() async throws {
    #if os(Linux)
      let desk = try EverydayTests.household()
      let follower = try Follower(desk, "balance --follow --output csv")
      #expect(try await follower.wait { $0.contains("Dollars") })
      func ticks() throws -> Int {
        let line = try String(
          contentsOfFile: "/proc/\(follower.process.processIdentifier)/stat", encoding: .utf8)
        let fields = line.split(separator: ")").last.map { $0.split(separator: " ") } ?? []
        return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
      }
      let before = try ticks()
      try await Task.sleep(for: .seconds(2))
      // Two seconds are 200 ticks.
      #expect(try ticks() - before <= 10)
      #expect(follower.interrupt() == 130)
    #endif
  }

  @Test func itEndsWhenNobodyReadsThePipe() async throws {
    let desk = try EverydayTests.household()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Desk.binary))
    process.arguments = ["list", "--follow", "--output", "csv"]
    process.currentDirectoryURL = URL(fileURLWithPath: desk.folder)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    try pipe.fileHandleForWriting.close()
    #expect(
      String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("place,"))
    try pipe.fileHandleForReading.close()
    // There is no commit by which it could be noticed.
    for _ in 0..<600 where process.isRunning { try await Task.sleep(for: .milliseconds(50)) }
    #expect(!process.isRunning)
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  @Test func onATerminalItIsDrawnInPlace() async throws {
    let desk = try EverydayTests.household()
    let (master, name) = try PseudoTerminal.open()
    let slave = open(name, O_RDWR | O_NOCTTY)
    try #require(slave >= 0)
    var size = winsize(ws_row: 12, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(slave, UInt(TIOCSWINSZ), &size) == 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Desk.binary))
    process.arguments = ["months", "--follow", "--today", "2026-02-15", "--ledger", desk.ledger]
    var variables = ProcessInfo.processInfo.environment
    variables["NO_COLOR"] = "1"
    process.environment = variables
    process.standardOutput = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    var screen = ""
    func see(_ wanted: String) async throws -> Bool {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      for _ in 0..<600 {
        let count = read(master, &bytes, bytes.count)
        if count > 0 { screen += String(decoding: bytes[..<count], as: UTF8.self) }
        if screen.contains(wanted) { return true }
        try await Task.sleep(for: .milliseconds(50))
      }
      return false
    }
    #expect(try await see("Ctrl-C to stop"))
    #expect(screen.hasPrefix("\u{1B}[2J\u{1B}[H") && screen.contains("more lines"))
    // No more lines than the window has, so that nothing scrolls.
    #expect(screen.split(separator: "\r\n").count <= 12)
    screen = ""
    try desk.done("add expense 1.11 --account Cash --category Food --on 2026-02-15")
    #expect(try await see("Ctrl-C to stop"))
    #expect(screen.hasPrefix("\u{1B}[H") && screen.contains("\u{1B}[K"), "\(screen)")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    close(slave)
    close(master)
  }

  @Test func whatCannotBeFollowedIsSaid() throws {
    let desk = try EverydayTests.household()
    let past = try desk.run("list --follow --as-of 3")
    #expect(past.status == 64 && past.errors.contains("--as-of"))
    let unknown = try desk.run("list --follow --account Csh")
    #expect(unknown.status == 1 && unknown.errors.contains("Cash"))
    #expect(try desk.run("history --follow").status == 64)
  }
}
