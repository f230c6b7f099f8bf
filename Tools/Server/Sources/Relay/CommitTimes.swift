import Synchronization

/// How long commits took, since the process began: a histogram.
public final class CommitTimes: Sendable {
  /// What one bucket holds: commits that took at most so many seconds, and were in no bucket before.
  private static let bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5]

  private struct State {
    var counts = [Int](repeating: 0, count: CommitTimes.bounds.count + 1)
    var seconds = 0.0
  }

  private let state = Mutex(State())

  /// How many commits were counted.
  var count: Int { state.withLock { $0.counts.reduce(0, +) } }

  /// No commits yet.
  public init() {}

  /// Counts the time that a commit takes.
  func measuring<Result>(_ commit: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    let result = try commit()
    count(ContinuousClock.now - start)
    return result
  }

  /// Counts a commit that took so long.
  public func count(_ time: Duration) {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.counts[bucket] += 1
      state.seconds += seconds
    }
  }

  /// The histogram in Prometheus' text format, under a name.
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
