import ArgumentParser
import Daybook
import Foundation

/// A measure that needs a separate process, because it concerns memory or a cold start.
enum Probe: String, ExpressibleByArgument {
  case open
  case rebuild
  case scroll

  struct Outcome {
    var microseconds: Double
    var kilobytes: Int
  }

  /// Runs this program as a child process and parses its output.
  ///
  /// Called in the parent.
  static func run(_ probe: Probe, _ name: String, _ folder: String) async throws -> Outcome {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--probe", probe.rawValue, "--engines", name, "--store", folder]
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let words = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let time = Double(words[0]), let kilobytes = Int(words[1]) else {
      throw BenchmarkError("the probe of \(name) failed")
    }
    return Outcome(microseconds: time, kilobytes: kilobytes)
  }

  /// Measures and prints the result.
  ///
  /// Called in the child.
  func answer<E: Engine>(_: E.Type, _ folder: String) async throws {
    switch self {
    case .open:
      let clock = ContinuousClock()
      let start = clock.now
      let engine = try await E(opening: folder)
      let rows = try engine.page(newest: 50)
      let time = (clock.now - start).microseconds
      guard rows.count == 50 else { throw BenchmarkError("\(E.name) opened without its rows") }
      print(time, anonymousKilobytes())
      try await engine.close()
    case .rebuild:
      let engine = try await E(opening: folder)
      var time = 0.0
      let peak = try await peakAnonymousKilobytes {
        time = try await measure { try await engine.rebuild() }.wall
      }
      print(time, peak)
      try await engine.close()
    case .scroll:
      let ledger = try await Ledger.open(at: folder + "/work.daybook")
      var time = 0.0
      let peak = try await peakAnonymousKilobytes {
        let scroller = await Scroller(ledger)
        time = try await measure { try await scroller.scroll() }.wall
      }
      print(time, peak)
      try await ledger.close()
    }
  }
}
