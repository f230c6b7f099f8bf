public import DaybookBookkeeping
public import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookSyncWire

/// A note about a merge decision that a person should review.
///
/// A lost value can still be found: in history, and in the finding until it is dismissed.
public struct SyncFinding: Hashable, Sendable {
  /// The reason for a finding.
  public enum Rule: String, Hashable, Sendable {
    /// Two devices set one property to different values, and one value was kept.
    case valueLost
    /// One device deleted an entity and another changed it: the entity remains deleted, and its
    /// tombstone contains the change.
    case deletionStands
    /// Two devices set values that are valid separately but not together: one device's values were
    /// kept.
    case clash
    /// A category would have become its own ancestor.
    case cycle
    /// A device closed a period without having seen all of its transactions: the unseen
    /// transactions remain in the period.
    case closedUnseen
    /// One device reconciled a transaction and another changed or deleted it: the reconciled
    /// transaction is unchanged.
    case locked
    /// A change was recorded in a period that had been closed in the meantime: it is deferred, and
    /// has no effect until a person accepts it (`take`).
    ///
    /// In its ``SyncFinding/values``, `lost` is the changed value, and `holds` the value before the
    /// change.
    case held
    /// This device was offline for too long: its change to a value was dropped, because others had
    /// changed the value in the meantime.
    ///
    /// Only this device has the finding.
    case tooLate
    /// Two devices changed a split's lines, which no longer added up to the bank's total: an
    /// uncategorised line contains the difference.
    case balanced
    /// A device made one transfer of two transactions while another device deleted one of them or
    /// made a transfer of it: the two transactions remain as the other device left them.
    case notLinked
    /// Accounts or sibling categories have the same name, because devices created them
    /// independently.
    ///
    /// The finding disappears when one of them is renamed, or when they are merged
    /// (`Command.mergeAccounts`, `mergeCategories`).
    case sameName
    /// An account is closed or deleted, but its balance (`holds`) isn't zero.
    ///
    /// A device may have recorded a transaction before it received the closing. The finding
    /// disappears when the account is reopened or its balance is zero.
    case closedAccount
  }

  /// A property's lost value and kept value.
  public struct Value: Hashable, Sendable {
    /// The property's name.
    public var property: String
    /// The lost value; `nil` for the default.
    public var lost: PropertyValue?
    /// The device that wrote the lost value, if known.
    public var lostBy: String?
    /// The time at which the lost value was written according to that device's clock, in
    /// microseconds since 1970; `nil` if unknown.
    public var lostAt: Int64?
    /// The kept value; `nil` for the default, or if the entity is deleted.
    public var holds: PropertyValue?
    /// The device that wrote the lost value, if known.
    public var heldBy: String?
    /// The time at which the lost value was written according to that device's clock, in
    /// microseconds since 1970; `nil` if unknown.
    public var heldAt: Int64?
    /// Whether this device wrote the lost value.
    public var isLostHere = false
    /// Whether this device wrote the kept value.
    public var isHeldHere = false
    /// For a split transaction, the category of the line that the property belongs to.
    public var part: EntityID?
  }

  /// The finding's id: 32 hexadecimal digits, the same on every device.
  public var id: String
  /// The kind of the entity.
  public var kind: EntityKind
  /// The id of the entity.
  public var entity: EntityID
  /// The reason for the finding.
  public var rule: Rule
  /// Whether the ledger's policy requires a person to decide; otherwise the finding is only a
  /// report.
  public var asks: Bool
  /// The affected properties.
  public var values: [Value]
  /// For ``Rule/closedUnseen``, the unseen entities; for ``Rule/sameName``, the other entities with
  /// the same name.
  public var unseen: [UnseenEntity]

  /// For ``Rule/closedUnseen`` and ``Rule/held``, the device that closed the period.
  public var closer: FindingParty = .unknown
  /// The entity's current or last record.
  var record: Record?
  /// For ``Rule/held``, whether the change inserts a new entity.
  var isNew = false
  /// Whether the entity is deleted.
  var isGone = false

  /// An entity that a finding lists.
  public struct UnseenEntity: Hashable, Sendable {
    /// The kind of the entity.
    public var kind: EntityKind
    /// The id of the entity.
    public var entity: EntityID
    /// The entity's current or last record.
    var record: Record?
  }
}

extension SyncFinding {
  init(_ finding: Finding, devices: SharingDevices) {
    id = Self.id(finding)
    kind = finding.id.key.kind
    entity = finding.id.key.id
    rule =
      switch finding.id.rule {
      case .valueLost: .valueLost
      case .deletionStands: .deletionStands
      case .clash: .clash
      case .cycle: .cycle
      case .closedUnseen: .closedUnseen
      case .locked: .locked
      case .held: .held
      case .tooLate: .tooLate
      case .balanced: .balanced
      case .notAbsorbed: .notLinked
      }
    asks = finding.asks
    unseen = finding.entities.map { UnseenEntity(kind: $0.kind, entity: $0.id) }
    closer = devices.party(finding.id.replica.rawValue)
    let kind = kind
    values = finding.values.flatMap { Self.values($0, of: kind, devices) }
  }

  /// The properties of one register.
  private static func values(
    _ value: LostValue, of kind: EntityKind, _ devices: SharingDevices
  ) -> [Value] {
    let lost = value.register.properties(in: value.lost.bytes, of: kind)
    let holds = value.register.properties(in: value.won.bytes, of: kind)
    var names = lost.map(\.name)
    for (other, _) in holds where !names.contains(other) { names.append(other) }
    if names.isEmpty { names = [value.register.name(of: kind)] }
    let part = value.register.part(in: value.lost.bytes) ?? value.register.part(in: value.won.bytes)
    return names.map { property in
      Value(
        property: property, lost: lost.first { $0.name == property }?.value,
        lostBy: devices.name(value.lost.writer), lostAt: value.lost.writer?.clock,
        holds: holds.first { $0.name == property }?.value,
        heldBy: devices.name(value.won.writer), heldAt: value.won.writer?.clock,
        isLostHere: devices.isThisDevice(value.lost.writer),
        isHeldHere: devices.isThisDevice(value.won.writer), part: part?.rawValue)
    }
  }

  /// The id of the entity that records a finding's dismissal.
  static func entity(_ finding: Finding) -> EntityID {
    EntityID(id(finding)) ?? EntityID(high: 0, low: 0)
  }

  /// The first 32 hexadecimal digits of a hash.
  static func name(of key: ByteWriter) -> String {
    String(Hash256(hashing: key.bytes).description.prefix(32))
  }

  /// The id of a finding, which is a hash of its identity and therefore the same on every device.
  static func id(_ finding: Finding) -> String {
    var writer = ByteWriter(reserving: 48)
    writer.u64be(finding.id.replica.rawValue)
    writer.u64be(finding.id.number)
    writer.u8(finding.id.key.kind.rawValue)
    writer.id(finding.id.key.id)
    writer.u8(finding.id.rule.rawValue)
    // A later change to the same entity gives the finding a new id, so that a person reviews it
    // again.
    if finding.id.rule == .held, let last = finding.values.first?.lost.writer {
      writer.u64be(last.number)
    }
    return name(of: writer)
  }
}
