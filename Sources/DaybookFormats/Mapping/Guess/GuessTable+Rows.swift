import DaybookBookkeeping

/// Rows that don't look like transactions of the account.
extension GuessTable {
  private static let pending = [
    "pending", "vorgemerkt", "umsatz vorgemerkt", "en attente", "a venir", "pendiente", "pendente",
    "in attesa",
    "non contabilizzato", "oczekujace", "reserved", "reserveret", "reserverad", "reservert",
    "reservation",
    "authorised", "authorized", "authorisation", "in behandeling", "odottaa", "cekajici",
    "rezervace",
    "blokovane", "fuggoben", "hold", "not posted", "unposted", "nicht gebucht", "in process",
    "processing",
    "awaiting", "ausstehend", "offen", "venter", "vantande", "preliminar", "kommande", "upcoming",
    "scheduled", "geplant",
  ]
  private static let undone = [
    "reverted", "declined", "failed", "cancelled", "canceled", "rejected", "storniert", "abgelehnt",
    "zamitnuto",
    "denied", "annule", "anullato", "avvist", "geweigerd", "rechazado", "expired", "returned",
  ]
  /// The beginnings of rows that state a balance.
  static let balances = [
    "opening balance", "closing balance", "beginning balance", "ending balance",
    "balance brought forward",
    "balance carried forward", "anfangssaldo", "endsaldo", "kontostand", "alter kontostand",
    "neuer kontostand",
    "saldo inicial", "saldo final", "saldo anterior", "saldo do dia", "saldo iniziale",
    "saldo finale",
    "ancien solde", "nouveau solde", "solde initial", "solde final", "ingaende saldo",
    "utgaende saldo",
    "inngaende saldo", "saldo poczatkowe", "saldo koncowe", "beginsaldo", "eindsaldo",
    "pocatecni zustatek",
    "konecny zustatek", "algsaldo", "loppsaldo", "balance forward", "starting balance",
    "previous balance", "new balance", "ledger balance", "available balance", "saldo atual",
    "saldo disponivel", "saldo precedente", "saldo dia", "saldovortrag", "solde precedent",
    "solde anterieur",
  ]
  /// The beginnings of rows with totals.
  private static let totals = ["kaive", "turnover", "total", "totals", "summe", "gesamt"]

  /// Returns questions about rows that aren't booked yet or were cancelled, and about rows that look
  /// like balances.
  func rowQuestions(date: Int, money: MoneyGuess) -> [MappingQuestion] {
    var questions: [MappingQuestion] = []
    for column in 0..<width where column != date {
      let values = values(column)
      guard Set(values).count <= 12 || rows.count < 8, isShort(values) else { continue }
      var seen: [String] = []
      for value in values where !seen.contains(value) {
        let folded = MonthNames.folded(value)
        let isPending = Self.pending.contains(folded)
        guard isPending || Self.undone.contains(folded), values.count > 1 || isPending else {
          continue
        }
        guard Set(values).count > 1 || header != nil else { continue }
        seen.append(value)
        let rule = ImportMapping.RowRule(column: reference(column), equals: [value])
        guard !isSettled(rule) else { continue }
        let count = values.count { $0 == value }
        let what = isPending ? "may appear again with another date or amount" : "didn't take effect"
        questions.append(
          MappingQuestion(
            .state,
            "\(Self.rowCount(count)) \(count == 1 ? "is" : "are") \(value) in \(called(column)) "
              + "and \(what).",
            [
              (.skipRows(rule), count == 1 ? "skips it" : "skips them"),
              (.takeRows(rule), count == 1 ? "imports it" : "imports them"),
            ]))
      }
    }
    return questions + balanceQuestions(date, money)
  }

  private func isShort(_ values: [String]) -> Bool { values.allSatisfy { $0.count <= 40 } }

  private func balanceQuestions(_ date: Int, _ money: MoneyGuess) -> [MappingQuestion] {
    var questions: [MappingQuestion] = []
    for column in 0..<width where column != date && !isNamed(column, HeaderWords.kind) {
      var seen: [String] = []
      // Rows without an amount are reported as odd rows anyway.
      let withAmount = rows.filter { row in
        column < row.count && !row[column].isEmpty
          && money.columns.contains { $0 < row.count && Self.units(row[$0], money.decimal) != nil }
      }
      for value in withAmount.map({ $0[column] }) where !seen.contains(value) {
        let folded = MonthNames.folded(value)
        let words = Self.balances + Self.totals
        guard let word = words.first(where: { Self.says(folded, $0) }) else { continue }
        seen.append(value)
        let isWhole = folded == word
        let rule = ImportMapping.RowRule(
          column: reference(column), equals: isWhole ? [value] : nil,
          beginsWith: isWhole ? nil : String(value.prefix(word.count)))
        guard !isSettled(rule) else { continue }
        questions.append(
          MappingQuestion(
            .balanceRow,
            "A row has “\(value)” in \(called(column)): it may be a balance instead of a "
              + "transaction.",
            [(.skipRows(rule), "skips it"), (.takeRows(rule), "imports it")]))
      }
    }
    return Array(questions.prefix(4))
  }

  /// Returns whether a text states a balance or a total.
  static func isSummary(_ text: String) -> Bool {
    let folded = MonthNames.folded(text)
    return (balances + totals).contains { says(folded, $0) }
  }

  /// The first two letters of each of `balances`.
  private static let balanceBeginnings = Set(balances.map { Array($0.utf8.prefix(2)) })

  /// Returns whether a text is or begins with one of `balances`.
  static func namesBalance(_ text: String) -> Bool {
    // Folding takes long, and the first two letters rule out most texts.
    let beginning = text.utf8.prefix(2).map { $0 | 0x20 }
    guard beginning.contains(where: { $0 >= 0x80 }) || balanceBeginnings.contains(beginning) else {
      return false
    }
    let folded = MonthNames.folded(text)
    return balances.contains { says(folded, $0) }
  }

  /// Returns whether a text is or begins with a balance's name.
  private static func says(_ text: String, _ balance: String) -> Bool {
    text == balance || (balance.contains(" ") || balance.count > 8) && text.hasPrefix(balance + " ")
  }

  private static func rowCount(_ count: Int) -> String { count == 1 ? "One row" : "\(count) rows" }

  /// Returns whether the facts already contain a rule for the same rows.
  private func isSettled(_ rule: ImportMapping.RowRule) -> Bool {
    (facts.skipRows + facts.takeRows).contains { given in
      guard let column = given.column, let own = rule.column,
        "\(column)".lowercased() == "\(own)".lowercased(),
        let value = rule.equals?.first ?? rule.beginsWith
      else { return false }
      return given.equals?.contains { $0.lowercased() == value.lowercased() } == true
        || given.beginsWith.map { value.hasPrefix($0) } == true
    }
  }
}
