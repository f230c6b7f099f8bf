/// The progress of a rebuild or compaction.
public struct RebuildProgress: Hashable, Sendable {
  /// A phase of the operation.
  public enum Phase: String, Hashable, Sendable {
    /// Reading the current entities from the journal, commit by commit.
    case state
    /// Building the projections from the current entities.
    case projections
    /// Comparing the new views with the live ones, row by row.
    case comparison
    /// Copying the journal without its free pages.
    case copy
    /// Reading the copy and comparing it with the journal, row by row.
    case proof
    /// Applying the commits that were appended since the operation began.
    case catchUp
    /// Flushing the result to disk.
    case flush
  }

  /// The current phase.
  public let phase: Phase
  /// The completed fraction of the phase, 0 to 1.
  public let fraction: Double
  /// The rate in units of the phase (commits, entities or bytes) per second, or 0 if it is unknown.
  public let unitsPerSecond: Double

  /// The estimated completed fraction of the whole operation, 0 to 1.
  public var overall: Double {
    let (begin, share) =
      switch phase {
      case .state: (0.0, 0.45)
      case .projections: (0.45, 0.45)
      case .comparison: (0.9, 0.05)
      case .copy: (0.0, 0.5)
      case .proof: (0.5, 0.45)
      case .catchUp, .flush: (0.95, 0.05)
      }
    return begin + fraction * share
  }

  init(phase: Phase, fraction: Double, unitsPerSecond: Double = 0) {
    self.phase = phase
    self.fraction = fraction
    self.unitsPerSecond = unitsPerSecond
  }
}

/// Reports the progress of one phase, with its rate.
struct PhaseProgress: Sendable {
  let phase: RebuildProgress.Phase
  /// The number of units in the phase.
  let unitCount: Double
  let tell: (@Sendable (RebuildProgress) -> Void)?
  private let begin = ContinuousClock.now

  init(
    _ phase: RebuildProgress.Phase, unitCount: Double = 0,
    _ tell: (@Sendable (RebuildProgress) -> Void)?
  ) {
    self.phase = phase
    self.unitCount = unitCount
    self.tell = tell
  }

  func at(_ fraction: Double) {
    guard let tell else { return }
    let elapsed = ContinuousClock.now - begin
    let seconds =
      Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = seconds > 0 ? fraction * unitCount / seconds : 0
    tell(RebuildProgress(phase: phase, fraction: fraction, unitsPerSecond: rate))
  }
}
