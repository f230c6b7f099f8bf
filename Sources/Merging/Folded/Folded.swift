public import Entities

/// What follows from a prefix of the log: every entity with the writers of its values, and the
/// findings.
///
/// Two replicas that have folded the same entries have equal values of this.
public struct Folded: Hashable, Sendable {
  /// The position of the last entry that was folded; 0 before the first.
  public var head: UInt64
  /// When that entry was received; `Int64.min` before the first.
  public var received: Int64
  /// What was placed up to here counts as seen by everybody.
  ///
  /// Writers are kept above it only.
  public var floor: UInt64
  /// How far each replica has come that has a commit in the log.
  public var replicas: [ReplicaID: ReplicaProgress]
  /// Every entity that the log speaks of, tombstones too.
  public var entities: [EntityKey: EntityState]
  /// What the ledger's people are to be told of.
  public var findings: [FindingID: Finding]
  /// What waits for a person to take it, by entity, in ascending order of ids.
  public var held: [EntityKey: [HeldChange]]
  /// Whether the log decides recording numbers.
  ///
  /// Logs that were begun before it did don't: their entities have the number 0 here, and each replica numbers them itself.
  public var isNumbered: Bool
  /// The recording number of the next new entity of a kind.
  ///
  /// A kind of which the log has inserted nothing is missing: it begins at ``KindRules/firstNumber``.
  public var nextNumbers: [EntityKind: UInt64]

  /// What follows from an empty log.
  public init() {
    head = 0
    received = .min
    floor = 0
    replicas = [:]
    entities = [:]
    findings = [:]
    held = [:]
    isNumbered = true
    nextNumbers = [:]
  }
}

/// What a replica's own commits, which the log does not have yet, give on top of it.
///
/// It becomes invalid as soon as the log it was folded on grows.
public struct Pending: Hashable, Sendable {
  /// The entities that the pending commits touch, as they are after them: for the replica's own
  /// State, these stand in place of the confirmed ones.
  public var entities: [EntityKey: EntityState]
  /// The findings of the pending commits.
  ///
  /// They are provisional: once the log has the commits, other ones may stand in their place.
  public var findings: [FindingID: Finding]
  /// What is held of the entities of which the pending commits change that.
  public var held: [EntityKey: [HeldChange]]
  /// The next recording numbers of the kinds that the pending commits insert.
  public var nextNumbers: [EntityKind: UInt64]
}

/// How far a replica has come.
public struct ReplicaProgress: Hashable, Sendable {
  /// The number of its last commit in the log.
  public var last: UInt64
  /// The replica whose restored copy it is.
  public var continues: ReplicaCommit.Continuation?

  /// How far a replica has come.
  public init(last: UInt64, continues: ReplicaCommit.Continuation? = nil) {
    self.last = last
    self.continues = continues
  }
}

/// One entity as the fold leaves it.
public struct EntityState: Hashable, Sendable {
  /// The merged properties; for a tombstone those that come back when it is undeleted.
  public var record: Record
  /// Whether an insertion of it was placed.
  ///
  /// Where none was (a skip, or a log that speaks of what it never inserted) the entity does not
  /// exist.
  public var isInserted: Bool
  /// Whether it is deleted.
  public var isDeleted: Bool
  /// Its recording number, which its first placed insertion gave it; 0 where there was none.
  ///
  /// A deletion does not change it.
  public var number: UInt64
  /// The insertions and undeletings in force that a person made, in the order in which they were
  /// placed, above the floor only: all that took effect since the entity was last deleted.
  ///
  /// Whoever deletes without having seen one is told of it.
  public var revivals: [Writer]
  /// The deletions in force, in the order in which they were placed, above the floor only: all that
  /// were placed since the entity last came to life.
  ///
  /// Whoever undeletes must have seen each.
  public var deletions: [Writer]
  /// Who wrote the value that stands in a register, above the floor only, in ascending order of
  /// registers.
  ///
  /// A register that is missing was seen by everybody.
  public var writers: [RegisterWriter]

  /// Whether its personal text was ever erased.
  public var isErased = false
  /// The erasures that were placed above the floor: what is written without having seen one of
  /// them brings no text back.
  public var erasures: [Writer] = []

  /// Whether the log says anything of it but what is held (``HeldChange``).
  public var isKnown: Bool { isInserted || isDeleted }

  /// Whether the entity exists.
  public var exists: Bool { isInserted && !isDeleted }

  /// The record, where it exists.
  public var present: Record? { exists ? record : nil }

  /// An entity of which nothing is known.
  public init() {
    record = Record()
    isInserted = false
    isDeleted = false
    number = 0
    revivals = []
    deletions = []
    writers = []
  }
}

/// Who wrote the value that stands in one register of an entity.
public struct RegisterWriter: Hashable, Sendable {
  /// Which register.
  public var register: Register
  /// Who wrote it.
  public var writer: Writer

  /// The writer of a register.
  public init(_ register: Register, _ writer: Writer) {
    self.register = register
    self.writer = writer
  }
}

/// The commit that wrote a value.
public struct Writer: Hashable, Sendable {
  /// Its position.
  ///
  /// Pending commits have the positions after the head, in order.
  public var position: UInt64
  /// Who wrote it.
  public var replica: ReplicaID
  /// Which of that replica's commits it is.
  public var number: UInt64
  /// The author's clock, in microseconds.
  public var clock: Int64
  /// When it was received, in microseconds; `Int64.max` where it is pending.
  public var received: Int64
  /// Whether a program made the value (``EntityChange/isMade``).
  public var isMade: Bool

  /// The time by which values are compared: a clock is believed up to when the relay took the
  /// commit.
  public var time: Int64 { min(clock, received) }

  /// The commit that wrote a value.
  public init(
    position: UInt64, replica: ReplicaID, number: UInt64, clock: Int64, received: Int64,
    isMade: Bool = false
  ) {
    self.position = position
    self.replica = replica
    self.number = number
    self.clock = clock
    self.received = received
    self.isMade = isMade
  }
}
