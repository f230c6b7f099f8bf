import DaybookBookkeeping
import DaybookEntities

extension GuessTable {
  /// A column of numbers.
  struct Amounts {
    var column: Int
    /// The numbers in ten-thousandths, one per row; `nil` if the cell is blank or isn't a number.
    var units: [Int64?]
    /// The numbers if positive amounts are outgoing, unless they are marked as credits.
    var inverted: [Int64?] = []
    /// A score for the likelihood that the column contains money.
    var score: Int

    func isEqual(to other: Amounts) -> Bool { units == other.units }

    /// Whether at least 80 % of the rows have a number.
    var isFull: Bool { units.count { $0 != nil } * 10 >= units.count * 8 }
  }

  private static let styles = [".": NumberStyle(decimal: "."), ",": NumberStyle(decimal: ",")]

  static func units(_ text: String, _ decimal: String) -> Int64? { amount(text, decimal)?.units }

  private static func amount(_ text: String, _ decimal: String) -> NumberStyle.Amount? {
    guard text.utf8.count <= 40, text.contains(where: \.isNumber) else { return nil }
    let bytes = Array(text.utf8)
    guard let style = styles[decimal] ?? nil else { return nil }
    let letters = text.filter { $0.isASCII && $0.isUppercase }
    let isCode = letters.count == 3 && Currency.iso(letters) != nil
    let amount = try? style.amount(
      0..<bytes.count, in: bytes.span, digits: 4, code: isCode ? Array(letters.utf8) : [])
    // Larger numbers aren't amounts, and their sums would overflow.
    return amount.flatMap { $0.units.magnitude < 1 << 60 ? $0 : nil }
  }

  /// Returns the columns that contain numbers.
  ///
  /// In a table with at least five rows, a tenth of the cells (or one cell, if that is more) may
  /// have other contents.
  func amounts(_ decimal: String, except date: Int, given: Set<Int>) -> [Amounts] {
    (0..<width).compactMap { column in
      guard column != date else { return nil }
      var units: [Int64?] = []
      var inverted: [Int64?] = []
      var failures = 0
      for row in rows {
        guard column < row.count, !row[column].isEmpty else {
          units.append(nil)
          inverted.append(nil)
          continue
        }
        let value = Self.amount(row[column], decimal)
        if value == nil { failures += 1 }
        units.append(value?.units)
        inverted.append(value.map { $0.isMarked ? $0.units : 0 &- $0.units })
      }
      let tolerated = rows.count < 5 ? 0 : max(1, rows.count / 10)
      let isBlankSide =
        failures == 0 && isNamed(column, HeaderWords.debit + HeaderWords.credit)
      guard units.contains(where: { $0 != nil }) || isBlankSide,
        failures <= tolerated || given.contains(column)
      else { return nil }
      return Amounts(
        column: column, units: units, inverted: inverted, score: score(column, units, decimal))
    }
  }

  private static let money = HeaderWords.amount + HeaderWords.debit + HeaderWords.credit

  /// Returns whether a column's title indicates numbers other than the amount, such as fees or
  /// rates.
  func isBeside(_ column: Int) -> Bool {
    isNamed(column, HeaderWords.fee)
      || titles.indices.contains(column) && titles[column] == " fees "
      || isNamed(column, HeaderWords.beside) && !isNamed(column, Self.money)
  }

  /// Returns a score for the likelihood that a column of numbers contains money.
  private func score(_ column: Int, _ units: [Int64?], _ decimal: String) -> Int {
    let values = values(column)
    var score = 0
    let mark = Character(decimal)
    let isNamed = isNamed(column, Self.money)
    if values.contains(where: { Self.hasDecimals($0, mark) }) {
      score += 4
    } else if values.contains(where: { $0.contains(mark) }) {
      score -= 2
    }
    if values.contains(where: Self.isNegative) { score += 4 }
    if values.contains(where: { text in NumberStyle.usualSymbols.contains { text.contains($0) } }) {
      score += 2
    }
    if values.count == rows.count { score += 1 }
    if units.allSatisfy({ $0 ?? 0 == 0 }) { score -= 5 }
    if isNamed { score += 6 }
    if isBeside(column) { score -= 12 }
    if values.contains(where: { $0.count > 13 && !Self.hasDecimals($0, mark) }) { score -= 4 }
    let isCounter = values.allSatisfy { $0.allSatisfy { $0.isNumber } }
    if isCounter, !isNamed { score -= 3 }
    if values.contains(where: { $0.first == "0" && $0.count > 1 && !$0.contains(mark) }) {
      score -= 4
    }
    return score
  }

  static func isNegative(_ text: String) -> Bool {
    text.contains { "-(\u{2212}\u{2013}".contains($0) } || direction(of: text) == .out
  }

  /// Returns the direction that a suffix such as `CR` or `DR` states.
  static func direction(of text: String) -> ImportMapping.Direction? {
    switch text.split(separator: " ").last?.filter(\.isLetter).uppercased() {
    case "CR": .in
    case "DR": .out
    default: nil
    }
  }

  func hasNegative(_ column: Int) -> Bool { values(column).contains(where: Self.isNegative) }

  struct BalanceGuess {
    var column: Int
    var isNewestFirst: Bool
    /// The number of rows in which the balance changes by the amount.
    var count = 0
    /// Whether the balance changes by the amount in all rows.
    var isExact = false
  }

  /// Returns a column whose values change from row to row by the amounts.
  ///
  /// Most rows must have a balance. Other rows are either included in the next balance, or left out
  /// because they are pending.
  func balance(of amounts: [Int64?], among columns: [Amounts]) -> BalanceGuess? {
    for candidate in columns where !isBeside(candidate.column) {
      let stated = candidate.units.indices.filter { candidate.units[$0] != nil }
      guard stated.count > 1, stated.count * 2 >= amounts.count else { continue }
      let balances = stated.compactMap { candidate.units[$0] }
      let moved = stated.map { amounts[$0] ?? 0 }
      var down = 0
      var up = 0
      for index in 1..<balances.count {
        let between = amounts[stated[index - 1] + 1..<stated[index]].reduce(0) { $0 &+ ($1 ?? 0) }
        let change = balances[index] &- balances[index - 1]
        let (next, last) = (moved[index], moved[index - 1])
        if change == next || change == next &+ between { down += 1 }
        if 0 &- change == last || 0 &- change == last &+ between { up += 1 }
      }
      let steps = balances.count - 1
      if Set(balances).count > 1, max(down, up) >= max(1, steps * 8 / 10) {
        return BalanceGuess(
          column: candidate.column, isNewestFirst: up > down, count: max(down, up),
          isExact: max(down, up) == steps)
      }
    }
    return nil
  }

  static let directions: [String: ImportMapping.Direction] = {
    var directions: [String: ImportMapping.Direction] = [:]
    let out = [
      "debit", "dr", "d", "dbit", "af", "out", "outflow", "withdrawal", "s", "soll", "vydaj",
      "vyber", "expense",
      "debet", "debito", "debe", "cargo", "belastung", "lastschrift", "uscita", "addebito", "dare",
      "saida",
      "odchozi", "odchozi platba", "vydaje", "obciazenie", "kiadas", "terheles", "sortie", "ut",
      "ud",
      "money out", "neg", "-", "debitering", "menot", "pano ulos",
    ]
    let into = [
      "credit", "cr", "c", "crdt", "bij", "in", "inflow", "deposit", "h", "haben", "prijem",
      "income", "kredit",
      "credito", "haber", "abono", "gutschrift", "entrata", "accredito", "avere", "entrada",
      "prichozi",
      "prichozi platba", "uznanie", "bevetel", "jovairas", "entree", "inn", "ind", "k", "money in",
      "pos", "+",
      "kreditering", "tulot",
    ]
    for word in out { directions[word] = .out }
    for word in into { directions[word] = .in }
    return directions
  }()

  /// Returns a column whose values determine the direction of unsigned amounts.
  func typeColumn(
    for amount: Int, except date: Int
  ) throws(InterchangeError) -> (column: Int, directions: [String: ImportMapping.Direction])? {
    let given = try place(of: facts.typeColumn)
    guard given != nil || !hasNegative(amount) else { return nil }
    for column in 0..<width where column != amount && column != date {
      guard given == nil || given == column else { continue }
      let all = self.values(column)
      let values = Set(all)
      guard !values.isEmpty, values.count <= 8 else { continue }
      var directions = facts.directions
      for value in values where directions[value] == nil {
        directions[value] = Self.directions[MonthNames.folded(value).lowercased()]
      }
      let isKnown = values.allSatisfy { directions[$0] != nil }
      if isKnown, all.count < rows.count, directions.count == 1, let way = directions.first?.value,
        isNamed(column, HeaderWords.all.flatMap { $0 }) == false
      {
        // A mark such as CR is written only for one direction, and the cell is blank for the other.
        directions[""] = way == .in ? .out : .in
        return (column, directions)
      }
      if given != nil || isKnown && all.count == rows.count { return (column, directions) }
    }
    return nil
  }
}
