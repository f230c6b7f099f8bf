// Goal: the limits of commits' bytes and of what consumers keep hold at one below, at, and one above, and
// beyond them nothing is written. (The other limits of commits: AppendTests; of chunks: ReplayTests.)
// Method: names, keys, values and records of exactly these sizes.

import DaybookEntities
import Testing

@testable import DaybookJournal

@Suite struct LimitTests {
  @Test func bytesOfACommit() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    var store = try folder.openJournal()
    // What a commit with one figure takes beside the figure's value.
    try store.record(draft([figure(1, byteCount: 1_000)]))
    let overhead = try store.chunks(of: 1)[0].count - 1_000
    try store.close()
    var limits = JournalLimits()
    limits.commitByteCountMax = 1_500
    store = try folder.openJournal(limits: limits)
    for (excess, expected) in [(-1, nil), (0, nil), (1, .refused)]
      as [(Int, JournalError.Code?)]
    {
      let head = try store.head()
      let change = figure(head.sequence + 1, byteCount: 1_500 - overhead + excess)
      #expect(code { try store.record(draft([change])) } == expected, "\(excess)")
      let now = try store.head().sequence
      #expect(now == head.sequence + (expected == nil ? 1 : 0))
      if expected == nil { #expect(try store.chunks(of: now)[0].count == 1_500 + excess) }
    }
    try store.close()
  }

  @Test func consumers() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let beginning = try store.token(at: 0)
    for (excess, expected) in [(-1, nil), (0, nil), (1, .refused)]
      as [(Int, JournalError.Code?)]
    {
      func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 120, count: count) }
      let name = String(decoding: bytes(Consumer.nameByteCountMax + excess), as: UTF8.self)
      let registered = code {
        try store.register(consumer: name, .required, at: beginning, now: 1)
      }
      #expect(registered == expected, "a name of \(name.utf8.count)")
      try store.register(consumer: "c", .required, at: beginning, now: 1)
      for (key, value) in [
        (bytes(Consumer.keyByteCountMax + excess), [1]),
        (bytes(3), bytes(Consumer.valueByteCountMax + excess)),
      ] as [([UInt8], [UInt8])] {
        let told = code {
          try store.acknowledge(beginning, by: "c", putting: [key: value, [9]: [9]], now: 1)
        }
        #expect(told == expected, "a key of \(key.count), a value of \(value.count)")
        if expected == nil {
          #expect(try store.value(key, of: "c") == value)
        } else {
          #expect(try store.value([9], of: "c") == nil)
        }
      }
      #expect(try store.unregister(consumer: "c"))
    }
    #expect(code { try store.register(consumer: "", .required, at: beginning, now: 1) } == .refused)
    #expect(try store.consumers().count == 2)
    try store.close()
  }
}
