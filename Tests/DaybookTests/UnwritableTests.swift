// Goal: a ledger in which nothing can be written is read, whatever state it was left in: closed, copied while it was
// open (so that its journal has to be recovered), with views behind it, of another projection, or without any; and
// nothing in its folder changes. Method: copies of a ledger are marked as backups, which are never written to and
// need no other user or file system; what they answer is compared with what the ledger itself does.
import Daybook
import Foundation
import Testing

@Suite struct UnwritableTests {
  private func house() async throws -> (House, AccountID) {
    let house = try await House()
    return (house, try await house.account("A", opening: "50"))
  }

  /// Copies a folder as it lies there, and marks the copy as a backup.
  private func copied(_ path: String, marking: Bool = true) throws -> String {
    let copy = "\(path)-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    if marking { try mark(copy) }
    return copy
  }

  private func mark(_ path: String) throws {
    try Data("daybook backup\n".utf8).write(to: URL(fileURLWithPath: path + "/BACKUP"))
  }

  private func content(_ path: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let file = "\(path)/\(name)"
      let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
      // Foundation loses its buffer where it reads an empty file, such as WRITER.
      files[name] = size == 0 ? Data() : FileManager.default.contents(atPath: file)
    }
    return files
  }

  /// Opens what can't be written, and expects a balance in it and as of every commit before it.
  private func expect(
    _ balances: [Total], of account: AccountID, at path: String,
    place: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try content(path)
    try await Ledger.withLedger(at: path, options: House.options()) { ledger async throws in
      let newest = try ledger.token.sequence
      for (back, balance) in balances.reversed().enumerated() {
        let token = try ledger.token(at: newest - UInt64(back))
        #expect(
          try ledger.read(asOf: token) { try $0.balance(of: account, on: today) } == balance,
          sourceLocation: place)
      }
      #expect(
        try ledger.read { try $0.balance(of: account, on: today) } == balances.last,
        sourceLocation: place)
      #expect(try await ledger.verify().findings == [], sourceLocation: place)
      #expect(try await ledger.info().path == path, sourceLocation: place)
      #expect(ledger.readOnlyReason?.code == .readOnly, sourceLocation: place)
      for write in [
        { _ = try await ledger.append(.closeAccount(account)) },
        { _ = try await ledger.compact() }, { _ = try await ledger.rebuild() },
        { _ = try await ledger.purge(PurgeOptions()) },
      ] as [() async throws -> Void] {
        let refused = await #expect(throws: DaybookError.self, sourceLocation: place) {
          try await write()
        }
        #expect(refused?.code == .readOnly, "\(String(describing: refused))", sourceLocation: place)
      }
    }
    #expect(try content(path) == before, sourceLocation: place)
    try FileManager.default.removeItem(atPath: path)
  }

  @Test func aLedgerThatWasClosed() async throws {
    let (house, a) = try await house()
    try await house.expense(money("8"), from: a)
    try await house.ledger.close()
    try await expect([total("50"), total("42")], of: a, at: copied(house.path))
    try await house.end()
  }

  /// So many small commits that the newest are in the redo log alone, as far as the file can be trusted.
  @Test func aLedgerThatWasOpen() async throws {
    let (house, a) = try await house()
    try await house.ledger.close()
    var busy = House.options()
    // However long other tests take, it is not idle.
    busy.adjustsEngine = {
      $0.mapByteCount = 1 << 30
      $0.idleSeconds = 3_600
    }
    house.ledger = try await Ledger.open(at: house.path, options: busy)
    for _ in 1...20 { try await house.expense(money("1"), from: a) }
    let copy = try copied(house.path)
    #expect(FileManager.default.fileExists(atPath: copy + "/journal-0001/REDO"))
    #expect(FileManager.default.fileExists(atPath: copy + "/views-0001/SESSION"))
    // Who only reads elsewhere is told that it has to be recovered.
    let unmarked = try copied(house.path, marking: false)
    var options = House.options()
    options.isReadOnly = true
    let refused = await #expect(throws: DaybookError.self) {
      _ = try await Ledger.open(at: unmarked, options: options)
    }
    #expect(refused?.code == .notReady)
    try FileManager.default.removeItem(atPath: unmarked)
    let restored = copy + "-restored"
    try await Ledger.restore(from: copy, to: restored)
    try await Ledger.withLedger(at: restored, options: House.options()) { ledger async throws in
      #expect(try ledger.read { try $0.balance(of: a, on: today) } == total("30"))
    }
    try FileManager.default.removeItem(atPath: restored)
    try await expect([total("31"), total("30")], of: a, at: copy)
    try await house.end()
  }

  @Test func viewsThatAreBehind() async throws {
    let (house, a) = try await house()
    try await house.ledger.close()
    let old = try copied(house.path)
    house.ledger = try await Ledger.open(at: house.path, options: House.options())
    try await house.expense(money("8"), from: a)
    try await house.ledger.close()
    let copy = try copied(house.path)
    try FileManager.default.removeItem(atPath: copy + "/views-0001")
    try FileManager.default.moveItem(atPath: old + "/views-0001", toPath: copy + "/views-0001")
    try FileManager.default.removeItem(atPath: old)
    try await expect([total("50"), total("42")], of: a, at: copy)
    try await house.end()
  }

  @Test func noViewsOrDamagedOnes() async throws {
    let (house, a) = try await house()
    try await house.expense(money("8"), from: a)
    try await house.ledger.close()
    let without = try copied(house.path)
    try FileManager.default.removeItem(atPath: without + "/views-0001")
    try await expect([total("42")], of: a, at: without)
    let damaged = try copied(house.path)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: damaged + "/views-0001/data.mdb"))
    try file.truncate(atOffset: 9_000)
    try file.close()
    try await expect([total("42")], of: a, at: damaged)
    try await house.end()
  }

  /// Whoever can't read the journal can't be helped, and hears of the folder, not of a copy.
  @Test func aDamagedJournal() async throws {
    let (house, a) = try await house()
    try await house.expense(money("8"), from: a)
    try await house.ledger.close()
    let copy = try copied(house.path)
    try FileManager.default.removeItem(atPath: copy + "/views-0001")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy + "/journal-0001/data.mdb"))
    try file.truncate(atOffset: 9_000)
    try file.close()
    let refused = await #expect(throws: DaybookError.self) {
      _ = try await Ledger.open(at: copy, options: House.options())
    }
    #expect(refused?.code == .damaged)
    #expect(refused?.message.contains("Restore the ledger from a backup") == true)
    #expect(refused?.message.contains(copy + "/journal-0001") == true)
    #expect(refused?.message.contains("rebuilt") == false)
    try FileManager.default.removeItem(atPath: copy)
    try await house.end()
  }

  @Test func aBackupStaysAsItIs() async throws {
    let (house, a) = try await house()
    let copy = house.path + "-backup"
    try await house.ledger.backup(to: copy)
    let refused = await #expect(throws: DaybookError.self) {
      try await Ledger.withLedger(at: copy, options: House.options()) { ledger async throws in
        _ = try await ledger.append(.closeAccount(a))
      }
    }
    #expect(refused?.message.contains("is a backup") == true)
    #expect(refused?.message.contains("restore it into another folder") == true)
    let again = house.path + "-restored"
    try await Ledger.restore(from: copy, to: again)
    try await Ledger.withLedger(at: again, options: House.options()) { ledger async throws in
      _ = try await ledger.append(.closeAccount(a))
    }
    try FileManager.default.removeItem(atPath: again)
    try await expect([total("50")], of: a, at: copy)
    try await house.end()
  }
}
