// Goal: a row that a bank gave an id is one row whatever its text says, two ids are two rows, and rows of
// other formats are known by their text. Method: rows with and without references, imported in every
// order, between amendments and deletions, counted; and the numbers by which accounts are found.

import DaybookBookkeeping
import DaybookEntities
import Testing

@Suite struct ReferenceTests {
  private static func row(
    _ ledger: Fixture, _ amount: String, _ reference: String, text: String = "Coffee",
    note: String = "", offset: Int = 0
  ) throws -> ImportRow {
    let money = try money(amount, "KZT")
    var draft = Draft.expense(
      money, from: ledger.cash, on: ledger.today.adding(days: offset), description: text)
    draft.note = note
    return ImportRow(draft, reference: reference)
  }

  private static func count(
    _ ledger: inout Fixture, _ rows: [ImportRow], _ options: ImportOptions = ImportOptions()
  ) throws -> Int {
    try ImportTests.run(&ledger, rows, options).recorded.count
  }

  @Test func aRewordedRowIsTheSame() throws {
    var ledger = try Fixture()
    #expect(try Self.count(&ledger, [Self.row(ledger, "5", "ofx:1")]) == 1)
    #expect(try Self.count(&ledger, [Self.row(ledger, "5", "ofx:1", text: "COFFEE 0815")]) == 0)
    #expect(try ledger.state.all(Fingerprint.self).isEmpty)
  }

  @Test func twoReferencesAreTwoRows() throws {
    var ledger = try Fixture()
    #expect(try Self.count(&ledger, [Self.row(ledger, "5", "ofx:1")]) == 1)
    #expect(try Self.count(&ledger, [Self.row(ledger, "5", "ofx:2")]) == 1)
  }

  @Test func aReferenceUsedTwiceIsTwoRows() throws {
    var ledger = try Fixture()
    let rows = [
      try Self.row(ledger, "5", "ofx:FEE"), try Self.row(ledger, "6", "ofx:FEE"),
      try Self.row(ledger, "5", "ofx:FEE", offset: 1), try Self.row(ledger, "5", "ofx:FEE"),
    ]
    #expect(try Self.count(&ledger, rows) == 4)
    #expect(try Self.count(&ledger, rows) == 0)
    #expect(try Self.count(&ledger, rows + [Self.row(ledger, "5", "ofx:FEE")]) == 1)
  }

  @Test func otherFormatsAreKnownByTheirText() throws {
    // In every order, each row is there once.
    let formats = ["", "ofx:1", "camt:A-1", "mt940:", "ofx:1"]
    for first in formats.indices {
      var ledger = try Fixture()
      var total = 0
      for step in formats.indices {
        let format = formats[(first + step) % formats.count]
        let pair = [
          try Self.row(ledger, "5", format, note: format.isEmpty ? "" : "of \(format)"),
          try Self.row(ledger, "5", format.hasSuffix("1") ? format + "b" : format),
        ]
        total += try Self.count(&ledger, pair)
      }
      #expect(total == 2, "begun with \(formats[first])")
    }
  }

  @Test func whatASomebodyMadeOfARowDoesNotMatter() throws {
    var ledger = try Fixture()
    let id = try ImportTests.run(&ledger, [Self.row(ledger, "5", "ofx:1")]).recorded[0]
    let again = try [
      Self.row(ledger, "5", "ofx:1", text: "Reworded"), Self.row(ledger, "5", "", text: "Coffee"),
    ]
    for amendment in [
      Amendment(amount: try money("6", "KZT")), Amendment(description: "Tea"),
      Amendment(day: ledger.today.adding(days: 3)), Amendment(account: ledger.bank),
    ] {
      try ledger.state.run(.amend(id, amendment))
      #expect(try Self.count(&ledger, again) == 0)
    }
    try ledger.state.run(.delete(id))
    #expect(try Self.count(&ledger, again) == 0)
    let back = try Self.count(&ledger, [again[0]], ImportOptions(restoresDeleted: true))
    #expect(back == 1)
    // What counts for rows of other formats stays: the row of that text is there.
    #expect(try ledger.state.all(Fingerprint.self).map(\.deletedReferenced) == [1])
    #expect(try Self.count(&ledger, again, ImportOptions(keepsDuplicates: true)) == 2)
  }

  @Test func aDeletedRowDoesNotHideAnother() throws {
    var ledger = try Fixture()
    let id = try ImportTests.run(&ledger, [Self.row(ledger, "5", "ofx:1")]).recorded[0]
    try ledger.state.run(.delete(id))
    #expect(try Self.count(&ledger, [Self.row(ledger, "5", "ofx:2")]) == 1)
  }

  @Test func aChoiceIsMadeAndTheRowIsKnownByItsFile() throws {
    var ledger = try Fixture()
    for reference in ["", "ofx:1"] {
      var row = try Self.row(ledger, "7", reference, text: "Shop \(reference)")
      row.choice = Amendment(payee: "Somebody")
      let id = try ImportTests.run(&ledger, [row]).recorded[0]
      #expect(try ledger.stored(id).payee == "Somebody")
      #expect(try Self.count(&ledger, [row]) == 0)
    }
  }

  @Test func numbersOfAccountsAreTheirsAlone() throws {
    var ledger = try Fixture()
    var change = AccountChange()
    change.identifiers = ["DE89 3704 0044 0532 0130 00", "de89370400440532013000", "0532013000"]
    try ledger.state.run(.amendAccount(ledger.cash, change))
    let account = try #require(try ledger.state.account(ledger.cash))
    #expect(account.identifiers == ["DE89 3704 0044 0532 0130 00", "0532013000"])
    change.identifiers = ["0532-013000"]
    let error = try #require(throws: Refusal.self) {
      try ledger.state.run(.amendAccount(ledger.bank, change))
    }
    #expect(error.code == .duplicateName && error.message.contains("0532013000"))
    change.identifiers = [" "]
    #expect(throws: Refusal.self) { try ledger.state.run(.amendAccount(ledger.bank, change)) }
  }

  @Test func codeAndValueDayAreKept() throws {
    var ledger = try Fixture()
    var draft = try Self.row(ledger, "5", "").draft
    draft.code = "RF18"
    draft.valueDay = ledger.today.adding(days: 2)
    let id = try ledger.record(draft)
    #expect(try ledger.stored(id).code == "RF18")
    #expect(try ledger.stored(id).valueDay == ledger.today.adding(days: 2))
    var change = Amendment(description: "Tea")
    change.valueDay = .some(nil)
    try ledger.state.run(.amend(id, change))
    #expect(try ledger.stored(id).code == "RF18" && ledger.stored(id).valueDay == nil)
    change.code = String(repeating: "x", count: Limits.codeByteCountMax + 1)
    #expect(throws: Refusal.self) { try ledger.state.run(.amend(id, change)) }
  }
}
