import Daybook

/// Writes QIF: the accounts, the categories, and then the rows of each account.
///
/// QIF has no currencies, so the description of each account contains its currency. A transaction
/// on several accounts is listed under each of them: under the first account with all parts, and
/// under the others as a transfer to the first account. Dates are written month first, as in
/// Quicken.
enum QIFExport {
  static func write(
    _ snapshot: borrowing Snapshot, to text: inout ExportText, _ progress: ((Int, Int) -> Void)?
  ) throws {
    let all = try ExportNames(snapshot)
    let names = QIFNames(all)
    let accounts = all.accounts.filter { !$0.id.isBuiltin }
    try text.write("!Option:AutoSwitch\n!Account\n")
    for account in accounts { try text.write(header(account, names)) }
    try text.write("!Clear:AutoSwitch\n")
    let categories = all.categories.filter { !$0.id.isBuiltin }
    if !categories.isEmpty { try text.write("!Type:Cat\n") }
    for category in categories {
      try text.write("N\(names.name(category.id))\n\(category.kind == .income ? "I" : "E")\n^\n")
    }
    let count = try snapshot.count()
    let oldest = try snapshot.transactions(offset: max(count - 1, 0), limit: 1).first?.day
    for (index, account) in accounts.enumerated() {
      try text.write("!Account\n" + header(account, names) + "!Type:\(type(account))\n")
      try text.write(opening(account, names, snapshot.days(of: account.id)?.lowerBound ?? oldest))
      try snapshot.forEachTransaction(of: account.id) { transaction in
        try text.write(QIFRow(transaction, account, names).text)
      }
      progress?(index + 1, accounts.count)
    }
  }

  private static func header(_ account: Account, _ names: QIFNames) -> String {
    "N\(names.name(account.id))\nT\(type(account))\nD\(account.currency.code)\n^\n"
  }

  private static func type(_ account: Account) -> String {
    switch account.kind {
    case .asset, .equity: "Bank"
    case .liability: "CCard"
    }
  }

  private static func opening(_ account: Account, _ names: QIFNames, _ first: Day?) -> String {
    if account.openingBalance == 0 { return "" }
    // An opening balance without a day applies to all days, so it is dated to the first day in the
    // file.
    let day = account.openingDay ?? first ?? Day(rawValue: 0)
    return "D\(QIFRow.day(day))\nT\(account.opening.text)\nCX\nPOpening Balance\n"
      + "L[\(names.name(account.id))]\n^\n"
  }
}

/// A transaction in the list of one of its accounts.
private struct QIFRow {
  private let transaction: Transaction
  private let account: Account
  private let names: QIFNames

  init(_ transaction: Transaction, _ account: Account, _ names: QIFNames) {
    self.transaction = transaction
    self.account = account
    self.names = names
  }

  static func day(_ day: Day) -> String {
    let (year, month, number) = day.components
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let digits = String(year)
    return "\(two(month))/\(two(number))/"
      + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }

  var text: String {
    let units = transaction.total(in: account.id)
    var text = "D\(Self.day(transaction.day))\nT\(Self.amount(units, account.currency))\n"
    switch transaction.status {
    case .cleared: text += "C*\n"
    case .reconciled: text += "CX\n"
    case .pending: break
    }
    let payee = oneLine(transaction.payee)
    if !payee.isEmpty { text += "P\(payee)\n" }
    let memo = [transaction.description, transaction.note].map(oneLine).filter { !$0.isEmpty }
    if !memo.isEmpty { text += "M\(memo.joined(separator: " | "))\n" }
    return text + destination(units) + "^\n"
  }

  private static func amount(_ units: Int128, _ currency: Currency) -> String {
    Total(units: units, currency: currency).text
  }

  /// The first account, whose list contains the whole transaction.
  private var home: AccountID? {
    for posting in transaction.postings {
      if case .account(let id) = posting.account, !id.isBuiltin { return id }
    }
    return nil
  }

  private func destination(_ units: Int128) -> String {
    let classes = transaction.tags.map(QIFNames.plain).filter { !$0.isEmpty }
    let behind = classes.isEmpty ? "" : "/\(classes.joined(separator: ":"))"
    if let home, home != account.id { return "L[\(names.name(home))]\(behind)\n" }
    let parts = parts()
    if parts.count == 1, let part = parts.first, part.units == units {
      let name = part.account.map(names.label) ?? ""
      let note = oneLine(part.note)
      if note.isEmpty { return name.isEmpty && behind.isEmpty ? "" : "L\(name)\(behind)\n" }
    }
    var text = parts.isEmpty ? "" : "L\(parts[0].account.map(names.label) ?? "")\(behind)\n"
    for part in parts {
      text += "S\(part.account.map(names.label) ?? "")\n"
      let note = oneLine(part.note)
      if !note.isEmpty { text += "E\(note)\n" }
      text += "$\(Self.amount(part.units, account.currency))\n"
    }
    return text
  }

  private struct Part {
    var account: PostingAccount?
    var units: Int128
    var note: String
  }

  /// Returns the parts of the transaction in the account's currency.
  ///
  /// The exchanged amount represents postings in other currencies.
  private func parts() -> [Part] {
    var parts: [Part] = []
    var exchanged = Int128(0)
    var foreign: [Posting] = []
    for posting in transaction.postings where posting.account != .account(account.id) {
      if posting.account == .account(.exchange) {
        if posting.amount.currency == account.currency {
          exchanged -= Int128(posting.amount.minorUnits)
        }
      } else if posting.amount.currency == account.currency {
        parts.append(
          Part(
            account: posting.account, units: -Int128(posting.amount.minorUnits),
            note: posting.note))
      } else {
        foreign.append(posting)
      }
    }
    guard exchanged != 0 || !foreign.isEmpty else { return parts }
    let words = foreign.map { "\($0.amount) \(names.label($0.account))" }
    // If there are several postings in other currencies, their shares in this currency are unknown.
    parts.append(
      Part(
        account: foreign.count == 1 ? foreign[0].account : nil, units: exchanged,
        note: words.joined(separator: ", ")))
    return parts
  }
}

/// Maps accounts and categories to unique names that QIF allows.
private struct QIFNames {
  private var accounts: [AccountID: String] = [:]
  private var categories: [CategoryID: String] = [:]
  private var taken: Set<String> = []

  init(_ names: ExportNames) {
    accounts[.opening] = unique("Opening", "[")
    accounts[.exchange] = unique("Exchange", "[")
    accounts[.outside] = unique("Outside", "[")
    for account in names.accounts where !account.id.isBuiltin {
      accounts[account.id] = unique(Self.plain(names.name(account.id)), "[")
    }
    for category in names.categories where !category.id.isBuiltin {
      let path = names.path(category.id).map { Self.plain(names.name($0.id)) }
      categories[category.id] = unique(path.joined(separator: ":"), "")
    }
  }

  func name(_ id: AccountID) -> String { accounts[id] ?? "\(id)" }

  /// Returns the path of a category; empty for the built-in *Uncategorised* categories.
  func name(_ id: CategoryID) -> String { categories[id] ?? "" }

  func label(_ account: PostingAccount) -> String {
    switch account {
    case .account(let id): "[\(name(id))]"
    case .category(let id): name(id)
    }
  }

  private mutating func unique(_ name: String, _ place: String) -> String {
    var candidate = name
    var copy = 2
    while !taken.insert(place + candidate).inserted {
      candidate = "\(name) (\(copy))"
      copy += 1
    }
    return candidate
  }

  /// Returns a name without characters that have a special meaning in QIF.
  static func plain(_ name: String) -> String {
    var result = ""
    for character in oneLine(name) {
      switch character {
      case ":", "/", "|": result.append("-")
      case "[": result.append("(")
      case "]": result.append(")")
      default: result.append(character)
      }
    }
    return result.isEmpty ? "-" : result
  }
}
