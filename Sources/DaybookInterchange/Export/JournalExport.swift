import Daybook

/// Writes a plain-text journal for `hledger` and `ledger`.
///
/// Both programs read the same text. In texts, characters with a special meaning (semicolons,
/// brackets, tabs and double spaces) are replaced. Amounts are exported without loss. A currency
/// exchange is written as a price, without an exchange account.
enum JournalExport {
  static func write(
    _ snapshot: borrowing Snapshot, to text: inout ExportText, _ progress: ((Int, Int) -> Void)?
  ) throws {
    let names = try JournalNames(ExportNames(snapshot))
    try text.write("; Exported by Daybook\n\n")
    try commodities(snapshot, names, &text)
    for name in names.all {
      try text.write("account \(name)\n")
      // Declare the currency, because the journal wouldn't show the currency of an account without
      // postings.
      if let currency = names.currency(name) {
        try text.write("    ; commodity \(currency)\n")
      }
    }
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

  /// Writes a directive for each commodity, which strict checks require.
  ///
  /// A format is written only for commodities with decimals, because the programs require different
  /// formats for those without.
  private static func commodities(
    _ snapshot: borrowing Snapshot, _ names: JournalNames, _ text: inout ExportText
  ) throws {
    var all = Set(names.accounts.map(\.currency))
    try snapshot.forEach(ExchangeRate.self) { rate in all.formUnion([rate.base, rate.quoted]) }
    try snapshot.forEachTransaction(nil) { transaction in
      for posting in transaction.postings { all.insert(posting.amount.currency) }
    }
    for currency in all.sorted(by: { $0.code < $1.code }) {
      let name = commodity(currency)
      try text.write("commodity \(name)\n")
      if currency.digits > 0 {
        try text.write(
          "    format 1000.\(String(repeating: "0", count: currency.digits)) \(name)\n")
      }
    }
    if !all.isEmpty { try text.write("\n") }
  }

  private static func openings(
    _ snapshot: borrowing Snapshot, _ names: JournalNames, _ text: inout ExportText
  ) throws {
    let count = try snapshot.count()
    let oldest = try snapshot.transactions(offset: max(count - 1, 0), limit: 1).first?.day
    let days = names.accounts.compactMap(\.openingDay) + [oldest].compactMap { $0 }
    // An opening balance without a day applies to all days, so it is dated to the first day of the
    // journal.
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
    let payee = JournalNames.plain(transaction.payee)
    let description = JournalNames.plain(transaction.description)
    // A title without a bar is the payee.
    var title = description.isEmpty ? payee : "\(payee)\(payee.isEmpty ? "" : " ")| \(description)"
    let code = JournalNames.plain(transaction.code).replacing(")", with: "/")
    // A title that begins with a parenthesis needs an empty code before it.
    if !code.isEmpty || title.hasPrefix("(") {
      title = "(\(code))\(title.isEmpty ? "" : " ")\(title)"
    }
    let second = transaction.valueDay.map { "=\($0)" } ?? ""
    var text = "\(transaction.day)\(second) \(mark)\(title.isEmpty ? "" : " ")\(title)\n"
    var said: Set<String> = []
    for line in transaction.note.split(whereSeparator: \.isNewline) {
      text += "    ; \(comment(line, transaction.tags, &said))\n"
    }
    let fold = ExchangeFold(transaction.postings)
    var postings = ""
    for (index, posting) in transaction.postings.enumerated() where !fold.isFolded(posting) {
      postings += "    \(names.name(posting.account))  \(amount(Total(posting.amount)))"
      if index == fold.index, let price = fold.price { postings += " @@ \(amount(price))" }
      let lines = posting.note.split(whereSeparator: \.isNewline)
      for (number, line) in lines.enumerated() {
        postings += (number == 0 ? "  ; " : "    ; ") + comment(line, transaction.tags, &said)
        if number < lines.count - 1 { postings += "\n" }
      }
      postings += "\n"
    }
    for tag in transaction.tags where !said.contains(tag) {
      text += "    ; \(JournalTag.comment(tag))\n"
    }
    return text + postings + "\n"
  }

  /// Returns the text of a comment, changed so that the programs don't misread words in it as tags.
  ///
  /// If all tags in the comment are tags of the transaction, the text is returned unchanged, and
  /// the tags are added to `said` so that they aren't written again.
  private static func comment(
    _ line: Substring, _ tags: [String], _ said: inout Set<String>
  ) -> String {
    let plain = JournalNames.plain(String(line))
    guard plain.contains(":") else { return plain }
    let bytes = Array(plain.utf8)
    let (labels, _) = JournalComments.labels(bytes, 0..<bytes.count, .hledger)
    let isOurs = !labels.isEmpty && labels.allSatisfy { tags.contains($0) }
    guard isOurs, !plain.contains("date:"), !plain.contains("date2:") else {
      return spaced(plain)
    }
    said.formUnion(labels)
    return plain
  }

  /// Returns a comment with a space before each colon, so that `ledger` and `hledger` don't read
  /// tags or dates in it.
  private static func spaced(_ text: String) -> String {
    var result = ""
    for character in text {
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
