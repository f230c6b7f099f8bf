// Goal: a full map and a full disk are typed errors that lose nothing, and work goes on after space
// is made.
// Method: a small map; a child process with a limit on the size of its files.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Foundation
import Testing

@Suite struct FaultTests {
  private static func bulk(_ sequence: UInt64) -> CommitDraft {
    draft((1...200).map { noteInsertion(sequence * 1_000 + $0, "a text of some length") })
  }

  @Test func aFullMapLosesNothing() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    var store = try JournalStore.open(
      folder, folder.current(), schema: sampleSchema, mapByteCount: 1 << 18)
    var recorded: UInt64 = 0
    var fault: JournalError?
    while fault == nil, recorded < 100 {
      do {
        try store.record(Self.bulk(recorded + 1))
        recorded += 1
      } catch {
        fault = error as? JournalError
      }
    }
    #expect(fault?.code == .diskFull && recorded > 0)
    #expect(try store.head().sequence == recorded)
    #expect(try store.verifyChain().commitCount == recorded)
    try store.close()
    store = try folder.openJournal()
    #expect(try store.record(Self.bulk(recorded + 1)).sequence == recorded + 1)
    #expect(try store.verifyChain().commitCount == recorded + 1)
    try store.close()
  }

  @Test func aFullDiskLosesNothing() async throws {
    let scratch = Scratch()
    let path = scratch.ledger
    await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
      let folder = try StoreFolder.create(at: path)
      let store = try folder.openJournal()
      try store.record(FaultTests.bulk(1))
      signal(SIGXFSZ, SIG_IGN)
      var whole = rlimit()
      #if canImport(Glibc)
        let resource = Int32(RLIMIT_FSIZE.rawValue)
      #else
        let resource = RLIMIT_FSIZE
      #endif
      getrlimit(resource, &whole)
      var small = rlimit(rlim_cur: 400_000, rlim_max: whole.rlim_max)
      setrlimit(resource, &small)
      var recorded: UInt64 = 1
      var fault: JournalError?
      while fault == nil, recorded < 100 {
        do {
          try store.record(FaultTests.bulk(recorded + 1))
          recorded += 1
        } catch {
          fault = error as? JournalError
        }
      }
      setrlimit(resource, &whole)
      guard fault?.code == .diskFull, recorded > 1 else {
        print("fault \(String(describing: fault)) after \(recorded)")
        exit(2)
      }
      guard try store.head().sequence == recorded,
        try store.record(FaultTests.bulk(recorded + 1)).sequence == recorded + 1,
        try store.verifyChain().commitCount == recorded + 1
      else { exit(3) }
      try store.close()
      exit(0)
    }
    let store = try StoreFolder.open(at: scratch.ledger).openJournal()
    #expect(try store.verifyChain().commitCount > 2)
    try store.close()
  }
}
