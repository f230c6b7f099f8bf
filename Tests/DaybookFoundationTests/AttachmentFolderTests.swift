/// Goal: an attached file is found again, unchanged, or the reason why not is said. Method: files are added, changed,
/// deleted and copied in temporary folders.
import Daybook
import DaybookFoundation
import Foundation
import Testing

@Suite struct AttachmentFolderTests {
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "daybook files \(UUID().uuidString)")

  private func folder(_ ledger: String) -> AttachmentFolder {
    AttachmentFolder(ofLedgerAt: home.appending(path: ledger))
  }

  private func names(_ folder: AttachmentFolder) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(
      atPath: folder.url.path(percentEncoded: false))) ?? []).sorted()
  }

  @Test func itIsNextToTheLedger() {
    #expect(folder("My books.daybook").url.lastPathComponent == "My books.attachments")
    #expect(folder("My books.daybook/").url.lastPathComponent == "My books.attachments")
    #expect(folder("saved").url.lastPathComponent == "saved.attachments")
    #expect(folder("x.daybook") == folder("y/../x.daybook"))
  }

  @Test func aFileIsStoredOnceUnderItsHash() throws {
    let files = folder("a.daybook")
    #expect(names(files) == [])
    let data = Data("abc".utf8)
    let one = try files.add(data, named: "receipt.PDF")
    // SHA-256 of “abc”, from FIPS 180-2.
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect("\(one.hash)" == hash && one.byteCount == 3 && one.name == "receipt.PDF")
    let two = try files.add(data, named: "other.pdf")
    #expect(two.hash == one.hash && names(files) == [hash + ".pdf"])
    _ = try files.add(Data(), named: "no suffix")
    _ = try files.add(data, named: "strange.a/b")
    #expect(names(files).count == 3)
    #expect(try files.contents(of: one) == data)
    try? FileManager.default.removeItem(at: home)
  }

  @Test func whatIsWrongIsSaid() throws {
    let files = folder("a.daybook")
    let file = try files.add(Data("abc".utf8), named: "receipt.pdf")
    try Data("abd".utf8).write(to: files.location(of: file))
    #expect(files.contains(file))
    #expect { try files.contents(of: file) } throws: { ($0 as? DaybookError)?.code == .damaged }
    // Adding it again repairs it.
    _ = try files.add(Data("abc".utf8), named: "receipt.pdf")
    #expect(try files.contents(of: file) == Data("abc".utf8))
    try FileManager.default.removeItem(at: files.location(of: file))
    #expect(!files.contains(file))
    let missing = #expect(throws: DaybookError.self) { try files.contents(of: file) }
    #expect(missing?.message == "“receipt.pdf” isn't on this device.")
    let large = Data(count: AttachmentFolder.byteCountMax + 1)
    let refusal = #expect(throws: DaybookError.self) { try files.add(large, named: "l") }
    #expect(refusal?.code == .limitExceeded)
    try? FileManager.default.removeItem(at: home)
  }

  @Test func filesAreCopiedAndThoseOfNobodyDeleted() throws {
    let (files, saved) = (folder("a.daybook"), folder("saved"))
    let all = try ["a", "b"].map { try files.add(Data($0.utf8), named: $0 + ".txt") }
    #expect(try saved.copy(all + all, from: files) == 2)
    #expect(try saved.copy(all, from: files) == 0)
    #expect(names(saved) == names(files))
    try Data("mine".utf8).write(to: files.url.appending(path: "notes.txt"))
    #expect(try files.removeAll(except: [all[0]], dryRun: true).count == 1)
    #expect(names(files).count == 3)
    #expect(try files.removeAll(except: [all[0]]) == ["\(all[1].hash).txt"])
    #expect(names(files).contains("notes.txt") && files.contains(all[0]))
    try? FileManager.default.removeItem(at: home)
  }

  @Test func theExampleInTheDocumentationWorks() async throws {
    let url = home.appending(path: "Household.daybook")
    let ledger = try await Ledger.open(at: url)
    let receipt = try await ledger.append(
      .openAccount(NewAccount(name: "Cash", kind: .asset, currency: .eur)))
    let account = try #require(receipt.accounts.first)
    let day = Day(year: 2026, month: 2, day: 14) ?? .min
    let made = try await ledger.append(
      .record(.expense(Money(9_00, .eur), from: account, on: day)),
      .record(.expense(Money(8_00, .eur), from: account, on: day)))
    let transaction = try #require(
      try ledger.read { try $0.transaction(made.transactions[1]) })
    let file = try ledger.attachments.add(Data("paper".utf8), named: "receipt.pdf")
    var amendment = Amendment()
    amendment.attachments = transaction.attachments + [file]
    try await ledger.append(.amend(transaction.id, amendment))
    let rows = try ledger.read { try $0.transactionsWithAttachments() }
    #expect(rows.map(\.id) == [transaction.id] && rows[0].attachments == [file])
    try await ledger.close()
    try? FileManager.default.removeItem(at: home)
  }
}
