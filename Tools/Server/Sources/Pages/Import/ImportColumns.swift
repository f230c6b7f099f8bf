import Daybook
import DaybookInterchange

/// The user's choices for the columns of a table, and the controls for making them.
struct ImportColumns: Sendable {
  /// The form fields that are passed on until the file is recorded.
  let kept: [(name: String, value: String)]
  private let form: SentForm

  init(_ context: PageContext) {
    form = SentForm(context)
    kept = context.request.form.filter { field in
      field.name.hasPrefix("column-")
        || ["account", "dateFormat", "decimal", "inverted"].contains(field.name)
    }
  }

  /// Returns the choices as facts for guessing the rest of the mapping.
  func facts() -> MappingFacts {
    var facts = MappingFacts()
    facts.account = form.optional("account").flatMap { ColumnTemplate(literal: $0) }
    facts.dateFormat = form.optional("dateFormat")
    facts.decimal = form.optional("decimal")
    if form.isOn("inverted") { facts.isInverted = true }
    for (name, values) in form.values where name.hasPrefix("column-") {
      guard let number = Int(name.dropFirst("column-".count)), let what = values.first else {
        continue
      }
      let column = ColumnReference.number(number)
      let template = ColumnTemplate("{\(number)}")
      switch what {
      case "date": facts.dateColumn = column
      case "amount": facts.amountColumn = column
      case "debit": facts.debitColumn = column
      case "credit": facts.creditColumn = column
      case "payee": facts.payee = template
      case "description": facts.description = template
      case "currency": facts.currency = template
      case "balance": facts.balanceColumn = column
      case "fee", "negativeFee":
        facts.fee = ImportMapping.Fee(
          ColumnSum(column: column), isInverted: what == "negativeFee")
        facts.otherColumns.append(column)
      case "other": facts.otherColumns.append(column)
      default: break
      }
    }
    return facts
  }

  private static func choices(_ context: PageContext) -> [(String, String)] {
    [
      ("date", context[.day]), ("amount", context[.amount]), ("debit", context[.columnDebit]),
      ("credit", context[.columnCredit]), ("payee", context[.payee]),
      ("description", context[.description]), ("currency", context[.currency]),
      ("balance", context[.balance]), ("fee", context[.columnFee]),
      ("negativeFee", context[.columnNegativeFee]), ("other", context[.columnOther]),
    ]
  }

  /// Returns the first rows of a table, with a control to choose the meaning of each column.
  func html(
    _ file: RawFile, _ mapping: ImportMapping?, _ id: String, _ accounts: [Account],
    _ context: PageContext
  ) -> HTML {
    let rows = Self.firstRows(file, mapping)
    guard let width = rows.map(\.count).max(), width > 1, width <= 64 else {
      return ImportPreviewPage.accountForm(id, form.optional("account"), accounts, context)
    }
    let header = mapping?.hasHeader == true ? rows.first ?? [] : []
    let heads = (1...width).map { number -> HTML in
      let guessed = mapping.flatMap { Self.meaning(of: number, header, in: $0) }
      let chosen = form.optional("column-\(number)") ?? guessed ?? ""
      let options = Self.choices(context).map { value, text -> HTML in
        let selected: HTML = value == chosen ? " selected" : ""
        return "<option value=\"\(value)\"\(selected)>\(text)</option>"
      }
      return """
        <th scope="col"><select name="column-\(number)" aria-label="\(context[.column]) \(number)"><option value="">–</option>\(options)</select></th>
        """
    }
    let lines = rows.prefix(6).map { cells -> HTML in
      let cells = cells.map { cell -> HTML in "<td>\(String(cell.prefix(60)))</td>" }
      return "<tr>\(cells)</tr>"
    }
    var shown = form
    if let account = mapping?.account.literal, form.optional("account") == nil {
      shown.values["account"] = [account]
    }
    let fields: [FormField] = [
      .choice("account", .account, accounts.map { ($0.name, $0.name) }, isOptional: true),
      .text("dateFormat", .dateFormat, hint: mapping?.date.format),
      .choice("decimal", .decimalMark, [(".", "."), (",", ",")], isOptional: true),
      .flag("inverted", .inverted),
    ]
    return """
      <form method="post" action="/import" class="card"><h2>\(context[.columns])</h2><p class="aside">\(context[.columnsHint])</p>\
      <input type="hidden" name="upload" value="\(id)">
      <div class="scroll" tabindex="0" role="region" aria-label="\(context[.columns])"><table class="figures columns"><thead><tr>\(heads)</tr></thead><tbody>\(Array(lines))</tbody></table></div>
      <div class="grid">\(fields.map { $0.html(shown, context) })<p class="actions"><button>\(context[.preview])</button></p></div></form>
      """
  }

  /// Returns the meaning of a column in a mapping.
  private static func meaning(
    of number: Int, _ header: [String], in mapping: ImportMapping
  ) -> String? {
    let name = number <= header.count ? header[number - 1] : nil
    func isIt(_ reference: ColumnReference?) -> Bool {
      switch reference {
      case .number(number): true
      case .name(let text): text == name
      default: false
      }
    }
    func isIn(_ template: ColumnTemplate?) -> Bool {
      guard let text = template?.text else { return false }
      return text.contains("{\(number)}") || name.map { text.contains("{\($0)}") } == true
    }
    if isIt(mapping.date.column) { return "date" }
    if isIt(mapping.amount.column) { return "amount" }
    if isIt(mapping.amount.debit) { return "debit" }
    if isIt(mapping.amount.credit) { return "credit" }
    if isIt(mapping.balance?.column) { return "balance" }
    if let fee = mapping.fee, !fee.isIncluded, isIt(fee.amount.column) {
      return fee.isInverted ? "negativeFee" : "fee"
    }
    if isIn(mapping.payee) { return "payee" }
    if isIn(mapping.description) { return "description" }
    return isIn(mapping.currency) ? "currency" : nil
  }

  /// Returns the header and the first rows.
  private static func firstRows(_ file: RawFile, _ mapping: ImportMapping?) -> [[String]] {
    guard let sample = try? file.sample(mapping?.encoding) else { return [] }
    let counts = Dictionary(grouping: sample.prefix(4_096)) { $0 }.mapValues(\.count)
    let delimiters: [UInt8] = [0x3B, 0x09, 0x2C, 0x7C]
    let usual = delimiters.max { counts[$0] ?? 0 < counts[$1] ?? 0 } ?? 0x2C
    let format = (try? mapping?.format()) ?? CSVFormat(delimiter: usual)
    var rows: [[String]] = []
    let table = CSVFile(String(decoding: sample, as: UTF8.self))
    try? table.forEachRecord(format: format, skippingLines: mapping?.skipLines ?? 0) {
      record, bytes in
      rows.append((0..<record.count).map { record.trimmedText($0, in: bytes) })
      return rows.count < 6
    }
    return rows
  }
}
