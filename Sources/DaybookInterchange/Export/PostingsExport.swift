import Daybook

/// Writes CSV with one line per posting.
///
/// Accounts come first, each with its opening balance. They are followed by the postings of all
/// transactions, oldest day first. The postings of a transaction are consecutive.
enum PostingsExport {
  static let header = [
    "transaction", "day", "status", "description", "payee", "note", "tags", "kind", "name",
    "currency", "amount", "posting note",
  ]

  static func write(
    _ snapshot: borrowing Snapshot, to text: inout ExportText, _ progress: ((Int, Int) -> Void)?
  ) throws {
    let names = try ExportNames(snapshot)
    try text.write(line(header))
    var accounts: [AccountID: Account] = [:]
    for account in names.accounts {
      accounts[account.id] = account
      try text.write(
        line([
          "opening", account.openingDay.map(String.init(describing:)) ?? "", "", "", "",
          account.note, "", "\(account.kind)", names.name(account.id), account.currency.code,
          account.opening.text, "",
        ]))
    }
    try snapshot.forEachTransaction(progress) { transaction in
      let start = [
        "\(transaction.id)", "\(transaction.day)", "\(transaction.status)",
        transaction.description, transaction.payee, transaction.note,
        EscapedList.join(transaction.tags, by: ","),
      ]
      for posting in transaction.postings {
        let (kind, name) = place(of: posting.account, accounts, names)
        try text.write(
          line(
            start + [kind, name, posting.amount.currency.code, posting.amount.text, posting.note]))
      }
    }
  }

  private static func place(
    of account: PostingAccount, _ accounts: [AccountID: Account], _ names: ExportNames
  ) -> (kind: String, name: String) {
    switch account {
    case .account(.opening): return ("built-in", "Opening")
    case .account(.exchange): return ("built-in", "Exchange")
    case .account(.outside): return ("built-in", "Outside")
    case .category(.uncategorizedExpense): return ("expense", "")
    case .category(.uncategorizedIncome): return ("income", "")
    case .account(let id):
      return ("\(accounts[id]?.kind ?? .asset)", names.name(id))
    case .category(let id):
      let path = names.path(id)
      let kind = path.last?.kind ?? .expense
      return ("\(kind)", "\(CategoryPath(path.map { names.name($0.id) }))")
    }
  }

  /// Returns a record, with quotes around fields that need them.
  static func line(_ fields: [String]) -> String {
    var text = ""
    for (index, field) in fields.enumerated() {
      if index > 0 { text += "," }
      let mustQuote = field.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
      text += mustQuote ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
    }
    return text + "\n"
  }
}
