import DaybookBookkeeping

/// Merges transfers between accounts of the same file, which are listed in both accounts.
enum QIFTransfers {
  /// One side of a transfer, as seen from its account.
  private struct Side: Hashable {
    var from: String
    var to: String
    var day: Day
    var units: Int64

    /// The other account's side; `nil` if the amount can't be negated.
    var opposite: Side? {
      let (negated, overflow) = Int64(0).subtractingReportingOverflow(units)
      return overflow ? nil : Side(from: to, to: from, day: day, units: negated)
    }
  }

  /// The position of a side.
  private struct Place {
    var statement: Int
    var row: Int
    var isPart: Bool
  }

  /// A part of a split row whose counterpart is also part of a split.
  private struct Twin {
    var place: Place
    var side: Side
  }

  /// Removes the second side of each transfer between accounts of the file.
  ///
  /// If one side is a row and the other is part of a split, the part is kept. If both sides are
  /// parts, the first one is kept, and the row of the other part is reduced by its amount.
  /// - Complexity: O(*n*) in the number of rows.
  static func settle(_ contents: inout FileContents) {
    let names = Set(contents.statements.filter { !$0.rows.isEmpty }.map(\.account.name))
    guard names.count > 1 else { return }
    var open: [Side: [Place]] = [:]
    var gone: [Int: Set<Int>] = [:]
    var twins: [Twin] = []
    for (index, statement) in contents.statements.enumerated() {
      for (rowIndex, row) in statement.rows.enumerated() {
        for (target, units, isPart) in sides(row) where names.contains(target) {
          let side = Side(
            from: statement.account.name, to: target, day: row.day, units: units)
          let place = Place(statement: index, row: rowIndex, isPart: isPart)
          guard let opposite = side.opposite, let other = open[opposite]?.popLast() else {
            open[side, default: []].append(place)
            continue
          }
          if !isPart {
            gone[index, default: []].insert(rowIndex)
          } else if !other.isPart {
            gone[other.statement, default: []].insert(other.row)
          } else {
            twins.append(Twin(place: place, side: side))
          }
        }
      }
    }
    for twin in twins where take(twin, &contents) {
      gone[twin.place.statement, default: []].insert(twin.place.row)
    }
    for (index, rows) in gone { leaveOut(rows, index, &contents) }
  }

  /// Removes a part from its row.
  /// - Returns: Whether the whole row can be removed.
  private static func take(_ twin: Twin, _ contents: inout FileContents) -> Bool {
    let (index, units) = (twin.place.statement, twin.side.units)
    var row = contents.statements[index].rows[twin.place.row]
    let whole = row.amount
    guard !row.parts.isEmpty else { return true }
    let (rest, isOver) = whole.minorUnits.subtractingReportingOverflow(units)
    let place = row.parts.firstIndex {
      $0.target == twin.side.to && $0.amount.minorUnits == units
    }
    guard let place, !isOver else {
      contents.notices.append(
        FileNotice(
          line: row.line,
          "The transfer to “\(twin.side.to)” is part of a split in both accounts, and was imported "
            + "twice."
        ))
      return false
    }
    row.parts.remove(at: place)
    row.amount = Money(rest, whole.currency)
    row.isInflow = rest > 0
    if row.parts.count == 1, let last = row.parts.first {
      row.parts = []
      row.category = last.category
      row.target = last.target
      if !last.note.isEmpty { row.note += row.note.isEmpty ? last.note : "\n\(last.note)" }
    }
    contents.statements[index].rows[twin.place.row] = row
    // The remaining rows no longer add up to the stated balance.
    contents.statements[index].closing = nil
    contents.notices.append(
      FileNotice(
        line: row.line,
        "The transfer to “\(twin.side.to)” is also part of a split there and was imported from "
          + "there, so this transaction is \(row.amount) instead of \(whole)."
      ))
    return false
  }

  private static func sides(
    _ row: StatementRow
  ) -> [(target: String, units: Int64, isPart: Bool)] {
    if let target = row.target { return [(target, row.amount.minorUnits, false)] }
    return row.parts.compactMap { part in
      part.target.map { ($0, part.amount.minorUnits, true) }
    }
  }

  private static func leaveOut(_ rows: Set<Int>, _ index: Int, _ contents: inout FileContents) {
    let statement = contents.statements[index]
    contents.statements[index].rows = statement.rows.enumerated()
      .filter { !rows.contains($0.offset) }.map(\.element)
    contents.notices.append(
      FileNotice(
        line: statement.line,
        "\(rows.count) \(rows.count == 1 ? "transfer" : "transfers") of "
          + "“\(statement.account.name)” also \(rows.count == 1 ? "appears" : "appear") in the "
          + "other account, and \(rows.count == 1 ? "was" : "were") imported from there."
      ))
    // The remaining rows no longer add up to the stated balance.
    contents.statements[index].closing = nil
  }
}
