/// Goal: the ledger itself keeps its contract: atomic groups, idempotency keys, expected tokens,
/// closing, copies, errors that can be switched on. Method: each promise of the doc comments is
/// tried once through the public API.
import Daybook
import Dispatch
import Foundation
import Testing

@Suite struct LedgerTests {
  @Test func aGroupIsRecordedWholeOrNotAtAll() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let before = try house.ledger.token
    let good = Command.record(.expense(money("1"), from: a, on: today))
    let bad = Command.record(.expense(money("-1"), from: a, on: today))
    let error = await #expect(throws: DaybookError.self) { try await house.append(good, bad) }
    #expect(error?.code == .refused)
    #expect(error?.commandIndex == 1)
    #expect(error?.refusal?.code == .negative)
    #expect(error?.message.contains("refund") == true)
    #expect(try house.ledger.token == before)
    #expect(try house.balance(a) == total("100"))
    try await house.append(good, good)
    #expect(try house.balance(a) == total("98"))
    try await house.end()
  }

  @Test func laterCommandsOfAGroupSeeEarlierOnes() async throws {
    let house = try await House(rates: false)
    let id = AccountID(EntityID(high: 7, low: 7))
    let dollars = AccountID(EntityID(high: 7, low: 8))
    let food = CategoryID(EntityID(high: 7, low: 9))
    let row = TransactionID(EntityID(high: 7, low: 10))
    try await house.append(
      .openAccount(NewAccount(id: id, name: "A", currency: kzt, opening: money("100"))),
      .openAccount(NewAccount(id: dollars, name: "B", currency: usd)),
      .createCategory(NewCategory(id: food, name: "Food", kind: .expense)),
      // A rate of this group converts a transfer of this group.
      try house.rate(usd, kzt, "400", "2026-02-01"),
      .record(.transfer(money("1", usd), from: dollars, to: id, on: today)),
      .record(.expense(money("50"), from: id, category: food, on: today, id: row)),
      // The row of this group is found by its category.
      .deleteCategory(food, .withRows))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: id, on: today) == total("500"))
      #expect(try snapshot.transaction(row) == nil)
      #expect(try snapshot.category(food)?.isDeleted == true)
    }
  }

  @Test func aKeyMakesAnAppendRepeatable() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let commands: [Command] = [
      .record(.expense(money("5"), from: a, on: today)),
      .openAccount(NewAccount(name: "B", currency: kzt)),
    ]
    let first = try await house.ledger.append(commands, key: "monday")
    #expect(!first.isRepeat)
    try await house.expense(money("1"), from: a)
    // The key is looked at before the token, which is outdated by now.
    let again = try await house.ledger.append(commands, expecting: first.token, key: "monday")
    #expect(again.isRepeat)
    #expect(again.token == first.token)
    #expect(again.transactions == first.transactions)
    #expect(again.accounts == first.accounts)
    try await house.reopen()
    #expect(try await house.ledger.append(commands, key: "monday").isRepeat)
    let other = await #expect(throws: DaybookError.self) {
      try await house.ledger.append([commands[0]], key: "monday")
    }
    #expect(other?.code == .keyReused)
    #expect(try house.balance(a) == total("-6"))
    for key in ["", String(repeating: "k", count: LedgerLimits.keyByteCountMax + 1)] {
      let error = await #expect(throws: DaybookError.self) {
        try await house.ledger.append(commands, key: key)
      }
      #expect(error?.code == .limitExceeded)
    }
    try await house.end()
  }

  @Test func aKeyIsRememberedEvenIfNothingChanged() async throws {
    let house = try await House()
    let commands: [Command] = [.setSettings(SettingsChange(firstWeekday: 1))]
    let first = try await house.ledger.append(commands, key: "idle")
    #expect(!first.isRepeat)
    try await house.append(.setSettings(SettingsChange(firstWeekday: 7)))
    let again = try await house.ledger.append(commands, key: "idle")
    #expect(again.isRepeat)
    #expect(again.token == first.token)
    try await house.ends { #expect((try? $0.settings().firstWeekday) == 7) }
  }

  @Test func anExpectedTokenRefusesWhatCameTooLate() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let seen = try house.ledger.read { $0.token }
    #expect(try house.ledger.token == seen)
    try await house.expense(money("1"), from: a)
    let error = await #expect(throws: DaybookError.self) {
      try await house.ledger.append(
        [.record(.expense(money("2"), from: a, on: today))], expecting: seen)
    }
    #expect(error?.code == .conflict)
    let now = try house.ledger.token
    try await house.ledger.append(
      [.record(.expense(money("2"), from: a, on: today))], expecting: now)
    let stranger = try await Ledger.inMemory()
    let foreign = try stranger.token
    let refused = await #expect(throws: DaybookError.self) {
      try await house.ledger.append([], expecting: foreign)
    }
    #expect(refused?.code == .invalidToken)
    try await stranger.close()
    try await house.end()
  }

  @Test func aClosedLedgerSaysSo() async throws {
    let house = try await House()
    let ledger = house.ledger
    try await house.end()
    try await ledger.close()
    let error = #expect(throws: DaybookError.self) { try ledger.read { _ in 0 } }
    #expect(error?.code == .closed)
    let refused = await #expect(throws: DaybookError.self) { try await ledger.append([]) }
    #expect(refused?.code == .closed)
  }

  @Test func aMissingOrForeignFolderIsSaidToBe() async throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString)").path
    var options = Ledger.Options()
    options.createsIfMissing = false
    let missing = await #expect(throws: DaybookError.self) {
      try await Ledger.open(at: place, options: options)
    }
    #expect(missing?.code == .missing)
    #expect(missing?.message.contains(place) == true)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: place) }
    try "hello".write(toFile: place + "/letter.txt", atomically: true, encoding: .utf8)
    let foreign = await #expect(throws: DaybookError.self) { try await Ledger.open(at: place) }
    #expect(foreign?.code == .foreign)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["letter.txt"])
  }

  @Test func aReadOnlyLedgerAnswersAndRefuses() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "5")
    try await house.ledger.close()
    let ledger = try await Ledger.open(at: house.path, options: .init(isReadOnly: true))
    #expect(try ledger.read { try $0.balance(of: a, on: today) } == total("5"))
    let error = await #expect(throws: DaybookError.self) { try await ledger.append([]) }
    #expect(error?.code == .readOnly)
    try await ledger.close()
    try FileManager.default.removeItem(atPath: house.path)
  }

  @Test func aBackupIsALedgerAndARestoredOneBeginsALineage() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "50")
    try await house.expense(money("8"), from: a)
    let token = try house.ledger.token
    let copy = house.path + ".backup"
    let restored = house.path + ".restored"
    defer {
      for path in [copy, restored] { try? FileManager.default.removeItem(atPath: path) }
    }
    try await house.ledger.backup(to: copy)
    try await house.expense(money("1"), from: a)
    let occupied = await #expect(throws: DaybookError.self) {
      try await house.ledger.backup(to: copy)
    }
    #expect(occupied?.code == .foreign)
    try await Ledger.restore(from: copy, to: restored)
    try await Ledger.withLedger(at: restored) { ledger async throws in
      #expect(try ledger.read { try $0.balance(of: a, on: today) } == total("42"))
      let refused = await #expect(throws: DaybookError.self) {
        try await ledger.append([.closeAccount(a)], expecting: token)
      }
      #expect(refused?.code == .invalidToken)
      #expect(try await ledger.verify().findings == [])
    }
    try await Ledger.withLedger(at: copy) { ledger async throws in
      #expect(try ledger.token == token)
      #expect(try ledger.read { try $0.balance(of: a, on: today) } == total("42"))
    }
    try await house.end()
  }

  @Test func theLedgerTellsAboutItself() async throws {
    let house = try await House()
    let a = try await house.account("A")
    try await house.expense(money("8"), from: a)
    let info = try await house.ledger.info()
    #expect(info.path == house.path)
    #expect(info.store.count == 32)
    #expect(info.sequence == 3)
    #expect(info.entityCounts[.transaction] == 1)
    #expect(info.entityCounts[.account] == 1)
    #expect(info.entityCounts[.rate] == 2)
    #expect(info.projections.count == Ledger.projections.count)
    #expect(info.projections.allSatisfy { $0.fault == nil })
    #expect(info.journal.byteCount > 0)
    try await house.end()
  }

  @Test func aSnapshotStaysAtItsCommit() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let ledger = house.ledger
    try await house.expense(money("1"), from: a)
    let (isOpen, open) = AsyncStream<Void>.makeStream()
    let isAppended = DispatchSemaphore(value: 0)
    // A thread of its own holds the snapshot, so that no task waits for it.
    let counts = AsyncStream<Result<[Int], any Error>> { results in
      Thread.detachNewThread {
        results.yield(
          Result {
            try ledger.read { snapshot throws in
              let before = try snapshot.count()
              open.finish()
              isAppended.wait()
              return [before, try snapshot.count(), try ledger.read { try $0.count() }]
            }
          })
        open.finish()
        results.finish()
      }
    }
    for await _ in isOpen {}
    try await house.expense(money("2"), from: a)
    isAppended.signal()
    for await found in counts { #expect(try found.get() == [1, 1, 2]) }
    try await house.end()
  }
}
