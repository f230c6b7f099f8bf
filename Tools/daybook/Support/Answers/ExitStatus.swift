import ArgumentParser

/// The exit codes of the command.
///
/// Codes from 64 on are taken from `sysexits.h`. `Docs/CommandLine.md` documents the codes as
/// stable.
enum ExitStatus: Int32 {
  /// A bookkeeping rule was violated, or a named object doesn't exist.
  ///
  /// Nothing was written.
  case refused = 1
  /// The ledger is damaged, or `verify` found a difference.
  case damaged = 2
  /// The arguments are invalid.
  ///
  /// ArgumentParser uses the same code.
  case usage = 64
  /// A file's contents can't be imported, or this version doesn't support the ledger's format.
  case badData = 65
  /// The ledger or a named file doesn't exist.
  case noInput = 66
  /// The ledger can't answer now, for example because its views are being rebuilt.
  case unavailable = 69
  /// An unexpected error.
  case software = 70
  /// A file to be created already exists or can't be created.
  case cannotCreate = 73
  /// The disk is full, or the operating system reported an error.
  case inputOutput = 74
  /// The command conflicted with another command, or its outcome is unknown.
  ///
  /// Check the ledger and try again.
  case tryAgain = 75
  /// The ledger is read-only.
  case noPermission = 77
  /// The command was interrupted by Ctrl-C.
  ///
  /// Standard error states which changes had been recorded.
  case interrupted = 130

  var exitCode: ExitCode { ExitCode(rawValue) }
}
