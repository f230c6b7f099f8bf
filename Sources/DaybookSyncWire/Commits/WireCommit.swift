public import DaybookEntities

/// A replica's commit as it is sent to other replicas: everything that the fold needs.
public struct WireCommit: Hashable, Sendable {
  /// The commit's number within its replica: gap-free from 1, not counting other entries.
  public var number: UInt64
  /// The version of the author's fold.
  public var foldVersion: UInt32
  /// The lowest version of the fold that merges the commit as its author intended.
  public var leastFoldVersion: UInt32
  /// The log's link at the base, as its author saw it; replicas that fold the commit compare it
  /// with theirs.
  public var baseLink: Hash256
  /// The proof of the author's confirmed State at the base (``LedgerKey/proof(ofState:at:)``).
  public var baseState: Hash256
  /// The replica that this one is a restored copy of; only in a replica's first commit.
  public var continues: Continuation?
  /// Whether the changes are independent of each other (an import, generated transactions, an
  /// applied rule).
  ///
  /// If a period was closed, independent changes are deferred one by one, others together.
  public var isSet: Bool
  /// Further attributes of the commit: properties by tag, including unknown ones.
  public var attributes: Record
  /// The changes, in the author's order.
  public var changes: [WireChange]

  /// A restored copy's reference to its original.
  public struct Continuation: Hashable, Sendable {
    /// The replica that it is a copy of.
    public var replica: UInt64
    /// The number of the last commit of that replica that the copy holds.
    public var number: UInt64

    /// Creates a continuation of a replica after its commit `number`.
    public init(replica: UInt64, number: UInt64) {
      self.replica = replica
      self.number = number
    }
  }

  /// Creates a commit.
  public init(
    number: UInt64, foldVersion: UInt32 = 1, leastFoldVersion: UInt32 = 1, baseLink: Hash256,
    baseState: Hash256, continues: Continuation? = nil, isSet: Bool = false,
    attributes: Record = Record(), changes: [WireChange]
  ) {
    self.number = number
    self.foldVersion = foldVersion
    self.leastFoldVersion = leastFoldVersion
    self.baseLink = baseLink
    self.baseState = baseState
    self.continues = continues
    self.isSet = isSet
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
  /// The record after the change, or `nil` if it deletes the entity.
  public var after: Record?
  /// For an undeletion: the record that the author's tombstone kept.
  public var tombstone: Record?
  /// Whether a program made the entity by a rule, so that any replica that does the same makes the
  /// same entity.
  public var isMade: Bool
  /// Whether the change removes the entity's personal text.
  public var isErasure: Bool
  /// The tags of properties with personal text, ascending: an erasure must find them even if the
  /// reader doesn't know a tag.
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
