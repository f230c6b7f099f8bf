import Daybook

/// Writes the plain-text journal of `hledger` and `ledger`.
///
/// Both read the same text. Texts lose what has a meaning there: semicolons, brackets, tabs and
/// double blanks; amounts lose nothing.
enum JournalExport {
  static func write(
    _ snapshot: borrowing Snapshot, to text: inout ExportText, _ progress: ((Int, Int) -> Void)?
  ) throws {
    let names = try JournalNames(ExportNames(snapshot))
    try text.write("; Exported by Daybook\n\n")
    for name in names.all { try text.write("account \(name)\n") }
    try text.write("\n")
    try snapshot.forEach(ExchangeRate.self) { rate in
      let base = commodity(rate.base)
      try text.write("P \(rate.day) \(base) \(rate.quote) \(commodity(rate.quoted))\n")
    }
    try text.write("\n")
    try openings(snapshot, names, &text)
    try snapshot.forEachTransaction(progress) { transaction in
      try text.write(entry(transaction, names))
    }
  }

  private static func openings(
    _ snapshot: borrowing Snapshot, _ names: JournalNames, _ text: inout ExportText
  ) throws {
    let count = try snapshot.count()
    let oldest = try snapshot.transactions(offset: max(count - 1, 0), limit: 1).first?.day
    let days = names.accounts.compactMap(\.openingDay) + [oldest].compactMap { $0 }
    // An opening without a day counts on every day: the first one that the journal speaks of.
    let first = days.min() ?? Day(rawValue: 0)
    for account in names.accounts where account.openingBalance != 0 {
      let day = account.openingDay ?? first
      let name = names.name(.account(account.id))
      let opening = Total(account.opening)
      let other = Total(units: -opening.units, currency: opening.currency)
      try text.write(
        "\(day) * Opening balance\n    \(name)  \(amount(opening))\n"
          + "    \(names.name(.account(.opening)))  \(amount(other))\n\n")
    }
  }

  private static func entry(_ transaction: Transaction, _ names: JournalNames) -> String {
    let mark = transaction.status == .pending ? "!" : "*"
    var title = JournalNames.plain(transaction.payee)
    let description = JournalNames.plain(transaction.description)
    if !description.isEmpty { title += title.isEmpty ? description : " | \(description)" }
    // A parenthesis would begin a code: an empty one goes before it.
    if title.hasPrefix("(") { title = "() " + title }
    var text = "\(transaction.day) \(mark)\(title.isEmpty ? "" : " ")\(title)\n"
    for line in transaction.note.split(whereSeparator: \.isNewline) {
      text += "    ; note \(comment(String(line)))\n"
    }
    if !transaction.tags.isEmpty {
      text += "    ; tags \(comment(transaction.tags.joined(separator: ", ")))\n"
    }
    for posting in transaction.postings {
      let total = Total(posting.amount)
      text += "    \(names.name(posting.target))  \(amount(total))"
      text += posting.note.isEmpty ? "\n" : "  ; note \(comment(posting.note))\n"
    }
    return text + "\n"
  }

  /// A comment without what `ledger` and `hledger` read in comments: dates and tags.
  private static func comment(_ text: String) -> String {
    JournalNames.plain(text).replacing("date:", with: "date :").replacing("date2:", with: "date2 :")
      .replacing("::", with: ": :")
  }

  private static func amount(_ total: Total) -> String {
    "\(total.text) \(commodity(total.currency))"
  }

  private static func commodity(_ currency: Currency) -> String {
    let code = currency.code
    return code.allSatisfy { $0.isLetter } ? code : "\"\(code)\""
  }
}

/// Names of accounts as a journal can have them, each of them once.
struct JournalNames {
  let accounts: [Account]
  private(set) var all: [String] = []
  private var names: [Target: String] = [:]
  private var taken: Set<String> = []

  init(_ names: ExportNames) {
    accounts = names.accounts
    add(.account(.opening), "Equity:Opening")
    add(.account(.exchange), "Equity:Exchange")
    add(.account(.outside), "Equity:Outside")
    add(.category(.uncategorizedExpense), "Expenses:Uncategorised")
    add(.category(.uncategorizedIncome), "Income:Uncategorised")
    for account in names.accounts {
      let top =
        switch account.kind {
        case .asset: "Assets"
        case .liability: "Liabilities"
        case .equity: "Equity"
        }
      add(.account(account.id), "\(top):\(Self.part(account.name))")
    }
    for category in names.categories { _ = add(category, names) }
  }

  func name(_ target: Target) -> String { names[target] ?? "Equity:Unknown" }

  @discardableResult
  private mutating func add(_ category: Category, _ all: ExportNames) -> String {
    if let known = names[.category(category.id)] { return known }
    let above: String
    if let parent = category.parent.flatMap({ all.category($0) }) {
      above = add(parent, all)
    } else {
      above = category.kind == .income ? "Income" : "Expenses"
    }
    return add(.category(category.id), "\(above):\(Self.part(category.name))")
  }

  @discardableResult
  private mutating func add(_ target: Target, _ wanted: String) -> String {
    var name = wanted
    var copy = 2
    while !taken.insert(name).inserted {
      name = "\(wanted) (\(copy))"
      copy += 1
    }
    names[target] = name
    all.append(name)
    return name
  }

  private static func part(_ name: String) -> String {
    let plain = plain(name).replacing(":", with: "-")
    return plain.isEmpty ? "-" : plain
  }

  /// A text in one line, with single blanks and without what begins comments or dates.
  static func plain(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case ";": result.append(",")
      case "[": result.append("(")
      case "]": result.append(")")
      case "|": result.append("/")
      case _ where character.isWhitespace || character.unicodeScalars.contains { $0.value < 0x20 }:
        if result.last != " ", !result.isEmpty { result.append(" ") }
      default: result.append(character)
      }
    }
    while result.last == " " { result.removeLast() }
    return result
  }
}
