/// Goal: reimplement making one transfer of two transactions, and the reverse. Method: follow the
/// documentation of the commands; the halves are kept as they were.
import Daybook

extension Oracle {
  mutating func linkTransfer(_ one: TransactionID, _ other: TransactionID) throws {
    let stored = [transactions[try index(of: one)], transactions[try index(of: other)]]
    try check(one != other, .transfer)
    // A transfer that a rule made is the row that it was before.
    var rows = stored.map { ownHalf(of: $0) ?? $0 }
    let moves = try rows.map { try onlyMove(of: $0) }
    for (row, move) in [(stored[0], moves[1]), (stored[1], moves[0])] where ownHalf(of: row) != nil
    {
      try check(row.postings[1].accountID == move.account, .transfer)
    }
    try check(moves[0].account != moves[1].account, .transfer)
    try check((moves[0].amount.minorUnits < 0) != (moves[1].amount.minorUnits < 0), .transfer)
    let first = moves[0].amount.minorUnits < 0 ? 0 : 1
    for index in rows.indices where ownHalf(of: stored[index]) != nil {
      guard let print = imported[rows[index].id] else { continue }
      let isSame = look(of: rows[index]) == print
      rows[index].importIdentity?.original = isSame ? nil : Oracle.changedMark
    }
    let (payer, receiver) = (rows[first], rows[1 - first])
    let (out, into) = (moves[first], moves[1 - first])
    let isExchange = out.amount.currency != into.amount.currency
    if !isExchange {
      try check(
        Int128(out.amount.minorUnits) + Int128(into.amount.minorUnits) == 0, .unbalanced)
    }
    try check((payer.status == .reconciled) == (receiver.status == .reconciled), .reconciled)
    try check(receiver.series == nil, .inUse)
    for row in rows { try checkOpen(row.day) }
    let transfer = Draft.Transfer(
      Money(-out.amount.minorUnits, out.amount.currency), from: out.account, to: into.account,
      targetAmount: isExchange ? into.amount : nil)
    let made = try postings(
      .transfer(transfer), payer.day, Array(payer.postings) + Array(receiver.postings))
    var new = payer
    new.postings = SharedList(keepingNotes(made, of: Array(payer.postings)))
    new.type = .transfer
    new.categorizedBy = nil
    new.valueDay = receiver.day == payer.day ? nil : receiver.day
    new.payee = payer.payee.isEmpty ? receiver.payee : payer.payee
    if payer.payee.isEmpty { new.statedPayee = receiver.statedPayee }
    new.description = payer.description.isEmpty ? receiver.description : payer.description
    new.note = payer.note.isEmpty ? receiver.note : payer.note
    new.code = payer.code.isEmpty ? receiver.code : payer.code
    for tag in receiver.tags where !new.tags.contains(tag) && new.tags.count < 32 {
      new.tags.append(tag)
    }
    for file in receiver.attachments where !new.attachments.contains(file) {
      if new.attachments.count < 32 { new.attachments.append(file) }
    }
    new.halves = [payer.compared, receiver.compared]
    join(payer, receiver, 1)
    let place = try index(of: payer.id)
    transactions[place] = new
    follow(place)
    transactions.removeAll { $0.id == receiver.id }
  }

  /// Returns the row of which a rule has made a transfer; `nil` for any other transaction.
  func ownHalf(of row: Transaction) -> Transaction? {
    guard row.type == .transfer, row.categorizedBy != nil, row.halves.isEmpty,
      row.postings.count == 2
    else { return nil }
    var half = row
    let pays = row.postings[0].amount.minorUnits < 0
    half.type = pays ? .expense : .income
    half.postings[1].account = .category(pays ? .uncategorizedExpense : .uncategorizedIncome)
    half.categorizedBy = nil
    half.valueDay = nil
    return half
  }

  /// Makes one transfer of a transaction and its other half, if a rule has made a transfer of one of
  /// them, and returns whether it did.
  mutating func join(_ id: TransactionID) -> Bool {
    guard let row = transactions.first(where: { $0.id == id }) else { return false }
    guard row.status == .cleared, row.series == nil else { return false }
    /// The movement of a row whose category no person chose, or which a rule made a transfer.
    func move(_ row: Transaction) -> (account: AccountID, amount: Money)? {
      guard let half = ownHalf(of: row) ?? (row.importIdentity == nil ? nil : row) else {
        return nil
      }
      let targets = half.postings.compactMap { posting -> CategoryID? in
        if case .category(let id) = posting.account { id } else { nil }
      }
      guard targets.count == 1, targets[0].isBuiltin || half.categorizedBy != nil else {
        return nil
      }
      let moves = half.postings.filter { $0.accountID != nil && $0.accountID != .exchange }
      guard moves.count == 1, let account = moves[0].accountID, !account.isBuiltin else {
        return nil
      }
      return (account, moves[0].amount)
    }
    guard let own = move(row) else { return false }
    let others = transactions.filter { other in
      guard other.id != id, other.status == .cleared, other.series == nil,
        abs(other.day.distance(to: row.day)) <= 5,
        ownHalf(of: row) != nil || ownHalf(of: other) != nil, let its = move(other)
      else { return false }
      let fits =
        (ownHalf(of: row) == nil || row.postings[1].accountID == its.account)
        && (ownHalf(of: other) == nil || other.postings[1].accountID == own.account)
      return fits && its.account != own.account && its.amount.currency == own.amount.currency
        && Int128(its.amount.minorUnits) + Int128(own.amount.minorUnits) == 0
    }
    let best = others.min {
      (abs($0.day.distance(to: row.day)), $0.number)
        < (abs($1.day.distance(to: row.day)), $1.number)
    }
    guard let best else { return false }
    do { try linkTransfer(id, best.id) } catch { return false }
    return true
  }

  mutating func unlinkTransfer(_ id: TransactionID) throws {
    let place = try index(of: id)
    let old = transactions[place]
    try check(old.halves.count == 2, .shape)
    try check(old.status != .reconciled, .reconciled)
    let (payer, receiver) = (old.halves[0], old.halves[1])
    try check(!transactions.contains { $0.id == receiver.id }, .duplicateID)
    for day in days(of: old).union([payer.day, receiver.day]) { try checkOpen(day) }
    let own = old.postings.filter { !$0.isInEquity }.compactMap(\.accountID)
    var new = restored(payer, own.first)
    new.importIdentity = old.importIdentity
    new.status = old.status
    new.series = old.series
    new.occurrence = old.occurrence
    join(payer, receiver, -1)
    transactions[place] = new
    follow(place)
    var other = restored(receiver, own.last)
    other.status = old.status
    let next = transactions.firstIndex { $0.number > other.number } ?? transactions.endIndex
    transactions.insert(other, at: next)
    follow(next)
  }

  /// Counts the rows that are recognised although no transaction has their values.
  private mutating func join(_ payer: Transaction, _ receiver: Transaction, _ sign: Int) {
    if payer.importIdentity == nil { joinedPrints[look(of: payer), default: 0] += sign }
    guard fileRows[receiver.id] == nil else { return }
    let print = imported[receiver.id] ?? look(of: receiver)
    if receiver.isReferenced {
      joinedReferencedPrints[print, default: 0] += sign
    } else {
      joinedPrints[print, default: 0] += sign
    }
  }

  /// Returns a half on the account that has its money now; without its category if that was
  /// deleted.
  private func restored(_ half: Transaction, _ account: AccountID?) -> Transaction {
    var half = half
    for index in half.postings.indices {
      switch half.postings[index].account {
      case .account(let id):
        if let account, !id.isBuiltin { half.postings[index].account = .account(account) }
      case .category(let id):
        if id.isBuiltin || categories.contains(where: { $0.id == id && !$0.isDeleted }) { continue }
        half.postings[index].account = .category(
          half.type == .income ? .uncategorizedIncome : .uncategorizedExpense)
        half.categorizedBy = nil
      }
    }
    return half
  }

  private func onlyMove(
    of row: Transaction
  ) throws -> (account: AccountID, amount: Money) {
    try check(row.type != .transfer && row.status != .pending, .shape)
    var moves: [(account: AccountID, amount: Money)] = []
    var categoryCount = 0
    for posting in row.postings {
      switch posting.account {
      case .category: categoryCount += 1
      case .account(.exchange): continue
      case .account(let id): moves.append((id, posting.amount))
      }
    }
    try check(categoryCount == 1 && moves.count == 1, .shape)
    try check(!moves[0].account.isBuiltin && moves[0].amount.minorUnits != 0, .shape)
    return moves[0]
  }
}
