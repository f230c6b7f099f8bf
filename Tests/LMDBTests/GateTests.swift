// Goal: whoever closes an environment can rely on it: when `close` returns, the files are closed, also where
// another thread was quicker to begin; and so many readers are kept as the limit says, not one more.
// Method: one thread is held in the middle of closing, another one closes then.

import Foundation
import Testing

@testable import DaybookLMDB

@Suite struct GateTests {
  @Test func whoClosesSecondWaitsForTheFirst() throws {
    let gate = Gate()
    let isInside = DispatchSemaphore(value: 0)
    let hasClosed = Lock(false)
    let thread = Thread {
      try? gate.close {
        isInside.signal()
        Thread.sleep(forTimeInterval: 0.1)
        hasClosed.withLock { $0 = true }
      }
    }
    thread.start()
    isInside.wait()
    var closesTwice = false
    try gate.close { closesTwice = true }
    #expect(!closesTwice)
    #expect(hasClosed.withLock { $0 })
    // And again, when all is over.
    try gate.close { closesTwice = true }
    #expect(!closesTwice)
  }

  /// Never begun again here: only their number counts.
  @Test func soManyEndedReadersAreKept() throws {
    let gate = Gate()
    let readers = (1...Limits.spareReaderCountMax + 1).compactMap { OpaquePointer(bitPattern: $0) }
    for _ in readers { #expect(try gate.enterToRead() == nil) }
    for (index, reader) in readers.enumerated() {
      #expect(gate.leave(keeping: reader) == (index < Limits.spareReaderCountMax))
    }
    #expect(gate.takeSpares() == Array(readers.dropLast()))
    gate.leave()
  }
}
