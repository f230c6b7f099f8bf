import ArgumentParser

/// What the command's exit code says.
///
/// The numbers from 64 are those of `sysexits.h`; they are
/// promised in `Docs/CommandLine.md`.
enum ExitStatus: Int32 {
  /// A rule of bookkeeping was broken, or what was named does not exist. Nothing was written.
  case refused = 1
  /// The ledger is damaged, or `verify` found a difference.
  case damaged = 2
  /// The command was not understood. ArgumentParser exits with it too.
  case usage = 64
  /// A file says something that cannot be imported, or is no ledger of this Daybook.
  case badData = 65
  /// The ledger or a file that was named is not there.
  case noInput = 66
  /// The ledger cannot answer now: views are being rebuilt.
  case unavailable = 69
  /// Daybook met something it has no name for.
  case software = 70
  /// What was to be made exists already, or cannot be made.
  case cannotCreate = 73
  /// The disk is full, or the operating system refused.
  case inputOutput = 74
  /// Someone else was faster, or it is unknown whether it was recorded: look, and try again.
  case tryAgain = 75
  /// The ledger may only be read.
  case noPermission = 77
  /// Ctrl-C. What it says on standard error tells what had been recorded by then.
  case interrupted = 130

  var exitCode: ExitCode { ExitCode(rawValue) }
}
