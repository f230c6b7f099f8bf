import Foundation

/// What the checks found: a line for each, and how many passed, failed and were skipped.
final class Report {
  private var passed = 0
  private var failed = 0
  private var skipped = 0

  /// Whether nothing failed.
  var isClean: Bool { failed == 0 }

  /// Runs a check that returns figures to print, and throws where something is wrong.
  func check(_ name: String, _ body: () async throws -> String) async {
    do {
      let figures = try await body()
      passed += 1
      say("ok       \(name): \(figures)")
    } catch let skip as Skipped {
      skipped += 1
      say("skipped  \(name): \(skip.reason)")
    } catch {
      failed += 1
      say("FAILED   \(name): \(error)")
    }
  }

  /// Prints how many passed, failed and were skipped.
  func finish() {
    say("\(passed) passed, \(failed) failed" + (skipped > 0 ? ", \(skipped) skipped" : ""))
  }

  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

/// A check that cannot be made on this machine.
struct Skipped: Error {
  var reason: String
}

/// A check whose outcome is wrong.
struct Wrong: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Throws where a figure is not what it should be.
func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
  guard found != expected else { return }
  throw Wrong("\(what) is \(found), not \(expected)")
}
