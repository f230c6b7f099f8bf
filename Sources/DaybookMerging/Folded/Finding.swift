/// An effect of merging on recorded data that the ledger's users should be shown.
public struct Finding: Hashable, Sendable {
  /// The id, which is the same on every replica.
  public var id: FindingID
  /// The values that lost, each with the value that won, in ascending order of registers; empty if
  /// entities are listed.
  public var values: [LostValue]
  /// The entities that it lists, in ascending order; empty if values lost.
  public var entities: [EntityKey]
  /// Whether the ledger's policy asks a person to decide (``MergePolicy/firstAndTell``), instead of
  /// only reporting.
  public var asks: Bool

  /// Creates a finding.
  public init(
    id: FindingID, values: [LostValue], entities: [EntityKey] = [], asks: Bool = false
  ) {
    self.id = id
    self.values = values
    self.entities = entities
    self.asks = asks
  }
}

/// The identity of a finding: the commit whose folding produced it, the entity and the rule.
public struct FindingID: Hashable, Comparable, Sendable {
  /// The author of the commit that was folded.
  public var replica: ReplicaID
  /// The number of that commit.
  public var number: UInt64
  /// The entity.
  public var key: EntityKey
  /// The rule.
  public var rule: FindingRule

  /// Creates the id of a finding.
  public init(replica: ReplicaID, number: UInt64, key: EntityKey, rule: FindingRule) {
    self.replica = replica
    self.number = number
    self.key = key
    self.rule = rule
  }

  /// Orders by replica, number, entity and rule.
  public static func < (left: FindingID, right: FindingID) -> Bool {
    if left.replica != right.replica { return left.replica < right.replica }
    if left.number != right.number { return left.number < right.number }
    if left.key != right.key { return left.key < right.key }
    return left.rule.rawValue < right.rule.rawValue
  }
}

/// The rule that a finding results from.
public enum FindingRule: UInt8, Hashable, Sendable {
  /// Two authors wrote a register without having seen each other's value, and one of the values
  /// won.
  ///
  /// This includes a refused value of an immutable register.
  case valueLost = 1
  /// A deletion won over changes that its author hadn't seen, or whose author hadn't seen it.
  ///
  /// An amendment is kept in the tombstone: each of its registers is listed, with the amendment's
  /// value in `lost`. An insertion or undeletion is listed as the register ``Register/existence``.
  /// `won` is the deletion, without bytes. The deletion may be one that sets a flag
  /// (``KindRules/deletionFlag``).
  case deletionStands = 2
  /// Values that are valid separately are invalid together, so one side's registers were taken.
  case clash = 3
  /// A parent that would have closed a cycle was not taken.
  case cycle = 4
  /// Part of the ledger was closed by an author who hadn't seen all of it (``ClosingRule``).
  ///
  /// The unseen values stay, and their entities are listed in ``Finding/entities``.
  case closedUnseen = 5
  /// A lock won over a change whose author hadn't seen it (``KindRules/Lock``).
  ///
  /// A deletion is listed as the register ``Register/existence``, without bytes.
  case locked = 6
  /// A change is deferred because its author hadn't seen a closing (``HeldChange``); it isn't a
  /// ``Finding``.
  case held = 7
  /// Merged parts didn't add up to a fixed total, and one of them was adjusted.
  ///
  /// For that part, `won` is its value now, and `lost` the value that it would have had. The parts
  /// that lost to the other side are listed with it.
  case balanced = 8
  /// A change that a device recorded before the floor, and sent too late, has no effect
  /// (``Rebase``).
  ///
  /// Only that device knows of the finding, because the log doesn't contain the change. The
  /// finding's number is the commit's sequence in that device's journal.
  case tooLate = 255
}

/// A value that lost to another value.
public struct LostValue: Hashable, Sendable {
  /// The register.
  ///
  /// Values of ``Register/existence`` have no bytes.
  public var register: Register
  /// The value that lost.
  public var lost: Contender
  /// The value that won, as of the finding.
  public var won: Contender

  /// Creates a lost value.
  public init(_ register: Register, lost: Contender, won: Contender) {
    self.register = register
    self.lost = lost
    self.won = won
  }
}

/// One of two values, and its writer.
public struct Contender: Hashable, Sendable {
  /// The value's bytes (``RegisterValue/bytes``).
  public var bytes: [UInt8]
  /// The value's writer; `nil` if it was at or below the floor.
  public var writer: Writer?

  /// Creates a value with its writer.
  public init(_ bytes: [UInt8], by writer: Writer?) {
    self.bytes = bytes
    self.writer = writer
  }
}
