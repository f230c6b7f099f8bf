import DaybookBookkeeping

extension GuessTable {
  /// Returns the column of the other party.
  func payeeColumn(except used: Set<Int>) -> Int? {
    let named = (0..<width).filter {
      !used.contains($0) && isNamed($0, HeaderWords.payee) && !isNamed($0, HeaderWords.own)
        && isText($0)
    }
    // If there is a payer and a payee column, one of them repeats the account holder's name.
    return named.max { (distinct($0), isRecipient($0), -$0) < (distinct($1), isRecipient($1), -$1) }
  }

  /// Returns the column of the description.
  func textColumn(except used: Set<Int>) -> Int? {
    let texts = (0..<width).filter {
      !used.contains($0) && isText($0) && !isNamed($0, HeaderWords.own)
        && !isNamed($0, HeaderWords.payee)
    }
    let named = texts.compactMap { column -> (column: Int, rank: Int)? in
      guard
        let place = HeaderWords.text.firstIndex(where: {
          titles.indices.contains(column) && titles[column].contains($0)
        })
      else { return nil }
      let isKind = isNamed(column, HeaderWords.kind)
      let isSparse = values(column).count * 2 < rows.count
      return (column, place + (isKind ? 100 : 0) + (isSparse ? 40 : 0))
    }
    if let best = named.min(by: { ($0.rank, $0.column) < ($1.rank, $1.column) }) {
      return best.column
    }
    return texts.filter { column in
      header == nil
        || !isNamed(column, HeaderWords.kind + HeaderWords.foreign)
          && (distinct(column) > 1 || rows.count == 1)
    }
    .max { length($0) < length($1) }
  }

  private func isRecipient(_ column: Int) -> Int {
    isNamed(
      column,
      [
        "empfang", "empfaeng", "begunst", "odbiorc", "saaja", "mottag", "modtag", "benefic",
        "destinat", " target ",
      ])
      ? 1 : 0
  }

  private func distinct(_ column: Int) -> Int { Set(values(column)).count }

  private func length(_ column: Int) -> Int { values(column).map(\.count).reduce(0, +) }

  /// Returns whether a column contains words, as opposed to dates, amounts, codes, ids and account
  /// numbers.
  private func isText(_ column: Int) -> Bool {
    let values = values(column)
    let words = values.filter { value in
      value.contains { $0.isLetter } && !Self.isID(value) && !Self.isDay(value)
        && !Self.isAmount(value)
        && !value.contains("@") && !(value.count == 3 && Currency.iso(value) != nil)
    }
    return !words.isEmpty && words.count * 2 >= values.count
  }

  /// Returns whether a value is an IBAN, a reference or another string of letters and digits that
  /// isn't a word.
  static func isID(_ value: String) -> Bool {
    let plain = value.filter { $0 != " " && $0 != "-" && $0 != "*" }
    guard plain.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_/.:#".contains($0)) })
    else {
      return false
    }
    let digits = plain.count { $0.isNumber }
    let head = Array(plain.prefix(4))
    if plain.count >= 15, head.count == 4, head[0].isLetter, head[1].isLetter, head[2].isNumber,
      head[3].isNumber, plain.count <= 34, !value.contains("."), digits * 2 > plain.count
    {
      return true
    }
    return !value.contains(" ") && digits * 3 >= plain.count && plain.count >= 6
  }
}
