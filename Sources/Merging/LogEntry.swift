public import Entities

/// One copy of a ledger, named by the 64-bit number that its journal has.
public struct ReplicaID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number.
  public var rawValue: UInt64

  /// A replica by its number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Orders replicas by number.
  public static func < (left: ReplicaID, right: ReplicaID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// One entry of the log that all replicas of a ledger share.
public struct LogEntry: Hashable, Sendable {
  /// Its place in the log: gap-free from 1.
  public var position: UInt64
  /// When the relay took it, in microseconds since 1970.
  ///
  /// It never goes back from entry to entry.
  public var received: Int64
  /// What it says.
  public var content: Content

  /// What an entry of the log says.
  public enum Content: Hashable, Sendable {
    /// A replica's commit.
    case commit(ReplicaCommit)
    /// A new floor: a position before this entry and not below the floor before it.
    ///
    /// No commit placed after this entry has a base below the floor, so what was placed up to the
    /// floor has been seen by everybody, and who wrote it is no longer kept.
    case floor(UInt64)
    /// Nothing that the fold knows of: a device, a key, a piece of a commit that is not its last.
    case nothing
  }

  /// An entry of the log.
  public init(position: UInt64, received: Int64, content: Content) {
    self.position = position
    self.received = received
    self.content = content
  }
}

/// What one replica committed, as the others are told of it.
public struct ReplicaCommit: Hashable, Sendable {
  /// Who committed it.
  public var replica: ReplicaID
  /// Which of that replica's commits it is: gap-free from 1.
  public var number: UInt64
  /// The position up to which the author had seen the log.
  ///
  /// For an entry of the log it is less than the entry's position.
  public var base: UInt64
  /// The author's clock when it was recorded, in microseconds since 1970.
  ///
  /// It may be wrong.
  public var clock: Int64
  /// The least version of the fold that gives what the author meant (``Fold/version``).
  public var version: UInt32
  /// Only in a replica's first commit, where it is the copy of another that was restored: the
  /// replica it was, and the last of its commits that the copy holds.
  public var continues: Continuation?
  /// Whether each change stands for itself: a file that was imported, rows that were generated, a rule applied.
  ///
  /// Where one of them has to be held (``HeldChange``), the others are not.
  public var isSet: Bool
  /// What else is said of the commit (``CommitAttribute``); the fold hands it on and reads none of it.
  public var attributes: Record
  /// What changed, in the author's order.
  public var changes: [EntityChange]

  /// What a restored copy of a replica knows of it.
  public struct Continuation: Hashable, Sendable {
    /// The replica of which it is a copy.
    public var replica: ReplicaID
    /// The number of the last commit of that replica which the copy holds; it is in the log
    /// already.
    public var number: UInt64

    /// A continuation of a replica after its commit `number`.
    public init(replica: ReplicaID, number: UInt64) {
      self.replica = replica
      self.number = number
    }
  }

  /// A commit of a replica.
  public init(
    replica: ReplicaID, number: UInt64, base: UInt64, clock: Int64, version: UInt32 = 1,
    continues: Continuation? = nil, isSet: Bool = false, attributes: Record = Record(),
    changes: [EntityChange]
  ) {
    self.replica = replica
    self.number = number
    self.base = base
    self.clock = clock
    self.version = version
    self.continues = continues
    self.isSet = isSet
    self.attributes = attributes
    self.changes = changes
  }
}

/// What is said of a commit beside its changes, by tag of its attributes.
public enum CommitAttribute: UInt8, Sendable {
  /// Who recorded it, as the app calls them: UTF-8.
  case author = 1
  /// What recorded it, such as an app's name: UTF-8.
  case source = 2

  /// The attributes of a commit; texts that are empty are left out.
  public static func record(author: String, source: String) -> Record {
    var writer = RecordWriter()
    for (attribute, text) in [(CommitAttribute.author, author), (.source, source)]
    where !text.isEmpty {
      writer.put(attribute.rawValue) { $0.raw(text.utf8) }
    }
    return writer.record
  }

  /// The text of this attribute, empty where it is absent.
  public func text(in attributes: Record) -> String {
    String(decoding: attributes[rawValue] ?? [], as: UTF8.self)
  }
}

/// What a commit changed of one entity, as its author saw it.
///
/// | before | after | what it is | what it writes |
/// |---|---|---|---|
/// | record | record | an amendment | the registers in which the two differ |
/// | nil | record, no tombstone | an insertion (or a reinsertion) | existence; the registers of which `after` has a property; and, as absent, every other one whose standing value its author had seen |
/// | nil | record, with a tombstone | undeleting | existence; the registers in which `tombstone` and `after` differ: none, where it is only undeleted |
/// | any | any, as an erasure | an amendment, and that the entity's personal text goes (``isErasure``) |
/// | any | nil | a deletion; without `before` a *skip*: a row that is not to come | existence |
public struct EntityChange: Hashable, Sendable {
  /// Which entity.
  public var key: EntityKey
  /// The record before, or `nil` where the entity did not exist for the author.
  public var before: Record?
  /// The record after, or `nil` where it does not exist any more.
  public var after: Record?
  /// Where something deleted is brought back: the record that the author's tombstone kept.
  public var tombstone: Record?
  /// Whether a program made this row by a rule (generated from a series, imported from a file), so
  /// that any other replica that does the same makes it again, under the same id.
  ///
  /// Only for insertions; with a tombstone where the row was deleted before.
  public var isMade: Bool
  /// Whether the entity's personal text goes (``KindRules/erasure``), also what is written of it without having seen
  /// this.
  ///
  /// Without a record before and after, nothing else is changed.
  public var isErasure: Bool

  /// A change of an entity.
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

  /// Whether it does nothing but erase.
  var isErasureAlone: Bool { isErasure && before == nil && after == nil }
}

/// A kind and an id: what the fold finds an entity by.
public struct EntityKey: Hashable, Comparable, Sendable {
  /// What sort of entity it is.
  public var kind: EntityKind
  /// Which one.
  public var id: EntityID

  /// The entity `id` of a kind.
  public init(_ kind: EntityKind, _ id: EntityID) {
    self.kind = kind
    self.id = id
  }

  /// Orders by kind, then by id.
  public static func < (left: EntityKey, right: EntityKey) -> Bool {
    left.kind != right.kind ? left.kind < right.kind : left.id < right.id
  }
}
