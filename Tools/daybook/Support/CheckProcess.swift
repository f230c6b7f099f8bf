import Terminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A second process of this command, in which files are checked that may be damaged.
///
/// Whoever maps a damaged file may be ended by the operating system. The second process answers on this
/// one's standard output and error, and says through a pipe what it is about to do; so if it is ended,
/// this one can tell during what.
enum CheckProcess {
  /// What the second process is about to do.
  enum Phase: UInt8 {
    case starting
    case examining
    case opening
    case comparing
    /// What follows is the report.
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

  /// How it ended.
  enum Ending {
    /// By itself; with the report, if it was asked to say it through the pipe.
    case exited(Int32, report: String)
    /// The operating system, or somebody, ended it.
    case killed(signal: Int32, during: Phase)
  }

  /// Says through the pipe what is about to be done.
  static func say(_ phase: Phase, to descriptor: Int32) {
    var byte = phase.rawValue
    _ = write(descriptor, &byte, 1)
  }

  /// Says the report through the pipe; the last thing that is said.
  static func tell(_ report: String, to descriptor: Int32) throws {
    say(.reporting, to: descriptor)
    try Output.write(report, to: descriptor)
  }

  /// Runs this program again with other arguments, and waits for its end.
  ///
  /// - Parameter arguments: makes the arguments from the descriptor that phases are to be said to.
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
    // A process that is ended should not print its stack: this one says what happened.
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

  /// Where this program's file is.
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

  /// What a check that was ended by a signal says of a ledger.
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

  /// Whether a signal says that the process did something impossible, as damaged files make it do.
  private static func isFault(_ signal: Int32) -> Bool {
    [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE].contains(signal)
  }
}
