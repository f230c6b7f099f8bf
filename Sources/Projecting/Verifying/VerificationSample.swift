package import Entities

/// Which part of a store a sampled verification looks at.
///
/// The same seed and share choose the same part of the same store, unless time runs out.
public struct VerificationSample: Hashable, Sendable {
  /// How much of everything is looked at, above 0 to 1.
  public var share: Double
  /// How long it may take, in seconds; what could not be looked at by then is left out.
  public var seconds: Double?
  /// Chooses what is looked at.
  public var seed: UInt64

  /// A sample.
  ///
  /// - Parameters:
  ///   - share: how much of everything; brought into 0.000 001 to 1.
  ///   - seconds: how long it may take, as long as needed where `nil`.
  ///   - seed: another one for each check finds more in the course of time.
  public init(
    share: Double = 0.1, seconds: Double? = 20, seed: UInt64 = .random(in: 0...UInt64.max)
  ) {
    self.share = share.isNaN ? 1 : min(max(share, 1e-6), 1)
    self.seconds = seconds
    self.seed = seed
  }

  /// Whether everything is looked at, if there is time.
  package var isWhole: Bool { share >= 1 }

  /// Whether an entity is in the sample.
  package func takes(_ kind: EntityKind, _ id: EntityID) -> Bool {
    takes(id.high ^ UInt64(kind.rawValue) << 56 ^ (id.low &* 0x9E37_79B9_7F4A_7C15))
  }

  /// Whether what has this number is in the sample.
  func takes(_ number: UInt64) -> Bool {
    if isWhole { return true }
    var generator = SampleGenerator(seed ^ number)
    _ = generator.next()
    return Double(generator.next() >> 11) * 0x1p-53 < share
  }

  /// The same with a smaller share, where that would be more than so many of a number of things.
  func limited(to countMax: Int, of count: Int) -> VerificationSample {
    var sample = self
    if Double(count) * share > Double(countMax) { sample.share = Double(countMax) / Double(count) }
    return sample
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014): numbers that follow from a seed.
struct SampleGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// How much of something a sampled verification looked at.
public struct VerificationCoverage: Hashable, Sendable, Codable {
  /// What there is to be looked at.
  public enum Part: String, Hashable, Sendable, CaseIterable, Codable {
    /// Commits, of which the chain was computed anew.
    case commits
    /// Rows that carry a seal.
    case seals
    /// Entities, whose every property was compared with the newest value that history gives it.
    case entities
    /// Entities, of which every row that projections put was looked for and compared.
    case rows
    /// Totals that were added up anew from the entities they are of.
    case totals
    /// Rows of projections that are derived from totals, which were had from these anew.
    case derived
    /// Entities that were held against the rules of what is kept, such as double entry.
    case rules
  }

  /// What.
  public let part: Part
  /// How many were looked at.
  public var checked: UInt64
  /// How many there are.
  public var total: UInt64
  /// Whether time ran out.
  public var isCutShort: Bool

  /// A part with its figures.
  public init(_ part: Part, checked: UInt64, of total: UInt64, isCutShort: Bool = false) {
    self.part = part
    self.checked = checked
    self.total = total
    self.isCutShort = isCutShort
  }

  init(_ part: Part, _ checked: Int, of total: Int, isCutShort: Bool) {
    self.init(
      part, checked: UInt64(max(checked, 0)), of: UInt64(max(total, 0)), isCutShort: isCutShort)
  }
}

/// Until when something may go on.
package struct Deadline: Sendable {
  private let end: ContinuousClock.Instant?

  /// So many seconds from now.
  package init(seconds: Double?) {
    end = seconds.map { ContinuousClock.now + .seconds($0) }
  }

  /// Whether the time is over.
  package var isOver: Bool { end.map { ContinuousClock.now >= $0 } ?? false }

  /// A part of what is left: one of so many parts that are yet to come.
  package func part(of count: Int) -> Deadline {
    guard let end else { return self }
    let left = end - .now
    return Deadline(end: .now + left / max(count, 1))
  }

  private init(end: ContinuousClock.Instant) { self.end = end }
}
