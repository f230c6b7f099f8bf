// Goal: a killed writer loses nothing that it acknowledged, and leaves nothing half there.
// Method: child processes append until they are killed at a random moment; each acknowledged
// sequence was written to a file by then, and the journal must hold it.

import DaybookEntities
import DaybookJournal
import DaybookRandom
import Foundation
import Testing

@Suite(.serialized) struct KillTests {
  /// Appends without end, in a child process that is killed after some microseconds.
  fileprivate static func append(at path: String, seed: UInt64, killedAfter delay: Int) throws {
    let store = try StoreFolder.open(at: path).openJournal()
    let acknowledged = open(path + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    var world = RandomWorld(seed: seed)
    Thread.detachNewThread {
      usleep(UInt32(delay))
      kill(getpid(), SIGKILL)
    }
    while true {
      let count = Int.random(in: 1...60, using: &world.generator)
      var sequence = try store.record(draft(world.randomChanges(count))).sequence
      write(acknowledged, &sequence, 8)
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func killedWriters(seed: UInt64) async throws {
    let scratch = Scratch()
    let path = scratch.ledger
    var generator = SeededGenerator(seed: seed)
    let delay = Int.random(in: 20_000...150_000, using: &generator)
    _ = try StoreFolder.create(at: path)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, delay = delay as Int, seed = seed as UInt64] in
      try KillTests.append(at: path, seed: seed, killedAfter: delay)
    }
    let bytes = FileManager.default.contents(atPath: path + "/acknowledged") ?? Data()
    let store = try StoreFolder.open(at: path).openJournal()
    let head = try store.head().sequence
    let count = UInt64(bytes.count / 8)
    #expect(
      head == count || head == count + 1, "seed \(seed): \(count) acknowledged, \(head) there")
    #expect(try store.verifyChain().commitCount == head)
    var world = RandomWorld(seed: seed)
    try store.forEachCommit(after: 0) { commit in
      let count = Int.random(in: 1...60, using: &world.generator)
      let changes = world.randomChanges(count).map(expected)
      let found = try commit.copied().changes
      #expect(found == changes)
      return true
    }
    #expect(try store.record(draft([])).sequence == head + 1)
    try store.close()
  }
}
