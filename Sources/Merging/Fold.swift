/// Folds a log into the entities it means: pure, total and deterministic.
///
/// The rules are in `Docs/Notes/Merging.md`. Any way of cutting a log into slices gives the same.
public struct Fold: Sendable {
  /// The version of these rules.
  ///
  /// A log whose commits need a newer one stops here.
  public static let version: UInt32 = 1

  /// What the ledger says of its kinds.
  public let rules: MergeRules
  /// What has been folded: the confirmed values.
  public private(set) var folded: Folded

  /// A fold that goes on from what was folded before.
  public init(rules: MergeRules, from folded: Folded = Folded()) {
    self.rules = rules
    self.folded = folded
  }
}
