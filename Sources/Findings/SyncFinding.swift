public import Bookkeeping
public import Entities
import LedgerMerging
import Merging
import SyncWire

/// Something that merging did to what somebody recorded, and that they are told of: what lost, and what holds.
///
/// Nothing that lost is gone: it is in history, and here, until somebody has looked at it.
public struct SyncFinding: Hashable, Sendable {
  /// What happened.
  public enum Rule: String, Hashable, Sendable {
    /// Two devices gave one property another value, and one of the two holds.
    case valueLost
    /// Something was deleted on one device and changed on another: it is deleted, the change is kept with it.
    case deletionStands
    /// Values that are valid each are not valid together: one device's hold.
    case clash
    /// A category would have become its own ancestor.
    case cycle
    /// A period was closed on a device that had not seen all that is in it: that stays.
    case closedUnseen
    /// A row was reconciled on one device, and changed or deleted on another: it is as it was reconciled.
    case locked
    /// Something was changed in a period that was closed meanwhile: it counts nowhere until somebody takes it
    /// (`take`).
    ///
    /// Of its values, `lost` is what is wanted, and `holds` what was there when it was recorded.
    case held
    /// This device was away for too long: what it had recorded meanwhile came too late for a value that others had
    /// changed. Only this device tells of it.
    case tooLate
    /// A split's lines were changed on two devices and did not come to what the bank says: an
    /// uncategorised line has the rest.
    case balanced
    /// Accounts, or categories beside each other, have one name: each was made on a device that did not know of the
    /// other's. It ends when one gets another name, or they are made one (`Command.mergeAccounts`, `mergeCategories`).
    case sameName
    /// An account is closed or deleted, and its balance, which `holds`, is not zero: perhaps a row was recorded on a
    /// device that did not know. It ends when the account is open again, or comes to zero.
    case closedAccount
  }

  /// One property: what lost, and what holds.
  public struct Value: Hashable, Sendable {
    /// What the property is called.
    public var property: String
    /// What lost; `nil` for its default.
    public var lost: PropertyValue?
    /// The device that wrote it, where that is known.
    public var lostBy: String?
    /// When, by that device's clock, in microseconds since 1970; `nil` where that is not known.
    public var lostAt: Int64?
    /// What holds; `nil` for its default, or where the entity is deleted.
    public var holds: PropertyValue?
    /// The device that wrote it, where that is known.
    public var heldBy: String?
    /// When, by that device's clock, in microseconds since 1970; `nil` where that is not known.
    public var heldAt: Int64?
    /// Whether this device wrote what lost.
    public var isLostHere = false
    /// Whether this device wrote what holds.
    public var isHeldHere = false
    /// Of a transaction that is split, the category of the part that the property is of.
    public var part: EntityID?
  }

  /// What it is named by: 32 hexadecimal digits, the same on every device.
  public var id: String
  /// What kind of thing it is about.
  public var kind: EntityKind
  /// Which one.
  public var entity: EntityID
  /// What happened.
  public var rule: Rule
  /// Whether the ledger's policy wants somebody asked, and not only told.
  public var asks: Bool
  /// The properties it is about.
  public var values: [Value]
  /// Of ``Rule/closedUnseen``, what had not been seen; of ``Rule/sameName``, the others of that name.
  public var unseen: [Unseen]

  /// Of ``Rule/closedUnseen`` and ``Rule/held``, the device that closed the period.
  public var closer: FindingParty = .unknown
  /// What the entity is, or was last where it is gone.
  var record: Record?
  /// Of ``Rule/held``, whether it is new: nothing of it is there.
  var isNew = false
  /// Whether the entity is gone.
  var isGone = false

  /// Something that it lists.
  public struct Unseen: Hashable, Sendable {
    /// What kind of thing it is.
    public var kind: EntityKind
    /// Which one.
    public var entity: EntityID
    /// What it is, or was last where it is gone.
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
      }
    asks = finding.asks
    unseen = finding.entities.map { Unseen(kind: $0.kind, entity: $0.id) }
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
        isLostHere: devices.isThis(value.lost.writer),
        isHeldHere: devices.isThis(value.won.writer), part: part?.rawValue)
    }
  }

  /// The id under which it is recorded that a finding was put aside: its name.
  static func entity(_ finding: Finding) -> EntityID {
    EntityID(id(finding)) ?? EntityID(high: 0, low: 0)
  }

  /// What is told, hashed: 32 hexadecimal digits.
  static func name(of told: ByteWriter) -> String {
    String(Hash256(hashing: told.bytes).description.prefix(32))
  }

  /// The name of a finding: it is the same on every device, so what it is of is hashed.
  static func id(_ finding: Finding) -> String {
    var writer = ByteWriter(reserving: 48)
    writer.u64be(finding.id.replica.rawValue)
    writer.u64be(finding.id.number)
    writer.u8(finding.id.key.kind.rawValue)
    writer.id(finding.id.key.id)
    writer.u8(finding.id.rule.rawValue)
    // What joins later wants to be looked at again.
    if finding.id.rule == .held, let last = finding.values.first?.lost.writer {
      writer.u64be(last.number)
    }
    return name(of: writer)
  }
}
