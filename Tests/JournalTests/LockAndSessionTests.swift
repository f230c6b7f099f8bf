// Goal: one writer at a time, among threads and processes, whatever dies; and views are trusted only
// where SESSION says so.
// Method: locks taken twice in this process and by child processes that exit while holding them;
// SESSION files under other boot identities, damaged, and beside copied data files.

import DaybookEntities
import DaybookJournal
import Foundation
import Synchronization
import Testing

@Suite struct LockAndSessionTests {
  @Test func oneWriterAmongThreads() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let again = try StoreFolder.open(at: scratch.ledger)
    let lock = try folder.lockWriter()
    #expect(try folder.tryLockWriter() == nil)
    #expect(try again.tryLockWriter() == nil)
    lock.release()
    lock.release()
    do {
      let dropped = try again.tryLockWriter()
      #expect(dropped != nil)
      #expect(try folder.tryLockWriter() == nil)
    }
    #expect(try folder.tryLockWriter() != nil)
  }

  @Test func waitersGoOnInTurn() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let inside = Mutex(0)
    let passes = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 {
        try? folder.withWriter { _ in
          let others = inside.withLock { count in
            count += 1
            return count
          }
          #expect(others == 1)
          inside.withLock { $0 -= 1 }
          passes.withLock { $0 += 1 }
        }
      }
    }
    #expect(passes.withLock { $0 } == 200)
  }

  @Test func aReplacedLockFileIsNotTrusted() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let old = try folder.lockWriter()
    try FileManager.default.removeItem(atPath: scratch.ledger + "/WRITER")
    let new = try folder.tryLockWriter()
    #expect(new != nil)
    #expect(try folder.tryLockWriter() == nil)
    old.release()
    #expect(try folder.tryLockWriter() == nil)
    new?.release()
  }

  @Test func whoWaitedForAReplacedFileTakesTheNewOne() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let old = try folder.lockWriter()
    let hasIt = Mutex(false)
    let waiter = Thread {
      let lock = try? folder.lockWriter()
      hasIt.withLock { $0 = true }
      lock?.release()
    }
    waiter.start()
    usleep(50_000)
    try FileManager.default.removeItem(atPath: scratch.ledger + "/WRITER")
    let new = try folder.tryLockWriter()
    old.release()
    usleep(100_000)
    #expect(new != nil && !hasIt.withLock { $0 })
    new?.release()
    for _ in 0..<200 where !hasIt.withLock({ $0 }) { usleep(10_000) }
    #expect(hasIt.withLock { $0 })
  }

  @Test func otherProcessesWait() async throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let path = scratch.ledger
    let lock = try folder.lockWriter()
    await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
      let lock = try StoreFolder.open(at: path).tryLockWriter()
      exit(lock == nil ? 3 : 4)
    }
    lock.release()
    // A child that ends while it holds the lock gives it back.
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      guard try StoreFolder.open(at: path).tryLockWriter() != nil else { exit(5) }
      kill(getpid(), SIGKILL)
    }
    #expect(try folder.tryLockWriter() != nil)
  }

  @Test func lockFilesAreNotInherited() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let lock = try folder.lockWriter()
    // A program that is started meanwhile and outlives the lock must not keep it.
    var sleeper = pid_t()
    var arguments = [strdup("sleep"), strdup("30"), nil]
    #expect(posix_spawn(&sleeper, "/bin/sleep", nil, nil, &arguments, nil) == 0)
    for argument in arguments { free(argument) }
    lock.release()
    // A child that another test is just starting shares the open file until its `exec`: a moment.
    var taken = try folder.tryLockWriter()
    for _ in 0..<100 where taken == nil {
      usleep(50_000)
      taken = try folder.tryLockWriter()
    }
    #expect(taken != nil)
    kill(sleeper, SIGKILL)
    var status: Int32 = 0
    waitpid(sleeper, &status, 0)
  }

  @Test func sessionStates() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let views = folder.viewsPath(1)
    try FileManager.default.createDirectory(atPath: views, withIntermediateDirectories: false)
    let data = views + "/data.mdb"
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: data))
    let lock = try folder.lockWriter()
    #expect(try folder.session(views) == .absent)
    try folder.writeSession(views, holding: lock)
    #expect(try folder.session(views) == .matches)
    #expect(isMismatch(try folder.session(views, bootIdentity: "another")))
    // The same boot, another file: a copy of the folder.
    try FileManager.default.moveItem(atPath: data, toPath: data + ".old")
    #expect(isMismatch(try folder.session(views)))
    try FileManager.default.copyItem(atPath: data + ".old", toPath: data)
    #expect(isMismatch(try folder.session(views)))
    try folder.writeSession(views, holding: lock, bootIdentity: "a boot")
    #expect(try folder.session(views, bootIdentity: "a boot") == .matches)
    #expect(isMismatch(try folder.session(views)))
    // Whether the system was restarted can't be known.
    try folder.writeSession(views, holding: lock, bootIdentity: StoreFolder.unknownBoot)
    #expect(isMismatch(try folder.session(views, bootIdentity: StoreFolder.unknownBoot)))
    try folder.writeSession(views, holding: lock, bootIdentity: "a boot")
    let path = views + "/SESSION"
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for position in whole.indices {
      var damaged = whole
      damaged[position] ^= 4
      try damaged.write(to: URL(fileURLWithPath: path))
      #expect(isMismatch(try folder.session(views, bootIdentity: "a boot")))
    }
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(isMismatch(try folder.session(views)))
    try folder.removeSession(views, holding: lock)
    #expect(try folder.session(views) == .absent)
    try folder.removeSession(views, holding: lock)
    lock.release()
    #expect(code { try folder.writeSession(views, holding: lock) } == .refused)
  }

  private func isMismatch(_ state: SessionState) -> Bool {
    if case .mismatch = state { true } else { false }
  }

  @Test func theBootIdentityIsStable() throws {
    let boot = StoreFolder.bootIdentity()
    #expect(boot.count == 36)
    #expect(StoreFolder.bootIdentity() == boot)
  }
}
