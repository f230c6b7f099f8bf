public import Entities

/// What a ledger says of its kinds, so that the fold need know only bytes.
public struct MergeRules: Sendable {
  /// The rules of each kind.
  ///
  /// A kind that is missing has the rules `KindRules()`.
  public var kinds: [EntityKind: KindRules]
  /// Which of two values that were written without one another holds.
  public var policy: PolicySource
  /// What the others are told of what a commit changed here: which rows a program made, which are not to come.
  ///
  /// It follows from the changes alone, and keeps their order and records.
  public var told: @Sendable ([EntityChange]) -> ToldChanges = { ToldChanges($0, isSet: false) }
  /// What closes part of the ledger, if anything does.
  public var closing: ClosingRule?

  /// Rules of kinds, the policy, and what closes.
  public init(
    kinds: [EntityKind: KindRules] = [:], policy: PolicySource = .always(.last),
    closing: ClosingRule? = nil
  ) {
    self.kinds = kinds
    self.policy = policy
    self.closing = closing
  }
}

/// A commit's changes, as the others are told of them.
public struct ToldChanges: Hashable, Sendable {
  /// What changed.
  public var changes: [EntityChange]
  /// Whether each change stands for itself (``ReplicaCommit/isSet``).
  public var isSet: Bool

  /// Changes as they are told.
  public init(_ changes: [EntityChange], isSet: Bool) {
    self.changes = changes
    self.isSet = isSet
  }
}

/// Which of two values of a register holds, where the author of the second had not seen the first.
public enum MergePolicy: Hashable, Sendable {
  /// The one with the greater of `min(clock, received)`; on a tie, the one that was placed first.
  case last
  /// The one that was placed first.
  case first
  /// The one that was placed first, and whoever lost is asked (``Finding/asks``).
  case firstAndTell
}

/// Where the fold takes the policy from.
public enum PolicySource: Sendable {
  /// One policy for the whole log.
  case always(MergePolicy)
  /// A property of an entity.
  ///
  /// A commit is folded under the policy that stands before it. The register of that property
  /// itself is always merged by ``MergePolicy/last``. `read` gets the property's bytes, `nil` where
  /// it is absent.
  case property(EntityKey, tag: UInt8, read: @Sendable ([UInt8]?) -> MergePolicy)
}

/// How entities of one kind are merged.
public struct KindRules: Sendable {
  /// Tags that form one register each.
  ///
  /// A tag is in one group at most; each tag in none, and each tag that is not known, is a register
  /// of its own.
  public var groups: [[UInt8]]
  /// Registers that only the first placed insertion of an id writes, as present or as absent.
  ///
  /// Every other value is refused, seen or not, with a finding.
  public var immutable: Set<Register>
  /// The register that holds an entity's parent, of the same kind.
  public var parent: Parent?
  /// Takes apart what is merged more finely than property by property.
  public var parts: Parts?
  /// The register that locks others.
  public var lock: Lock?
  /// The register that says that an entity is deleted, where one does.
  public var deletionFlag: DeletionFlag?
  /// The registers that cannot stand together in a merged record: empty where it is valid.
  ///
  /// Asked after a change was merged with values that its author had not seen. See
  /// `Docs/Notes/Merging.md` for what becomes of them.
  public var check: @Sendable (EntityID, Record) -> Set<Register>
  /// What erasing takes; `nil` where there is no personal text.
  public var erasure: Erasure?
  /// The recording number of the first entity.
  public var firstNumber: UInt64 = 1
  /// The references in records by whose recording numbers views find these; `nil` where there are none.
  public var references: References?

  /// The references that records hold.
  public struct References: Sendable {
    /// The kinds of entities that they refer to.
    public var kinds: Set<EntityKind>
    /// The entities that a record refers to.
    public var keys: @Sendable (Record) -> [EntityKey]

    /// References to entities of some kinds.
    public init(to kinds: Set<EntityKind>, keys: @escaping @Sendable (Record) -> [EntityKey]) {
      self.kinds = kinds
      self.keys = keys
    }
  }

  /// How personal text goes.
  public struct Erasure: Sendable {
    /// The registers of the text.
    public var registers: Set<Register>
    /// A record without the text; what is not settled has other placeholders in its place than what is.
    public var record: @Sendable (EntityID, Record, _ isSettled: Bool) -> Record

    /// How text of these registers goes.
    public init(
      _ registers: Set<Register>,
      record: @escaping @Sendable (EntityID, Record, _ isSettled: Bool) -> Record
    ) {
      self.registers = registers
      self.record = record
    }

    /// The record when all is done.
    public func settled(_ id: EntityID, _ record: Record) -> Record {
      self.record(id, self.record(id, record, false), true)
    }
  }

  /// A register that refers to the entity above.
  public struct Parent: Sendable {
    /// Which register.
    public var register: Register
    /// The parent's id from the register's value, or `nil` where there is none.
    public var id: @Sendable ([UInt8]) -> EntityID?

    /// A register with the parent's id.
    public init(_ register: Register, id: @escaping @Sendable ([UInt8]) -> EntityID?) {
      self.register = register
      self.id = id
    }
  }

  /// A register that can lock an entity: against whatever was written without seeing that, the values stand that the
  /// author of the lock had, whatever the policy.
  public struct Lock: Sendable {
    /// Which register.
    public var register: Register
    /// Whether a value of it locks.
    public var locks: @Sendable ([UInt8]) -> Bool
    /// Whether a lock forbids that a register, maybe its own, becomes another value.
    public var forbids: @Sendable (Register, _ from: [UInt8], _ to: [UInt8]) -> Bool

    /// A register that can lock.
    public init(
      _ register: Register, locks: @escaping @Sendable ([UInt8]) -> Bool,
      forbids: @escaping @Sendable (Register, _ from: [UInt8], _ to: [UInt8]) -> Bool
    ) {
      self.register = register
      self.locks = locks
      self.forbids = forbids
    }
  }

  /// A property that its kind takes apart into several registers, and puts together again.
  public struct Parts: Sendable {
    /// The register that is taken apart.
    public var register: Register
    /// The parts of a value, with numbers from 256, in ascending order; parts that are empty are
    /// left out.
    public var split: @Sendable ([UInt8]) -> [RegisterValue]
    /// The value of parts; those that are empty are left out.
    ///
    /// It is asked for parts of different values that were merged: `nil` where they do not go
    /// together, which counts as a check that names them all.
    public var join: @Sendable ([RegisterValue]) -> [UInt8]?
    /// Whether two sides' parts must not be merged singly, by the parts that a commit's author had
    /// before and after, and by those that stood: then one side is taken whole.
    public var cannotMeet:
      @Sendable (_ before: [RegisterValue], _ after: [RegisterValue], _ stood: [RegisterValue]) ->
        Bool
    /// A part that needs another value so that the merged record keeps its total; `nil` for none.
    ///
    /// Asked where the merged record is neither the author's nor the one that stood. The commit writes
    /// that value. One finding (``FindingRule/balanced``) then has it and every part that lost.
    public var balance: @Sendable (Sides) -> RegisterValue?

    /// A merged record, and the two that it was merged from.
    public struct Sides: Sendable {
      /// The record as it was merged.
      public var merged: Record
      /// What the author of the commit changed; `nil` where they inserted it.
      public var before: Record?
      /// What the author made of it.
      public var after: Record
      /// What stood before the commit.
      public var stood: Record
      /// Whether the author wins where both sides changed the same.
      public var isAuthorAhead: Bool
    }

    /// Parts of a register.
    public init(
      of register: Register, split: @escaping @Sendable ([UInt8]) -> [RegisterValue],
      join: @escaping @Sendable ([RegisterValue]) -> [UInt8]?,
      cannotMeet:
        @escaping @Sendable ([RegisterValue], [RegisterValue], [RegisterValue]) -> Bool = {
          _, _, _ in false
        },
      balance: @escaping @Sendable (Sides) -> RegisterValue? = { _ in nil }
    ) {
      self.register = register
      self.split = split
      self.join = join
      self.cannotMeet = cannotMeet
      self.balance = balance
    }
  }

  /// Rules of a kind: without arguments, each property is a register, and everything is valid.
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

  /// The entity above one, by its record; `nil` where its kind has none above, or the record is damaged.
  public func parent(of key: EntityKey, _ record: Record) -> EntityKey? {
    guard let parent = kinds[key.kind]?.parent, let rules = kinds[key.kind],
      let values = try? RegisterMap(rules).values(of: record)
    else { return nil }
    return parent.id(values[parent.register]).map { EntityKey(key.kind, $0) }
  }
}
