import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Programs that a test starts and waits for.
///
/// Foundation's `Process` would do, but at times never hears of the end of a child (swift-corelibs-foundation 6.3),
/// and leaks a little, which a test run under AddressSanitizer ends with.
public enum ChildProgram {
  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - program: the path of the program.
  ///   - arguments: what it is told.
  ///   - environment: what it finds in its environment besides that of this process.
  ///   - output: the file that gets what it prints and complains of; without one that is dropped.
  /// - Returns: The status it ends with, or the signal that ends it; -1 where it cannot be started.
  public static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    output: String = "/dev/null"
  ) -> Int32 {
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      for word in words + settings { free(word) }
    }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var child = pid_t()
    guard posix_spawn(&child, program, &actions, nil, &words, &settings) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f
  }
}
