// Goal: a backup that is made while devices push is sound, and is the log as it was at one moment.
// Method: backups beside pushes; each is opened, verified, and compared with the links of the log that went on.

import DaybookSyncWire
import Foundation
import Testing

@testable import Relay

@Suite struct BackupTests {
  @Test func aBackupBesidePushesIsTheLogOfOneMoment() async throws {
    try await withStore(.disk) { store in
      let folder = Scratch()
      let path = folder.path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for replica in 1...3 as ClosedRange<UInt64> {
          group.addTask {
            for number in 1...40 as ClosedRange<UInt64> {
              _ = try await store.push(
                PushPage([entry(number, replica: replica)]), to: ledger, now: 1)
            }
          }
        }
        group.addTask {
          for index in 0..<5 { try await store.backup(to: path + "/\(index)") }
        }
        try await group.waitForAll()
      }
      let whole = try await readAll(store)
      #expect(whole.end.position == 120)
      for index in 0..<5 {
        let copy = try EmbeddedRelayStore.open(folder: path + "/\(index)")
        #expect(try await copy.verify(ledger).faults == [])
        let end = try await readAll(copy).end
        #expect(whole.link(at: end.position) == end.link)
      }
    }
  }

  @Test func aClusterIsBackedUpByItsOwnMeansWhetherItCanBeReachedOrNot() async throws {
    let refused = try await RelayProcess.run(
      "backup", "--postgres", "host=127.0.0.1 port=1", Scratch().path)
    #expect(refused.status == 1 && refused.text.contains("pg_basebackup"), "\(refused.text)")
  }
}
