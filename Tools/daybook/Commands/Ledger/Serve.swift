import ArgumentParser
import DaybookPlatform
import DaybookTerminal

/// `daybook serve`: runs `daybook-serve`, a separate program with the ledger's web page and HTTP
/// API.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the ledger's web page and HTTP API on this machine.",
    discussion: """
      Starts daybook-serve, which is built separately and must be next to this command or on PATH. \
      Arguments are passed on to it:

        daybook serve --ledger Household.daybook --port 8480

      For its flags, run `daybook serve --help` once it is installed. Docs/Server.md explains \
      access control.
      """)

  @Argument(parsing: .captureForPassthrough, help: "Arguments for daybook-serve.")
  var arguments: [String] = []

  /// The name of the program.
  private static let program = "daybook-serve"

  func run() async throws {
    let json = arguments.contains("--json")
    try await Self.telling(json: json) {
      guard let path = try Self.place() else {
        throw CommandFailure(
          .noInput, code: "notInstalled",
          "Couldn't find \(Self.program) next to this command or on PATH.",
          remedy: """
            Build it in the folder of Daybook's sources with `swift build -c release \
            --package-path Tools/Server \
            --product \(Self.program)` and copy Tools/Server/.build/release/\(Self.program) next \
            to this command. \
            To build it and serve a sample household, run `make serve`.
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
        .inputOutput, code: "system", "Couldn't start \(path): \(Output.reason(code)).",
        remedy: "Check that the file is executable, or build it again.")
    }
  }

  /// The path of the program, or `nil` if it isn't installed.
  ///
  /// The program must be in the same folder as this one, or in a folder of `PATH`.
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
