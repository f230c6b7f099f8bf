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
    for tag in transaction.tags { text += "    ; \(JournalTag.comment(tag))\n" }
    for posting in transaction.postings {
      let total = Total(posting.amount)
      text += "    \(names.name(posting.target))  \(amount(total))"
      text += posting.note.isEmpty ? "\n" : "  ; note \(comment(posting.note))\n"
    }
    return text + "\n"
  }

  /// A comment without what `ledger` and `hledger` read in comments, dates and tags: those are a word with
  /// a colon right behind it, so a blank goes between.
  private static func comment(_ text: String) -> String {
    var result = ""
    for character in JournalNames.plain(text) {
      if character == ":", let last = result.last, last != " " { result.append(" ") }
      result.append(character)
    }
    return result
  }

  private static func amount(_ total: Total) -> String {
    "\(total.text) \(commodity(total.currency))"
  }

  private static func commodity(_ currency: Currency) -> String {
    let code = currency.code
    return code.allSatisfy { $0.isLetter } ? code : "\"\(code)\""
  }
}

/// A label as a tag that both programs read, each on a line of its own.
///
/// A label that is one word of letters, digits and `-_./#+` is a tag of that name: `trip:`. Any other is the
/// value of a tag called `tag`: `tag: summer trip`. What would end the value there, or begin something else
/// in it, is written as in a web address, so that every label can be had back: `%2C` is a comma.
enum JournalTag {
  /// The comment that holds a label.
  static func comment(_ label: String) -> String {
    isName(label) ? "\(label):" : "tag: \(value(label))"
  }

  // `date` and `date2` say when something was; `tag` alone is a label that has no value.
  private static func isName(_ label: String) -> Bool {
    !label.isEmpty && label != "date" && label != "date2"
      && label.allSatisfy { $0.isLetter || $0.isNumber || "-_./#+".contains($0) }
  }

  private static func value(_ label: String) -> String {
    let scalars = Array(label.unicodeScalars)
    var value = ""
    for (place, scalar) in scalars.enumerated() {
      let isBlank = scalar.properties.isWhitespace
      // Only single blanks inside survive as they are.
      let isKept =
        scalar == " " && place > 0 && place < scalars.count - 1 && scalars[place - 1] != " "
      if isBlank ? isKept : !",;:[]|%".unicodeScalars.contains(scalar) && scalar.value >= 0x20 {
        value.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          let digits = String(byte, radix: 16, uppercase: true)
          value += "%" + (digits.count < 2 ? "0" : "") + digits
        }
      }
    }
    return value
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
