public import DaybookEntities

extension KindRules {
  /// A register by which an entity takes in another entity of its kind, which the same commit
  /// deletes.
  ///
  /// The two changes take effect together or not at all. They don't if either entity has been
  /// deleted, or the register has been written, by a commit that their author hadn't seen: what the
  /// other entity holds would then be counted twice, or not at all.
  public struct Absorption: Sendable {
    /// The register.
    public var register: Register
    /// Returns the entity that a record has taken in, or `nil` if there is none.
    public var absorbed: @Sendable (Record) -> EntityID?

    /// Creates the rule for a register.
    public init(_ register: Register, absorbed: @escaping @Sendable (Record) -> EntityID?) {
      self.register = register
      self.absorbed = absorbed
    }
  }
}

/// A change by which an entity takes in another one, and the deletion of the other one.
struct AbsorbingChange {
  /// The change of the entity that takes the other one in.
  var change: EntityChange
  /// The deletion of the other entity.
  var deletion: EntityChange
  /// The register that names the other entity.
  var register: Register
}

extension RuleTable {
  /// Returns a commit's changes by which entities take in others.
  ///
  /// - Complexity: O(changes).
  func absorptions(in changes: [EntityChange]) -> [AbsorbingChange] {
    var found: [AbsorbingChange] = []
    var deletions: [EntityKey: EntityChange]?
    for change in changes {
      guard let rule = rules.kinds[change.key.kind]?.absorption, let before = change.before,
        let after = change.after, let id = rule.absorbed(after), rule.absorbed(before) != id
      else { continue }
      if deletions == nil {
        deletions = Dictionary(
          changes.filter { $0.before != nil && $0.after == nil }.map { ($0.key, $0) },
          uniquingKeysWith: { first, _ in first })
      }
      guard let deletion = deletions?[EntityKey(change.key.kind, id)] else { continue }
      found.append(AbsorbingChange(change: change, deletion: deletion, register: rule.register))
    }
    return found
  }
}
