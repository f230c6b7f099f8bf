import Foundation

/// The report of all checks: a line for each, and the numbers of passed, failed and skipped checks.
final class Report {
  private var passed = 0
  private var failed = 0
  private var skipped = 0

  /// Whether no check failed.
  var isClean: Bool { failed == 0 }

  /// Runs a check, which returns figures to print or throws on a wrong result.
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

  /// Prints the numbers of passed, failed and skipped checks.
  func finish() {
    say("\(passed) passed, \(failed) failed" + (skipped > 0 ? ", \(skipped) skipped" : ""))
  }

  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

/// A check that can't run on this machine.
struct Skipped: Error {
  var reason: String
}

/// A check with a wrong result.
struct Wrong: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Throws if a value differs from the expected one.
func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
  guard found != expected else { return }
  throw Wrong("\(what) is \(found), not \(expected)")
}
