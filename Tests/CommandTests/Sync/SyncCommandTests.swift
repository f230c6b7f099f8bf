// Goal: two devices share a ledger by the command, as a person would; what they see of it, and of what goes wrong, is
// what the documents say. Method: the built command against a relay in this process.

import Foundation
import Testing

@Suite struct SyncCommandTests {
  private let desks: DeskPair
  private var relay: RelayDouble { desks.relay }
  private var phone: Desk { desks.phone }
  private var laptop: Desk { desks.laptop }

  init() async throws { desks = try DeskPair() }

  private func share() async throws { try await desks.share() }

  @Test func whatIsRecordedInAPeriodThatWasClosedIsHeldUntilItIsTaken() async throws {
    try await share()
    try laptop.done("close --through 2026-02-28")
    try laptop.done("sync")
    try phone.done("add expense 7 --account Cash --category Food --on 2026-02-20")
    try phone.done("add expense 8 --account Cash --category Food --on 2026-02-21")
    let before = try laptop.done("list --json").named()["transactions"].array.count
    try phone.done("sync")
    try laptop.done("sync")
    for desk in [phone, laptop] {
      #expect(try desk.done("list --json").named()["transactions"].array.count == before)
      let finding = try desk.done("sync findings --json").json()["findings"][0]
      #expect(finding["rule"].string == "held")
      let told = try desk.done("sync findings").output
      let (recorder, closer) = desk === phone ? ("You", "“laptop”") : ("“phone”", "you")
      let wanted =
        "\(recorder) recorded “Food, 20 February 2026, 7.00” in a period that \(closer) had "
        + "closed. "
        + "It isn't counted until you accept it.\n"
      #expect(told.contains(wanted), "\(told)")
      let id = finding["id"].string ?? ""
      #expect(told.contains("daybook sync findings --take \(id.prefix(8)) --on DAY"), "\(told)")
      #expect(finding["title"].string == "Food, 20 February 2026, 7.00")
    }
    #expect(try laptop.run("sync findings --on 2026-03-02").status != 0)
    let name = try laptop.done("sync findings --json").json()["findings"][0]["id"].string ?? ""
    try laptop.done("sync findings --take \(name.prefix(8)) --on 2026-03-02")
    #expect(try laptop.done("sync findings --json").json()["findings"].array.count == 1)
    try laptop.done("sync findings --take all --on 2026-03-03")
    #expect(try laptop.done("sync findings").output == "No findings.\n")
    try laptop.done("sync")
    try phone.done("sync")
    for desk in [phone, laptop] {
      let rows = try desk.done("list --json").named()["transactions"]
      #expect(rows.array.count == before + 2)
      try desk.done("verify")
    }
  }

  @Test func anAmountHereAndACategoryThereBothHold() async throws {
    try await share()
    try laptop.done("categories create Sweets")
    try laptop.done("edit 2026-02-14#1 --category Sweets --payee REWE")
    try phone.done("edit 2026-02-14#1 --amount 25 --payee Edeka")
    let sent = try laptop.done("sync")
    #expect(sent.output == "Sent 2 commits.\n")
    let both = try phone.done("sync")
    #expect(both.output == "Sent 1 commit, received 2 commits.\n")
    try laptop.done("sync")
    for desk in [phone, laptop] {
      let row = try desk.done("list --json").named()["transactions"][0]
      #expect(row["payee"].string == "Edeka" || row["payee"].string == "REWE")
      #expect(row["postings"][0]["amount"].string == "-25.00")
      #expect(row["postings"][1]["category"].string == "Sweets")
      let finding = try desk.done("sync findings --json").json()["findings"][0]
      #expect(finding["rule"].string == "valueLost")
      #expect(finding["values"][0]["property"].string == "payee")
      #expect(
        Set([finding["values"][0]["lost"].string, finding["values"][0]["holds"].string])
          == ["“REWE”", "“Edeka”"])
      try desk.done("verify")
    }
    let shown = try phone.done("sync findings").output
    #expect(shown.contains("daybook edit 2026-02-14#1"), "\(shown)")
    #expect(shown.contains("the payee of “") && shown.contains("“laptop”"), "\(shown)")
    try phone.done("sync findings --dismiss all")
    #expect(try phone.done("sync findings").output == "No findings.\n")
    #expect(try phone.done("history").output.contains("dismissed a finding"))
    for desk in [phone, laptop] { try desk.done("sync") }
    #expect(try laptop.done("sync findings").output == "No findings.\n")
    let history = try phone.done("history").output
    #expect(history.contains("on laptop") && history.contains("on phone"))
  }

  @Test func whoOpenedOneAccountTwiceIsToldAndMakesOneOfThem() async throws {
    try await share()
    for desk in [phone, laptop] {
      try desk.done("accounts create Purse --currency EUR --opening 5")
      try desk.done("categories create Sweets")
      try desk.done("add expense 1 --account Purse --category Sweets --on 2026-02-15")
      try desk.done("sync")
    }
    try phone.done("sync")
    let told = try phone.run("add expense 1 --account purse")
    #expect(told.status == 1 && told.errors.contains("2 accounts have this name"))
    let ids = try phone.done("accounts list --json").json()["accounts"].array
      .filter { $0["account"]["name"].string == "Purse" }.compactMap { $0["account"]["id"].string }
    #expect(ids.count == 2 && ids.allSatisfy { told.errors.contains($0) })
    let found = try phone.done("sync findings").output
    #expect(found.contains("Two accounts are called “Purse”"), "\(found)")
    #expect(found.contains("Two categories are called “Sweets”"), "\(found)")
    #expect(found.contains("balance 4.00 EUR, created on laptop"), "\(found)")
    #expect(told.errors.contains("\(ids[0]) with a balance of 4.00 EUR"), "\(told.errors)")
    #expect(ids.allSatisfy { found.contains($0) })
    #expect(told.errors.contains("daybook accounts merge \(ids[1]) \(ids[0])"))
    let twice = try phone.run("categories rename Sweets Chocolate")
    #expect(twice.status == 1 && twice.errors.contains("is ambiguous"))
    let categories = try phone.done("categories list --json").json()["categories"].array
      .filter { $0["name"].string == "Sweets" }.compactMap { $0["id"].string }
    try #require(categories.count == 2)
    let would = try phone.done("accounts merge \(ids[1]) \(ids[0]) --dry-run --json").json()
    #expect(would["rows"].int == 1)
    try phone.done("accounts merge \(ids[1]) \(ids[0])")
    try phone.done("categories merge \(categories[1]) \(categories[0])")
    try phone.done("sync")
    try laptop.done("sync")
    for desk in [phone, laptop] {
      let held = try desk.done("balance --json --today 2026-02-15").json()["balances"].array
      #expect(
        held.first { $0["account"]["name"].string == "Purse" }?["balance"]["amount"].string
          == "8.00")
      #expect(
        try desk.done("list --category Sweets --json").json()["transactions"].array.count == 2)
      try desk.done("verify")
    }
  }

  @Test func allDevicesNumberRowsAlikeAndFormerPlacesAreRefused() async throws {
    try await share()
    try phone.done("add expense 7 --account Cash --category Food --payee Edeka --on 2026-02-20")
    try laptop.done("categories create Sweets")
    try laptop.done("add expense 8 --account Cash --category Sweets --payee Hussel --on 2026-02-20")
    try laptop.done("delete 2026-02-20#2")
    try laptop.done("undo")
    for desk in [phone, laptop, phone] { try desk.done("sync") }
    for question in ["list --json", "register Cash --json", "export --format jsonl"] {
      #expect(try laptop.done(question).output == phone.done(question).output, "\(question)")
    }
    let rows = try phone.done("list --json").json()["transactions"].array
    let hussel = try #require(rows.first { $0["payee"].string == "Hussel" })
    #expect(hussel["number"].int == 3)
    let id = try #require(hussel["id"].string)
    // The laptop listed its own row under that place.
    let refused = try laptop.run("edit 2026-02-20#2 --note seen")
    #expect(refused.status == 1)
    for part in ["2026-02-20#3", "Hussel", "2026-02-20#2", "Edeka", id] {
      #expect(refused.errors.contains(part), "\(refused.errors)")
    }
    #expect(try laptop.done("list --json").output == phone.done("list --json").output)
    try phone.done("edit 2026-02-20#2 --note seen")
    try laptop.done("edit \(id) --note seen")
    let history = try laptop.done("history").output
    #expect(history.contains("renumbered transaction 2026-02-20#2 to 2026-02-20#3"), "\(history)")
    for desk in [phone, laptop] { try desk.done("verify") }
  }

  @Test func erasingReachesTheOthers() async throws {
    try await share()
    try laptop.done("edit 2026-02-14#1 --payee Quixotry")
    let erased = try phone.run("erase 2026-02-14#1 --yes")
    #expect(erased.status == 0 && erased.errors.contains("`daybook sync`"), "\(erased.errors)")
    for desk in [phone, laptop, phone] { try desk.done("sync") }
    for desk in [phone, laptop] {
      let row = try desk.done("list --json").named()["transactions"][0]
      #expect(row["payee"].string ?? "" == "")
      #expect(row["postings"][0]["amount"].string == "-23.50")
      #expect(try desk.done("sync findings").output == "No findings.\n")
      let status = try desk.done("sync status").output
      #expect(status.contains("Erased text is still in the relay's log"))
      try desk.done("verify")
    }
  }

  @Test func statusSaysWhatIsNotSent() async throws {
    try await share()
    try laptop.done("categories create Sweets")
    let status = try laptop.done("sync status").output
    #expect(status.contains("Not sent yet: 1 commit"))
    #expect(status.contains(relay.address))
    #expect(status.contains("The log is kept from entry 1 on"))
    let answer = try laptop.done("sync status --json").json()
    #expect(answer["pending"].int == 1)
    let digest = answer["digest"].string ?? ""
    #expect(digest.count == 64)
    let first = digest.prefix(4)
    #expect(status.contains("the same on every device: \(first) "), "\(status)")
    #expect(answer["devices"].array.map { $0["name"].string } == ["laptop", "phone"])
    try laptop.done("sync")
    #expect(try laptop.done("sync status --json").json()["pending"].int == 0)
    #expect(try laptop.done("sync").output == "Already up to date.\n")
  }

  @Test func whoIsTurnedAwayIsToldAndLosesNothing() async throws {
    try await share()
    try phone.done("sync devices --revoke laptop")
    try laptop.done("categories create Sweets")
    let refused = try laptop.run("sync")
    #expect(refused.status == 77)
    #expect(refused.errors.contains("The relay at \(relay.address) doesn't accept this device"))
    #expect(refused.errors.contains("daybook sync relay"))
    #expect(try laptop.done("categories list").output.contains("Sweets"))
    #expect(try phone.done("sync devices").output.contains("revoked"))
    let unknown = try phone.run("sync devices --revoke nobody")
    #expect(unknown.status == 1 && unknown.errors.contains("Couldn't find the device “nobody”"))
  }

  @Test func aBackupThatIsRestoredGoesOnSharing() async throws {
    try await share()
    try phone.done("categories create Unsent")
    try phone.done("backup copy")
    try phone.done("restore copy --ledger restored")
    let without = try phone.run("sync --ledger restored")
    #expect(without.status != 0 && without.errors.contains("key is missing"))
    #expect(without.errors.contains("restored/sync.json"), "\(without.errors)")
    try FileManager.default.copyItem(
      atPath: phone.ledger + "/sync.json", toPath: phone.folder + "/restored/sync.json")
    try phone.done("categories create Original")
    try phone.done("categories create Restored --ledger restored")
    try phone.done("sync --ledger restored")
    try phone.done("sync")
    try phone.done("sync --ledger restored")
    try laptop.done("sync")
    let wanted = ["Food", "Original", "Restored", "Unsent"]
    for (desk, ledger) in [(phone, phone.ledger), (phone, "restored"), (laptop, laptop.ledger)] {
      let list = try desk.done("categories list --json --ledger \(ledger)").json()["categories"]
      #expect(list.array.compactMap { $0["name"].string }.sorted() == wanted)
      try desk.done("verify --ledger \(ledger)")
      #expect(try desk.done("sync status --json --ledger \(ledger)").json()["pending"].int == 0)
    }
    let names = try laptop.done("sync status --json").json()["devices"].array
    #expect(names.map { $0["name"].string } == ["laptop", "phone", "phone 2"])
    let refused = try phone.run(["sync", "devices", "--revoke", "phone 2"])
    #expect(refused.status == 1 && refused.errors.contains("has the same token as this device"))
  }

  @Test func whatIsTypedWrongIsSaidAndNothingIsMade() async throws {
    let token = await relay.token()
    let wrong = try phone.run("sync start --relay \(relay.address) --token no --device phone")
    #expect(wrong.status == 77, "\(wrong.errors)")
    #expect(wrong.errors.contains("The relay at \(relay.address) doesn't accept this token."))
    let away = try phone.run("sync start --relay http://127.0.0.1:9 --token \(token)")
    #expect(away.status == 75 && away.errors.contains("doesn't respond"))
    let open = try phone.run("sync start --relay http://relay.example --token \(token)")
    #expect(open.status == 75)
    #expect(open.errors.contains("the relay at http://relay.example: without TLS"))
    #expect(try phone.run("sync").errors.contains("isn't shared"))
    let slip = try laptop.run("sync join 04106-1050R-3GG28-A1C60-T3GFJ0 --relay \(relay.address)")
    #expect(slip.status == 64 && slip.errors.contains("isn't a valid pairing code"))
    let unused = try laptop.run("sync join 04106-1050R-3GG28-A1C60-T3GFJR --relay \(relay.address)")
    #expect(unused.status == 1 && unused.errors.contains("older than ten minutes"))
    #expect(!FileManager.default.fileExists(atPath: laptop.ledger))
    try await share()
    let again = try phone.run("sync start --relay \(relay.address) --token \(token)")
    #expect(again.status == 1 && again.errors.contains("already shared"))
  }

  @Test func joiningSpeaksOfNothingButJoining() async throws {
    let away = try laptop.run(
      "sync join 04106-1050R-3GG28-A1C60-T3GFJR --relay http://127.0.0.1:9")
    #expect(away.status == 75 && away.errors.contains("http://127.0.0.1:9 doesn't respond"))
    #expect(away.errors.contains("then try again.") && !away.errors.contains("recording"))
  }

  @Test func theSameLogIsGoneOnWithAtAnotherAddress() async throws {
    try await share()
    #expect(try phone.done("sync relay").output == "The relay is at \(relay.address).\n")
    let other = try RelayDouble(relay.relay)
    let stranger = try RelayDouble()
    let refused = try phone.run("sync relay \(stranger.address)")
    #expect(refused.status != 0)
    #expect(try phone.done("sync relay --json").json()["relay"].string == relay.address)
    try phone.done("sync relay \(other.address)")
    try phone.done("edit 2026-02-14#1 --payee Edeka")
    try phone.done("sync")
    try laptop.done("sync")
    #expect(try laptop.done("list --json").named()["transactions"][0]["payee"].string == "Edeka")
    #expect(try phone.done("sync status").output.contains(other.address))
  }

  @Test func whoLeavesKeepsTheLedger() async throws {
    try await share()
    #expect(try laptop.done("sync leave").output.contains("no longer shared"))
    #expect(try laptop.done("list").output.contains("Rewe"))
    #expect(try laptop.run("sync").status == 1)
  }
}
