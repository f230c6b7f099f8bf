import Bookkeeping

/// Takes transfers between accounts of one file once: each stands in both of them.
enum QIFTransfers {
  /// One side of a transfer, as the account sees it that has it.
  private struct Side: Hashable {
    var from: String
    var to: String
    var day: Day
    var units: Int64

    /// What the other account has of it; `nil` for the one amount without an opposite.
    var opposite: Side? {
      let (negated, overflow) = Int64(0).subtractingReportingOverflow(units)
      return overflow ? nil : Side(from: to, to: from, day: day, units: negated)
    }
  }

  /// Where a side stands.
  private struct Place {
    var statement: Int
    var row: Int
    var isPart: Bool
  }

  /// Leaves out the second side of every transfer between accounts of the file.
  ///
  /// Of a whole row and a part of a row the part stays. Two parts both stay, and are told.
  /// - Complexity: O(rows).
  static func settle(_ contents: inout FileContents) {
    let names = Set(contents.statements.filter { !$0.rows.isEmpty }.map(\.account.name))
    guard names.count > 1 else { return }
    var open: [Side: [Place]] = [:]
    var gone: [Int: Set<Int>] = [:]
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
            contents.notices.append(
              FileNotice(
                line: row.line,
                "The transfer to “\(target)” is a part of a row in both accounts, and is taken twice."
              ))
          }
        }
      }
    }
    for (index, rows) in gone { leaveOut(rows, index, &contents) }
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
        "\(rows.count) transfers of “\(statement.account.name)” stand in the other account too, and are "
          + "taken from there."))
    // The rows no longer add up to what the file says of this account alone.
    contents.statements[index].closing = nil
  }
}
