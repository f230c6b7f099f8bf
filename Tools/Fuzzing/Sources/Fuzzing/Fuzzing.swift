import CLibFuzzer
import Foundation

/// Runs libFuzzer on the target that the environment's FUZZ_TARGET names; its arguments are libFuzzer's.
///
/// `list` prints the targets, `seeds PROJECT FOLDER` writes the target's inputs to begin with, and
/// `words PROJECT` prints what its decoder looks for, as libFuzzer's `-dict` wants it.
@main
enum Fuzzing {
  /// The target; read from the environment, since libFuzzer starts the program again with arguments of its
  /// own.
  static let target = FuzzTarget.named(ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "")

  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.dropFirst().first == "list" {
      for target in FuzzTarget.all { print(target.name) }
      return
    }
    guard let target else {
      let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
      FileHandle.standardError.write(Data("FUZZ_TARGET has to be one of: \(names)\n".utf8))
      exit(64)
    }
    if arguments.count == 4, arguments[1] == "seeds" {
      return try write(target.seeds(SeedFiles(project: arguments[2])), to: arguments[3])
    }
    if arguments.count == 3, arguments[1] == "words" {
      for word in target.words(SeedFiles(project: arguments[2])) {
        print("\"\(word.replacing("\n", with: "\\x0A"))\"")
      }
      return
    }
    var count = CommandLine.argc
    var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let result = LLVMFuzzerRunDriver(&count, &values) { bytes, byteCount in
      Fuzzing.target?.run(Array(UnsafeBufferPointer(start: bytes, count: byteCount)))
      return 0
    }
    exit(result)
  }

  private static func write(_ seeds: [[UInt8]], to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (index, seed) in seeds.enumerated() {
      try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/\(index)"))
    }
  }
}
