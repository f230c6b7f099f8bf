import DaybookPlatform
import DaybookTerminal

/// The handling of a child process that checks possibly damaged files.
///
/// The operating system may kill a process that maps a damaged file. The child writes to this
/// process's standard output and error, and reports each phase through a pipe before it begins. If
/// the child is killed, this process reports the phase in which it was killed.
enum CheckProcess {
  /// A phase of the check, reported before it begins.
  enum Phase: UInt8 {
    case starting
    case examining
    case opening
    case comparing
    /// The report follows.
    case reporting

    var words: String {
      switch self {
      case .starting: "the check was starting"
      case .examining: "the files' pages were being checked"
      case .opening: "the ledger was being opened"
      case .comparing: "the views were being compared with the journal"
      case .reporting: "the result was being reported"
      }
    }
  }

  /// The way in which the child process ended.
  enum Ending {
    /// The process exited with a code, and with its report if it sent one through the pipe.
    case exited(Int32, report: String)
    /// A signal killed the process.
    case killed(signal: Int32, during: Phase)
  }

  /// Reports through the pipe that a phase begins.
  static func say(_ phase: Phase, to descriptor: Int32) {
    var byte = phase.rawValue
    _ = write(descriptor, &byte, 1)
  }

  /// Sends the report through the pipe.
  ///
  /// Nothing may be sent after the report.
  static func tell(_ report: String, to descriptor: Int32) throws {
    say(.reporting, to: descriptor)
    try Output.write(report, to: descriptor)
  }

  /// Runs this program with other arguments and waits until it ends.
  ///
  /// - Parameter arguments: Returns the arguments, given the file descriptor to which the child
  ///   reports its phases.
  /// - Throws: `CommandFailure` if the child can't be started or awaited.
  static func run(_ arguments: (Int32) -> [String]) throws -> Ending {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw failure("Couldn't create a pipe", errno) }
    defer { close(ends[0]) }
    let child: pid_t
    do {
      defer { close(ends[1]) }
      guard fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 else {
        throw failure("Couldn't set up a pipe", errno)
      }
      child = try spawn([programName] + arguments(ends[1]))
    }
    var phase = Phase.starting
    var byte: UInt8 = 0
    var report: [UInt8] = []
    while true {
      let count = read(ends[0], &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      if phase == .reporting { report.append(byte) } else { phase = Phase(rawValue: byte) ?? phase }
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw failure("Couldn't wait for the check", errno) }
    }
    let signal = status & 0x7f
    return signal == 0
      ? .exited((status >> 8) & 0xff, report: String(decoding: report, as: UTF8.self))
      : .killed(signal: signal, during: phase)
  }

  private static var programName: String { CommandLine.arguments.first ?? "daybook" }

  private static func spawn(_ arguments: [String]) throws -> pid_t {
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    // A killed child shouldn't print a backtrace, because this process reports the failure.
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var variable = environ
    while let text = variable.pointee {
      if strncmp(text, "SWIFT_BACKTRACE=", 16) != 0 { variables.append(strdup(text)) }
      variable += 1
    }
    variables += [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { for word in words + variables { free(word) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, try programPath(), nil, nil, words, variables)
    guard code == 0 else { throw failure("Couldn't start the check", code) }
    return child
  }

  /// The path of this program's executable.
  static func programPath() throws -> String {
    #if canImport(Darwin)
      var count: UInt32 = 4_096
      var path = [CChar](repeating: 0, count: Int(count))
      guard _NSGetExecutablePath(&path, &count) == 0 else {
        throw failure("Couldn't find this program's file", ENAMETOOLONG)
      }
      return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return "/proc/self/exe"
    #endif
  }

  private static func failure(_ what: String, _ code: Int32) -> CommandFailure {
    CommandFailure(
      .inputOutput, code: "system", "\(what): \(Output.reason(code)).",
      remedy: "Try again when the system is less busy.")
  }

  /// Returns the failure for a check that was ended by a signal.
  static func failure(_ ledger: String, _ signal: Int32, _ phase: Phase) -> CommandFailure {
    let during = "the check was ended by signal \(signal) while \(phase.words)"
    guard isFault(signal) else {
      return CommandFailure(
        .tryAgain, code: "interrupted", "Couldn't check the files: \(during).",
        remedy: "Run the check again.")
    }
    return CommandFailure(
      .damaged, code: "damaged", "The files of \(ledger) are damaged: \(during).",
      remedy: "Delete the views' folder and verify again. If the check fails again, restore a "
        + "backup.")
  }

  /// Returns whether a signal indicates a fault in the process, which damaged files can cause.
  private static func isFault(_ signal: Int32) -> Bool {
    [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE].contains(signal)
  }
}
