import Foundation
import Interchange

/// Something that reads bytes from outside, and what has to hold whatever the bytes are.
struct FuzzTarget: Sendable {
  /// The name for `Tools/scripts/fuzz`.
  var name: String
  /// Inputs to begin with.
  var seeds: @Sendable (SeedFiles) throws -> [[UInt8]]
  /// Words that the decoder knows, for libFuzzer to put in.
  var words: @Sendable (SeedFiles) -> [String] = { _ in [] }
  /// Reads an input; ends the process where something is wrong.
  var run: @Sendable ([UInt8]) -> Void

  /// Every target: those of our own, and each format that Interchange recognises.
  static let all: [FuzzTarget] =
    FileFormats.all.map { format($0) } + [
      packed, actual, csv, mapping, lines, commits, tokens, redo, wire,
    ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Ends the process, so that libFuzzer keeps the input, where something that has to hold does not.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { endWith("does not hold: \(what())") }
}

/// Ends the process as libFuzzer expects of a finding: it keeps the input then.
func endWith(_ finding: String) -> Never {
  FileHandle.standardError.write(Data("\(finding)\n".utf8))
  abort()
}
