import DaybookEntities
import Testing

@testable import DaybookSyncWire

@Suite struct ManifestBodyTests {
  private func manifest() throws -> SealedEntry {
    let header = EntryHeader(kind: .manifest, replica: 7, number: 0, base: 5, clock: 9, epoch: 1)
    return try SealedEntry.seal(
      [1, 2, 3], header, ledger: EntityID(high: 1, low: 2), key: LedgerKey())
  }

  @Test func itIsReadAsItWasWritten() throws {
    let chunks = (0..<3).map { Hash256(hashing: [$0]) }
    let body = ManifestBody(try manifest(), chunks: chunks)
    #expect(try ManifestBody(bytes: body.bytes) == body)
  }

  @Test func whatIsCutOffOrTooLargeIsRefused() throws {
    let bytes = ManifestBody(try manifest(), chunks: [.zero, .zero]).bytes
    for count in [0, 3, 4, 40, 68, 100] {
      #expect(throws: WireError.self) { try ManifestBody(bytes: Array(bytes.prefix(count))) }
    }
    let tooMany = [0xFF, 0xFF, 0xFF, 0xFF] + bytes.dropFirst(4)
    #expect { try ManifestBody(bytes: Array(tooMany)) } throws: { error in
      (error as? WireError)?.code == .tooLarge
    }
  }
}
