public import Daybook
import DaybookBookkeeping
import DaybookEntities

extension SyncFinding {
  /// Returns the content of the finding, for a language such as ``EnglishFindings``.
  ///
  /// - Parameter snapshot: The snapshot in which balances and entities are looked up.
  /// - Throws: `DaybookError` if the views can't be read.
  public func statement(in snapshot: borrowing Snapshot) throws -> FindingStatement {
    let changes = changes
    let (loser, holder) = (values.first?.loser ?? .unknown, values.first?.holder ?? .unknown)
    let isExistence = changes.isEmpty && values.contains { $0.property == "existence" }
    switch rule {
    case .valueLost:
      return holder == .unknown && isImmutable
        ? .refused(loser, changes) : .disagreement(holder: holder, loser: loser, changes)
    case .deletionStands:
      return isExistence
        ? .restoredWhileDeleted(deleter: holder, restorer: loser)
        : .changedWhileDeleted(deleter: holder, changer: loser, changes)
    case .clash: return .incompatible(holder: holder, loser: loser, changes)
    case .notLinked:
      let link = values.first { $0.property == "halves" }
      return .notLinked(linker: link?.loser ?? loser, other: link?.holder ?? .unknown)
    case .cycle: return .cycle(mover: loser, parent: values.first?.lost)
    case .closedUnseen:
      let listed = try unseen.map { try $0.subject(in: snapshot) }
      return .closedUnseen(
        closer: closer, through: try snapshot.settings().closedThrough, listed)
    case .locked:
      return isExistence
        ? .deletedWhileReconciled(reconciler: holder, deleter: loser)
        : .changedWhileReconciled(reconciler: holder, changer: loser, changes)
    case .held:
      if isExistence { return .deletedInClosedPeriod(deleter: loser, closer: closer) }
      return isNew
        ? .recordedInClosedPeriod(recorder: loser, closer: closer)
        : .changedInClosedPeriod(changer: loser, closer: closer, changes)
    case .tooLate:
      if isExistence { return .deletedTooLate }
      return isGone ? .changedTooLateAndGone(changes) : .changedTooLate(changes)
    case .balanced:
      return .balanced(values.first { $0.property == "amount" }?.holds)
    case .sameName: return .sameName(count: unseen.count + 1)
    case .closedAccount:
      let account = try snapshot.account(AccountID(entity))
      return .closedAccount(balance: values.first?.holds, isDeleted: account?.isDeleted != false)
    }
  }

  /// Returns the entity that the finding is about.
  ///
  /// For ``Rule/deletionStands``, the subject omits the changed properties.
  ///
  /// - Throws: The same errors as ``statement(in:)``.
  public func subject(in snapshot: borrowing Snapshot) throws -> FindingSubject {
    let hidden = rule == .deletionStands ? Set(changes.map(\.property)) : []
    return try FindingSubject(kind, entity, record, hiding: hidden, in: snapshot)
  }

  /// The properties in which the two sides differ.
  private var changes: [FindingChange] {
    values.compactMap { value -> FindingChange? in
      // The category of a split line only identifies the line.
      let isPartName = value.part != nil && value.property == "category"
      if value.property == "existence" || value.property == "halves" || isPartName { return nil }
      if value.lost == value.holds, value.lost != nil { return nil }
      return FindingChange(
        property: value.property, wanted: value.lost, holds: value.holds, part: value.part)
    }
  }

  /// The transactions that a device made a part of this transfer, although another device's link was
  /// kept.
  ///
  /// They are deleted on all devices, so their amounts are missing until they are restored with
  /// `daybook undelete`.
  ///
  /// - Throws: The same errors as ``statement(in:)``.
  public func lostHalves(in snapshot: borrowing Snapshot) throws -> [TransactionID] {
    // A link that was refused as a whole deletes nothing.
    if rule == .notLinked { return [] }
    var lost: [TransactionID] = []
    for value in values where value.property == "halves" {
      guard case .entities(let ids)? = value.lost else { continue }
      var kept: [EntityID] = []
      if case .entities(let others)? = value.holds { kept = others }
      for id in ids.map({ TransactionID($0) }) where !kept.contains(id.rawValue) {
        if try snapshot.transaction(id) == nil { lost.append(id) }
      }
    }
    return lost
  }

  /// Whether one of the changed properties is immutable.
  private var isImmutable: Bool {
    switch kind {
    case .account, .currency: values.contains { $0.property == "currency" }
    case .category: values.contains { $0.property == "kind" }
    default: false
    }
  }
}

extension SyncFinding.UnseenEntity {
  /// Returns the entity, for display.
  ///
  /// - Throws: The same errors as ``SyncFinding/statement(in:)``.
  public func subject(in snapshot: borrowing Snapshot) throws -> FindingSubject {
    try FindingSubject(kind, entity, record, hiding: [], in: snapshot)
  }
}

extension FindingSubject {
  /// - Parameters:
  ///   - record: The current or last record; if `nil`, the snapshot's record is used.
  ///   - hidden: The names of properties to leave out.
  init(
    _ kind: EntityKind, _ id: EntityID, _ record: Record?, hiding hidden: Set<String>,
    in snapshot: borrowing Snapshot
  ) throws {
    (self.kind, self.id) = (kind, id)
    if kind == .transaction {
      let known = record.flatMap { try? Transaction(record: $0, id: id, number: 0) }
      guard let row = try known ?? snapshot.transaction(TransactionID(id)) else { return }
      try tell(row, hiding: hidden, in: snapshot)
      return
    }
    guard !hidden.contains("name") else { return }
    let tag = KindDescription.of(kind)?.properties.first { $0.name == "name" }?.tag
    if let text = tag.flatMap({ record?[$0] }) { name = String(decoding: text, as: UTF8.self) }
    if kind == .category, let path = try snapshot.path(of: CategoryID(id)) { self.name = "\(path)" }
    if name.isEmpty { name = try snapshot.listedName(of: id) ?? "" }
  }

  private mutating func tell(
    _ row: Transaction, hiding hidden: Set<String>, in snapshot: borrowing Snapshot
  ) throws {
    if !hidden.contains("day") { day = row.day }
    if hidden.isDisjoint(with: ["amount", "direction", "postings"]) {
      amount = row.amount.map { Money(Int64(clamping: $0.minorUnits.magnitude), $0.currency) }
    }
    name =
      [("payee", row.payee), ("description", row.description)]
      .first { !$0.1.isEmpty && !hidden.contains($0.0) }?.1 ?? ""
    guard name.isEmpty, hidden.isDisjoint(with: ["category", "other account", "postings"]) else {
      return
    }
    let counterpart = row.category?.rawValue ?? row.otherAccount?.rawValue
    name = try counterpart.flatMap { try snapshot.listedName(of: $0) } ?? ""
  }
}
