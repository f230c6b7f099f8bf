// Goal: whoever looks at the page sees what merging did, and settles it there. Method: two devices change the same;
// forms are sent, and the other device is asked.
import Daybook
import DaybookFindings
import SharedLedgers
import Testing

@testable import Pages

@Suite struct FindingPageTests {
  /// One row, of which each device changes something.
  private func shared(
    _ phone: @escaping (Ledger, Transaction) async throws -> Void,
    _ laptop: @escaping (Ledger, Transaction) async throws -> Void
  ) async throws -> SharedLedgers {
    let account = AccountID.random()
    let shared = try await SharedLedgers([
      .openAccount(NewAccount(id: account, name: "Cash", currency: .eur)),
      .record(.expense(Money(5_00, .eur), from: account, on: today, payee: "Rewe")),
    ])
    for (ledger, change) in [(shared.phone, phone), (shared.laptop, laptop)] {
      try await change(
        ledger, try #require(try ledger.read { try $0.transactions(limit: 1).first }))
    }
    try await shared.settle()
    return shared
  }

  private func renamed(_ payee: String) -> (Ledger, Transaction) async throws -> Void {
    { try await $0.append(.amend($1.id, Amendment(payee: payee))) }
  }

  @Test func bothValuesWithTheirDevicesAreShownAndPutAside() async throws {
    let shared = try await shared(renamed("<Edeka>"), renamed("Aldi"))
    let asked = Asked(shared.phone)
    #expect(await asked.get("/").text.contains("Conflicts between devices: 1"))
    let page = await asked.get("/health").text
    for text in ["&lt;Edeka&gt;", "Aldi", "phone, ", "laptop, ", "changed the payee of “"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(await asked.get("/health", locales: ["de"]).text.contains("unterschiedlich geändert."))
    let finding = try #require(try await shared.phone.findings()?.first)
    // The way to decide anew leads to a form that has what lost.
    let lost = finding.values[0].lost == .text("Aldi") ? "Aldi" : "&lt;Edeka&gt;"
    let form = await asked.get("/transactions/\(finding.entity)/edit", [("payee", lost)])
    #expect(form.text.contains("value=\"\(HTML.escaped(lost))\""))
    let answer = await asked.post("/findings/\(finding.id)", [("do", "dismiss")])
    #expect(answer.status == 303 && answer.location == "/health?done=saved")
    #expect(await asked.get("/health").text.contains("No conflicts to resolve."))
    #expect(await !asked.get("/").text.contains("Conflicts between devices"))
    try await shared.settle()
    #expect(try await shared.laptop.findings()?.isEmpty == true)
    // And Ctrl-Z takes that back.
    #expect(await asked.post("/undo", []).status == 303)
    #expect(try await shared.phone.findings()?.count == 1)
    #expect(await asked.post("/findings/0", [("do", "dismiss")]).status == 404)
  }

  @Test func everyCommitSaysOnWhichDeviceItWasMade() async throws {
    let coffee = Draft.expense(
      Money(2_00, .eur), on: today, payee: "Coffee")
    let shared = try await shared(
      renamed("Edeka"),
      { try await $0.append([.record(coffee), .amend($1.id, Amendment(payee: "Aldi"))]) })
    for (ledger, own, other) in [
      (shared.phone, "phone", "laptop"), (shared.laptop, "laptop", "phone"),
    ] {
      let told = await Asked(ledger).get("/history").text
      #expect(told.contains(" on \(own)"), "\(told)")
      #expect(told.contains(" on \(other)") || told.contains("merged from several devices"))
    }
    let row = try #require(
      try shared.phone.read { try $0.transactions(limit: 5).first { $0.payee == "Coffee" } })
    let why = await Asked(shared.phone).get("/transactions/\(row.id)").text
    #expect(why.contains(" on laptop"), "\(why)")
    // Of one device nobody needs to be told.
    let alone = await Asked(try await household().ledger).get("/history").text
    #expect(!alone.contains("daybook-serve on") && !alone.contains("merged from"))
  }

  @Test func whatWasDeletedIsBroughtBack() async throws {
    let shared = try await shared({ try await $0.append(.delete($1.id)) }, renamed("Aldi"))
    let asked = Asked(shared.phone)
    let finding = try #require(try await shared.phone.findings()?.first)
    #expect(finding.rule == .deletionStands)
    let page = await asked.get("/health").text
    #expect(page.contains("Restore") && !page.contains("Decide again"))
    // The row is told by what its tombstone keeps.
    for text in ["You deleted “", "while “laptop” changed its payee to “Aldi”. It stays deleted."] {
      #expect(page.contains(text), "\(page)")
    }
    let german = await asked.get("/health", locales: ["de"]).text
    #expect(german.contains("„laptop“ zur selben Zeit geändert: Empfänger Aldi"), "\(german)")
    let answer = await asked.post("/findings/\(finding.id)", [("do", "restore")])
    #expect(answer.status == 303, "\(answer.text)")
    #expect(try await shared.phone.findings()?.isEmpty == true)
    // What the other device had made of it is back, too, once both have exchanged.
    try await shared.settle()
    for ledger in [shared.phone, shared.laptop] {
      let row = try ledger.read { try $0.transaction(TransactionID(finding.entity)) }
      #expect(row?.payee == "Aldi")
    }
  }

  @Test func whatIsHeldIsRecordedOnAnotherDay() async throws {
    let shared = try await shared(
      { ledger, _ in try await ledger.append(.closePeriod(through: today)) },
      { try await $0.append(.amend($1.id, Amendment(amount: Money(7_00, .eur)))) })
    let asked = Asked(shared.phone)
    let finding = try #require(try await shared.phone.findings()?.first)
    #expect(finding.rule == .held)
    #expect(await asked.get("/health").text.contains(">Accept<"))
    // Its own day is closed: it says so, and it stays held.
    let refused = await asked.post("/findings/\(finding.id)", [("do", "take"), ("day", "")])
    #expect(refused.status == 400 && refused.text.contains("closed"))
    #expect(try await shared.phone.findings()?.count == 1)
    try await shared.phone.append(.reopenPeriod(after: nil))
    let answer = await asked.post("/findings/\(finding.id)", [("do", "take"), ("day", "")])
    #expect(answer.status == 303, "\(answer.text)")
    let row = try shared.phone.read { try $0.transaction(TransactionID(finding.entity)) }
    #expect(row?.amount == Money(-7_00, .eur))
    #expect(try await shared.phone.findings()?.isEmpty == true)
  }

  /// Its rows can be looked at, deleted or not.
  @Test(arguments: [false, true])
  func whatIsRecordedOnAClosedAccountIsShown(isDeleted: Bool) async throws {
    func cash(_ ledger: Ledger) throws -> AccountID { try ledger.read { try $0.accounts()[0].id } }
    let shared = try await shared(
      { ledger, _ in
        let cash = try cash(ledger)
        try await ledger.append(isDeleted ? .deleteAccount(cash, .withRows) : .closeAccount(cash))
      },
      { ledger, _ in
        try await ledger.append(.record(.expense(Money(7_00, .eur), from: cash(ledger), on: today)))
      })
    let asked = Asked(shared.phone)
    let finding = try #require(try await shared.phone.findings()?.first)
    #expect(finding.rule == .closedAccount)
    let page = await asked.get("/health").text
    let state = isDeleted ? "deleted" : "closed"
    for text in ["The account “Cash” is \(state), but its balance is"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(page.contains("Decide again") == !isDeleted)
    let balance = isDeleted ? "-€7.00" : "-€12.00"
    #expect(page.contains("href=\"/transactions?account=\(finding.entity)\">\(balance)</a>"))
    let listed = await asked.get("/transactions", [("account", "\(finding.entity)")]).text
    #expect(listed.contains("-€7.00") && listed.contains("-€5.00") == !isDeleted)
  }

  @Test func aLedgerOfOneDeviceSaysNothingOfIt() async throws {
    let asked = Asked(try await household().ledger)
    #expect(await !asked.get("/health").text.contains("Conflicts between devices"))
  }
}
