import Synchronization

/// A histogram of the commits' durations since the process started.
public final class CommitTimes: Sendable {
  /// The upper bounds of the buckets, in seconds; a further bucket counts longer commits.
  private static let bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5]

  private struct State {
    var counts = [Int](repeating: 0, count: CommitTimes.bounds.count + 1)
    var seconds = 0.0
  }

  private let state = Mutex(State())

  /// The number of counted commits.
  var count: Int { state.withLock { $0.counts.reduce(0, +) } }

  /// Creates an empty histogram.
  public init() {}

  /// Runs a commit and counts its duration; a commit that throws isn't counted.
  func measuring<Result>(_ commit: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    let result = try commit()
    count(ContinuousClock.now - start)
    return result
  }

  /// Counts a commit with the given duration.
  public func count(_ time: Duration) {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.counts[bucket] += 1
      state.seconds += seconds
    }
  }

  /// Returns the histogram in Prometheus' text format.
  public func text(_ name: String) -> String {
    let state = state.withLock { $0 }
    var text = "# TYPE \(name) histogram\n"
    var sum = 0
    for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], state.counts) {
      sum += count
      text += "\(name)_bucket{le=\"\(bound)\"} \(sum)\n"
    }
    return text + "\(name)_sum \(state.seconds)\n\(name)_count \(sum)\n"
  }
}
