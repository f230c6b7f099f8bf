#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A message about what to do if damaged files end this process.
///
/// LMDB maps the files into memory and trusts their pages. Reading a damaged page can therefore end
/// the process with a signal, which error handling can't catch.
enum CrashReport {
  private static let signals = [SIGSEGV, SIGBUS]

  static func install() {
    for number in signals {
      signal(number) { number in
        let text: StaticString = """
          daybook: a crash ended this command. The ledger's files may be damaged: run `daybook \
          verify`. If only the views are damaged, run `daybook rebuild`.

          """
        _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Removes the handlers, because another process reports the failure.
  static func remove() {
    for number in signals { signal(number, SIG_DFL) }
  }
}
