import Daybook

/// Writes OFX 2 with one statement per account.
///
/// OFX supports only the rows of accounts, so categories, splits, tags and exchange rates are lost.
/// A transfer becomes a row in both accounts. Pending rows are in a separate list and aren't
/// included in the ledger balance. The opening balance isn't a row; it is only included in the
/// balance.
enum OFXExport {
  static func write(
    _ snapshot: borrowing Snapshot, to text: inout ExportText, _ progress: ((Int, Int) -> Void)?
  ) throws {
    let names = try ExportNames(snapshot)
    let accounts = names.accounts.filter { !$0.id.isBuiltin }
    var writer = OFXWriter(names: names, count: accounts.count, progress: progress)
    let newest = try snapshot.transactions(limit: 1).first?.day ?? Day(rawValue: 0)
    try text.write(OFXWriter.start(newest))
    let cards = accounts.filter { $0.kind == .liability }
    let others = accounts.filter { $0.kind != .liability }
    try writer.write(others, isCard: false, snapshot, &text)
    try writer.write(cards, isCard: true, snapshot, &text)
    try text.write("</OFX>\n")
  }
}

private struct OFXWriter {
  let names: ExportNames
  let count: Int
  let progress: ((Int, Int) -> Void)?
  private var done = 0

  init(names: ExportNames, count: Int, progress: ((Int, Int) -> Void)?) {
    self.names = names
    self.count = count
    self.progress = progress
  }

  static func start(_ newest: Day) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
    <OFX>
    <SIGNONMSGSRSV1><SONRS>\(status)<DTSERVER>\(day(newest))</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS>\
    </SIGNONMSGSRSV1>

    """
  }

  private static let status =
    "<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>"

  private static func day(_ day: Day) -> String { "\(day)".replacing("-", with: "") }

  mutating func write(
    _ accounts: [Account], isCard: Bool, _ snapshot: borrowing Snapshot, _ text: inout ExportText
  ) throws {
    if accounts.isEmpty { return }
    let messages = isCard ? "CREDITCARDMSGSRSV1" : "BANKMSGSRSV1"
    try text.write("<\(messages)>\n")
    for account in accounts {
      let prefix = isCard ? "CC" : ""
      try text.write(
        "<\(prefix)STMTTRNRS><TRNUID>\(done + 1)</TRNUID>\(Self.status)\n<\(prefix)STMTRS>\n"
          + "<CURDEF>\(account.currency.code)</CURDEF>\n" + source(account, isCard: isCard))
      try writeRows(account, snapshot, &text)
      try text.write("</\(prefix)STMTRS></\(prefix)STMTTRNRS>\n")
      done += 1
      progress?(done, count)
    }
    try text.write("</\(messages)>\n")
  }

  private func source(_ account: Account, isCard: Bool) -> String {
    let name = "<ACCTID>\(Self.escaped(names.name(account.id)))</ACCTID>"
    return isCard
      ? "<CCACCTFROM>\(name)</CCACCTFROM>\n"
      : "<BANKACCTFROM><BANKID>Daybook</BANKID>\(name)<ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>\n"
  }

  private func writeRows(
    _ account: Account, _ snapshot: borrowing Snapshot, _ text: inout ExportText
  ) throws {
    var balance = Int128(account.openingBalance)
    let days = try snapshot.days(of: account.id)
    let last = days?.upperBound ?? account.openingDay ?? Day(rawValue: 0)
    var hasPending = false
    try text.write(
      "<BANKTRANLIST><DTSTART>\(Self.day(days?.lowerBound ?? last))</DTSTART>"
        + "<DTEND>\(Self.day(last))</DTEND>\n")
    try snapshot.forEachTransaction(of: account.id) { transaction in
      if transaction.status == .pending {
        hasPending = true
        return
      }
      let units = transaction.total(in: account.id)
      balance += units
      try text.write(row(transaction, units, account, isPending: false))
    }
    let total = Total(units: balance, currency: account.currency)
    try text.write(
      "</BANKTRANLIST>\n<LEDGERBAL><BALAMT>\(total.text)</BALAMT><DTASOF>\(Self.day(last))</DTASOF>"
        + "</LEDGERBAL>\n")
    guard hasPending else { return }
    try text.write("<BANKTRANLISTP><DTASOF>\(Self.day(last))</DTASOF>\n")
    try snapshot.forEachTransaction(of: account.id) { transaction in
      guard transaction.status == .pending else { return }
      let units = transaction.total(in: account.id)
      try text.write(row(transaction, units, account, isPending: true))
    }
    try text.write("</BANKTRANLISTP>\n")
  }

  /// The maximum length of a name in OFX, in characters.
  private static let nameCountMax = 32

  private func row(
    _ transaction: Transaction, _ units: Int128, _ account: Account, isPending: Bool
  ) -> String {
    let tag = isPending ? "STMTTRNP" : "STMTTRN"
    let isTransfer = transaction.type == .transfer
    let type = isTransfer ? "XFER" : units < 0 ? "DEBIT" : "CREDIT"
    let amount = Total(units: units, currency: account.currency).text
    let day = isPending ? "DTTRAN" : "DTPOSTED"
    var text = "<\(tag)><TRNTYPE>\(type)</TRNTYPE><\(day)>\(Self.day(transaction.day))</\(day)>"
    text += "<TRNAMT>\(amount)</TRNAMT>"
    if !isPending { text += "<FITID>\(transaction.id)</FITID>" }
    let payee = oneLine(transaction.payee)
    var memo = [transaction.description, transaction.note].map(oneLine).filter { !$0.isEmpty }
    let name = payee.isEmpty && !memo.isEmpty ? memo.removeFirst() : payee
    if !name.isEmpty {
      let short = String(name.prefix(Self.nameCountMax))
      text += "<NAME>\(Self.escaped(short))</NAME>"
      if short != name { text += "<EXTDNAME>\(Self.escaped(name))</EXTDNAME>" }
    }
    if !memo.isEmpty { text += "<MEMO>\(Self.escaped(memo.joined(separator: " | ")))</MEMO>" }
    return text + "</\(tag)>\n"
  }

  /// Returns a text in ASCII with character references.
  ///
  /// Programs disagree about the encoding of OFX, but all resolve references.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // XML doesn't allow these two characters.
      case "\u{FFFE}", "\u{FFFF}": continue
      default:
        if scalar.isASCII {
          result.unicodeScalars.append(scalar)
        } else {
          result += "&#\(scalar.value);"
        }
      }
    }
    return result
  }
}
