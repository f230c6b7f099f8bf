import DaybookBookkeeping

extension SampleHousehold {
  /// The bank file, with a header and one line per row.
  package var csv: String {
    var text =
      "date,type,account,amount,currency,category,subcategory,to_account,to_amount,to_currency,"
      + "payee,description,note,tags\n"
    var currencies: [String: String] = [:]
    for account in accounts { currencies[account.name] = account.currency }
    for row in rows {
      let to = row.targetAccount.flatMap { currencies[$0] } ?? ""
      let isExchange = !to.isEmpty && to != row.currency
      let arrived = isExchange ? row.targetMinorUnits : nil
      let fields = [
        "\(row.day)", row.kind.rawValue, row.account,
        HouseholdCurrency.text(row.minorUnits, row.currency), row.currency,
        row.category.first ?? "", row.category.count > 1 ? row.category[1] : "",
        row.targetAccount ?? "", arrived.map { HouseholdCurrency.text($0, to) } ?? "",
        isExchange ? to : "", row.payee, row.description, row.note, row.tags.joined(separator: " "),
      ]
      text += fields.map(Self.quoted).joined(separator: ",") + "\n"
    }
    return text
  }

  /// The mapping of the bank file, for `daybook import --mapping`.
  package static let mapping = """
    {
      "about": "The columns of the sample household's bank file",
      "delimiter": ",",
      "date": { "column": "date", "format": "yyyy-MM-dd" },
      "amount": {
        "column": "amount",
        "type": "type",
        "directions": { "income": "in", "expense": "out", "transfer": "out" }
      },
      "currency": "{currency}",
      "account": "{account}",
      "category": ["{category}", "{subcategory}"],
      "transfer": {
        "account": "{to_account}",
        "amount": "to_amount",
        "currency": "{to_currency}"
      },
      "payee": "{payee}",
      "description": "{description}",
      "note": "{note}",
      "tags": ["{tags}"]
    }

    """

  /// The accounts as CSV, with a header and the name, kind, currency and opening balance of each
  /// account.
  package var accountsCSV: String {
    var text = "name,kind,currency,opening\n"
    for account in accounts {
      let opening = HouseholdCurrency.text(account.opening, account.currency)
      let fields = [
        account.name, account.isLiability ? "liability" : "asset", account.currency, opening,
      ]
      text += fields.map(Self.quoted).joined(separator: ",") + "\n"
    }
    return text
  }

  static func quoted(_ field: String) -> String {
    let needsQuotes = field.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
    }
    guard needsQuotes else { return field }
    var text = "\""
    for character in field {
      text += character == "\"" ? "\"\"" : String(character)
    }
    return text + "\""
  }
}
