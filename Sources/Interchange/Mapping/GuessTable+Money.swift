import Bookkeeping

extension GuessTable {
  enum MoneyShape {
    case signed(Int)
    case pair(debit: Int, credit: Int)
  }

  struct BalanceGuess {
    var column: Int
    var isNewestFirst: Bool
  }

  struct MoneyGuess {
    var shape: MoneyShape
    var decimal: String
    var balance: BalanceGuess?

    var columns: [Int] {
      switch shape {
      case .signed(let column): [column]
      case .pair(let debit, let credit): [debit, credit]
      }
    }
  }

  private static let styles = [".": NumberStyle(decimal: "."), ",": NumberStyle(decimal: ",")]
  private static let balanceWords = ["balance", "saldo", "solde", "kontostand"]
  private static let amountWords = [
    "amount", "betrag", "montant", "valor", "importe", "importo", "bedrag", "gross", "beløb",
    "belopp", "сумма", "net",
  ]
  private static let debitWords = ["debit", "withdraw", "paid out", "money out", "soll", "charge"]
  private static let creditWords = ["credit", "deposit", "paid in", "money in", "haben"]

  static func units(_ text: String, _ decimal: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard let style = styles[decimal] ?? nil else { return nil }
    for code in currencyCodes(in: text) {
      if let units = try? style.parse(0..<bytes.count, in: bytes.span, digits: 4, code: code) {
        return units
      }
    }
    return nil
  }

  private static func currencyCodes(in text: String) -> [[UInt8]] {
    let letters = text.filter { $0.isASCII && $0.isUppercase }
    guard letters.count == 3, Currency.iso(letters) != nil else { return [[]] }
    return [Array(letters.utf8)]
  }

  /// Amounts of a column in ten-thousandths, or `nil` where a value is none.
  private func amounts(_ column: Int, _ decimal: String) -> [Int64?]? {
    var result: [Int64?] = []
    for row in rows {
      guard column < row.count, !row[column].isEmpty else {
        result.append(nil)
        continue
      }
      guard let units = Self.units(row[column], decimal) else { return nil }
      result.append(units)
    }
    return result.contains { $0 != nil } ? result : nil
  }

  /// How much a column of numbers looks like money.
  private func score(_ column: Int, _ amounts: [Int64?], _ decimal: String) -> Int {
    let values = values(column)
    var score = 0
    if values.contains(where: { $0.contains(decimal) }) { score += 4 }
    if values.contains(where: { $0.contains("-") || $0.contains("(") }) { score += 4 }
    if values.contains(where: { text in NumberStyle.usualSymbols.contains { text.contains($0) } }) {
      score += 2
    }
    if values.count == rows.count { score += 1 }
    if amounts.allSatisfy({ $0 ?? 0 == 0 }) { score -= 5 }
    let words = Self.amountWords + Self.debitWords + Self.creditWords
    if isNamed(column, words) { score += 6 }
    if values.contains(where: { $0.count > 13 }) { score -= 4 }
    let isCounter = values.allSatisfy { $0.allSatisfy { $0.isNumber } }
    if isCounter, !isNamed(column, words) { score -= 3 }
    if values.contains(where: { $0.first == "0" && $0.count > 1 && !$0.contains(decimal) }) {
      score -= 4
    }
    return score
  }

  /// The columns with amounts, and the balance.
  func moneyColumns(except date: Int) -> MoneyGuess? {
    let point = moneyColumns(except: date, decimal: ".")
    let comma = moneyColumns(except: date, decimal: ",")
    guard let point else { return comma?.guess }
    guard let comma else { return point.guess }
    return comma.score > point.score ? comma.guess : point.guess
  }

  private func moneyColumns(
    except date: Int, decimal: String
  ) -> (guess: MoneyGuess, score: Int)? {
    var columns: [(column: Int, amounts: [Int64?], score: Int)] = []
    for column in 0..<width where column != date {
      guard let amounts = amounts(column, decimal) else { continue }
      columns.append((column, amounts, score(column, amounts, decimal)))
    }
    let balances = columns.filter { isNamed($0.column, Self.balanceWords) }
    columns.removeAll { isNamed($0.column, Self.balanceWords) }
    if let pair = pair(columns) {
      let net = zip(pair.debit.amounts, pair.credit.amounts).map { out, into -> Int64? in
        abs(into ?? 0) - abs(out ?? 0)
      }
      let balance = balance(of: net, among: columns + balances)
      let shape = MoneyShape.pair(debit: pair.debit.column, credit: pair.credit.column)
      let score = pair.debit.score + pair.credit.score
      return (MoneyGuess(shape: shape, decimal: decimal, balance: balance), score)
    }
    let ranked = columns.sorted { ($0.score, $1.column) > ($1.score, $0.column) }
    for one in ranked {
      if let balance = balance(of: one.amounts, among: columns + balances) {
        return (
          MoneyGuess(shape: .signed(one.column), decimal: decimal, balance: balance), one.score
        )
      }
    }
    guard let best = ranked.first, best.score > -3 else { return nil }
    return (MoneyGuess(shape: .signed(best.column), decimal: decimal, balance: nil), best.score)
  }

  private typealias Scored = (column: Int, amounts: [Int64?], score: Int)

  /// Two columns of which exactly one has an amount in every row.
  private func pair(_ columns: [Scored]) -> (debit: Scored, credit: Scored)? {
    var best: (debit: Scored, credit: Scored)?
    for (index, one) in columns.enumerated() {
      for other in columns[(index + 1)...] where other.column - one.column <= 2 {
        let isNamed = isNamed(one.column, Self.debitWords + Self.creditWords)
        let fits = zip(one.amounts, other.amounts).allSatisfy { left, right in
          (left ?? 0 == 0) != (right ?? 0 == 0) || (left == 0 && right == 0)
        }
        let isMixed =
          one.amounts.contains { $0 ?? 0 != 0 } && other.amounts.contains { $0 ?? 0 != 0 }
        let score = one.score + other.score
        guard fits, isMixed || isNamed, score > best.map({ $0.debit.score + $0.credit.score }) ?? 0
        else { continue }
        let isCreditFirst =
          self.isNamed(one.column, Self.creditWords) || other.amounts.contains { ($0 ?? 0) < 0 }
        best = isCreditFirst ? (other, one) : (one, other)
      }
    }
    return best
  }

  /// A column that changes from row to row by the amounts.
  private func balance(of amounts: [Int64?], among columns: [Scored]) -> BalanceGuess? {
    guard amounts.count > 1 else { return nil }
    for candidate in columns {
      let balances = candidate.amounts
      guard balances.allSatisfy({ $0 != nil }) else { continue }
      var down = 0
      var up = 0
      for index in 1..<amounts.count {
        guard let before = balances[index - 1], let after = balances[index] else { continue }
        if before + (amounts[index] ?? 0) == after { down += 1 }
        if after + (amounts[index - 1] ?? 0) == before { up += 1 }
      }
      let needed = max(1, (amounts.count - 1) * 8 / 10)
      let moves = Set(balances.map { $0 ?? 0 }).count > 1
      if moves, max(down, up) >= needed {
        return BalanceGuess(column: candidate.column, isNewestFirst: up > down)
      }
    }
    return nil
  }

  func hasNegative(_ column: Int) -> Bool {
    values(column).contains { $0.contains("-") || $0.contains("(") || $0.contains("\u{2212}") }
  }

  private static let words: [String: ImportMapping.Direction] = [
    "debit": .out, "credit": .in, "dr": .out, "cr": .in, "d": .out, "c": .in, "af": .out,
    "bij": .in, "out": .out, "in": .in, "withdrawal": .out, "deposit": .in, "s": .out, "h": .in,
    "prijem": .in, "vydaj": .out, "vyber": .out, "expense": .out, "income": .in,
  ]

  /// A column whose values say the direction of amounts that are never negative.
  func typeColumn(
    for amount: Int, except date: Int
  ) -> (column: Int, directions: [String: ImportMapping.Direction])? {
    guard !hasNegative(amount) else { return nil }
    for column in 0..<width where column != amount && column != date {
      let values = Set(self.values(column))
      guard !values.isEmpty, values.count <= 8, self.values(column).count == rows.count else {
        continue
      }
      var directions: [String: ImportMapping.Direction] = [:]
      for value in values { directions[value] = Self.words[value.lowercased()] }
      if directions.count == values.count { return (column, directions) }
    }
    return nil
  }

  /// The currency: a column of ISO codes, or what the symbols beside the amounts stand for.
  func currency(of columns: [Int]) -> ColumnTemplate? {
    for column in 0..<width where !columns.contains(column) {
      let values = values(column)
      if values.count == rows.count, !values.isEmpty,
        values.allSatisfy({ $0.utf8.count == 3 && Currency.iso($0) != nil && $0 == $0.uppercased() }
        )
      {
        return ColumnTemplate(column: reference(column))
      }
    }
    let text = columns.flatMap { values($0) }.joined()
    for (symbol, code) in [("€", "EUR"), ("£", "GBP"), ("$", "USD"), ("₩", "KRW"), ("₸", "KZT")]
    where text.contains(symbol) {
      return ColumnTemplate(literal: code)
    }
    return nil
  }

  /// The column with the longest texts.
  func textColumn(except used: Set<Int>) -> Int? {
    let named = (0..<width).first {
      !used.contains($0)
        && isNamed($0, ["description", "libell", "buchungstext", "verwendung", "memo", "payee"])
    }
    if let named, !values(named).isEmpty { return named }
    return (0..<width).filter { !used.contains($0) }.max {
      values($0).map(\.count).reduce(0, +) < values($1).map(\.count).reduce(0, +)
    }
  }
}
