// Goal: the preview guesses a mapping that is right or says what is uncertain. Method: every CSV of
// reckon is guessed and the rows compared with reckon's expected output; the files whose meaning
// cannot be seen in them are named with the reason.

import DaybookBookkeeping
import DaybookInterchange
import Foundation
import Testing

struct GuessTests {
  static let inputs = [
    "another_bank_example", "austrian_example", "bom_utf8_file", "broker_canada_example",
    "danish_kroner_nordea_example", "english_date_example", "extratofake", "french_example",
    "german_date_example", "harder_date_example", "ing", "intuit_mint_example",
    "invalid_header_example", "inversed_credit_card", "nationwide", "spanish_date_example",
    "suntrust", "tab_delimited_file", "test_money_column", "two_money_columns",
    "two_money_columns_manual", "unattended_config", "yyyymmdd_date_example",
    "regression/issue_51_account_tokens", "regression/issue_73_account_token_matching",
    "regression/issue_85_date_example", "chase/simple",
  ]

  /// Their days could be read either way, and the preview says so.
  static let ambiguous = ["spanish_date_example", "regression/issue_73_account_token_matching"]

  @Test(
    "reckon's files", .enabled(if: OutsideFiles.hasData, "../shared/data is absent"),
    arguments: inputs)
  func reckon(name: String) throws {
    let folder = try #require(OutsideFiles.data) + "/reckon/expected/" + name
    let inChase = name.hasPrefix("chase")
    let input = inChase ? folder + "/../input.csv" : folder + "/input.csv"
    let guess = try ImportMapping.guess(sample: CSVFile.sample(path: input))
    let file = try MappedFile(
      CSVFile(path: input, encoding: guess.mapping.encoding), mapping: guess.mapping)
    #expect(file.badLines == [])
    let expected = try OutsideFiles.ledgerRows(folder + "/output.ledger")
    if Self.ambiguous.contains(name) {
      #expect(guess.questions.contains { $0.subject == .dateFormat })
      #expect(file.rows.count == expected.count)
    } else {
      #expect(OutsideFiles.rows(file) == expected, "\(guess)")
    }
  }

  @Test("a mapping is guessed with names, types, balance and description")
  func names() throws {
    let text =
      "Datum;Text;Konto;Betrag;Saldo;Währung\n"
      + "01.02.2026;Miete Februar;1;-900,00;100,00;EUR\n13.02.2026;Lohn;1;2.500,00;2.600,00;EUR\n"
    let guess = try ImportMapping.guess(sample: Array(text.utf8))
    #expect(guess.mapping.delimiter == ";")
    #expect(guess.mapping.date == .init(column: .name("Datum"), format: "d.M.yyyy"))
    #expect(guess.mapping.amount.column == .name("Betrag"))
    #expect(guess.mapping.numbers.decimal == ",")
    #expect(guess.mapping.currency == ColumnTemplate("{Währung}"))
    #expect(guess.mapping.balance?.column == .name("Saldo"))
    #expect(guess.mapping.description == ColumnTemplate("{Text}"))
    #expect(guess.doubts == [])
    #expect(guess.questions == [])
  }

  @Test(
    "what is no table is refused",
    arguments: [
      "", "hello", "a,b\nc,d\n", "2026-01-01,x\n2026-01-02,y\n", "1,2\n3,4\n",
    ])
  func refuses(text: String) throws {
    #expect(throws: InterchangeError.self) { try ImportMapping.guess(sample: Array(text.utf8)) }
  }
}
