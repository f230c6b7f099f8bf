import ArgumentParser
import Terminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `daybook serve`: runs `daybook-serve`, a separate program with the ledger's web page and HTTP
/// API.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the ledger's page and HTTP API on this machine.",
    discussion: """
      Starts daybook-serve, which is built by itself so that this command needs no server: it lies beside this \
      command or on PATH. What follows is handed on to it:

        daybook serve --ledger Household.daybook --port 8480

      `daybook serve --help` shows its flags where it is installed; Docs/Server.md says who can reach what.
      """)

  @Argument(parsing: .captureForPassthrough, help: "What is handed on to daybook-serve.")
  var arguments: [String] = []

  /// The name of the program.
  private static let program = "daybook-serve"

  func run() async throws {
    let json = arguments.contains("--json")
    try await Self.telling(json: json) {
      guard let path = try Self.place() else {
        throw CommandFailure(
          .noInput, code: "notInstalled",
          "\(Self.program) is neither beside this command nor on PATH.",
          remedy: """
            Build it in the folder of Daybook's sources: `swift build -c release --package-path Tools/Server \
            --product \(Self.program)`, and copy Tools/Server/.build/release/\(Self.program) beside this command. \
            `make serve` builds it and shows the sample household.
            """)
      }
      var words: [UnsafeMutablePointer<CChar>?] = ([Self.program] + arguments).map { strdup($0) }
      words.append(nil)
      // `execv` replaces this process, so that signals reach the server and its exit code is
      // returned.
      execv(path, words)
      let code = errno
      for word in words { free(word) }
      throw CommandFailure(
        .inputOutput, code: "system", "\(path) could not be started: \(Output.reason(code)).",
        remedy: "Build it again, and check that it may be run.")
    }
  }

  /// The path of the program, or `nil` if it isn't installed.
  ///
  /// The program is expected next to this one or in a folder of `PATH`.
  private static func place() throws -> String? {
    var folders: [String] = []
    if let own = realpath(try CheckProcess.programPath(), nil) {
      defer { free(own) }
      let path = String(cString: own)
      if let end = path.lastIndex(of: "/") { folders.append(String(path[..<end])) }
    }
    folders += (Terminal.variable("PATH") ?? "").split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}
