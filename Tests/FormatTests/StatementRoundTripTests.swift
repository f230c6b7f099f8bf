import DaybookBookkeeping
import DaybookRandom
import Testing

@testable import DaybookFormats

/// A random statement, and the texts of it in two formats.
struct RandomStatement {
  var rows: [StatementRow] = []
  var opening: Int64
  let euro = Currency(code: "EUR", digits: 2) ?? Currency(packed: 0)
  let first = Day(year: 2026, month: 1, day: 1) ?? Day(rawValue: 0)

  /// - Parameter letters: what texts are made of, besides blanks.
  init(_ random: inout SeededGenerator, count: Int, letters: String) {
    opening = Int64.random(in: -100_000...100_000, using: &random)
    let letters = Array(letters)
    func text(_ length: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
      let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        String(
          (0..<Int.random(in: length, using: &random)).map { _ in
            letters.randomElement(using: &random) ?? "a"
          })
      }
      return words.joined(separator: " ")
    }
    for index in 0..<count {
      let units = Int64.random(in: 0...9_999_999_999, using: &random) / 10_000
      let isInflow = Bool.random(using: &random)
      let day = first.adding(days: index / 3)
      var row = StatementRow(
        line: 0, day: day, amount: Money(isInflow ? units : -units, euro), isInflow: isInflow,
        description: text(1...40, &random), payee: text(1...8, &random))
      row.valueDay =
        Bool.random(using: &random)
        ? day.adding(days: Int.random(in: 1...40, using: &random)) : nil
      row.code = "E\(Int.random(in: 0...99_999, using: &random))"
      row.reference = Bool.random(using: &random) ? "R\(index)" : ""
      rows.append(row)
    }
  }

  var closing: Int64 { rows.reduce(opening) { $0 + $1.amount.minorUnits } }

  /// An amount without its sign.
  func amount(_ units: Int64, mark: String) -> String {
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    return padded.dropLast(2) + mark + padded.suffix(2)
  }
}

// Goal: what is written is read again, field by field. Method: random statements with fixed seeds, a
// writer of each format here, and the reader.
@Suite("Statements written and read again")
struct StatementRoundTripTests {
  private func compare(_ read: [Statement], _ written: RandomStatement, _ name: String) throws {
    let statement = try #require(read.first)
    try #require(read.count == 1 && statement.rows.count == written.rows.count)
    for (row, expected) in zip(statement.rows, written.rows) {
      #expect(row.day == expected.day)
      #expect(row.valueDay == expected.valueDay)
      #expect(row.amount == expected.amount)
      #expect(row.isInflow == expected.isInflow)
      #expect(row.payee == expected.payee)
      #expect(row.description == expected.description)
      #expect(row.code == expected.code)
      #expect(row.reference == "\(name):\(expected.reference)")
    }
    #expect(statement.opening?.amount.minorUnits == written.opening)
    #expect(statement.closing?.amount.minorUnits == written.closing)
    #expect(statement.difference?.units == 0)
    #expect(statement.account.iban == "DE89370400440532013000")
  }

  @Test("CAMT.053", arguments: 1...40)
  func camt(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let written = RandomStatement(
      &random, count: Int.random(in: 1...40, using: &random), letters: "abcXYZ019äß€<>&\"'/?:-+")
    let contents = try readStatement(CAMTWriter(written, &random).text, CAMT.self)
    #expect(contents.badLineCount == 0 && contents.notices.isEmpty)
    try compare(contents.statements, written, "camt")
  }

  @Test("MT940", arguments: 1...40)
  func mt940(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let written = RandomStatement(
      &random, count: Int.random(in: 1...40, using: &random), letters: "abcXYZ019äß.,")
    let contents = try readStatement(MT940Writer(written, &random).text, MT940.self)
    #expect(contents.badLineCount == 0 && contents.notices.isEmpty)
    try compare(contents.statements, written, "mt940")
  }
}

/// Writes a statement as CAMT.053, in older and newer versions' forms as chance has it.
struct CAMTWriter {
  var text = ""

  init(_ statement: RandomStatement, _ random: inout SeededGenerator) {
    let isNew = Bool.random(using: &random)
    let end = Bool.random(using: &random) ? "\n  " : ""
    func escaped(_ text: String, _ random: inout SeededGenerator) -> String {
      if !text.contains("]]>"), Int.random(in: 0...9, using: &random) == 0 {
        return "<![CDATA[\(text)]]>"
      }
      return text.unicodeScalars.map { scalar in
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case " ": "\(end) "
        case "€": "&#x20AC;"
        default: String(scalar)
        }
      }.joined()
    }
    func balance(_ code: String, _ units: Int64) -> String {
      "<Bal><Tp><CdOrPrtry><Cd>\(code)</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">"
        + statement.amount(units, mark: ".")
        + "</Amt><CdtDbtInd>\(units < 0 ? "DBIT" : "CRDT")</CdtDbtInd>"
        + "<Dt><Dt>2025-12-31</Dt></Dt></Bal>\(end)"
    }
    text = "<Document><BkToCstmrStmt><GrpHdr/><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN>"
    text += "</Id></Acct>" + balance("OPBD", statement.opening)
    text += balance("CLBD", statement.closing)
    for row in statement.rows {
      let side = row.isInflow ? "Dbtr" : "Cdtr"
      let name = "<Nm>\(escaped(row.payee, &random))</Nm>"
      text += "<Ntry>\(end)<Amt Ccy='EUR'>\(statement.amount(row.amount.minorUnits, mark: "."))"
      text += "000</Amt><CdtDbtInd>\(row.isInflow ? "CRDT" : "DBIT")</CdtDbtInd>"
      text += isNew ? "<Sts><Cd>BOOK</Cd></Sts>" : "<Sts>BOOK</Sts>"
      text += "<BookgDt><Dt>\(row.day)</Dt></BookgDt>\(end)"
      text += "<ValDt><DtTm>\(row.valueDay ?? row.day)T10:00:00</DtTm></ValDt>"
      if !row.reference.isEmpty { text += "<AcctSvcrRef>\(row.reference)</AcctSvcrRef>" }
      text += "<NtryDtls><TxDtls><Refs><EndToEndId>\(row.code)</EndToEndId></Refs><RltdPties>"
      text += "<\(side)>" + (isNew ? "<Pty>\(name)</Pty>" : name) + "</\(side)></RltdPties>"
      text += "<RmtInf><Ustrd>\(escaped(row.description, &random))</Ustrd></RmtInf>\(end)"
      text += "</TxDtls></NtryDtls></Ntry>\(end)"
    }
    text += "</Stmt></BkToCstmrStmt></Document>"
  }
}

/// Writes a statement as MT940 with `:86:` in the German or the Dutch form, wrapped at 65 characters.
struct MT940Writer {
  var text = ""

  init(_ statement: RandomStatement, _ random: inout SeededGenerator) {
    let isGerman = Bool.random(using: &random)
    let newline = Bool.random(using: &random) ? "\r\n" : "\n"
    func day(_ day: Day) -> String { day.description.dropFirst(2).filter { $0 != "-" } }
    func balance(_ tag: String, _ units: Int64) -> String {
      ":\(tag):\(units < 0 ? "D" : "C")251231EUR\(statement.amount(units, mark: ","))\(newline)"
    }
    text = ":20:X\(newline):25:DE89370400440532013000\(newline)" + balance("60F", statement.opening)
    for row in statement.rows {
      let entry = day(row.day).dropFirst(2)
      text += ":61:\(day(row.valueDay ?? row.day))\(entry)"
      text += (row.isInflow ? "C" : "D") + (Bool.random(using: &random) ? "R" : "")
      text += statement.amount(row.amount.minorUnits, mark: ",") + "NTRFNONREF"
      text += row.reference.isEmpty ? "" : "//\(row.reference)"
      let narrative =
        isGerman
        ? "166?00TEXT" + subfields("EREF+\(row.code)", from: 20, to: 20)
          + subfields("SVWZ+\(row.description)", from: 21, to: 29)
          + subfields(row.payee, from: 32, to: 33)
        : "/EREF/\(row.code)/NAME/\(row.payee)/REMI/\(row.description)"
      text += "\(newline):86:\(wrapped(narrative, newline))\(newline)"
    }
    text += balance("62F", statement.closing) + "-\(newline)"
  }

  /// A text in subfields of 27 characters; of the purpose, the rest is in 60 to 63.
  private func subfields(_ text: String, from first: Int, to last: Int) -> String {
    var rest = Substring(text)
    var code = first
    var written = ""
    while !rest.isEmpty {
      written += "?\(code)\(rest.prefix(27))"
      rest = rest.dropFirst(27)
      code = code == last ? 60 : code + 1
    }
    return written
  }

  private func wrapped(_ text: String, _ newline: String) -> String {
    var rest = Substring(text)
    var lines: [Substring] = []
    while !rest.isEmpty {
      lines.append(rest.prefix(65))
      rest = rest.dropFirst(65)
    }
    return lines.joined(separator: newline)
  }
}
