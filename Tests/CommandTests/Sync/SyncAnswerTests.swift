// Goal: what the command says of two devices can be understood and compared by the people who use them. Method: the built
// command against a relay in this process, on two ledgers.

import Testing

@Suite struct SyncAnswerTests {
  private let desks: DeskPair
  private var phone: Desk { desks.phone }
  private var laptop: Desk { desks.laptop }

  init() async throws {
    desks = try DeskPair()
    try await desks.share()
  }

  @Test func bothDevicesShowOneDigestOnceTheyHaveTheSame() throws {
    for desk in [phone, laptop, phone, laptop] { try desk.done("sync") }
    let digests = try [phone, laptop].map {
      try $0.done("sync status --json").json()["digest"].string
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  @Test func aChangeOfWhatWasDeletedIsToldInASentence() throws {
    try laptop.done("categories create Fun")
    try laptop.done("categories merge Food Fun")
    try laptop.done("delete 2026-02-14#1")
    try phone.done("edit 2026-02-14#1 --amount 25")
    try phone.done("categories rename Food Groceries")
    for desk in [laptop, phone, laptop] { try desk.done("sync") }
    for (desk, deleter, changer) in [(phone, "“laptop”", "you"), (laptop, "You", "“phone”")] {
      let told = try desk.done("sync findings").output
      let row =
        "\(deleter) deleted “Rewe, 14 February 2026” while \(changer) changed its amount to 25.00. "
        + "It stays deleted.\n"
      #expect(told.contains(row), "\(told)")
      let category =
        "\(deleter) deleted a category while \(changer) changed its name to “Groceries”. "
      #expect(told.contains(category), "\(told)")
      #expect(told.contains("To restore it: daybook undelete "), "\(told)")
      #expect(!told.contains("nothing") && !told.contains("existence"), "\(told)")
    }
    let finding = try phone.done("sync findings --json").json()["findings"].array
      .first { $0["kind"].string == "transaction" }
    #expect(finding?["title"].string == "Rewe, 14 February 2026")
    try phone.done("undelete \(finding?["entity"].string ?? "")")
    #expect(try phone.done("list").output.contains("25.00"))
  }

  @Test func undoWithoutANumberTakesBackWhatThisDeviceRecorded() throws {
    try laptop.done("categories create Sweets")
    for desk in [laptop, phone] { try desk.done("sync") }
    let undone = try phone.done("undo").output
    #expect(undone.hasPrefix("Undid commit ") && !undone.contains(" of laptop"), "\(undone)")
    #expect(try phone.done("categories list").output.contains("Sweets"))
    #expect(try !phone.done("list").output.contains("Rewe"))
    let commits = try phone.done("history --json").json()["commits"].array
    let others = commits.first { $0["changes"][0]["kind"].string == "category" }
    let number = others?["sequence"].int ?? 0
    let named = try phone.done("undo \(number)").output
    #expect(named.contains("Undid commit \(number) of laptop in commit "), "\(named)")
    #expect(try !phone.done("categories list").output.contains("Sweets"))
    let nothing = try laptop.run("undo")
    #expect(nothing.status == 0, "\(nothing.errors)")
    #expect(try laptop.run("undo").errors.contains("give its number"))
  }
}
