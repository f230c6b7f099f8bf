import DaybookBookkeeping
import DaybookEntities
public import DaybookMerging

extension MergeRules {
  /// The rules for merging the commits of a ledger's replicas.
  ///
  /// Each entity's property table defines which properties form one register.
  /// `Docs/Notes/Merging.md` describes the rules, with examples.
  public static let ledger = ledgerRules()

  private static func ledgerRules() -> MergeRules {
    var rules = registers
    rules.prepare = { PreparedChanges(ofLedger: $0) }
    return rules
  }

  private static let registers = MergeRules(
    kinds: Dictionary(uniqueKeysWithValues: KindDescription.all.map { ($0.kind, KindRules($0)) }),
    policy: .property(
      EntityKey(.settings, LedgerSettings.id), tag: LedgerSettings.policyTag,
      read: { bytes in policy(bytes) }),
    closing: .ledger)

  /// Returns the ledger's merge policy.
  ///
  /// The policy `error` refuses a contested amendment. Because a recorded commit can't be refused
  /// any more, the author of the lost value is asked to decide instead.
  private static func policy(_ bytes: [UInt8]?) -> DaybookMerging.MergePolicy {
    switch bytes?.first.flatMap(DaybookBookkeeping.MergePolicy.init(rawValue:)) ?? .lastWriter {
    case .lastWriter: .last
    case .firstWriter: .first
    case .error: .firstAndTell
    }
  }
}

extension LedgerSettings {
  /// The tag of ``mergePolicy``.
  static var policyTag: UInt8 { EntityKind.settings.tag(of: "mergePolicy") }
}

extension EntityKind {
  /// Returns the tag of a property that the kind must have.
  func tag(of name: String) -> UInt8 {
    guard let found = KindDescription.of(self)?.properties.first(where: { $0.name == name }) else {
      preconditionFailure("kind \(self.rawValue) has no property \(name)")
    }
    return found.tag
  }

  /// Returns the register of a property; the register is named by the lowest of its tags.
  func register(of name: String) -> Register {
    let properties = KindDescription.of(self)?.properties ?? []
    let own = properties.first { $0.name == name }?.register ?? tag(of: name)
    return Register(tag: properties.filter { $0.register == own }.map(\.tag).min() ?? own)
  }
}

extension KindRules {
  /// Creates the rules of one of the ledger's kinds.
  fileprivate init(_ description: KindDescription) {
    let kind = description.kind
    let groups = Dictionary(grouping: description.properties, by: \.register).values
      .filter { $0.count > 1 }.map { $0.map(\.tag).sorted() }
    self.init(groups: groups.sorted { $0[0] < $1[0] })
    firstNumber = description.firstNumber
    if !description.personalTags.isEmpty {
      let registers = description.properties.filter { description.erasedTags.contains($0.tag) }
        .map { kind.register(of: $0.name) }
      erasure = Erasure(Set(registers)) { id, record, isSettled in
        (try? description.erased(record, id, isSettled: isSettled)) ?? record
      }
    }
    if description.properties.contains(where: { $0.name == "isDeleted" }) {
      let flag = kind.register(of: "isDeleted")
      deletionFlag = DeletionFlag(flag) { !$0.isEmpty }
    }
    switch kind {
    case .settings:
      parts = Parts(
        of: kind.register(of: "holidays"), split: HolidayParts.apart, join: HolidayParts.join)
    case .account:
      immutable = [kind.register(of: "currency")]
      check = { id, record in Account.clash(record, id) }
    case .category:
      let parent = kind.register(of: "parent")
      immutable = [kind.register(of: "kind")]
      self.parent = Parent(parent) { bytes in
        Record(bytes: bytes)[UInt8(truncatingIfNeeded: parent.rawValue)].flatMap(EntityID.init)
      }
    case .transaction:
      references = References(to: [.account, .category]) { Transaction.accounts(of: $0) }
      parts = Parts(
        of: kind.register(of: "postings"), split: PostingParts.apart, join: PostingParts.join,
        areIncompatible: PostingParts.areIncompatible, balance: PostingParts.balance)
      lock = .reconciled
      absorption = Absorption(kind.register(of: "halves")) { record in
        guard record[Tag.Transaction.halves] != nil else { return nil }
        return (try? Transaction(record: record, id: EntityID(high: 0, low: 0), number: 0))?
          .halves.last?.id.rawValue
      }
      check = { id, record in Transaction.clash(record, id) }
    case .budget:
      check = { id, record in Budget.clash(record, id) }
    case .currency:
      immutable = [kind.register(of: "currency")]
    default: break
    }
  }
}

extension EntityID {
  /// Creates an id from a property's 16 bytes, or returns `nil` if their number differs.
  fileprivate init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    var reader = ByteReader(bytes.span.bytes)
    guard let id = try? reader.id() else { return nil }
    self = id
  }
}

extension Transaction {
  /// Returns the accounts and categories of a transaction.
  fileprivate static func accounts(of record: Record) -> [DaybookMerging.EntityKey] {
    let row = try? Transaction(record: record, id: EntityID(high: 0, low: 0), number: 0)
    return (row?.postings ?? []).map { posting in
      switch posting.account {
      case .account(let id): DaybookMerging.EntityKey(.account, id.rawValue)
      case .category(let id): DaybookMerging.EntityKey(.category, id.rawValue)
      }
    }
  }
}

extension Transaction {
  /// A transaction that was made of two halves must be a transfer.
  fileprivate static func clash(_ record: Record, _ id: EntityID) -> Set<Register> {
    guard record[Tag.Transaction.halves] != nil,
      let row = try? Transaction(record: record, id: id, number: 0), row.type != .transfer
    else { return [] }
    return PostingParts.figures.union(
      ["halves", "valueDay"].map { EntityKind.transaction.register(of: $0) })
  }
}

extension Account {
  /// Returns the registers of an account that is deleted but not closed, because another device
  /// reopened it.
  fileprivate static func clash(_ record: Record, _ id: EntityID) -> Set<Register> {
    guard let account = try? Account(record: record, id: id, number: 0), account.isDeleted,
      !account.isClosed
    else { return [] }
    return Set(["isClosed", "isDeleted"].map { EntityKind.account.register(of: $0) })
  }
}

extension Budget {
  /// Returns the registers of a budget that ends before it starts.
  fileprivate static func clash(_ record: Record, _ id: EntityID) -> Set<Register> {
    guard let budget = try? Budget(record: record, id: id, number: 0), let start = budget.start,
      let end = budget.end, end <= start
    else { return [] }
    return [EntityKind.budget.register(of: "start"), EntityKind.budget.register(of: "end")]
  }
}
