/// Goal: drafts of every form, amendments of every property, files with rows that come again.
/// Method: see `Script`.
package import Daybook
import DaybookRandom
import DaybookTesting

extension ScriptWriter {
  package mutating func draft() -> Draft {
    if random.chance(8), let row = random.some(file) { return row.draft }
    let id: TransactionID? = random.chance(8) ? nil : random.chance(2) ? transactionID() : fresh()
    var draft = Draft(
      shape(), on: day(), id: id, description: text(), payee: random.chance(70) ? "" : text(),
      note: random.chance(70) ? "" : text(), tags: tags(), status: status())
    if random.chance(50) { draft.payee = "" }
    if random.chance(4) { draft.categorizedBy = ruleID() }
    if case .postings = draft.shape { draft.isConverted = random.chance(30) }
    if random.chance(15) { draft.valueDay = day() }
    if random.chance(15) { draft.code = text() }
    draft.isExcludedFromTotals = rare.chance(8)
    if rare.chance(4) { draft.attachments = attachments() }
    return draft
  }

  package mutating func shape() -> Draft.Shape {
    switch random.number(0...99) {
    case 0..<50: .entry(entry())
    case 50..<72: .transfer(transfer())
    case 72..<88: .split(split())
    default: .postings(postings())
    }
  }

  private mutating func entry() -> Draft.Entry {
    let account = random.chance(8) ? nil : accountID()
    let direction: Draft.Direction = random.pick([
      .expense, .expense, .expense, .income, .income, .refund, .incomeReversal,
    ])
    let kind: CategoryKind =
      direction == .expense || direction == .refund ? .expense : .income
    return Draft.Entry(
      direction, money(for: account), account: account,
      category: random.chance(35) ? nil : categoryID(kind),
      accountAmount: random.chance(20) ? money(for: account) : nil)
  }

  private mutating func transfer() -> Draft.Transfer {
    let source = random.chance(5) ? nil : accountID()
    var target = random.chance(5) ? nil : accountID()
    if target == source { target = accountID() }
    return Draft.Transfer(
      money(for: source), from: source, to: target,
      targetAmount: random.chance(40) ? money(for: target) : nil)
  }

  private mutating func split() -> Draft.Split {
    let account = random.chance(8) ? nil : accountID()
    let kind = random.pick(CategoryKind.allCases)
    let parts = (0..<random.number(1...4)).map { _ in
      if random.chance(15) {
        let other = accountID()
        return Draft.Part(
          money(for: other), to: other, note: random.chance(30) ? text() : "",
          isReversed: random.chance(15))
      }
      return Draft.Part(
        random.chance(70) ? money(for: account) : money(),
        random.chance(10) ? nil : categoryID(random.chance(75) ? kind : nil),
        note: random.chance(30) ? text() : "", isReversed: random.chance(15))
    }
    return Draft.Split(
      account: account, kind: kind, parts: parts,
      accountAmount: random.chance(10) ? money(for: account) : nil)
  }

  /// A row's amount in two parts, which now and then miss it by a cent.
  private mutating func divided(_ row: Transaction) -> Draft.Shape {
    let amount = row.amount ?? money()
    let size = Int64(clamping: amount.minorUnits.magnitude)
    let part = size / Int64(random.number(2...4))
    let rest = size - part + (random.chance(40) ? 1 : 0)
    let kind: CategoryKind = row.type == .income ? .income : .expense
    return .split(
      Draft.Split(
        account: row.account, kind: kind,
        parts: [part, rest].map {
          Draft.Part(
            Money($0, amount.currency), random.chance(30) ? nil : categoryID(kind),
            isReversed: random.chance(5))
        }))
  }

  private mutating func postings() -> [Posting] {
    var postings: [Posting] = []
    for _ in 0..<random.number(1...3) {
      let account = accountID()
      let other: PostingAccount =
        random.chance(60) ? .category(categoryID()) : .account(accountID())
      let amount = money(for: account)
      postings.append(Posting(.account(account), amount, note: random.chance(20) ? "part" : ""))
      // Now and then it does not balance.
      let back = random.chance(3) ? amount.minorUnits / 2 : amount.minorUnits
      postings.append(Posting(other, Money(0 &- back, amount.currency)))
    }
    if random.chance(30) { postings.swapAt(0, 1) }
    return postings
  }

  package mutating func amendment() -> Command {
    let id = transactionID()
    let old = oracle.transactions.first { $0.id == id }
    var amendment = Amendment()
    if random.chance(25) { amendment.day = day() }
    let account = random.chance(30) ? accountID() : nil
    amendment.account = account
    let present = account ?? old?.postings.first?.accountID
    if random.chance(40) { amendment.amount = money(for: present) }
    if random.chance(old?.type == .transfer ? 4 : 30) {
      amendment.category = categoryID(old?.type == .income ? .income : .expense)
    }
    if random.chance(old?.type == .transfer ? 35 : 3) { amendment.otherAccount = accountID() }
    if random.chance(old?.type == .transfer ? 2 : 15) {
      amendment.accountAmount = money(for: present)
    }
    if random.chance(old?.type == .transfer ? 20 : 2) {
      amendment.targetAmount = money(for: amendment.otherAccount ?? old?.postings.last?.accountID)
    }
    if random.chance(10) { amendment.shape = shape() }
    if amendment.shape == nil || random.chance(5), random.chance(15) {
      let type = random.pick(TransactionKind.allCases)
      amendment.type = type
      if type != .transfer, random.chance(60) { amendment.otherAccount = nil }
      if type == .transfer, random.chance(80) {
        amendment.otherAccount = accountID()
        amendment.category = nil
      }
    }
    if case .postings = amendment.shape { amendment.isConverted = random.chance(30) }
    if let old, old.importIdentity != nil, random.chance(20) {
      amendment.shape = divided(old)
      amendment.changesImportedTotal = random.chance(25)
    }
    if random.chance(20) { amendment.description = text() }
    if random.chance(15) { amendment.payee = random.pick(["", "Uber", "bread"]) }
    if random.chance(15) { amendment.note = text() }
    if random.chance(15) { amendment.tags = tags() }
    if random.chance(8) { amendment.status = status() }
    if random.chance(15) { amendment.valueDay = .some(random.chance(30) ? nil : day()) }
    if random.chance(15) { amendment.code = text() }
    if rare.chance(10) { amendment.isExcludedFromTotals = rare.chance(50) }
    if rare.chance(8) { amendment.attachments = attachments() }
    if rare.chance(20) { amendment.distinctFrom = distinct(from: id) }
    if random.chance(amendment.category == nil ? 2 : 20) { amendment.categorizedBy = ruleID() }
    if random.chance(20) {
      amendment.seen = random.some(past.filter { $0.id == id }) ?? old
    }
    return .amend(id, amendment)
  }

  private mutating func attachments() -> [Attachment] {
    (0..<rare.number(0...2)).map { _ in
      let name = "receipt \(rare.number(1...3)).pdf"
      return Attachment(name: name, hash: Hash256(hashing: Array(name.utf8)), byteCount: 7)
    }
  }

  /// Returns a transaction with the same amount, or any, or none.
  private mutating func distinct(from id: TransactionID) -> [TransactionID] {
    let amount = oracle.transactions.first { $0.id == id }?.postings.first?.amount.minorUnits
    let alike = oracle.transactions.filter { other in
      other.id != id
        && other.postings.contains { $0.amount.minorUnits.magnitude == amount?.magnitude }
    }
    if rare.chance(20) { return [] }
    return [rare.some(alike)?.id ?? transactionID()]
  }

  /// Makes one transfer of two transactions that are likely to be its halves, or the reverse.
  package mutating func joining() -> Command {
    let joined = oracle.transactions.filter { !$0.halves.isEmpty }.map(\.id)
    if let id = random.some(joined), random.chance(45) { return .unlinkTransfer(id) }
    if random.chance(5) { return .unlinkTransfer(transactionID()) }
    let single = oracle.transactions.filter {
      $0.type != .transfer && !$0.isSplit && $0.status != .pending && $0.account != nil
    }
    let paying = single.filter { $0.amount.map { $0.minorUnits < 0 } ?? false }
    guard random.chance(90), let one = random.some(paying) else {
      return .linkTransfer(transactionID(), transactionID())
    }
    let receiving = single.filter { row in
      guard let amount = row.amount, let out = one.amount, row.account != one.account else {
        return false
      }
      return amount.minorUnits > 0
        && (amount.currency != out.currency || amount.minorUnits == -out.minorUnits)
    }
    guard let other = random.some(receiving) else { return .linkTransfer(one.id, transactionID()) }
    return random.chance(50) ? .linkTransfer(one.id, other.id) : .linkTransfer(other.id, one.id)
  }

  package mutating func importing() -> Command {
    var rows: [ImportRow] = []
    for line in 1...random.number(1...5) {
      if random.chance(45), var row = random.some(file) {
        // Case and white space make no other row.
        if random.chance(40) {
          row.draft.description = "  " + row.draft.description.uppercased()
        }
        rows.append(row)
        continue
      }
      var draft = draft()
      if random.chance(90) { draft.id = nil }
      if random.chance(70) { draft.shape = .entry(entry()) }
      rows.append(ImportRow(draft, line: line, reference: random.chance(20) ? "ref" : ""))
      if rows[rows.count - 1].draft.id == nil { file.append(rows[rows.count - 1]) }
      if random.chance(15) { rows.append(rows[rows.count - 1]) }
    }
    // Some files have several statements of one account, which may overlap.
    if random.chance(40) {
      for index in rows.indices.dropFirst() {
        rows[index].statement = rows[index - 1].statement + (random.chance(20) ? 1 : 0)
      }
    }
    for index in rows.indices where rare.chance(30) { expect(&rows[index]) }
    for index in rows.indices where rows[index].match == nil && rare.chance(20) {
      complete(&rows[index])
    }
    var options = ImportOptions(
      skipsBadRows: random.chance(40), restoresDeleted: random.chance(25),
      keepsDuplicates: random.chance(10))
    if rare.chance(15) {
      options.removed = (0..<rare.number(1...2)).map { _ in transactionID() }
    }
    return .importRows(rows, options)
  }

  /// Makes a row the one that the other account of a transfer has.
  private mutating func complete(_ row: inout ImportRow) {
    let made = oracle.transactions.filter {
      $0.type == .transfer && $0.categorizedBy != nil && $0.halves.isEmpty
    }
    guard let transfer = rare.some(made), let moved = transfer.postings.last,
      let account = moved.accountID, moved.amount.minorUnits != .min
    else { return }
    row.draft.shape = .entry(
      Draft.Entry(
        moved.amount.minorUnits < 0 ? .expense : .income,
        Money(abs(moved.amount.minorUnits), moved.amount.currency), account: account,
        category: nil))
    row.draft.day = transfer.day.adding(days: rare.number(-6...6))
    row.draft.status = rare.chance(90) ? .cleared : .pending
  }

  /// Makes a row one that settles a pending transaction, or is a due date of a series.
  private mutating func expect(_ row: inout ImportRow) {
    if rare.chance(10) {
      row.match = .booked
      return
    }
    var moved: Posting?
    let pending = oracle.transactions.filter { $0.status == .pending || $0.series != nil }
    if rare.chance(60), let other = rare.some(pending) {
      row.match = .transaction(other.id)
      moved = other.postings.first { $0.accountID != nil && $0.accountID != .exchange }
      row.draft.day = rare.chance(50) ? other.day : other.day.adding(days: 1)
      if rare.chance(60) { row.draft.payee = other.payee }
      if rare.chance(40) { row.draft.description = other.description }
      if rare.chance(60) { row.reference = other.importIdentity?.reference ?? row.reference }
      if let link = other.seriesLink, rare.chance(70) { row.match = .occurrence(link) }
    } else if let series = rare.some(oracle.series) {
      let days = oracle.dueDays(of: series, through: Self.today.adding(days: 60))
      guard let due = rare.some(days) else { return }
      row.match = .occurrence(SeriesLink(series.id, due: due))
      row.draft.day = due
      moved = series.template.account.map { account in
        let amount = series.template.amount
        return Posting(
          .account(account),
          series.template.type == .income
            ? amount : Money(0 &- amount.minorUnits, amount.currency))
      }
    }
    guard let moved, let account = moved.accountID, moved.amount.minorUnits != .min else { return }
    let units = moved.amount.minorUnits.magnitude
    let amount = Int64(clamping: units) - (rare.chance(80) ? 0 : 1)
    let isOut = moved.amount.minorUnits < 0
    row.draft.shape = .entry(
      Draft.Entry(
        isOut ? .expense : .income, Money(amount, moved.amount.currency), account: account,
        category: rare.chance(70) ? nil : categoryID(isOut ? .expense : .income)))
    if rare.chance(80) { row.draft.status = .cleared }
  }
}
