/// Goal: two processes write and a third reads at the same time; where one writer is killed between its two
/// commits the others go on, and nobody ever sees a part of a commit or goes back behind one.
/// Method: this process writes (and reads) while one child writes until it is killed and another only
/// reads: each of its snapshots has to agree with itself, also while others commit, and to be no older
/// than the one before. After the kill this process builds the views anew and writes on, until the reader
/// has seen what it wrote.
import Daybook
import DaybookPlatform
import DaybookRandom
import Foundation
import Testing

@Suite struct ThreeProcessTrials {
  @Test func oneWriterIsKilledBetweenItsCommitsWhileAnotherWritesAndOneReads() async throws {
    let place = try Place()
    let path = place.ledger
    let (ledger, account) = try await Child.open(path)
    for round in 0..<4 {
      let (reader, stop) = (place.path + "/reader-\(round)", Signal(place.path + "/stop-\(round)"))
      async let reading: Void = {
        await #expect(processExitsWith: .success) {
          [path = path as String, reader = reader as String, stop = stop.path as String] in
          try await Reader(progress: reader).run(path, until: Signal(stop))
        }
      }()
      async let killed: Void = killedWriter(path, round)
      // Each way out lets the reader end.
      do {
        try await write(ledger, account, "own \(round)", count: 40)
        await killed
        try await ledger.rebuild()
        try await write(ledger, account, "later \(round)", count: 10)
        let newest = try ledger.token.sequence
        let deadline = ContinuousClock.now + .seconds(120)
        while Reader.newest(reader) < newest, Reader.fault(reader) == nil, .now < deadline {
          try await Task.sleep(for: .milliseconds(5))
        }
        #expect(Reader.newest(reader) >= newest, "round \(round): the reader is behind")
      } catch {
        stop.give()
        throw error
      }
      stop.give()
      await reading
      #expect(Reader.fault(reader) == nil, "round \(round)")
    }
    try await ledger.close()
    try await inspect(path, seed: 0)
  }

  private func killedWriter(_ path: String, _ round: Int) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, round = round as Int] in
      let counter = Counter()
      let (ledger, account) = try await Child.open(path) { options in
        options.trace = { name in
          if name == "after journal commit", counter.next() >= 10 { kill(getpid(), SIGKILL) }
        }
      }
      var random = SeededGenerator(seed: UInt64(round + 100))
      var mine: [TransactionID] = []
      for index in 0..<1_000 {
        let name = "other \(round) \(index)"
        try await Child.step(ledger, account, AckFile(of: path), name, &mine, &random)
      }
    }
  }

  private func write(
    _ ledger: Ledger, _ account: AccountID, _ name: String, count: Int
  ) async throws {
    var random = SeededGenerator(seed: UInt64(name.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
    var mine: [TransactionID] = []
    for index in 0..<count {
      try await Child.step(
        ledger, account, AckFile(of: ledger.path), "\(name) \(index)", &mine, &random)
      try ledger.read { snapshot throws in
        let rows = try snapshot.transactions(limit: 100_000)
        let count = try snapshot.count()
        #expect(count == rows.count, "list and counts are of different commits")
      }
    }
  }
}

/// A child that only reads; it writes down the newest commit that it has seen, or what was wrong.
struct Reader {
  let progress: String

  private struct Wrong: Error { let description: String }

  static func newest(_ path: String) -> UInt64 { text(path).flatMap { UInt64($0) } ?? 0 }

  static func fault(_ path: String) -> String? {
    text(path).flatMap { UInt64($0) == nil ? $0 : nil }
  }

  private static func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  func run(_ path: String, until stop: Signal) async throws {
    do {
      var options = Ledger.Options()
      options.isReadOnly = true
      options.createsIfMissing = false
      let ledger = try await Ledger.open(at: path, options: options)
      var newest: UInt64 = 0
      while !stop.isGiven {
        let sequence = try ledger.read { snapshot throws in
          let first = try check(snapshot)
          // The others go on meanwhile; a snapshot stays what it is.
          usleep(1_000)
          guard try check(snapshot) == first else { throw Wrong(description: "it has changed") }
          return snapshot.token.sequence
        }
        guard sequence >= newest else {
          throw Wrong(description: "commit \(sequence) after \(newest)")
        }
        newest = sequence
        try "\(newest)".write(toFile: progress, atomically: true, encoding: .utf8)
      }
      try await ledger.close()
    } catch {
      try "\(error)".write(toFile: progress, atomically: true, encoding: .utf8)
      throw error
    }
  }

  /// Compares balance and counts with the rows; the sum of these.
  private func check(_ snapshot: borrowing Snapshot) throws -> [Int128] {
    let account = AccountID(EntityID(high: 77, low: 1))
    guard let end = Day(year: 2027, month: 1, day: 1) else { preconditionFailure("a day") }
    let rows = try snapshot.transactions(limit: 100_000)
    var sum: Int128 = 0
    var groups: [String: Int] = [:]
    for row in rows {
      for posting in row.postings where posting.account == .account(account) {
        sum += Int128(posting.amount.minorUnits)
      }
      if row.description.hasPrefix("group ") { groups[row.description, default: 0] += 1 }
    }
    let balance = try snapshot.balance(of: account, on: end).units
    guard try snapshot.count() == rows.count, balance == sum else {
      throw Wrong(
        description: "balance \(balance) and count \(try snapshot.count()) of \(rows.count) rows "
          + "with the sum \(sum)")
    }
    guard groups.values.allSatisfy({ $0 == Child.rowsOfGroup }) else {
      throw Wrong(description: "half a group")
    }
    return [Int128(rows.count), sum, Int128(snapshot.token.sequence)]
  }
}
