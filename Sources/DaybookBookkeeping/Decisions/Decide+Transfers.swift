import DaybookEntities

/// Two transactions that are the halves of one transfer: money leaves an account and arrives on
/// another.
extension BookkeepingState {
  /// Makes one transfer of two transactions.
  ///
  /// The transaction that pays becomes the transfer and keeps its id and texts. The other one is
  /// removed, and its day becomes the day on which the money arrives. Imports recognise the rows of
  /// both.
  mutating func linkTransfer(
    _ one: TransactionID, _ other: TransactionID
  ) throws(Refusal) -> Outcome {
    let first = try required(one)
    let second = try required(other)
    let (paying, receiving) = try halves(first, second)
    var (payer, receiver) = (paying.row, receiving.row)
    try checkOpen(min(payer.day, receiver.day), "link \(payer.title) and \(receiver.title)")
    let isExchange = paying.amount.currency != receiving.amount.currency
    let size = Money(-paying.amount.minorUnits, paying.amount.currency)
    let postings = try postings(
      for: .transfer(
        .init(
          size, from: paying.account, to: receiving.account,
          targetAmount: isExchange ? receiving.amount : nil)),
      on: payer.day, existing: Array(payer.postings) + Array(receiver.postings))
    // Imports recognise a row by its values before a rule made a transfer of it.
    if paying.otherAccount != nil { try follow(paying.stored.entity, &payer) }
    if receiving.otherAccount != nil { try follow(receiving.stored.entity, &receiver) }
    var new = payer
    new.postings = SharedList(postings.keepingNotes(of: payer.postings))
    new.type = try type(of: postings)
    new.categorizedBy = nil
    new.valueDay = receiver.day == payer.day ? nil : receiver.day
    if new.payee.isEmpty {
      new.payee = receiver.payee
      new.statedPayee = receiver.statedPayee
    }
    if new.description.isEmpty { new.description = receiver.description }
    if new.note.isEmpty { new.note = receiver.note }
    if new.code.isEmpty { new.code = receiver.code }
    new.details.addTags(receiver.tags)
    new.details.addAttachments(receiver.attachments)
    new.halves = [payer, receiver]
    try follow(payer, &new)
    if payer.importIdentity == nil { try count(fingerprint(of: payer), changed: 1) }
    try emit(paying.stored, new)
    if receiver.countsAsChanged {
      try count(fingerprint(of: receiver), of: receiver.importIdentity, changed: 1)
    }
    if receiver.isRecognizedByID, try !isMarked(receiver.entityID) {
      try self.mark(receiver.entityID, as: payer.id)
    }
    try emit(receiving.stored, nil)
    return .transaction(payer.id)
  }

  /// Restores the two transactions of which a transfer was made.
  mutating func unlinkTransfer(_ id: TransactionID) throws(Refusal) -> Outcome {
    let stored = try required(id)
    let old = stored.entity
    guard old.halves.count == 2 else {
      throw Refusal(
        .shape,
        "can't unlink \(old.title): it wasn't made of two transactions; edit or delete it instead",
        [id.rawValue])
    }
    guard old.status != .reconciled else {
      throw Refusal(
        .reconciled, "can't unlink \(old.title): it is reconciled; unreconcile it first",
        [id.rawValue])
    }
    let (payer, receiver) = (old.halves[0], old.halves[1])
    guard try reading({ try record(.transaction, receiver.entityID) }) == nil else {
      throw Refusal(
        .duplicateID,
        "can't unlink \(old.title): its other half, \(receiver.title), was restored; delete that "
          + "one first",
        [id.rawValue, receiver.entityID])
    }
    try checkOpen(min(old.earliestDay, payer.day, receiver.day), "unlink \(old.title)")
    let accounts = old.postings.compactMap(\.accountID).filter { !$0.isBuiltin }
    var new = try restored(payer, on: accounts.first)
    new.importIdentity = old.importIdentity
    new.status = old.status
    new.series = old.series
    new.occurrence = old.occurrence
    try follow(old, &new)
    if payer.importIdentity == nil { try count(fingerprint(of: payer), changed: -1) }
    try emit(stored, new)
    let mark: Stored<Fingerprint>? = try self.stored(receiver.entityID)
    if receiver.isRecognizedByID, mark?.entity.transaction == id {
      try unmark(receiver.entityID)
    }
    if receiver.countsAsChanged {
      try count(fingerprint(of: receiver), of: receiver.importIdentity, changed: -1)
    }
    var other = try restored(receiver, on: accounts.last)
    other.status = old.status
    // An account that was merged in the meantime changes the values.
    if other != receiver, other.importIdentity != nil { try follow(receiver, &other) }
    try emit(
      .transaction, other.entityID, number: receiver.number, nil, other.record())
    return .transaction(id)
  }

  /// Returns a half as it was, on the account that has its money now.
  private mutating func restored(
    _ half: Transaction, on account: AccountID?
  ) throws(Refusal) -> Transaction {
    var half = half
    for index in half.postings.indices {
      switch half.postings[index].account {
      case .account(let id):
        if let account, !id.isBuiltin { half.postings[index].account = .account(account) }
      case .category(let id):
        let category = try reading { try self.category(id) }
        guard !id.isBuiltin, category?.isDeleted ?? true else { continue }
        half.postings[index].account = .category(
          half.type == .income ? .uncategorizedIncome : .uncategorizedExpense)
        half.categorizedBy = nil
      }
    }
    return half
  }

  // MARK: Checks

  /// Returns two halves, the one that pays first, or refuses if they aren't halves of one transfer.
  private mutating func halves(
    _ first: Stored<Transaction>, _ second: Stored<Transaction>
  ) throws(Refusal) -> (paying: TransferHalf, receiving: TransferHalf) {
    let ids = [first.entity.entityID, second.entity.entityID]
    func refusal(_ code: Refusal.Code, _ why: String) -> Refusal {
      Refusal(code, "can't link \(first.entity.title) and \(second.entity.title): \(why)", ids)
    }
    guard ids[0] != ids[1] else { throw refusal(.transfer, "they are the same; name two") }
    let one = try half(first, ids)
    let other = try half(second, ids)
    for (half, another) in [(one, other), (other, one)] {
      guard let account = half.otherAccount, account != another.account else { continue }
      throw refusal(
        .transfer,
        "a rule made \(half.stored.entity.title) a transfer with \(name(account)); change its other "
          + "account first")
    }
    guard one.account != other.account else {
      throw refusal(
        .transfer, "both are on \(name(one.account)); choose two on different accounts")
    }
    guard (one.amount.minorUnits < 0) != (other.amount.minorUnits < 0) else {
      throw refusal(
        .transfer,
        "both \(one.amount.minorUnits < 0 ? "pay" : "receive") money; choose one that pays and one "
          + "that receives")
    }
    let (paying, receiving) = one.amount.minorUnits < 0 ? (one, other) : (other, one)
    if paying.amount.currency == receiving.amount.currency,
      Int128(paying.amount.minorUnits) + Int128(receiving.amount.minorUnits) != 0
    {
      let paid = Money(-paying.amount.minorUnits, paying.amount.currency)
      throw refusal(
        .unbalanced,
        "\(paid) was paid, but \(receiving.amount) arrived; record the difference as a transaction "
          + "of its own, and correct the amount")
    }
    guard (first.entity.status == .reconciled) == (second.entity.status == .reconciled) else {
      let (locked, open) = first.entity.status == .reconciled ? (first, second) : (second, first)
      throw refusal(
        .reconciled,
        "\(locked.entity.title) is reconciled, and \(open.entity.title) isn't; reconcile that one "
          + "too, or unreconcile the other")
    }
    if receiving.stored.entity.series != nil {
      throw refusal(
        .inUse,
        "\(receiving.stored.entity.title) belongs to a recurring transaction; unlink it from that "
          + "first")
    }
    return (paying, receiving)
  }

  private func half(
    _ stored: Stored<Transaction>, _ ids: [EntityID]
  ) throws(Refusal) -> TransferHalf {
    let row = stored.entity.ownHalf ?? stored.entity
    func refusal(_ why: String) -> Refusal {
      Refusal(.shape, "can't link \(row.title): \(why)", ids)
    }
    if row.type == .transfer {
      throw refusal("it already is a transfer; choose an expense and an income")
    }
    guard row.status != .pending else {
      throw refusal("it is pending; link it when the bank has booked it")
    }
    var account: AccountID?
    var categoryCount = 0
    for posting in row.postings {
      switch posting.account {
      case .category: categoryCount += 1
      case .account(.exchange): continue
      case .account(let id):
        guard account == nil, !id.isBuiltin else {
          throw refusal("it isn't on exactly one account; choose one that is")
        }
        account = id
      }
    }
    guard categoryCount == 1 else {
      throw refusal("it is split into \(categoryCount) parts; remove all parts but one first")
    }
    guard let account, let amount = row.amount(on: account), amount.minorUnits != 0,
      amount.minorUnits != .min
    else { throw refusal("it isn't on exactly one account; choose one that is") }
    let other = stored.entity.ownHalf == nil ? nil : stored.entity.postings[1].accountID
    return TransferHalf(
      stored: stored, row: row, account: account, amount: amount, otherAccount: other)
  }
}

/// A transaction with the change of its only account.
private struct TransferHalf {
  var stored: Stored<Transaction>
  /// The transaction, which is uncategorised if a rule has made a transfer of it.
  var row: Transaction
  var account: AccountID
  var amount: Money
  /// The account at the other end of the transfer that a rule has made of it.
  var otherAccount: AccountID?
}

extension Transaction {
  /// Whether its fingerprint counts it as changed while it is the half of a transfer.
  fileprivate var countsAsChanged: Bool { importIdentity?.original == nil && !isOfFile }

  /// Whether imports recognise it by its id.
  fileprivate var isRecognizedByID: Bool {
    isOfFile || importIdentity?.isReferenced == true
  }
}
