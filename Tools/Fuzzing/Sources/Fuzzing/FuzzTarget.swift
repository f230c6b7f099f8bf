import DaybookInterchange
import Foundation

/// A decoder of untrusted bytes, with properties that must hold for any input.
struct FuzzTarget: Sendable {
  /// The name for `Tools/scripts/fuzz`.
  var name: String
  /// The initial inputs.
  var seeds: @Sendable (SeedFiles) throws -> [[UInt8]]
  /// Words that the decoder recognises, for libFuzzer to insert.
  var words: @Sendable (SeedFiles) -> [String] = { _ in [] }
  /// Decodes an input.
  ///
  /// Ends the process if a property doesn't hold.
  var run: @Sendable ([UInt8]) -> Void

  /// All targets: Daybook's own decoders, and each format that Interchange recognises.
  static let all: [FuzzTarget] =
    FileFormats.all.map { format($0) } + [
      packed, actual, csv, mapping, lines, commits, tokens, redo, wire,
    ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Ends the process if a condition doesn't hold, so that libFuzzer saves the input.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { endWith("does not hold: \(what())") }
}

/// Ends the process in the way that libFuzzer treats as a crash, so that it saves the input.
func endWith(_ finding: String) -> Never {
  FileHandle.standardError.write(Data("\(finding)\n".utf8))
  abort()
}
