public import DaybookEntities

/// The result of folding a prefix of the log: every entity with the writers of its values, and the
/// findings.
///
/// Two replicas that have folded the same entries have equal results.
public struct Folded: Hashable, Sendable {
  /// The position of the last folded entry; 0 before the first.
  public var head: UInt64
  /// When that entry was received; `Int64.min` before the first.
  public var received: Int64
  /// The floor: the position up to which entries count as seen by everyone.
  ///
  /// Writers are kept only above it.
  public var floor: UInt64
  /// The progress of each replica that has a commit in the log.
  public var replicas: [ReplicaID: ReplicaProgress]
  /// Every entity that the log contains, including tombstones.
  public var entities: [EntityKey: EntityState]
  /// The findings to show to the ledger's users.
  public var findings: [FindingID: Finding]
  /// The deferred changes, by entity, in ascending order of ids.
  public var held: [EntityKey: [HeldChange]]
  /// Whether the log assigns recording numbers.
  ///
  /// Logs that were started before this feature don't assign them: their entities have the number 0
  /// here, and each replica numbers them locally.
  public var isNumbered: Bool
  /// The next recording number of each kind.
  ///
  /// A kind is missing if the log has inserted none of its entities: it starts at
  /// ``KindRules/firstNumber``.
  public var nextNumbers: [EntityKind: UInt64]

  /// Creates the result of an empty log.
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

/// The result of folding a replica's pending commits on top of the log.
///
/// It becomes invalid as soon as the log under it grows.
public struct Pending: Hashable, Sendable {
  /// The entities that the pending commits change; in the replica's own State they replace the
  /// confirmed ones.
  public var entities: [EntityKey: EntityState]
  /// The findings of the pending commits.
  ///
  /// They are provisional: other findings may replace them once the commits are in the log.
  public var findings: [FindingID: Finding]
  /// The deferred changes, by entity, of entities for which the pending commits change them.
  public var held: [EntityKey: [HeldChange]]
  /// The next recording numbers of the kinds that the pending commits insert.
  public var nextNumbers: [EntityKind: UInt64]
}

/// The progress of a replica.
public struct ReplicaProgress: Hashable, Sendable {
  /// The number of its last commit in the log.
  public var last: UInt64
  /// The replica that it is a restored copy of, if any.
  public var continues: ReplicaCommit.Continuation?

  /// Creates the progress of a replica.
  public init(last: UInt64, continues: ReplicaCommit.Continuation? = nil) {
    self.last = last
    self.continues = continues
  }
}

/// The state of one entity in the fold.
public struct EntityState: Hashable, Sendable {
  /// The merged properties; for a tombstone, the properties that an undeletion restores.
  public var record: Record
  /// Whether an insertion of the entity was placed.
  ///
  /// Without one (after a skip, or if the log refers to an entity that was never inserted) the
  /// entity doesn't exist.
  public var isInserted: Bool
  /// Whether it is deleted.
  public var isDeleted: Bool
  /// The recording number that the first placed insertion assigned; 0 before that.
  ///
  /// A deletion doesn't change it.
  public var number: UInt64
  /// The insertions and undeletions in force that a person made, in the order in which they were
  /// placed, above the floor only.
  ///
  /// These are all that took effect since the entity was last deleted. A deletion whose author
  /// hadn't seen one of them is reported.
  public var revivals: [Writer]
  /// The deletions in force, in the order in which they were placed, above the floor only.
  ///
  /// These are all that were placed since the entity last came into existence. An undeletion takes
  /// effect only if its author has seen all of them.
  public var deletions: [Writer]
  /// The writers of the registers' current values, above the floor only, in ascending order of
  /// registers.
  ///
  /// Everyone has seen the value of a missing register.
  public var writers: [RegisterWriter]

  /// Whether the entity's personal text was ever erased.
  public var isErased = false
  /// The erasures that were placed above the floor.
  ///
  /// Values written without having seen one of them restore no text.
  public var erasures: [Writer] = []

  /// Whether the log contains the entity other than in deferred changes (``HeldChange``).
  public var isKnown: Bool { isInserted || isDeleted }

  /// Whether the entity exists.
  public var exists: Bool { isInserted && !isDeleted }

  /// The record, if the entity exists.
  public var present: Record? { exists ? record : nil }

  /// Creates the state of an unknown entity.
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

/// The writer of the current value of one register of an entity.
public struct RegisterWriter: Hashable, Sendable {
  /// The register.
  public var register: Register
  /// The writer.
  public var writer: Writer

  /// Creates the writer of a register.
  public init(_ register: Register, _ writer: Writer) {
    self.register = register
    self.writer = writer
  }
}

/// The commit that wrote a value.
public struct Writer: Hashable, Sendable {
  /// The commit's position.
  ///
  /// Pending commits have the positions after the head, in order.
  public var position: UInt64
  /// The replica that recorded the commit.
  public var replica: ReplicaID
  /// The commit's number within its replica.
  public var number: UInt64
  /// The author's clock, in microseconds since 1970.
  public var clock: Int64
  /// When the relay received the commit, in microseconds since 1970; `Int64.max` if it is pending.
  public var received: Int64
  /// Whether a program made the value (``EntityChange/isMade``).
  public var isMade: Bool

  /// The time by which values are compared: the author's clock, but no later than the relay
  /// received the commit.
  public var time: Int64 { min(clock, received) }

  /// Creates a writer.
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
