import DaybookPlatform
import Foundation

/// Programs that a test starts and waits for.
///
/// Foundation's `Process` learns of the end of a child by a socket. Children that are started at the same time inherit
/// that socket, so a test that waits for one of them in turn may wait forever; and it leaks a little, which ends a run
/// under AddressSanitizer.
public enum ChildProgram {
  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: Variables that are added to those of this process.
  ///   - output: The file that gets its output and errors.
  /// - Returns: Its exit status, or the signal that ended it; -1 if it can't be started.
  public static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    output: String = "/dev/null"
  ) -> Int32 {
    run(
      program, arguments,
      variables: ProcessInfo.processInfo.environment.merging(environment) { $1 }, output: output)
  }

  /// Runs a program to its end, in a folder.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: Its arguments, without its name.
  ///   - folder: Its working folder; that of this process if it is `nil`.
  ///   - variables: Its whole environment.
  ///   - input: The file that it reads as its input.
  ///   - output: The file that gets its output; it is created if it doesn't exist.
  ///   - errors: The file that gets its errors; `output` if it is `nil`.
  /// - Returns: Its exit status, or the signal that ended it; -1 if it can't be started.
  public static func run(
    _ program: String, _ arguments: [String], in folder: String? = nil,
    variables: [String: String], input: String = "/dev/null", output: String,
    errors: String? = nil
  ) -> Int32 {
    // Swift sees no call that changes a child's folder, so a shell does it and is replaced by the program.
    let shell = folder.map { ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, $0] } ?? []
    var words = (shell + [program] + arguments).map { strdup($0) } + [nil]
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
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    if let errors {
      posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    var child = pid_t()
    let started = shell.first ?? program
    guard posix_spawn(&child, started, &actions, nil, &words, &settings) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f
  }
}
