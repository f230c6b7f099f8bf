/// Goal: reimplement amendments, deletions and locks of transactions. Method: follow the
/// documentation of `Amendment` and rules 10 and 12 of SCENARIOS.
import Daybook

extension Oracle {
  mutating func delete(_ index: Int) throws {
    let (id, link) = (transactions[index].id, transactions[index].seriesLink)
    try remove(index)
    if id.rawValue.isNamed { skipped.insert(id) }
    if let link { markSkipped(link) }
  }

  /// Deletes a transaction without marking it as skipped.
  ///
  /// If `leavesMark` is false, later imports don't treat it as a deleted row.
  mutating func remove(_ index: Int, leavesMark: Bool = true) throws {
    let old = transactions[index]
    try check(old.status != .reconciled, .reconciled)
    for day in days(of: old) { try checkOpen(day) }
    erasedFileRows[old.id] = nil
    let isOfFile = isOfFile(old)
    if let print = imported.removeValue(forKey: old.id) {
      let row = fileRows.removeValue(forKey: old.id)
      // Without a mark, the row may be imported again.
      if leavesMark, !isOfFile {
        if old.isReferenced {
          deletedReferencedPrints[print, default: 0] += 1
        } else {
          deletedPrints[print, default: 0] += 1
        }
      }
      if leavesMark, isOfFile || old.isReferenced {
        if let row { deletedFileRows.insert(row) }
        if old.id.rawValue.isNamed { skipped.insert(old.id) }
      }
    }
    let reference = references.removeValue(forKey: old.id)
    if leavesMark, let reference, old.isReferenced {
      deletedReferences[reference, default: 0] += 1
    }
    transactions.remove(at: index)
  }

  mutating func reconcile(_ ids: [TransactionID], _ isReconciled: Bool) throws {
    for id in ids {
      let index = try index(of: id)
      if (transactions[index].status == .reconciled) != isReconciled {
        transactions[index].status = isReconciled ? .reconciled : .cleared
      }
    }
  }

  mutating func amend(_ id: TransactionID, _ given: Amendment) throws {
    let index = try index(of: id)
    let old = transactions[index]
    let wish = try merged(given, old)
    var new = old
    try check(wish.day?.isInRange ?? true, .day)
    new.day = wish.day ?? old.day
    new.details = try details(of: given, old)
    try check(new.details)
    if new.payee != old.payee {
      // The bank's payee stays known when a person replaces it.
      let stated = old.statedPayee?.payee ?? old.payee
      let isBanks = old.importIdentity != nil && new.payee != stated
      new.statedPayee = isBanks ? StatedPayee(stated) : nil
    }
    if let (postings, isConverted) = try amendedPostings(wish, old, on: new.day) {
      new.postings = SharedList(keepingNotes(postings, of: Array(old.postings)))
      new.type = type(of: postings)
      new.isConverted = isConverted
    }
    if let rule = wish.categorizedBy {
      try checkThere(rule)
      new.categorizedBy = rule
    } else if wish.category != nil || categories(of: old) != categories(of: new)
      || old.type == .transfer && old.postings.map(\.account) != new.postings.map(\.account)
    {
      // From now on, the category counts as chosen by the user.
      new.categorizedBy = nil
    }
    try check(new.type == .transfer || old.halves.isEmpty, .shape)
    let isSingle = { (row: Transaction) in
      Set(row.postings.filter { !$0.isInEquity }.compactMap(\.accountID)).count < 2
    }
    if given.details.valueDay == nil, isSingle(old) != isSingle(new) { new.valueDay = nil }
    try checkLocks(old, new)
    let mayMiss =
      wish.shape != nil
      || wish.type != nil && wish.amount == nil && wish.accountAmount == nil
        && wish.targetAmount == nil
    if mayMiss, !wish.changesImportedTotal, old.importIdentity != nil {
      try check(keepsTotal(old, new), .importedTotal)
    }
    transactions[index] = new
    follow(index)
  }

  private func categories(of transaction: Transaction) -> [CategoryID] {
    transaction.postings.compactMap {
      if case .category(let id) = $0.account { id } else { nil }
    }
  }

  /// Returns whether an amendment keeps the imported total.
  ///
  /// All accounts that are in both versions must have the same totals. If the versions have no
  /// account in common, one of the totals must be the same.
  private func keepsTotal(_ old: Transaction, _ new: Transaction) -> Bool {
    func totals(_ row: Transaction) -> [AccountID: [Currency: Int128]] {
      var totals: [AccountID: [Currency: Int128]] = [:]
      for posting in row.postings {
        guard case .account(let id) = posting.account, id != .exchange else { continue }
        totals[id, default: [:]][posting.amount.currency, default: 0] +=
          Int128(posting.amount.minorUnits)
      }
      return totals
    }
    let (was, now) = (totals(old), totals(new))
    let common = Set(was.keys).intersection(now.keys)
    if was.isEmpty { return true }
    if !common.isEmpty {
      return common.allSatisfy { id in
        (was[id] ?? [:]).allSatisfy { now[id]?[$0.key] == $0.value }
      }
    }
    return was.values.contains { sums in
      sums.contains { currency, units in now.values.contains { $0[currency] == units } }
    }
  }

  /// Refuses changes to reconciled transactions and to closed periods.
  func checkLocks(_ old: Transaction, _ new: Transaction) throws {
    if old.status == .reconciled {
      try check(new.status == .reconciled, .reconciled)
      try check(days(of: old) == days(of: new) && old.day == new.day, .reconciled)
      try check(old.postings.count == new.postings.count, .reconciled)
      for (before, after) in zip(old.postings, new.postings) {
        try check(before.amount == after.amount, .reconciled)
        switch (before.account, after.account) {
        case (.category, .category): break
        default: try check(before.account == after.account, .reconciled)
        }
      }
    }
    let figures = { (transaction: Transaction) in
      transaction.postings.map { Posting($0.account, $0.amount) }
    }
    let days = (days(of: old), days(of: new))
    if old.day != new.day || days.0 != days.1 || figures(old) != figures(new) {
      for day in days.0.union(days.1) { try checkOpen(day) }
    }
  }

  // MARK: Merging

  /// Removes properties from an amendment that have been changed in the meantime, if the merge
  /// policy requires it.
  private func merged(_ given: Amendment, _ old: Transaction) throws -> Amendment {
    let policy = settings?.mergePolicy ?? .lastWriter
    guard let seen = given.seen, policy != .lastWriter else { return given }
    var wish = given
    func settle<Value: Equatable>(_ wanted: inout Value?, _ was: Value?, _ now: Value?) throws {
      guard wanted != nil, was != now, now != wanted else { return }
      try check(policy == .firstWriter, .conflict)
      wanted = nil
    }
    try settle(&wish.day, seen.day, old.day)
    guard seen.postings != old.postings else { return wish }
    if wish.shape != nil {
      try check(policy == .firstWriter, .conflict)
      wish.shape = nil
      wish.categorizedBy = nil
    }
    // The engine needs the categories of the seen version to determine its parts, so they must
    // still exist.
    let accounts = seen.postings.filter { posting in
      if case .account(let id) = posting.account { id != .exchange } else { false }
    }
    if given.touchesFigures, !accounts.isEmpty {
      for case .category(let id) in seen.postings.map(\.account) { _ = try known(id) }
    }
    let (typeWas, typeNow) = (kind(of: form(of: seen)), kind(of: form(of: old)))
    try settle(&wish.type, typeWas, typeNow)
    if given.type != nil, wish.type == nil {
      wish.account = nil
      wish.otherAccount = nil
      wish.category = nil
      wish.accountAmount = nil
      wish.targetAmount = nil
    }
    let (was, now) = (parts(form(of: seen)), parts(form(of: old)))
    try settle(&wish.amount, was.amount, now.amount)
    try settle(&wish.account, was.account, now.account)
    try settle(&wish.category, was.category, now.category)
    // The amendment no longer sets the category, so it must not set the rule that chose it.
    if wish.category == nil, given.category != nil { wish.categorizedBy = nil }
    try settle(&wish.otherAccount, was.other, now.other)
    try settle(&wish.accountAmount, was.otherAmount, now.otherAmount)
    try settle(&wish.targetAmount, was.otherAmount, now.otherAmount)
    return wish
  }

  /// Returns the value of a detail after a change.
  ///
  /// This is the stored value if another writer's value is kept.
  func amended<Entity: LedgerEntity & Detailed, Value: Equatable>(
    _ detail: WritableKeyPath<Entity.Details, Value>, of old: Entity,
    _ change: DetailsChange<Entity>
  ) throws -> Value where Entity.Details.Entity == Entity {
    let now = old.details[keyPath: detail]
    guard let wanted = change[dynamicMember: detail] else { return now }
    let policy = settings?.mergePolicy ?? .lastWriter
    guard let seen = change.seen, policy != .lastWriter else { return wanted }
    guard seen.details[keyPath: detail] != now, wanted != now else { return wanted }
    try check(policy == .firstWriter, .conflict)
    return now
  }

  /// Returns the amended details.
  ///
  /// They are listed one by one, so that it is a compile-time error to omit one.
  private func details(of wish: Amendment, _ old: Transaction) throws -> TransactionDetails {
    let status = try amended(\.status, of: old, wish.details)
    let description = try amended(\.description, of: old, wish.details)
    let payee = try amended(\.payee, of: old, wish.details)
    let note = try amended(\.note, of: old, wish.details)
    let tags = try amended(\.tags, of: old, wish.details)
    let valueDay = try amended(\.valueDay, of: old, wish.details)
    let code = try amended(\.code, of: old, wish.details)
    let isExcluded = try amended(\.isExcludedFromTotals, of: old, wish.details)
    let distinctFrom = try amended(\.distinctFrom, of: old, wish.details)
    let attachments = try amended(\.attachments, of: old, wish.details)
    return TransactionDetails.init(
      status:description:payee:note:tags:valueDay:code:isExcludedFromTotals:distinctFrom:
      attachments:
    )(
      status, description, payee, note, tags, valueDay, code, isExcluded, distinctFrom,
      attachments)
  }

  private struct Parts {
    var amount: Money?
    var account: AccountID?
    var category: CategoryID?
    var other: AccountID?
    var otherAmount: Money?
  }

  private func parts(_ shape: Draft.Shape) -> Parts {
    switch shape {
    case .entry(let entry):
      Parts(
        amount: entry.amount, account: entry.account, category: entry.category,
        otherAmount: entry.accountAmount)
    case .transfer(let transfer):
      Parts(
        amount: transfer.amount, account: transfer.source, other: transfer.target,
        otherAmount: transfer.targetAmount)
    case .split(let split): Parts(account: split.account, otherAmount: split.accountAmount)
    case .postings: Parts()
    }
  }
}

extension Amendment {
  var touchesFigures: Bool {
    type != nil || amount != nil || account != nil || category != nil || otherAccount != nil
      || accountAmount != nil || targetAmount != nil
  }
}
