// Goal: a copy that was restored from a backup goes on sharing: what it had not sent is recorded once, whichever of
// original and copy sends first, and whether both go on. Method: backups with commits that nobody had sent, taken of
// ledgers on disk, restored, and exchanged in every order; what all hold is compared, and so is the log.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire
import Foundation
import Testing

@testable import DaybookSync

@Suite struct RestoredCopyTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID())").path

  /// The phone, whose ledger is on disk and has recorded something, and the laptop.
  private func began() async throws -> (Household, phone: Ledger) {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let phone = try await Ledger.open(at: folder + "/phone")
    var household = Household()
    try await household.start(phone)
    try await household.join(Ledger.inMemory(), name: "laptop")
    try await open("Sent", in: phone)
    try await household.settle()
    return (household, phone)
  }

  private func open(_ name: String, in ledger: Ledger) async throws {
    try await ledger.append(.openAccount(NewAccount(name: name, currency: .eur)))
  }

  private func names(_ ledger: Ledger) throws -> [String] {
    try ledger.read { try $0.accounts().map(\.name).sorted() }
  }

  /// A copy by backup and restoring, with the original's secrets put back.
  private func copy(
    of ledger: Ledger, as name: String, _ household: inout Household
  ) async throws -> Ledger {
    try await ledger.backup(to: folder + "/backup of \(name)")
    try await Ledger.restore(from: folder + "/backup of \(name)", to: folder + "/" + name)
    let copy = try await Ledger.open(at: folder + "/" + name)
    household.devices.append(
      household.sync(copy, secrets: household.devices[0].options.secrets))
    return copy
  }

  /// How often the log has an account's insertion, by its replica.
  private func insertions(_ household: Household) async throws -> [UInt64] {
    let secrets = try #require(try household.devices[0].options.secrets.load())
    var found: [UInt64] = []
    for placed in await household.relay.entries where placed.entry.header.kind == .commit {
      let bytes = try placed.entry.open(ledger: household.relay.ledger, ring: secrets.keys)
      var assembler = CommitAssembler()
      let commit = try #require(try assembler.take(CommitPart(bytes: bytes)))
      if commit.changes.contains(where: { $0.before == nil && $0.after != nil }) {
        found.append(placed.entry.header.replica)
      }
    }
    return found
  }

  private func expectEqual(
    _ household: Household, _ expected: [String], findingCount: Int = 0
  ) async throws {
    var digests: Set<[UInt8]> = []
    for device in household.devices {
      #expect(try names(device.ledger) == expected)
      let replica = try Replica(device.ledger.store, rules: .ledger)
      digests.insert(try await replica.digest())
      #expect(try await replica.recountedDigest() == replica.digest())
      #expect(try await device.ledger.verify().findings == [])
      #expect(try await device.exchange().pendingCount == 0)
      #expect(device.state.findingCount == findingCount)
    }
    #expect(digests.count == 1)
  }

  private func close(_ household: Household) async throws {
    for device in household.devices { try await device.ledger.close() }
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test(arguments: [[0, 2], [2, 0], [2, 1, 0], [0, 2, 0]])
  func originalAndCopyBothGoOn(order: [Int]) async throws {
    var (household, phone) = try await began()
    try await open("Unsent 1", in: phone)
    try await open("Unsent 2", in: phone)
    let restored = try await copy(of: phone, as: "restored", &household)
    try await open("Original's", in: phone)
    try await open("Copy's", in: restored)
    for index in order { try await household.devices[index].exchange() }
    try await household.settle()
    let all = ["Copy's", "Original's", "Sent", "Unsent 1", "Unsent 2"]
    try await expectEqual(household, all)
    #expect(try await insertions(household).count == 5)
    // And both go on.
    try await open("Later here", in: phone)
    try await open("Later there", in: restored)
    try await household.settle()
    try await expectEqual(household, (all + ["Later here", "Later there"]).sorted())
    #expect(try await insertions(household).count == 7)
    let devices = household.devices[1].state.devices.map(\.name)
    #expect(devices == ["laptop", "phone", "phone 2"])
    try await close(household)
  }

  /// An older copy of the journal is put back, whose loss of commits is then accepted.
  ///
  /// What they changed is recorded again or not, and the laptop may have changed it in the meantime.
  @Test(arguments: [false, true], [false, true])
  func aJournalThatWentBackGetsSentCommitsAgain(isRecordedAgain: Bool, isChanged: Bool) async throws
  {
    var (household, phone) = try await began()
    let secrets = household.devices[0].options.secrets
    try await phone.close()
    let journal = folder + "/phone/journal-0001/data.mdb"
    try FileManager.default.copyItem(atPath: journal, toPath: folder + "/kept")
    phone = try await Ledger.open(at: folder + "/phone")
    household.devices[0] = household.sync(phone, secrets: secrets)
    try await open("Sent later", in: phone)
    try await household.settle()
    try await open("Unsent", in: phone)
    try await phone.close()
    let laptop = household.devices[1].ledger
    if isChanged {
      let sent = try #require(
        try laptop.read { try $0.accounts().first { $0.name == "Sent later" } })
      try await laptop.append(.amendAccount(sent.id, AccountChange(name: "Renamed")))
      try await household.devices[1].exchange()
    }
    try FileManager.default.removeItem(atPath: journal)
    try FileManager.default.moveItem(atPath: folder + "/kept", toPath: journal)
    phone = try await Ledger.open(at: folder + "/phone")
    household.devices[0] = household.sync(phone, secrets: secrets)
    #expect(phone.missingCommits != nil)
    // Nothing is merged until the loss is accepted.
    let device = household.devices[0]
    let refusal = await #expect(throws: SyncError.self) { try await device.exchange() }
    #expect(refusal?.code == .ledger && refusal?.remedy.contains("daybook recover") == true)
    #expect(try names(phone) == ["Sent"])
    try await phone.acceptMissingCommits(recordingChanges: isRecordedAgain)
    #expect(try names(phone) == ["Sent"] + (isRecordedAgain ? ["Sent later", "Unsent"] : []))
    try await open("Later", in: phone)
    try await household.settle()
    let all =
      ["Later", isChanged ? "Renamed" : "Sent", isChanged ? "Sent" : "Sent later"]
      + (isRecordedAgain ? ["Unsent"] : [])
    // The laptop's name is kept, and a finding names the other one.
    let findingCount = isRecordedAgain && isChanged ? 1 : 0
    try await expectEqual(household, all, findingCount: findingCount)
    // And both go on.
    try await open("On the laptop", in: laptop)
    try await open("On the phone", in: phone)
    try await household.settle()
    try await expectEqual(
      household, (all + ["On the laptop", "On the phone"]).sorted(), findingCount: findingCount)
    try await close(household)
  }

  @Test func onlyTheCopyGoesOn() async throws {
    var (household, phone) = try await began()
    try await open("Unsent", in: phone)
    let restored = try await copy(of: phone, as: "restored", &household)
    let original = household.devices.remove(at: 0)
    try await open("Copy's", in: restored)
    try await household.settle()
    try await expectEqual(household, ["Copy's", "Sent", "Unsent"])
    #expect(try await insertions(household).count == 3)
    try await original.ledger.close()
    try await close(household)
  }

  /// - Parameter isKnown: whether the first copy was in touch before it was copied.
  @Test(arguments: [[3, 2, 0], [0, 2, 3], [2, 3, 0], [3, 0, 2]], [false, true])
  func aCopyOfACopy(order: [Int], isKnown: Bool) async throws {
    var (household, phone) = try await began()
    try await open("Unsent", in: phone)
    let first = try await copy(of: phone, as: "first", &household)
    if isKnown { try await household.devices[2].exchange() }
    try await open("First's", in: first)
    let second = try await copy(of: first, as: "second", &household)
    try await open("Second's", in: second)
    try await open("First's later", in: first)
    try await open("Original's", in: phone)
    for index in order { try await household.devices[index].exchange() }
    try await household.settle()
    let all = ["First's", "First's later", "Original's", "Second's", "Sent", "Unsent"]
    try await expectEqual(household, all)
    let inserted = try await insertions(household)
    #expect(inserted.count == 6 && Set(inserted).count == 3)
    try await close(household)
  }

  /// A folder that was copied has the same name as its original, and neither knows.
  @Test(arguments: [[0, 2], [2, 0]])
  func twoFoldersUnderOneName(order: [Int]) async throws {
    var (household, phone) = try await began()
    try await open("Unsent", in: phone)
    try await phone.close()
    try FileManager.default.copyItem(atPath: folder + "/phone", toPath: folder + "/image")
    let secrets = household.devices[0].options.secrets
    let again = try await Ledger.open(at: folder + "/phone")
    let image = try await Ledger.open(at: folder + "/image")
    household.devices[0] = household.sync(again, secrets: secrets)
    household.devices.append(household.sync(image, secrets: secrets))
    try await open("Here", in: again)
    try await open("There", in: image)
    for index in order { try await household.devices[index].exchange() }
    try await household.settle()
    try await expectEqual(household, ["Here", "Sent", "There", "Unsent"])
    #expect(try await insertions(household).count == 4)
    try await close(household)
  }
}
