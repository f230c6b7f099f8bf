import Foundation

/// Runs the programs that checks need.
enum Program {
  /// The path of the command built next to this program.
  static func daybook() throws -> String {
    let path = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("daybook").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Wrong("there is no \(path): `make outside` builds it")
    }
    return path
  }

  /// The path of an installed program.
  ///
  /// - Throws: ``Skipped`` if the program isn't installed.
  static func find(_ program: String) throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for folder in folders {
      let path = "\(folder)/\(program)"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw Skipped(reason: "\(program) is not installed (Debian: apt-get install \(program))")
  }

  /// Runs a program and returns its output.
  ///
  /// - Throws: ``Wrong`` if the program fails.
  static func run(_ tool: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["LC_ALL"] = "C.UTF-8"
    process.environment = environment
    let output = Pipe()
    let faults = Pipe()
    process.standardOutput = output
    process.standardError = faults
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = faults.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Wrong(
        "\(tool) fails with \(process.terminationStatus): "
          + String(decoding: complaint.prefix(600), as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
