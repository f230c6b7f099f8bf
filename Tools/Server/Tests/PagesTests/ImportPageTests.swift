// Goal: a file that is dropped is shown before it is recorded, in every form that can be read, and its columns can be
// corrected. Method: files are sent as a browser sends them, and the ledger is asked.
import Daybook
import DaybookInterchange
import Foundation
import Testing

@testable import Pages

@Suite struct ImportPageTests {
  private func send(
    _ asked: Asked, _ name: String, _ text: String, _ form: [(String, String)] = []
  ) async -> (status: Int, text: String) {
    let answer = await asked.site.answer(
      PageRequest(
        method: "POST", path: "/import", form: form.map { (name: $0.0, value: $0.1) },
        files: [(name: name, bytes: Array(text.utf8))], locales: ["en-US"]))
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  private func upload(_ page: String) throws -> String {
    String(try #require(page.firstMatch(of: /name="upload" value="([^"]+)"/)).1)
  }

  @Test func columnsAreCorrectedAtTheirHeads() async throws {
    let asked = Asked(try await household().ledger)
    // The guess cannot know that the last column is the payee.
    let table = """
      Datum;Betrag;Wer
      14.02.2026;-12,34;Rewe
      13.02.2026;-5,00;Edeka

      """
    let first = await send(asked, "bank.csv", table, [("account", "Checking")])
    #expect(first.status == 200 && first.text.contains("name=\"column-3\""))
    let fields = [
      ("upload", try upload(first.text)), ("account", "Checking"), ("column-1", "date"),
      ("column-2", "amount"), ("column-3", "payee"),
    ]
    let shown = await asked.post("/import", fields)
    #expect(shown.text.contains("2 new") && shown.text.contains("-€12.34"))
    #expect(
      shown.text.contains("name=\"column-3\" value=\"payee\""), "it is kept until it is recorded")
    // What the account holds afterwards.
    #expect(shown.text.contains(">-€17.34<"))
    #expect(await asked.post("/import/record", fields).status == 303)
    let rows = try asked.ledger.read { try $0.transactions(limit: 10) }
    #expect(rows.map(\.payee) == ["Rewe", "Edeka"])
    // The whole file is one commit, and is taken back as one.
    #expect(await asked.post("/undo", []).status == 303)
    #expect(try asked.ledger.read { try $0.count() } == 0)
  }

  @Test func whatWasCorrectedIsKeptForTheNextFile() async throws {
    let asked = Asked(try await household().ledger)
    func table(_ day: Int, _ who: String) -> String {
      "Datum;Betrag;Wer\n\(day).01.2026;-12,34;\(who)\n\(day).01.2026;-1,00;Edeka\n"
    }
    func fields(_ page: String, _ name: String) throws -> [(String, String)] {
      [
        ("upload", try upload(page)), ("account", "Checking"), ("column-1", "date"),
        ("column-2", "amount"), ("column-3", "payee"), ("keepAs", name),
      ]
    }
    // Nothing was corrected: nothing is asked.
    let first = await send(asked, "bank.csv", table(14, "Rewe"))
    #expect(!first.text.contains("name=\"keepAs\""))
    let shown = await asked.post("/import", Array(try fields(first.text, "").dropLast()))
    #expect(shown.text.contains("name=\"keepAs\" value=\"Checking\""))
    let recorded = await asked.post("/import/record", try fields(first.text, "My bank"))
    #expect(recorded.status == 303)
    // Taking back the newest commit takes back the rows, and leaves what was learnt.
    #expect(await asked.post("/undo", []).status == 303)
    #expect(try asked.ledger.read { try $0.count() } == 0)
    #expect(try asked.ledger.read { try $0.mappings().map(\.name) } == ["My bank"])
    // The next file is read like that at once, into the same account.
    let next = await send(asked, "february.csv", table(15, "Lidl"))
    #expect(next.status == 200 && next.text.contains("Read with the mapping <a"))
    #expect(next.text.contains("2 new"))
    let form = [("upload", try upload(next.text))]
    #expect(await asked.post("/import/record", form).status == 303)
    let rows = try asked.ledger.read { try $0.transactions(limit: 10) }
    #expect(Set(rows.map(\.payee)) == ["Lidl", "Edeka"] && rows.allSatisfy { $0.account != nil })
    // Corrected again, it is the same mapping that says so, by whatever name.
    let third = await send(asked, "march.csv", table(16, "Aldi"))
    let again = await asked.post("/import/record", try fields(third.text, "Savings bank"))
    #expect(again.status == 303)
    let kept = try asked.ledger.read { try $0.mappings() }
    #expect(kept.map(\.name) == ["Savings bank"])
    // Without a name nothing is kept; and it can go.
    let mapping = try #require(kept.first)
    #expect(await asked.get("/import").text.contains("/mappings/\(mapping.id)/edit"))
    #expect(await asked.post("/mappings/\(mapping.id)/delete", []).status == 303)
    let fourth = await send(asked, "april.csv", table(17, "Penny"))
    #expect(await asked.post("/import/record", try fields(fourth.text, " ")).status == 303)
    #expect(try asked.ledger.read { try $0.mappings() }.isEmpty)
  }

  @Test func aStatementSaysWhatTheAccountHolds() async throws {
    let asked = Asked(try await household().ledger)
    let statement = """
      :20:STARTUMS
      :25:10020030/1234567
      :28C:1/1
      :60F:C260213EUR0,00
      :61:2602140214D12,34NMSCNONREF
      :86:005?00LASTSCHRIFT?20Einkauf?32Rewe
      :62F:D260214EUR12,34
      -

      """
    let open = await send(asked, "statement.sta", statement)
    #expect(open.status == 422, "whose it is has to be said")
    let form = [("upload", try upload(open.text)), ("account", "Checking")]
    let shown = await asked.post("/import", form)
    #expect(shown.status == 200 && shown.text.contains("1 new"))
    #expect(shown.text.contains(">-€12.34</a> ✓"), "the statement agrees with what will be")
    #expect(await asked.post("/import/record", form).status == 303)
    #expect(try asked.ledger.read { try $0.count() } == 1)
  }

  @Test func booksOfAnotherProgramAreRead() async throws {
    let asked = Asked(try await household().ledger)
    let journal = """
      2026-02-14 * Rewe
          Expenses:Groceries    12.34 EUR
          Assets:Wallet

      """
    let shown = await send(asked, "books.journal", journal)
    #expect(shown.status == 200 && shown.text.contains("1 new"), "\(shown.text)")
    let form = [("upload", try upload(shown.text))]
    #expect(await asked.post("/import/record", form).status == 303)
    #expect(try asked.ledger.read { try $0.count() } == 1)
  }

  @Test func transactionsThatAreNoLongerInTheBooksAreListed() async throws {
    let asked = Asked(try await household().ledger)
    func row(_ day: Int, _ payee: String) -> String {
      "2026-02-\(day) * \(payee)\n    Expenses:Groceries    12.34 EUR\n    Assets:Wallet\n\n"
    }
    let title = "No longer in the books"
    for (text, status) in [(row(14, "Rewe"), 303), (row(15, "Aldi"), 200)] {
      let shown = await send(asked, "books.journal", text)
      #expect(shown.text.contains(title) == (status == 200))
      let recorded = await asked.post("/import/record", [("upload", try upload(shown.text))])
      #expect(recorded.status == status)
      #expect(recorded.text.contains(title) == (status == 200))
      #expect(recorded.text.contains("Rewe") == (status == 200))
    }
    #expect(try asked.ledger.read { try $0.count() } == 2)
  }

  @Test func nothingIsRecordedBeforeTheAccountIsChosen() async throws {
    let asked = Asked(try await household().ledger)
    let table = "Date;Payee;Amount\n2026-02-14;Rewe;-12.34\n2026-02-13;Edeka;-5.00\n"
    let first = await send(asked, "bank.csv", table)
    #expect(first.text.contains("Choose the account") && !first.text.contains("id=\"record\""))
    let forced = await asked.post("/import/record", [("upload", try upload(first.text))])
    #expect(forced.status == 200 && forced.text.contains("Choose the account"))
    #expect(try asked.ledger.read { try $0.count() } == 0)
    // Where there is no account yet, one is made for it.
    let new = Asked(try await Ledger.inMemory())
    try await new.ledger.append(.setSettings(SettingsChange(baseCurrency: .eur)))
    let shown = await send(new, "bank.csv", table)
    #expect(shown.text.contains("id=\"record\"") && !shown.text.contains("Choose the account"))
    #expect(await new.post("/import/record", [("upload", try upload(shown.text))]).status == 303)
    #expect(try new.ledger.read { try $0.count() } == 2)
  }

  @Test func whatTheLedgerExportsIsReadAgain() async throws {
    let (ledger, account, food) = try await household()
    try await ledger.append(
      .record(.expense(Money(12_34, .eur), from: account, category: food, on: today, payee: "Rewe"))
    )
    for format in [ExportFormat.jsonLines, .csv] {
      var bytes: [UInt8] = []
      try Exporter.export(ledger, as: format) { bytes += $0 }
      let asked = Asked(try await Ledger.inMemory())
      let text = String(decoding: bytes, as: UTF8.self)
      let shown = await send(asked, "export.\(format.rawValue)", text)
      #expect(shown.status == 200 && shown.text.contains(">1 new"), "\(format): \(shown.text)")
      #expect(shown.text.contains("€12.34"), "\(format): the figures that it changes")
      let form = [("upload", try upload(shown.text))]
      #expect(await asked.post("/import/record", form).status == 303, "\(format)")
      #expect(try asked.ledger.read { try $0.transactions(limit: 2).map(\.payee) } == ["Rewe"])
      #expect(await asked.post("/undo", []).status == 303)
      #expect(try asked.ledger.read { try $0.count() } == 0, "\(format): taken back as one")
    }
  }

  @Test func whatIsNoTableIsRefusedInWords() async throws {
    let asked = Asked(try await household().ledger)
    let answer = await send(asked, "nothing.csv", "no table at all")
    #expect(answer.status == 422 && answer.text.contains("role=\"alert\""))
  }
}
