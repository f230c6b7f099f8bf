public import DaybookEntities

/// The id of one copy of a ledger: the 64-bit replica number in its journal.
public struct ReplicaID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number.
  public var rawValue: UInt64

  /// Creates a replica's id from its number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Orders replicas by number.
  public static func < (left: ReplicaID, right: ReplicaID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// An entry of the log that all replicas of a ledger share.
public struct LogEntry: Hashable, Sendable {
  /// The position in the log; positions start at 1 and have no gaps.
  public var position: UInt64
  /// When the relay received the entry, in microseconds since 1970.
  ///
  /// It never decreases from one entry to the next.
  public var received: Int64
  /// The entry's content.
  public var content: Content

  /// The content of a log entry.
  public enum Content: Hashable, Sendable {
    /// A replica's commit.
    case commit(ReplicaCommit)
    /// A new floor: a position before this entry that isn't below the previous floor.
    ///
    /// No commit after this entry has a base below the floor. Every replica has therefore seen the
    /// entries up to the floor, and the writers of their values are discarded.
    case floor(UInt64)
    /// An entry that the fold doesn't use: a device, a key, or a part of a commit other than its
    /// last part.
    case nothing
  }

  /// Creates an entry of the log.
  public init(position: UInt64, received: Int64, content: Content) {
    self.position = position
    self.received = received
    self.content = content
  }
}

/// A replica's commit, as the other replicas receive it.
public struct ReplicaCommit: Hashable, Sendable {
  /// The replica that recorded the commit.
  public var replica: ReplicaID
  /// The commit's number within its replica; numbers start at 1 and have no gaps.
  public var number: UInt64
  /// The position up to which the author had seen the log.
  ///
  /// It is less than the position of the commit's own entry.
  public var base: UInt64
  /// The clock of the author's device when the commit was recorded, in microseconds since 1970.
  ///
  /// The clock may be wrong.
  public var clock: Int64
  /// The lowest version of the fold that merges the commit as its author intended
  /// (``Fold/version``).
  public var version: UInt32
  /// The replica of which this replica is a restored copy, and the last of its commits that the
  /// copy contains; only in a replica's first commit.
  public var continues: Continuation?
  /// Whether the changes are independent of each other, like those of an imported file, of
  /// generated transactions, or of an applied rule.
  ///
  /// If an independent change is deferred (``HeldChange``), the other changes of its commit are
  /// not.
  public var hasIndependentChanges: Bool
  /// Further attributes of the commit (``CommitAttribute``), which the fold passes on without
  /// reading them.
  public var attributes: Record
  /// The changes, in the author's order.
  public var changes: [EntityChange]

  /// A restored copy's reference to its original.
  public struct Continuation: Hashable, Sendable {
    /// The replica of which this one is a copy.
    public var replica: ReplicaID
    /// The number of that replica's last commit that the copy contains; the log already contains
    /// it.
    public var number: UInt64

    /// Creates a reference to a replica and to its last commit in the copy.
    public init(replica: ReplicaID, number: UInt64) {
      self.replica = replica
      self.number = number
    }
  }

  /// Creates a replica's commit.
  public init(
    replica: ReplicaID, number: UInt64, base: UInt64, clock: Int64, version: UInt32 = 1,
    continues: Continuation? = nil, hasIndependentChanges: Bool = false,
    attributes: Record = Record(),
    changes: [EntityChange]
  ) {
    self.replica = replica
    self.number = number
    self.base = base
    self.clock = clock
    self.version = version
    self.continues = continues
    self.hasIndependentChanges = hasIndependentChanges
    self.attributes = attributes
    self.changes = changes
  }
}

/// An attribute of a commit in addition to its changes; the raw value is its tag.
public enum CommitAttribute: UInt8, Sendable {
  /// The person who recorded the commit, as named by the app, in UTF-8.
  case author = 1
  /// The program that recorded the commit, such as an app's name, in UTF-8.
  case source = 2

  /// Returns the encoded attributes of a commit; empty texts are left out.
  public static func record(author: String, source: String) -> Record {
    var writer = RecordWriter()
    for (attribute, text) in [(CommitAttribute.author, author), (.source, source)]
    where !text.isEmpty {
      writer.put(attribute.rawValue) { $0.raw(text.utf8) }
    }
    return writer.record
  }

  /// Returns the text of this attribute, or an empty text if it is absent.
  public func text(in attributes: Record) -> String {
    String(decoding: attributes[rawValue] ?? [], as: UTF8.self)
  }
}

/// A commit's change of one entity, as its author saw it.
///
/// | before | after | what it is | what it writes |
/// |---|---|---|---|
/// | record | record | an amendment | the registers in which the two differ |
/// | nil | record, no tombstone | an insertion (or a reinsertion) | existence; the registers of which `after` has a property; and, as absent, every other register whose current value its author had seen |
/// | nil | record, with a tombstone | undeleting | existence; the registers in which `tombstone` and `after` differ: none, if the entity is only undeleted |
/// | any | any, as an erasure | an erasure, alone or with an amendment (``isErasure``) | the registers in which the two differ; the personal text is removed |
/// | any | nil | a deletion; without `before` a *skip*: a generated transaction that must not be recorded | existence |
public struct EntityChange: Hashable, Sendable {
  /// The entity.
  public var key: EntityKey
  /// The record before the change, or `nil` if the entity didn't exist for the author.
  public var before: Record?
  /// The record after the change, or `nil` if the change deletes the entity.
  public var after: Record?
  /// The record in the author's tombstone, if the change is an undeletion.
  public var tombstone: Record?
  /// Whether a program made this entity by a rule, as for a recurring transaction or an imported
  /// row.
  ///
  /// Every other replica that applies the rule makes the same entity, with the same id. Only an
  /// insertion can be made by a rule; it has a tombstone if the entity was deleted before.
  public var isMade: Bool
  /// Whether the change removes the entity's personal text (``KindRules/erasure``), including text
  /// written by authors who hadn't seen the erasure.
  ///
  /// If there is no record before or after the change, it changes nothing else.
  public var isErasure: Bool

  /// Creates a change of an entity.
  public init(
    _ key: EntityKey, before: Record?, after: Record?, tombstone: Record? = nil,
    isMade: Bool = false, isErasure: Bool = false
  ) {
    self.key = key
    self.before = before
    self.after = after
    self.tombstone = tombstone
    self.isMade = isMade
    self.isErasure = isErasure
  }

  /// Whether the change only erases text.
  var isErasureAlone: Bool { isErasure && before == nil && after == nil }
}

/// The kind and id that identify an entity in the fold.
public struct EntityKey: Hashable, Comparable, Sendable {
  /// The entity's kind.
  public var kind: EntityKind
  /// The entity's id.
  public var id: EntityID

  /// Creates a key from a kind and an id.
  public init(_ kind: EntityKind, _ id: EntityID) {
    self.kind = kind
    self.id = id
  }

  /// Orders keys by kind, then by id.
  public static func < (left: EntityKey, right: EntityKey) -> Bool {
    left.kind != right.kind ? left.kind < right.kind : left.id < right.id
  }
}
