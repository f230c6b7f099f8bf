public import Entities

/// A replica's commit as it is handed to the others: what the fold needs of it, whole.
public struct WireCommit: Hashable, Sendable {
  /// Which of the replica's commits it is: gap-free from 1, other entries not counted.
  public var number: UInt64
  /// The version of the fold its author had.
  public var foldVersion: UInt32
  /// The least version of the fold that gives what the author meant.
  public var leastFoldVersion: UInt32
  /// The log's link at the base, as the author has it: who folds the commit compares.
  public var baseLink: Hash256
  /// The proof of the author's confirmed State at the base (``LedgerKey/proof(ofState:at:)``).
  public var baseState: Hash256
  /// Only in a replica's first commit, where it is the copy of another that was restored.
  public var continues: Continuation?
  /// Whether each change stands for itself (an import, generated rows, a rule applied): a period that was
  /// closed holds back single rows of it, and not all together.
  public var isSet: Bool
  /// What else is said of the commit: properties by tag, those that are not known handed on.
  public var attributes: Record
  /// What changed, in the author's order.
  public var changes: [WireChange]

  /// What a restored copy of a replica knows of it.
  public struct Continuation: Hashable, Sendable {
    /// The replica of which it is a copy.
    public var replica: UInt64
    /// The number of the last commit of that replica which the copy holds.
    public var number: UInt64

    /// A continuation of a replica after its commit `number`.
    public init(replica: UInt64, number: UInt64) {
      self.replica = replica
      self.number = number
    }
  }

  /// A commit.
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

/// What a commit changed of one entity.
public struct WireChange: Hashable, Sendable {
  /// What sort of entity it is.
  public var kind: EntityKind
  /// Which one.
  public var id: EntityID
  /// The record before, or `nil` where the entity did not exist for the author.
  public var before: Record?
  /// The record after, or `nil` where it does not exist any more.
  public var after: Record?
  /// Where something deleted is brought back: the record that the author's tombstone kept.
  public var tombstone: Record?
  /// Whether a program made the row by a rule, so that any replica that does the same makes it again.
  public var isMade: Bool
  /// Whether the entity's personal text goes.
  public var isErasure: Bool
  /// The tags of properties that hold somebody's words, ascending: what erasing has to find, also where
  /// the reader does not know the tag.
  public var personalTags: [UInt8]

  /// A change.
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
