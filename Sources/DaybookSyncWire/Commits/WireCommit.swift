public import DaybookEntities

/// A replica's commit in the form that is sent to other replicas, with all data that the fold
/// needs.
public struct WireCommit: Hashable, Sendable {
  /// The commit's number among its replica's commits; numbers start at 1 and have no gaps.
  ///
  /// Entries that aren't commits don't count.
  public var number: UInt64
  /// The version of the author's fold.
  public var foldVersion: UInt32
  /// The lowest version of the fold that merges the commit as its author intended.
  public var leastFoldVersion: UInt32
  /// The log's link at the base, as the author saw it; other replicas compare it with their own
  /// link.
  public var baseLink: Hash256
  /// The proof of the author's confirmed State at the base (``LedgerKey/proof(ofState:at:)``).
  public var baseState: Hash256
  /// The replica of which this replica is a restored copy; only in a replica's first commit.
  public var continues: Continuation?
  /// Whether the changes are independent of each other, like those of an import, generated
  /// transactions, or an applied rule.
  ///
  /// If a period was closed, independent changes are deferred individually, and other changes are
  /// deferred together.
  public var hasIndependentChanges: Bool
  /// Further attributes of the commit: a record of properties, which may have unknown tags.
  public var attributes: Record
  /// The changes, in the author's order.
  public var changes: [WireChange]

  /// A restored copy's reference to its original.
  public struct Continuation: Hashable, Sendable {
    /// The original's replica.
    public var replica: UInt64
    /// The number of the original's last commit that the copy contains.
    public var number: UInt64

    /// Creates a reference to a replica and its last commit in the copy.
    public init(replica: UInt64, number: UInt64) {
      self.replica = replica
      self.number = number
    }
  }

  /// Creates a commit.
  public init(
    number: UInt64, foldVersion: UInt32 = 1, leastFoldVersion: UInt32 = 1, baseLink: Hash256,
    baseState: Hash256, continues: Continuation? = nil, hasIndependentChanges: Bool = false,
    attributes: Record = Record(), changes: [WireChange]
  ) {
    self.number = number
    self.foldVersion = foldVersion
    self.leastFoldVersion = leastFoldVersion
    self.baseLink = baseLink
    self.baseState = baseState
    self.continues = continues
    self.hasIndependentChanges = hasIndependentChanges
    self.attributes = attributes
    self.changes = changes
  }
}

/// A commit's change of one entity.
public struct WireChange: Hashable, Sendable {
  /// The entity's kind.
  public var kind: EntityKind
  /// The entity's id.
  public var id: EntityID
  /// The record before the change, or `nil` if the entity didn't exist for the author.
  public var before: Record?
  /// The record after the change, or `nil` if the change deletes the entity.
  public var after: Record?
  /// The record in the author's tombstone, if the change is an undeletion.
  public var tombstone: Record?
  /// Whether a program created the entity by a deterministic rule, so that every replica that
  /// applies the rule creates the same entity.
  public var isMade: Bool
  /// Whether the change removes the entity's personal text.
  public var isErasure: Bool
  /// The tags of properties with personal text, in ascending order.
  ///
  /// They allow a reader to erase text in properties that it doesn't support.
  public var personalTags: [UInt8]

  /// Creates a change.
  public init(
    kind: EntityKind, id: EntityID, before: Record?, after: Record?, tombstone: Record? = nil,
    isMade: Bool = false, isErasure: Bool = false, personalTags: [UInt8] = []
  ) {
    self.kind = kind
    self.id = id
    self.before = before
    self.after = after
    self.tombstone = tombstone
    self.isMade = isMade
    self.isErasure = isErasure
    self.personalTags = personalTags
  }
}
