import ArgumentParser
import Daybook

/// The options that limit a check to a sample of the ledger.
struct SampleOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Check a part that is chosen by chance, in bounded time.",
      discussion: "Says how much was looked at, and by which seed it was chosen."))
  var sample = false

  @Option(help: ArgumentHelp("How many percent a sample looks at.", valueName: "percent"))
  var share = 10.0

  @Option(help: ArgumentHelp("How long a sample may take.", valueName: "seconds"))
  var seconds = 20.0

  @Option(help: ArgumentHelp("Choose the sample that this number chose before.", valueName: "n"))
  var seed: UInt64?

  func validate() throws {
    guard share > 0, share <= 100 else {
      throw ValidationError("--share is a percentage, above 0 up to 100.")
    }
    guard seconds > 0, seconds <= 1e9 else {
      throw ValidationError("--seconds must be above 0.")
    }
  }

  /// The requested sample, or `nil` for a full check.
  var wanted: VerificationSample? {
    guard sample else { return nil }
    return VerificationSample(
      share: share / 100, seconds: seconds, seed: seed ?? .random(in: 0...UInt64.max))
  }
}

extension VerificationSample {
  /// The arguments that request the sample from a child process.
  var arguments: [String] {
    ["--sample", "--share", "\(share * 100)", "--seed", "\(seed)"]
      + (seconds.map { ["--seconds", "\($0)"] } ?? [])
  }
}
