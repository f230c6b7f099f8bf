import ArgumentParser
import Daybook
import Terminal

/// Which ledger, and for whom the answer is: part of every command.
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

  /// The folder asked for.
  var path: String { Self.path(ledger) }

  /// The folder that is given, or else the one that is meant.
  static func path(_ given: String?) -> String {
    if let given { return given }
    if let path = Terminal.variable("DAYBOOK_LEDGER"), !path.isEmpty { return path }
    return "Household.daybook"
  }

  /// How the ledger is opened: by the person at the keyboard, and not made where it is missing.
  func options(readOnly: Bool = false, creates: Bool = false) -> Ledger.Options {
    var options = Ledger.Options(
      author: Terminal.variable("USER") ?? "", source: "daybook", isReadOnly: readOnly,
      createsIfMissing: creates)
    // Here it is asked for: `daybook purge`, or `daybook maintain`.
    options.purgesOnOpen = false
    return options
  }

  /// Opens the ledger, which has to be there, hands it over and closes it.
  func withLedger<Result>(
    readOnly: Bool = false, _ body: (Ledger) async throws -> Result
  ) async throws -> Result {
    try await Ledger.withLedger(at: path, options: options(readOnly: readOnly), body)
  }

  /// Opens the ledger and answers a question about it, as it is or as it was.
  func read<Result>(
    _ past: PastOptions? = nil, _ body: (borrowing Snapshot) throws -> Result
  ) async throws -> Result {
    try await read(asOf: past?.asOf, body)
  }

  /// Opens the ledger and answers a question about it, as it is or as it was after a commit.
  func read<Result>(
    asOf sequence: UInt64?, _ body: (borrowing Snapshot) throws -> Result
  ) async throws -> Result {
    try await withLedger { ledger in
      guard let sequence else {
        return try ledger.read { snapshot in try body(snapshot) }
      }
      return try ledger.read(asOf: ledger.token(at: sequence)) { snapshot in try body(snapshot) }
    }
  }
}

/// As of when a question is asked.
struct PastOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Show the ledger as of this commit (see `daybook history`).", valueName: "commit"))
  var asOf: UInt64?
}

/// A command on a ledger: does its work in `execute`, and tells of errors in one way.
protocol LedgerCommand: AsyncParsableCommand {
  var ledger: LedgerOptions { get }
  /// Whether errors are told in JSON.
  var complainsInJSON: Bool { get }
  func execute() async throws
}

extension LedgerCommand {
  var complainsInJSON: Bool { ledger.json }

  func run() async throws {
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
  /// Runs, and turns any error into a sentence and an exit code.
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
