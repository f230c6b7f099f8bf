public import DaybookEntities

/// A ledger's rules for merging its kinds, so that the fold deals only with bytes.
public struct MergeRules: Sendable {
  /// The rules of each kind.
  ///
  /// A missing kind has the rules `KindRules()`.
  public var kinds: [EntityKind: KindRules]
  /// Which of two values wins if neither author had seen the other's value.
  public var policy: PolicySource
  /// Prepares a commit's changes for other replicas: marks the entities that a program made, and
  /// adds skips.
  ///
  /// The result depends only on the changes, and keeps their order and records.
  public var prepare: @Sendable ([EntityChange]) -> PreparedChanges = {
    PreparedChanges($0, isSet: false)
  }
  /// The rule by which part of the ledger is closed, if there is one.
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

/// A commit's changes, in the form that other replicas receive.
public struct PreparedChanges: Hashable, Sendable {
  /// The changes.
  public var changes: [EntityChange]
  /// Whether the changes are independent of each other (``ReplicaCommit/isSet``).
  public var isSet: Bool

  /// Creates the changes.
  public init(_ changes: [EntityChange], isSet: Bool) {
    self.changes = changes
    self.isSet = isSet
  }
}

/// Which of two values of a register wins, if the author of the second hadn't seen the first.
public enum MergePolicy: Hashable, Sendable {
  /// The one with the greater of `min(clock, received)`; on a tie, the one that was placed first.
  case last
  /// The one that was placed first.
  case first
  /// The one that was placed first; a person is asked to decide (``Finding/asks``).
  case firstAndTell
}

/// The source of the merge policy.
public enum PolicySource: Sendable {
  /// One policy for the whole log.
  case always(MergePolicy)
  /// A property of an entity.
  ///
  /// A commit is folded under the policy that is current before it. The register of that property
  /// itself is always merged by ``MergePolicy/last``. `read` receives the property's bytes, or
  /// `nil` if it is absent.
  case property(EntityKey, tag: UInt8, read: @Sendable ([UInt8]?) -> MergePolicy)
}

/// How entities of one kind are merged.
public struct KindRules: Sendable {
  /// Groups of tags that form one register each.
  ///
  /// A tag is in at most one group. A tag in no group, and each unknown tag, is a register of its
  /// own.
  public var groups: [[UInt8]]
  /// Registers that are written only by the first placed insertion of an id, as present or as
  /// absent.
  ///
  /// Every later value is refused with a finding, whether or not its author had seen the first one.
  public var immutable: Set<Register>
  /// The register with an entity's parent, which has the same kind.
  public var parent: Parent?
  /// The property whose parts are merged separately.
  public var parts: Parts?
  /// The register that locks others.
  public var lock: Lock?
  /// The register that marks an entity as deleted, if there is one.
  public var deletionFlag: DeletionFlag?
  /// The registers that are invalid together in a merged record; empty if the record is valid.
  ///
  /// Called after a change was merged with values that its author hadn't seen.
  /// `Docs/Notes/Merging.md` describes how such a clash is resolved.
  public var check: @Sendable (EntityID, Record) -> Set<Register>
  /// How personal text is erased; `nil` if there is none.
  public var erasure: Erasure?
  /// The recording number of the first entity.
  public var firstNumber: UInt64 = 1
  /// The references in records that views look up by recording number; `nil` if there are none.
  public var references: References?

  /// The references that records contain.
  public struct References: Sendable {
    /// The kinds of the entities that records refer to.
    public var kinds: Set<EntityKind>
    /// The entities that a record refers to.
    public var keys: @Sendable (Record) -> [EntityKey]

    /// Creates references to entities of some kinds.
    public init(to kinds: Set<EntityKind>, keys: @escaping @Sendable (Record) -> [EntityKey]) {
      self.kinds = kinds
      self.keys = keys
    }
  }

  /// How personal text is erased.
  public struct Erasure: Sendable {
    /// The registers with personal text.
    public var registers: Set<Register>
    /// A record without its text; an unsettled record has other placeholders than a settled one.
    public var record: @Sendable (EntityID, Record, _ isSettled: Bool) -> Record

    /// Creates the erasure of some registers.
    public init(
      _ registers: Set<Register>,
      record: @escaping @Sendable (EntityID, Record, _ isSettled: Bool) -> Record
    ) {
      self.registers = registers
      self.record = record
    }

    /// The record after the erasure is complete.
    public func settled(_ id: EntityID, _ record: Record) -> Record {
      self.record(id, self.record(id, record, false), true)
    }
  }

  /// A register that refers to a parent entity.
  public struct Parent: Sendable {
    /// The register.
    public var register: Register
    /// The parent's id from the register's value; `nil` if there is no parent.
    public var id: @Sendable ([UInt8]) -> EntityID?

    /// Creates a parent register.
    public init(_ register: Register, id: @escaping @Sendable ([UInt8]) -> EntityID?) {
      self.register = register
      self.id = id
    }
  }

  /// A register that can lock an entity.
  ///
  /// Values that the lock's author had win over changes whose authors hadn't seen the lock,
  /// whatever the policy.
  public struct Lock: Sendable {
    /// The register.
    public var register: Register
    /// Whether a value of the register locks the entity.
    public var locks: @Sendable ([UInt8]) -> Bool
    /// Whether a lock forbids a change of a register's value; the register may be the lock itself.
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
    /// The parts of a value, with numbers from 256, in ascending order, without empty parts.
    public var split: @Sendable ([UInt8]) -> [RegisterValue]
    /// Joins parts, without empty ones, to a value.
    ///
    /// The parts may come from different values that were merged. The result is `nil` if they are
    /// incompatible, which counts as a clash of all of them.
    public var join: @Sendable ([RegisterValue]) -> [UInt8]?
    /// Whether the parts of two sides must not be mixed, given the parts before and after the
    /// author's change and the current parts: one side is then taken as a whole.
    public var areIncompatible:
      @Sendable (_ before: [RegisterValue], _ after: [RegisterValue], _ stood: [RegisterValue]) ->
        Bool
    /// The part that needs another value so that the merged record keeps its total; `nil` if none
    /// does.
    ///
    /// Called if the merged record is neither the author's nor the current one. The commit writes
    /// that value. One finding (``FindingRule/balanced``) then lists it and every part that lost.
    public var balance: @Sendable (Sides) -> RegisterValue?

    /// A merged record, and the records that it was merged from.
    public struct Sides: Sendable {
      /// The merged record.
      public var merged: Record
      /// The record that the commit's author changed; `nil` if the author inserted it.
      public var before: Record?
      /// The author's record.
      public var after: Record
      /// The current record before the commit.
      public var stood: Record
      /// Whether the author wins if both sides changed the same part.
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
  /// Without arguments, each property is a register, and every record is valid.
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
  /// The recording number of a kind's first entity.
  public func firstNumber(of kind: EntityKind) -> UInt64 {
    (kinds[kind] ?? KindRules()).firstNumber
  }

  /// The parent of an entity with the given record; `nil` if it has no parent, or the record is
  /// damaged.
  public func parent(of key: EntityKey, _ record: Record) -> EntityKey? {
    guard let parent = kinds[key.kind]?.parent, let rules = kinds[key.kind],
      let values = try? RegisterMap(rules).values(of: record)
    else { return nil }
    return parent.id(values[parent.register]).map { EntityKey(key.kind, $0) }
  }
}
