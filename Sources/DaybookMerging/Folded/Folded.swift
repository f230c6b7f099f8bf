public import DaybookEntities

/// The result of folding the log up to a position: every entity with the writers of its values, and
/// the findings.
///
/// Two replicas that have folded the same entries have equal results.
public struct Folded: Hashable, Sendable {
  /// The position of the last folded entry; 0 before the first entry.
  public var head: UInt64
  /// When the last folded entry was received; `Int64.min` before the first entry.
  public var received: Int64
  /// The floor: the position up to which every replica counts as having seen all entries.
  ///
  /// Writers are kept only for values above the floor.
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
  /// Logs that were started before this feature existed don't assign them: entities then have the
  /// number 0 here, and each replica numbers them locally.
  public var isNumbered: Bool
  /// The next recording number of each kind.
  ///
  /// A kind is missing if the log hasn't inserted any entity of it; its first number is then
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
  /// The entities that the pending commits change; in the replica's own State, they replace the
  /// confirmed entities.
  public var entities: [EntityKey: EntityState]
  /// The findings of the pending commits.
  ///
  /// They are provisional: other findings may replace them once the commits are in the log.
  public var findings: [FindingID: Finding]
  /// The deferred changes of each entity for which the pending commits change them.
  public var held: [EntityKey: [HeldChange]]
  /// The next recording numbers, for the kinds of the entities that the pending commits insert.
  public var nextNumbers: [EntityKind: UInt64]
}

/// The progress of a replica.
public struct ReplicaProgress: Hashable, Sendable {
  /// The number of the replica's last commit in the log.
  public var last: UInt64
  /// The replica of which this replica is a restored copy, if any.
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
  /// Whether the log contains an insertion of the entity that took effect.
  ///
  /// Without an insertion, the entity doesn't exist. Examples are an entity that was only skipped,
  /// or to which the log only refers.
  public var isInserted: Bool
  /// Whether the entity is deleted.
  public var isDeleted: Bool
  /// The recording number that the entity's first insertion in the log assigned; 0 before that.
  ///
  /// A deletion doesn't change it.
  public var number: UInt64
  /// The insertions and undeletions in force that a person made, in log order, above the floor
  /// only.
  ///
  /// They are all insertions and undeletions that took effect since the entity was last deleted. A
  /// deletion is reported if its author hadn't seen one of them.
  public var revivals: [Writer]
  /// The deletions in force, in log order, above the floor only.
  ///
  /// They are all deletions since the entity was last inserted or undeleted. An undeletion takes
  /// effect only if its author has seen all of them.
  public var deletions: [Writer]
  /// The writers of the registers' current values, above the floor only, in ascending order of
  /// registers.
  ///
  /// If a register is missing, every replica has seen its value.
  public var writers: [RegisterWriter]

  /// Whether the entity's personal text has ever been erased.
  public var isErased = false
  /// The erasures above the floor.
  ///
  /// A value whose author hadn't seen one of these erasures restores no text.
  public var erasures: [Writer] = []

  /// Whether the log contains the entity outside of deferred changes (``HeldChange``).
  public var isKnown: Bool { isInserted || isDeleted }

  /// Whether the entity exists.
  public var exists: Bool { isInserted && !isDeleted }

  /// The entity's record, or `nil` if the entity doesn't exist.
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
  /// The commit's position in the log.
  ///
  /// Pending commits have the positions that follow the log's head, in order.
  public var position: UInt64
  /// The replica that recorded the commit.
  public var replica: ReplicaID
  /// The commit's number within its replica.
  public var number: UInt64
  /// The clock of the author's device, in microseconds since 1970.
  public var clock: Int64
  /// When the relay received the commit, in microseconds since 1970; `Int64.max` if it is pending.
  public var received: Int64
  /// Whether a program made the value by a rule (``EntityChange/isMade``).
  public var isMade: Bool

  /// The time for comparing values: the author's clock, but no later than the time at which the
  /// relay received the commit.
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
