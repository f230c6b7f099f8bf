/// An effect of merging on recorded data that should be shown to the ledger's users.
public struct Finding: Hashable, Sendable {
  /// The id, which is the same on every replica.
  public var id: FindingID
  /// The values that lost, each with the value that won, in ascending order of registers; empty if
  /// entities are listed.
  public var values: [LostValue]
  /// The entities that the finding lists, in ascending order; empty if values lost.
  public var entities: [EntityKey]
  /// Whether the ledger's policy asks a person to decide (``MergePolicy/firstAndTell``); otherwise
  /// the finding is only a report.
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

/// The identity of a finding: the commit from whose folding it resulted, the entity and the rule.
public struct FindingID: Hashable, Comparable, Sendable {
  /// The replica that recorded the folded commit.
  public var replica: ReplicaID
  /// The number of the folded commit.
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

  /// Orders ids by replica, number, entity and rule.
  public static func < (left: FindingID, right: FindingID) -> Bool {
    if left.replica != right.replica { return left.replica < right.replica }
    if left.number != right.number { return left.number < right.number }
    if left.key != right.key { return left.key < right.key }
    return left.rule.rawValue < right.rule.rawValue
  }
}

/// The rule from which a finding results.
public enum FindingRule: UInt8, Hashable, Sendable {
  /// Two authors wrote a register without having seen each other's value, and one of the values
  /// won.
  ///
  /// This includes a refused value of an immutable register.
  case valueLost = 1
  /// A deletion won over changes, and one author hadn't seen the other's commit.
  ///
  /// An amendment is kept in the tombstone: each of its registers is listed, with the amendment's
  /// value in `lost`. An insertion or undeletion is listed as the register ``Register/existence``.
  /// `won` is the deletion, without bytes. The deletion may also be a flag
  /// (``KindRules/deletionFlag``).
  case deletionStands = 2
  /// Values that are valid separately are invalid together, so all registers were taken from one
  /// side.
  case clash = 3
  /// A parent was not set, because it would have closed a cycle.
  case cycle = 4
  /// An author closed part of the ledger without having seen all of it (``ClosingRule``).
  ///
  /// The unseen values are kept, and their entities are listed in ``Finding/entities``.
  case closedUnseen = 5
  /// A lock won over a change whose author hadn't seen it (``KindRules/Lock``).
  ///
  /// A deletion is listed as the register ``Register/existence``, without bytes.
  case locked = 6
  /// A change is deferred because its author hadn't seen a closing; it is a ``HeldChange``, not a
  /// ``Finding``.
  case held = 7
  /// Merged parts didn't add up to a fixed total, and one part was adjusted.
  ///
  /// For the adjusted part, `won` is its value now, and `lost` is the value that it would have had.
  /// The finding also lists the parts that lost to the other side.
  case balanced = 8
  /// An entity didn't take in another one, because a commit that the author hadn't seen had deleted
  /// one of them or had written the register (``KindRules/Absorption``).
  ///
  /// The finding lists the values of the change, none of which has an effect. The register's `won`
  /// value has the writer that stands against it, even if the value is of another entity.
  case notAbsorbed = 9
  /// A change has no effect because a device recorded it before the floor and sent it too late
  /// (``Rebase``).
  ///
  /// Only that device has the finding, because the log doesn't contain the change. The finding's
  /// number is the commit's sequence in that device's journal.
  case tooLate = 255
}

/// A value that lost to another value.
public struct LostValue: Hashable, Sendable {
  /// The register.
  ///
  /// For ``Register/existence``, both values have no bytes.
  public var register: Register
  /// The value that lost.
  public var lost: Contender
  /// The value that won when the finding was made.
  public var won: Contender

  /// Creates a lost value.
  public init(_ register: Register, lost: Contender, won: Contender) {
    self.register = register
    self.lost = lost
    self.won = won
  }
}

/// One of two competing values, and its writer.
public struct Contender: Hashable, Sendable {
  /// The value's bytes (``RegisterValue/bytes``).
  public var bytes: [UInt8]
  /// The value's writer; `nil` if the value was written at or below the floor.
  public var writer: Writer?

  /// Creates a value with its writer.
  public init(_ bytes: [UInt8], by writer: Writer?) {
    self.bytes = bytes
    self.writer = writer
  }
}
