public import DaybookEntities

/// The rules for merging a ledger's kinds, which allow the fold to deal only with bytes.
public struct MergeRules: Sendable {
  /// The rules of each kind.
  ///
  /// A missing kind has the rules `KindRules()`.
  public var kinds: [EntityKind: KindRules]
  /// The policy for which of two values wins if neither author had seen the other's value.
  public var policy: PolicySource
  /// Prepares a commit's changes for other replicas: marks entities that a program made, and adds
  /// skips.
  ///
  /// The result depends only on the changes, and preserves their order and records.
  public var prepare: @Sendable ([EntityChange]) -> PreparedChanges = {
    PreparedChanges($0, hasIndependentChanges: false)
  }
  /// The rule for closing part of the ledger, if there is one.
  public var closing: ClosingRule?

  /// Creates the merge rules of a ledger.
  public init(
    kinds: [EntityKind: KindRules] = [:], policy: PolicySource = .always(.last),
    closing: ClosingRule? = nil
  ) {
    self.kinds = kinds
    self.policy = policy
    self.closing = closing
  }
}

/// A commit's changes in the form that is sent to other replicas.
public struct PreparedChanges: Hashable, Sendable {
  /// The changes.
  public var changes: [EntityChange]
  /// Whether the changes are independent of each other (``ReplicaCommit/hasIndependentChanges``).
  public var hasIndependentChanges: Bool

  /// Creates the changes.
  public init(_ changes: [EntityChange], hasIndependentChanges: Bool) {
    self.changes = changes
    self.hasIndependentChanges = hasIndependentChanges
  }
}

/// A policy for which of two values of a register wins, if the author of the second value hadn't
/// seen the first.
public enum MergePolicy: Hashable, Sendable {
  /// The value with the greater `min(clock, received)` wins; on a tie, the value placed first.
  case last
  /// The value placed first wins.
  case first
  /// The value placed first wins, and a person is asked to decide (``Finding/asks``).
  case firstAndTell
}

/// The source of the merge policy.
public enum PolicySource: Sendable {
  /// The same policy for the whole log.
  case always(MergePolicy)
  /// A property of an entity determines the policy.
  ///
  /// A commit is folded with the policy that is current before it. The property's own register is
  /// always merged with ``MergePolicy/last``. `read` receives the property's bytes, or `nil` if the
  /// property is absent.
  case property(EntityKey, tag: UInt8, read: @Sendable ([UInt8]?) -> MergePolicy)
}

/// The rules for merging entities of one kind.
public struct KindRules: Sendable {
  /// Groups of tags, each of which forms one register.
  ///
  /// A tag is in at most one group. A tag that is in no group, including an unknown tag, is a
  /// register of its own.
  public var groups: [[UInt8]]
  /// Registers that only an entity's first insertion in the log can set, whether as present or
  /// absent.
  ///
  /// Every later value is refused with a finding, whether or not its author had seen the first
  /// value.
  public var immutable: Set<Register>
  /// The register that contains an entity's parent, which has the same kind.
  public var parent: Parent?
  /// The property that is split into parts, which are merged separately.
  public var parts: Parts?
  /// The register that can lock an entity's other registers.
  public var lock: Lock?
  /// The register that marks an entity as deleted, if there is one.
  public var deletionFlag: DeletionFlag?
  /// The register by which an entity takes in another one, if there is one.
  public var absorption: Absorption?
  /// Returns the registers that are invalid together in a merged record; none if the record is
  /// valid.
  ///
  /// It is called after a change was merged with values that its author hadn't seen.
  /// `Docs/Notes/Merging.md` describes how such a clash is resolved.
  public var check: @Sendable (EntityID, Record) -> Set<Register>
  /// The rule for erasing personal text; `nil` if the kind has none.
  public var erasure: Erasure?
  /// The recording number of the kind's first entity.
  public var firstNumber: UInt64 = 1
  /// The references in records that views look up by recording number; `nil` if records have none.
  public var references: References?

  /// The references that records contain.
  public struct References: Sendable {
    /// The kinds of the entities that records refer to.
    public var kinds: Set<EntityKind>
    /// Returns the entities that a record refers to.
    public var keys: @Sendable (Record) -> [EntityKey]

    /// Creates references to entities of the given kinds.
    public init(to kinds: Set<EntityKind>, keys: @escaping @Sendable (Record) -> [EntityKey]) {
      self.kinds = kinds
      self.keys = keys
    }
  }

  /// The rule for erasing personal text.
  public struct Erasure: Sendable {
    /// The registers with personal text.
    public var registers: Set<Register>
    /// Returns a record without its text; a settled record and an unsettled one have different
    /// placeholders.
    public var record: @Sendable (EntityID, Record, _ isSettled: Bool) -> Record

    /// Creates a rule for erasing the text of some registers.
    public init(
      _ registers: Set<Register>,
      record: @escaping @Sendable (EntityID, Record, _ isSettled: Bool) -> Record
    ) {
      self.registers = registers
      self.record = record
    }

    /// Returns a record as it is after the erasure is complete.
    public func settled(_ id: EntityID, _ record: Record) -> Record {
      self.record(id, self.record(id, record, false), true)
    }
  }

  /// A register that refers to a parent entity.
  public struct Parent: Sendable {
    /// The register.
    public var register: Register
    /// Returns the parent's id from the register's value, or `nil` if there is no parent.
    public var id: @Sendable ([UInt8]) -> EntityID?

    /// Creates a parent register.
    public init(_ register: Register, id: @escaping @Sendable ([UInt8]) -> EntityID?) {
      self.register = register
      self.id = id
    }
  }

  /// A register that can lock an entity.
  ///
  /// The values that the lock's author had win over changes whose authors hadn't seen the lock,
  /// whatever the policy is.
  public struct Lock: Sendable {
    /// The register.
    public var register: Register
    /// Returns whether a value of the register locks the entity.
    public var locks: @Sendable ([UInt8]) -> Bool
    /// Returns whether a lock forbids changing a register's value; the register may be the lock
    /// itself.
    public var forbids: @Sendable (Register, _ from: [UInt8], _ to: [UInt8]) -> Bool

    /// Creates a lock.
    public init(
      _ register: Register, locks: @escaping @Sendable ([UInt8]) -> Bool,
      forbids: @escaping @Sendable (Register, _ from: [UInt8], _ to: [UInt8]) -> Bool
    ) {
      self.register = register
      self.locks = locks
      self.forbids = forbids
    }
  }

  /// A property that is split into several registers for merging, and joined again.
  public struct Parts: Sendable {
    /// The register that is split.
    public var register: Register
    /// Returns the nonempty parts of a value in ascending order; their numbers start at 256.
    public var split: @Sendable ([UInt8]) -> [RegisterValue]
    /// Joins nonempty parts into a value.
    ///
    /// The parts may be merged from different values. The result is `nil` if they are incompatible;
    /// this counts as a clash of all parts.
    public var join: @Sendable ([RegisterValue]) -> [UInt8]?
    /// Returns whether parts of the two sides must not be mixed, given the parts before and after
    /// the author's change and the current parts; if so, all parts are taken from one side.
    public var areIncompatible:
      @Sendable (_ before: [RegisterValue], _ after: [RegisterValue], _ current: [RegisterValue]) ->
        Bool
    /// Returns the part that must be changed so that the merged record keeps its total, with its
    /// new value, or `nil` if none must be changed.
    ///
    /// It is called if the merged record equals neither the author's nor the current record. The
    /// commit then writes the returned value. One finding (``FindingRule/balanced``) lists this
    /// value and every part that lost.
    public var balance: @Sendable (Sides) -> RegisterValue?

    /// A merged record, and the records that it was merged from.
    public struct Sides: Sendable {
      /// The merged record.
      public var merged: Record
      /// The record that the commit's author changed; `nil` if the author inserted it.
      public var before: Record?
      /// The author's record.
      public var after: Record
      /// The record as it was before the commit.
      public var current: Record
      /// Whether the author's value wins if both sides changed the same part.
      public var isAuthorAhead: Bool
    }

    /// Creates the parts of a register.
    public init(
      of register: Register, split: @escaping @Sendable ([UInt8]) -> [RegisterValue],
      join: @escaping @Sendable ([RegisterValue]) -> [UInt8]?,
      areIncompatible:
        @escaping @Sendable ([RegisterValue], [RegisterValue], [RegisterValue]) -> Bool = {
          _, _, _ in false
        },
      balance: @escaping @Sendable (Sides) -> RegisterValue? = { _ in nil }
    ) {
      self.register = register
      self.split = split
      self.join = join
      self.areIncompatible = areIncompatible
      self.balance = balance
    }
  }

  /// Creates the rules of a kind.
  ///
  /// By default, each property is a register of its own, and every record is valid.
  public init(
    groups: [[UInt8]] = [], immutable: Set<Register> = [], parent: Parent? = nil,
    parts: Parts? = nil, lock: Lock? = nil,
    check: @escaping @Sendable (EntityID, Record) -> Set<Register> = { _, _ in [] }
  ) {
    self.groups = groups
    self.immutable = immutable
    self.parent = parent
    self.parts = parts
    self.lock = lock
    self.check = check
  }
}

extension MergeRules {
  /// Returns the recording number of a kind's first entity.
  public func firstNumber(of kind: EntityKind) -> UInt64 {
    (kinds[kind] ?? KindRules()).firstNumber
  }

  /// Returns the parent of an entity with the given record, or `nil` if the entity has no parent or
  /// the record is damaged.
  public func parent(of key: EntityKey, _ record: Record) -> EntityKey? {
    guard let parent = kinds[key.kind]?.parent, let rules = kinds[key.kind],
      let values = try? RegisterMap(rules).values(of: record)
    else { return nil }
    return parent.id(values[parent.register]).map { EntityKey(key.kind, $0) }
  }
}
