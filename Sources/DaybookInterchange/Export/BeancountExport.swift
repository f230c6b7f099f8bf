import Daybook

/// Writes a Beancount file that `bean-check` of versions 2 and 3 accepts.
///
/// In names, characters other than letters, digits and `-` become `-`, because Beancount doesn't
/// allow them. Amounts and texts are exported without loss. A currency exchange is written with its
/// price.
enum BeancountExport {
  static func write(
    _ snapshot: borrowing Snapshot, to text: inout ExportText, _ progress: ((Int, Int) -> Void)?
  ) throws {
    let journal = try JournalNames(ExportNames(snapshot))
    let names = BeancountNames(journal)
    let count = try snapshot.count()
    let newest = try snapshot.transactions(limit: 1).first?.day
    let oldest = try snapshot.transactions(offset: max(count - 1, 0), limit: 1).first?.day
    let openings = journal.accounts.compactMap(\.openingDay)
    let first = (openings + [oldest].compactMap { $0 }).min() ?? Day(rawValue: 0)
    let last = (openings + [newest].compactMap { $0 }).max() ?? first
    try text.write(";; Exported by Daybook\n\noption \"title\" \"Daybook\"\n")
    if let base = try snapshot.settings().baseCurrency {
      try text.write("option \"operating_currency\" \"\(commodity(base))\"\n")
    }
    try text.write("\n")
    for definition in try snapshot.currencyDefinitions() {
      try text.write("\(first) commodity \(commodity(definition.currency))\n")
      if !definition.name.isEmpty { try text.write("  name: \(quoted(definition.name))\n") }
    }
    for name in journal.all {
      let currencies = journal.allCurrencies(name).map { commodity($0) }.joined(separator: ",")
      try text.write("\(first) open \(names[name])\(currencies.isEmpty ? "" : " ")\(currencies)\n")
    }
    try text.write("\n")
    try snapshot.forEach(ExchangeRate.self) { rate in
      try text.write(
        "\(rate.day) price \(commodity(rate.base)) \(rate.quote) \(commodity(rate.quoted))\n")
    }
    try text.write("\n")
    for account in journal.accounts where account.openingBalance != 0 {
      let opening = Total(account.opening)
      let other = Total(units: -opening.units, currency: opening.currency)
      let own = names[journal.name(.account(account.id))]
      let equity = names[journal.name(.account(.opening))]
      try text.write(
        "\(account.openingDay ?? first) * \"Opening balance\"\n"
          + "  \(own)  \(amount(opening))\n  \(equity)  \(amount(other))\n\n")
    }
    try snapshot.forEachTransaction(progress) { transaction in
      try text.write(entry(transaction, journal, names))
    }
    try close(journal, names, last, &text)
  }

  /// Writes a `close` directive for each closed account, dated after the last day of the file.
  private static func close(
    _ journal: JournalNames, _ names: BeancountNames, _ last: Day, _ text: inout ExportText
  ) throws {
    guard last < Day.max else { return }
    let day = last.adding(days: 1)
    var closed: Set<String> = []
    var open: Set<String> = []
    for account in journal.accounts {
      let name = journal.name(.account(account.id))
      if account.isClosed { closed.insert(name) } else { open.insert(name) }
    }
    for name in closed.subtracting(open).sorted() {
      try text.write("\(day) close \(names[name])\n")
    }
  }

  private static func entry(
    _ transaction: Transaction, _ journal: JournalNames, _ names: BeancountNames
  ) -> String {
    let mark = transaction.status == .pending ? "!" : "*"
    var text = "\(transaction.day) \(mark)"
    if !transaction.payee.isEmpty { text += " \(quoted(transaction.payee))" }
    text += " \(quoted(transaction.description))"
    var metadata: [(key: String, value: String)] = []
    if !transaction.code.isEmpty { metadata.append(("code", quoted(transaction.code))) }
    if let day = transaction.valueDay { metadata.append(("valueday", "\(day)")) }
    if !transaction.note.isEmpty { metadata.append(("note", quoted(transaction.note))) }
    var number = 0
    for tag in transaction.tags {
      switch BeancountLabel(tag, besides: metadata.map(\.key)) {
      case .word(let word): text += " \(word)"
      case .metadata(let key, let value): metadata.append((key, quoted(value)))
      case .other:
        number += 1
        metadata.append(("label\(number)", quoted(tag)))
      }
    }
    text += "\n"
    for (key, value) in metadata { text += "  \(key): \(value)\n" }
    let fold = ExchangeFold(transaction.postings, isExact: true)
    for (index, posting) in transaction.postings.enumerated() where !fold.isFolded(posting) {
      text += "  \(names[journal.name(posting.account)])  \(amount(Total(posting.amount)))"
      if index == fold.index, let price = fold.price { text += " @@ \(amount(price))" }
      text += posting.note.isEmpty ? "\n" : "\n    note: \(quoted(posting.note))\n"
    }
    return text + "\n"
  }

  /// Returns a text in quotes, with special characters escaped.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n", "\u{85}", "\u{2028}", "\u{2029}": result += "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func amount(_ total: Total) -> String {
    "\(total.text) \(commodity(total.currency))"
  }

  /// Returns the name of a commodity.
  ///
  /// In Beancount, it has at least two characters and begins with a letter.
  private static func commodity(_ currency: Currency) -> String {
    let code = currency.code
    guard code.utf8.count > 1, code.first?.isLetter == true else { return "X-\(code)" }
    return code
  }
}
