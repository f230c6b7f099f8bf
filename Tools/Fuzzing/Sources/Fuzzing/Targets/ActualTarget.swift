import DaybookBookkeeping
import DaybookInterchange
import DaybookPackedFormats

extension FuzzTarget {
  /// Budgets of Actual.
  ///
  /// The input is a zip, a database, which is wrapped in a zip with correct checksums, or rows of
  /// Actual's tables. Each row is a line with the table's name and the values, separated by
  /// vertical bars.
  static let actual = FuzzTarget(
    name: "actual",
    seeds: { _ in
      let database = Packing.database(ActualSample.tables)
      let zip = Packing.zip([("db.sqlite", database)])
      return [zip, database] + rows.map { Array($0.utf8) } + [Array(rows.joined().utf8)]
    },
    words: { files in
      files.words(of: "PackedFormats/Actual") + tables.keys.map { "\n\($0)|" }
        + ["202401", "20240131", "rrule", "monthly", "weekly"]
    },
    run: { bytes in
      var zip = bytes
      if bytes.starts(with: "SQLite format 3".utf8) {
        zip = Packing.zip([("db.sqlite", bytes)], stores: true)
      } else if !bytes.starts(with: "PK".utf8) {
        let database = Packing.database(ActualSample.tables + statements(bytes))
        require(!database.isEmpty, "rows make a database")
        zip = Packing.zip([("db.sqlite", database)], stores: true)
      }
      let file = RawFile(zip, name: "input.zip")
      _ = Actual.recognise(FileHead(file))
      var options = ReadingOptions()
      options.currency = Currency.iso("EUR")
      guard let contents = try? Actual.read(file, options) else { return }
      check(contents)
    })

  private static let tables = [
    "accounts": "id, name, closed, tombstone",
    "category_groups": "id, name, is_income, hidden",
    "categories": "id, name, is_income, cat_group, hidden, tombstone",
    "category_mapping": "id, transferId",
    "payees": "id, name, transfer_acct",
    "payee_mapping": "id, targetId",
    "transactions":
      "id, acct, amount, date, category, description, notes, isParent, isChild, parent_id, "
      + "transferred_id, starting_balance_flag, cleared, reconciled, tombstone, financial_id, "
      + "imported_description",
    "zero_budgets": "id, month, category, amount, carryover",
    "reflect_budgets": "id, month, category, amount, carryover",
    "rules": "id, conditions, actions, tombstone",
    "schedules": "id, rule, active, completed, tombstone, name",
    "schedules_next_date": "id, schedule_id, local_next_date",
    "notes": "id, note",
    "preferences": "id, value",
  ]

  private static let rows = [
    "transactions|t0|a1|100000|20240101|c3||||||||1\n"
      + "transactions|t1|a1|-2350|20240102|old|merged|Bread #milk||||||0||||F1|REWE\n",
    "transactions|t3|a1|-5000|20240201||p3||||||t4\ntransactions|t4|a2|5000|20240201|||||||t3\n",
    "transactions|s|a1|-3000|20240105||||1\ntransactions|s1|a1|-1000|20240105|c1||veg||1|s\n"
      + "transactions|s2|a1|-2000|20240105||||0|1|s|o\ntransactions|o|a2|2000|20240105|||||||s2\n",
    "zero_budgets|1|202401|c1|30000|0\nzero_budgets|3|202404|c1|35000|1\n"
      + "reflect_budgets|1|202401|c2|90000|0\npreferences|budgetType|tracking\n",
    #"rules|r|[{"op":"is","field":"description","value":"p1"},{"op":"is","field":"acct","value":"a1"},"#
      + #"{"op":"isapprox","field":"date","value":{"frequency":"monthly","start":"2024-01-15","interval":1,"#
      + #""patterns":[{"type":"day","value":-1}],"endMode":"on_date","endDate":"2024-12-31"}},"#
      + #"{"op":"is","field":"amount","value":-90000}]"#
      + #"|[{"op":"set","field":"category","value":"c2"}]"#
      + "\nschedules|s|r||||Rent\nschedules_next_date|n|s|20240215\n",
    "accounts|a4|Cash|0|0\naccounts|a5|cash|1|0\nnotes|account-a4|main\nnotes|c1|eat\n"
      + "preferences|defaultCurrencyCode|JPY\n",
    "category_groups|g3|Fun|0|1\ncategories|c4|Games|0|g3|0|0\ncategory_mapping|c4|c1\n"
      + "payees|p4|Shop\npayee_mapping|p4|p1\n",
  ]

  /// The statements that insert the rows into the tables.
  ///
  /// Lines without a table's name are skipped.
  private static func statements(_ bytes: [UInt8]) -> String {
    var statements = ""
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(400) {
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      guard let list = tables[String(fields[0])] else { continue }
      let columns = list.split(separator: ", ")
      let values = zip(columns, fields.dropFirst()).map { literal($1) }
      guard !values.isEmpty else { continue }
      let named = columns.prefix(values.count).joined(separator: ", ")
      statements +=
        "INSERT OR REPLACE INTO \(fields[0]) (\(named)) VALUES (\(values.joined(separator: ", ")));"
    }
    return statements
  }

  private static func literal(_ field: Substring) -> String {
    if field.isEmpty { return "NULL" }
    if let number = Int64(field), number > .min { return "\(number)" }
    let quoted = field.unicodeScalars.filter { $0 != "\0" }.map { $0 == "'" ? "''" : String($0) }
    return "'\(quoted.joined())'"
  }
}
