// Goal: the guess reads the files of banks as a person would, and says for each what it made of it. Method:
// Tests/Banks holds a small file for each bank, named by country and bank; the layout is the bank's, the rows
// are ours. What the guess makes of it is written down beside it (`.expected`) and compared, line by line. To
// write them anew, set DAYBOOK_WRITE_BANKS=1, then read every difference.

import DaybookBookkeeping
import DaybookInterchange
import Foundation
import Testing

struct BankFilesTests {
  private static let folder = OutsideFiles.root + "/Tests/Banks"

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".csv") }.map { String($0.dropLast(4)) }.sorted()
  }()

  @Test("what the guess makes of the file of a bank", arguments: names)
  func reading(name: String) throws {
    let path = Self.folder + "/\(name).csv"
    let encoding = try TextEncoding.guess(Array(Data(contentsOf: URL(fileURLWithPath: path))))
    let guess = try ImportMapping.guess(sample: CSVFile.sample(path: path))
    let file = try CSVFile(path: path)
    let mapped = try MappedFile(file, mapping: guess.mapping)
    let odd = mapped.oddRows(of: file, mapping: guess.mapping)
    let reading = Self.lines(guess, mapped, odd, encoding)
    print(Self.summary(name, guess, mapped, odd))
    let expected = Self.folder + "/\(name).expected"
    if ProcessInfo.processInfo.environment["DAYBOOK_WRITE_BANKS"] != nil {
      try reading.joined(separator: "\n").appending("\n").write(
        toFile: expected, atomically: true, encoding: .utf8)
    }
    let lines = try String(contentsOfFile: expected, encoding: .utf8).split(separator: "\n")
    #expect(reading == lines.map(String.init))
  }

  @Test("there are forty banks of twelve countries, and more")
  func many() {
    #expect(Self.names.count >= 40)
    #expect(Set(Self.names.map { $0.prefix(2) }).count >= 12)
  }

  @Test("rules that leave odd rows out leave all others in", arguments: names)
  func oddRows(name: String) throws {
    let file = try CSVFile(path: Self.folder + "/\(name).csv")
    var mapping = try ImportMapping.guess(sample: file.bytes).mapping
    let before = try MappedFile(file, mapping: mapping)
    mapping.skipRows += before.oddRows(of: file, mapping: mapping).flatMap(\.rules)
    let after = try MappedFile(file, mapping: mapping)
    #expect(after.badLineCount == 0, "\(after.badLines)")
    #expect(after.rows == before.rows)
  }

  private static func summary(
    _ name: String, _ guess: MappingGuess, _ file: MappedFile, _ odd: [OddRows]
  ) -> String {
    let asked = guess.questions.map(\.subject.rawValue).joined(separator: ", ")
    var words = ["\(name): \(file.rows.count) rows"]
    words.append("day \(guess.mapping.date.column) as \(guess.mapping.date.format)")
    words.append("amount \(amount(guess.mapping))")
    words.append("currency \(guess.mapping.currency.text)")
    if let payee = guess.mapping.payee { words.append("payee \(payee.text)") }
    words.append(asked.isEmpty ? "nothing asked" : "asks: \(asked)")
    if !odd.isEmpty { words.append("odd: lines \(odd.flatMap(\.lines).sorted())") }
    return words.joined(separator: "; ")
  }

  private static func amount(_ mapping: ImportMapping) -> String {
    let amount = mapping.amount
    guard let column = amount.column else {
      let debit = amount.debit.map { "\($0)" } ?? "?"
      let credit = amount.credit.map { "\($0)" } ?? "?"
      return "out \(debit), in \(credit)"
    }
    let type = amount.type.map { type in
      let ways = amount.directions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return ", direction \(type) (\(ways.joined(separator: " ")))"
    }
    return "\(column)\(type ?? "")\(amount.isInverted ? ", inverted" : "")"
  }

  private static func words(_ fact: MappingQuestion.Fact) -> String {
    switch fact {
    case .amountColumn(let column): "amount column \(column)"
    case .columns(let debit, let credit): "out \(debit), in \(credit)"
    case .currency(let template): "currency \(template.text)"
    case .anyCurrency: "any currency"
    case .dateFormat(let format): "date format \(format)"
    case .isInverted(let isInverted): isInverted ? "inverted" : "not inverted"
    case .fee(let fee): "fee \(fee.amount.text)\(fee.isIncluded ? ", included" : "")"
    case .ignoredColumn(let column): "ignore \(column)"
    case .decimal(let mark): "decimal mark \(mark)"
    case .skipRows(let rule): "skip \(words(rule))"
    case .takeRows(let rule): "take \(words(rule))"
    }
  }

  private static func words(_ rule: ImportMapping.RowRule) -> String {
    let column = rule.column.map { "\($0)" } ?? "row"
    return rule.beginsWith.map { "\(column)=\($0)*" } ?? "\(column)=\(rule.equals?.first ?? "")"
  }

  /// The reading as it is written down: a fact a line, then the rows.
  private static func lines(
    _ guess: MappingGuess, _ file: MappedFile, _ odd: [OddRows], _ encoding: TextEncoding
  ) -> [String] {
    let mapping = guess.mapping
    var lines = [
      "encoding: \(encoding.rawValue)", "delimiter: \(mapping.delimiter)",
      "lines before: \(mapping.skipLines)", "header: \(mapping.hasHeader ? "yes" : "no")",
      "day: \(mapping.date.column) as \(mapping.date.format)", "amount: \(amount(mapping))",
      "decimal mark: \(mapping.numbers.decimal)", "currency: \(mapping.currency.text)",
      "payee: \(mapping.payee?.text ?? "none")",
      "description: \(mapping.description?.text ?? "none")",
    ]
    let balance = mapping.balance.map { "\($0.column)\($0.isNewestFirst ? ", newest first" : "")" }
    lines.append("balance: \(balance ?? "none")")
    for question in guess.questions {
      lines.append("asks about \(question.subject.rawValue): \(question.message)")
      for answer in question.answers {
        lines.append(
          "  \(words(answer.fact))\(answer.meaning.isEmpty ? "" : ": \(answer.meaning)")")
      }
    }
    for odd in odd {
      lines.append("odd: \(odd.message)")
      lines.append("  left out by: \(odd.rules.map(words).joined(separator: ", "))")
    }
    lines += guess.doubts.map { "doubt: \($0)" }
    lines += file.mismatches.map { "balance does not follow: \($0)" }
    for row in file.rows {
      lines.append(
        "\(row.line): \(row.day) \(row.amount.text) \(row.amount.currency.code) | \(row.payee) | "
          + row.description.replacing("\n", with: "⏎"))
    }
    return lines.map { $0.trimmingCharacters(in: .newlines) }
  }
}
