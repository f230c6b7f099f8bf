/// How far a long operation is.
public struct RebuildProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: String, Hashable, Sendable {
    /// The current entities are gathered from the journal, commit by commit.
    case state
    /// The projections are built from the current entities.
    case projections
    /// What was built is compared with what answers now, row by row.
    case comparison
    /// The journal is copied without its free pages.
    case copy
    /// The copy is read back and compared with the journal, row by row.
    case proof
    /// What was appended meanwhile is brought in, commit by commit.
    case catchUp
    /// What was made is brought to the disk.
    case flush
  }

  /// What is being done.
  public let phase: Phase
  /// How much of it is done, 0 to 1.
  public let fraction: Double
  /// How many units of the phase (commits, entities or bytes) are done in a second; 0 where that is
  /// not known.
  public let unitsPerSecond: Double

  /// The part of the whole that is done, 0 to 1, as far as it can be told.
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

/// Tells of the progress of one phase, with its rate.
struct PhaseProgress: Sendable {
  let phase: RebuildProgress.Phase
  /// How many units the whole phase has.
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
