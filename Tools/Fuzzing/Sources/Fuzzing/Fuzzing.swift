import CLibFuzzer
import Foundation

/// Runs libFuzzer on the target that the environment variable `FUZZ_TARGET` names.
///
/// The arguments are libFuzzer's. In addition, `list` prints the targets, `seeds PROJECT FOLDER`
/// writes the target's initial inputs, and `words PROJECT` prints the words that its decoder
/// recognises in the form of libFuzzer's `-dict`.
@main
enum Fuzzing {
  /// The target.
  ///
  /// It is named in the environment, because libFuzzer restarts the program with its own arguments.
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
