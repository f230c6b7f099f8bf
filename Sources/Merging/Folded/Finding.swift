/// Something that merging did to what somebody recorded, and that they are told of.
public struct Finding: Hashable, Sendable {
  /// The same on every replica.
  public var id: FindingID
  /// What lost, with what it lost to, in ascending order of registers; empty where entities are listed.
  public var values: [LostValue]
  /// The entities that it lists, in ascending order; none where values lost.
  public var entities: [EntityKey]
  /// Whether the ledger's policy wants somebody asked (``MergePolicy/firstAndTell``), and not only
  /// told.
  public var asks: Bool

  /// A finding.
  public init(
    id: FindingID, values: [LostValue], entities: [EntityKey] = [], asks: Bool = false
  ) {
    self.id = id
    self.values = values
    self.entities = entities
    self.asks = asks
  }
}

/// What a finding is known by: the commit in whose folding it arose, the entity and the rule.
public struct FindingID: Hashable, Comparable, Sendable {
  /// The author of the commit that was folded.
  public var replica: ReplicaID
  /// The number of that commit.
  public var number: UInt64
  /// The entity.
  public var key: EntityKey
  /// The rule.
  public var rule: FindingRule

  /// An id of a finding.
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

/// The rule that a finding comes from.
public enum FindingRule: UInt8, Hashable, Sendable {
  /// Two values of a register were written without one another, and one holds.
  ///
  /// Or a value of an immutable register was refused.
  case valueLost = 1
  /// A deletion stands against what was recorded without it.
  ///
  /// An amendment is kept with the tombstone: each of its registers is listed, `lost` having the
  /// amendment's value. An insertion or undeleting is listed as the register
  /// ``Register/existence``. `won` is the deletion, with no bytes. The deletion may be one that sets a flag
  /// (``KindRules/deletionFlag``).
  case deletionStands = 2
  /// Values that are valid each are not valid together: one side's registers were taken whole.
  case clash = 3
  /// A parent that would have closed a cycle was not taken.
  case cycle = 4
  /// Something was closed whose author had not seen all that it closes (``ClosingRule``).
  ///
  /// What was not seen stays, and is listed in ``Finding/entities``.
  case closedUnseen = 5
  /// A lock stands against what was written without seeing it (``KindRules/Lock``).
  ///
  /// A deletion is listed as the register ``Register/existence``, with no bytes.
  case locked = 6
  /// A change is held because its author had not seen a closing (``HeldChange``): it is no ``Finding``.
  case held = 7
  /// Merged parts did not add up to a fixed total, and one of them took the difference.
  ///
  /// Of that part `won` is what it has now, `lost` what it would have had. The parts that lost to the
  /// other side are listed with it.
  case balanced = 8
  /// What a device recorded before the floor, and sent too late, does not stand (``Rebase``).
  ///
  /// Only that device knows of it: the log has none of it. The finding's number is the commit's place in that
  /// device's journal.
  case tooLate = 255
}

/// A value that lost to another.
public struct LostValue: Hashable, Sendable {
  /// Of which register.
  ///
  /// (``Register/existence`` has no bytes.)
  public var register: Register
  /// What lost.
  public var lost: Contender
  /// What holds in its place, as of the finding.
  public var won: Contender

  /// A value, and what it lost to.
  public init(_ register: Register, lost: Contender, won: Contender) {
    self.register = register
    self.lost = lost
    self.won = won
  }
}

/// One of two values, and who wrote it.
public struct Contender: Hashable, Sendable {
  /// The value's bytes (``RegisterValue/bytes``).
  public var bytes: [UInt8]
  /// Who wrote it; `nil` where that was at or below the floor.
  public var writer: Writer?

  /// A value with its writer.
  public init(_ bytes: [UInt8], by writer: Writer?) {
    self.bytes = bytes
    self.writer = writer
  }
}
