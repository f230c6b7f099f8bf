/// Goal: an app can use the URLs that the system gives it. Method: folders whose names need
/// percent-encoding, missing parents, and URLs that aren't files.
import Daybook
import DaybookFoundation
import Foundation
import Testing

@Suite struct LedgerURLTests {
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "daybook \(UUID().uuidString)")

  @Test func foldersWithOddNamesAreMadeAndOpened() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let url = home.appending(path: "Büro & Haus/100 %/Konto #1 ü.daybook")
    let ledger = try await Ledger.open(at: url)
    #expect(ledger.path.hasSuffix("/Büro & Haus/100 %/Konto #1 ü.daybook"))
    #expect(FileManager.default.fileExists(atPath: url.path(percentEncoded: false)))
    #expect(
      ledger.url.standardizedFileURL.path() == url.appending(path: "/").standardizedFileURL.path())
    let euro = try #require(Currency.iso("EUR"))
    try await ledger.append(.openAccount(NewAccount(name: "A", currency: euro)))
    let names = try await ledger.readInBackground { try $0.accounts().map(\.name) }
    #expect(names == ["A"])
    let backup = home.appending(path: "Sicherung/2026 %41.daybook")
    try await ledger.backup(to: backup)
    let copy = home.appending(path: "Gruppe 1 %/Kopie.daybook")
    #expect(try await ledger.snapshotCopy(to: copy))
    try await ledger.close()
    var reading = Ledger.Options()
    reading.isReadOnly = true
    try await Ledger.withLedger(at: copy, options: reading) { ledger throws in
      #expect(try ledger.read { try $0.accounts() }.map(\.name) == ["A"])
    }
    let restored = home.appending(path: "neu/Konto.daybook/")
    try await Ledger.restore(from: backup, to: restored)
    try await Ledger.withLedger(at: restored) { ledger throws in
      #expect(try ledger.read { try $0.accounts() }.map(\.name) == ["A"])
    }
    let pool = LedgerPool()
    try await pool.withLedger(at: url) { ledger throws in
      #expect(try ledger.read { try $0.accounts() }.map(\.name) == ["A"])
    }
    try await pool.closeLedger(at: url)
    try await pool.close()
  }

  @Test func aMissingLedgerIsNotMadeUnasked() async throws {
    let url = home.appending(path: "none/none.daybook")
    var options = Ledger.Options()
    options.createsIfMissing = false
    let error = await #expect(throws: DaybookError.self) {
      _ = try await Ledger.open(at: url, options: options)
    }
    #expect(error?.code == .missing)
    #expect(!FileManager.default.fileExists(atPath: home.path(percentEncoded: false)))
  }

  @Test func otherURLsAreRefused() async throws {
    let url = try #require(URL(string: "https://example.org/Household.daybook"))
    let error = await #expect(throws: DaybookError.self) { _ = try await Ledger.open(at: url) }
    #expect(error?.code == .system)
    #expect(error?.message.contains("https://example.org/Household.daybook") == true)
    // A file is where a folder should be.
    let file = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let refusal = await #expect(throws: DaybookError.self) {
      _ = try await Ledger.open(at: file.appending(path: "a/b.daybook"))
    }
    #expect(refusal?.message.contains("Couldn't create the folder") == true)
  }
}
