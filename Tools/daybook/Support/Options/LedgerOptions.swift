import ArgumentParser
import Daybook
import DaybookTerminal

/// The options of every command: the ledger's folder and the form of the answer.
struct LedgerOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The ledger's folder.",
      discussion: "Default: $DAYBOOK_LEDGER, or Household.daybook in the current folder.",
      valueName: "path"),
    completion: .directory)
  var ledger: String?

  @Flag(help: "Print JSON, for scripts. Errors are JSON too, on standard error.")
  var json = false

  /// The path of the ledger's folder.
  var path: String { Self.path(ledger) }

  /// The given path, or else the default path.
  static func path(_ given: String?) -> String {
    if let given { return given }
    if let path = Terminal.variable("DAYBOOK_LEDGER"), !path.isEmpty { return path }
    return "Household.daybook"
  }

  /// The options for opening the ledger, with the current user as the author of commits.
  ///
  /// By default, a missing ledger isn't created.
  func options(readOnly: Bool = false, creates: Bool = false) -> Ledger.Options {
    var options = Ledger.Options(
      author: Terminal.variable("USER") ?? "", source: "daybook", isReadOnly: readOnly,
      createsIfMissing: creates)
    // On the command line, only `daybook purge` and `daybook maintain` purge history.
    options.purgesOnOpen = false
    return options
  }

  /// Opens the ledger, which must exist, for the duration of `body`.
  func withLedger<Result>(
    readOnly: Bool = false, _ body: (Ledger) async throws -> Result
  ) async throws -> Result {
    try await Ledger.withLedger(at: path, options: options(readOnly: readOnly)) { opened in
      if opened.viewsDamage != nil {
        try Output.remark(
          "The views of the ledger at \(path) were damaged, and have been rebuilt from the journal, "
            + "as `daybook rebuild` does. Nothing recorded is lost. Check the disk.")
      }
      return try await body(opened)
    }
  }

  /// Opens the ledger and reads a snapshot of its current or an earlier state.
  func read<Result>(
    _ past: PastOptions? = nil, _ body: (borrowing Snapshot) throws -> Result
  ) async throws -> Result {
    try await read(asOf: past?.asOf, body)
  }

  /// Opens the ledger and reads its current state, or its state after a commit.
  func read<Result>(
    asOf sequence: UInt64?, _ body: (borrowing Snapshot) throws -> Result
  ) async throws -> Result {
    try await withLedger { ledger in
      if let missing = ledger.missingCommits {
        try Output.remark("The journal lacks \(missing). Run `daybook recover` to see what to do.")
      }
      guard let sequence else {
        return try ledger.read { snapshot in try body(snapshot) }
      }
      return try ledger.read(asOf: ledger.token(at: sequence)) { snapshot in try body(snapshot) }
    }
  }
}

/// The option to read an earlier state of the ledger.
struct PastOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Show the ledger as of this commit (see `daybook history`).", valueName: "commit"))
  var asOf: UInt64?
}

/// A command on a ledger, which does its work in `execute` and reports all errors in the same way.
protocol LedgerCommand: AsyncParsableCommand {
  var ledger: LedgerOptions { get }
  /// Whether errors are written as JSON.
  var complainsInJSON: Bool { get }
  func execute() async throws
}

extension LedgerCommand {
  var complainsInJSON: Bool { ledger.json }

  func run() async throws {
    CrashReport.install()
    try await Self.telling(json: complainsInJSON) {
      do {
        try await execute()
      } catch let error as DaybookError where error.code == .readOnly && error.remedy.isEmpty {
        throw CommandFailure(
          .noPermission, code: error.code.rawValue, error.message,
          remedy:
            "To create a writable ledger from it, run `daybook restore \(ledger.path) --ledger "
            + "NEW.daybook`."
        )
      } catch let error as DaybookError
        where error.code == .missing && !FileSystem.exists(ledger.path)
        && error.message.contains("“\(ledger.path)”")
      {
        throw CommandFailure(
          .noInput, code: error.code.rawValue, "Couldn't find a ledger at “\(ledger.path)”.",
          remedy:
            "Set its location with --ledger or $DAYBOOK_LEDGER, or create one with `daybook init`.")
      }
    }
  }
}

extension AsyncParsableCommand {
  /// Runs `body`, writes any error to standard error and exits with its code.
  static func telling(json: Bool, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let code as ExitCode {
      throw code
    } catch let error as ValidationError {
      throw error
    } catch {
      let failure = CommandFailure(error)
      Output.complain(failure, json: json)
      throw failure.status.exitCode
    }
  }
}
