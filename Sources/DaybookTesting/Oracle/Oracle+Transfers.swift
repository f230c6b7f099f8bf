/// Goal: reimplement making one transfer of two transactions, and the reverse. Method: follow the
/// documentation of the commands; the halves are kept as they were.
import Daybook

extension Oracle {
  mutating func linkTransfer(_ one: TransactionID, _ other: TransactionID) throws {
    let rows = [transactions[try index(of: one)], transactions[try index(of: other)]]
    try check(one != other, .transfer)
    let moves = try rows.map { try onlyMove(of: $0) }
    try check(moves[0].account != moves[1].account, .transfer)
    try check((moves[0].amount.minorUnits < 0) != (moves[1].amount.minorUnits < 0), .transfer)
    let first = moves[0].amount.minorUnits < 0 ? 0 : 1
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
    var new = payer
    let transfer = Draft.Transfer(
      Money(-out.amount.minorUnits, out.amount.currency), from: out.account, to: into.account,
      targetAmount: isExchange ? into.amount : nil)
    let made = try postings(
      .transfer(transfer), payer.day, Array(payer.postings) + Array(receiver.postings))
    new.postings = SharedList(keepingNotes(made, of: Array(payer.postings)))
    new.type = .transfer
    new.categorizedBy = nil
    new.valueDay = receiver.day == payer.day ? nil : receiver.day
    new.payee = payer.payee.isEmpty ? receiver.payee : payer.payee
    new.description = payer.description.isEmpty ? receiver.description : payer.description
    new.note = payer.note.isEmpty ? receiver.note : payer.note
    new.code = payer.code.isEmpty ? receiver.code : payer.code
    for tag in receiver.tags where !new.tags.contains(tag) && new.tags.count < 32 {
      new.tags.append(tag)
    }
    new.halves = [payer.compared, receiver.compared]
    join(payer, receiver, 1)
    let place = try index(of: payer.id)
    transactions[place] = new
    follow(place)
    transactions.removeAll { $0.id == receiver.id }
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
