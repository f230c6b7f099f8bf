// Goal: what is written is read, a transaction is all or nothing, and one commit is one view.
// Method: small examples through the public interface, each with what must not be there either.

import DaybookLMDB
import Foundation
import Testing

struct Refused: Error {}

@Suite struct TransactionTests {
  @Test func roundTrip() throws {
    try withEnvironment { environment, table in
      try environment.write { (transaction: inout WriteTransaction) in
        try transaction.put(key(1), [9, 8, 7], in: table)
        try transaction.put(key(2), [], in: table)
        #expect(try transaction.bytes(for: key(1), in: table) == [9, 8, 7])
      }
      let sum = try environment.read { transaction in
        #expect(try transaction.bytes(for: key(1), in: table) == [9, 8, 7])
        #expect(try transaction.bytes(for: key(2), in: table) == [])
        #expect(try transaction.bytes(for: key(3), in: table) == nil)
        #expect(try transaction.count(of: table) == 2)
        let wanted = key(1)
        #expect(try transaction.contains(wanted.span.bytes, in: table))
        guard let found = try transaction.get(wanted.span.bytes, in: table) else { return 0 }
        return copy(found).reduce(0) { $0 + Int($1) }
      }
      #expect(sum == 24)
    }
  }

  @Test func throwingUndoesEverything() throws {
    try withEnvironment { environment, table in
      #expect(throws: Refused.self) {
        try environment.write { (transaction: inout WriteTransaction) in
          try transaction.put(key(1), [1], in: table)
          throw Refused()
        }
      }
      #expect(try environment.read { try $0.count(of: table) } == 0)
      // The write lock is free again.
      try environment.write { try $0.put(key(2), [2], in: table) }
      #expect(try environment.read { try $0.count(of: table) } == 1)
    }
  }

  @Test func droppedTransactionIsUndone() throws {
    final class Holder {
      var transaction: WriteTransaction?
    }
    try withEnvironment { environment, table in
      let holder = Holder()
      holder.transaction = try environment.beginWrite()
      try holder.transaction?.put(key(1), [1], in: table)
      #expect(try holder.transaction?.count(of: table) == 1)
      holder.transaction = nil
      #expect(try environment.read { try $0.count(of: table) } == 0)

      holder.transaction = try environment.beginWrite()
      try holder.transaction?.put(key(1), [1], in: table)
      if let transaction = holder.transaction.take() { try transaction.commit() }
      #expect(try environment.read { try $0.count(of: table) } == 1)
    }
  }

  @Test func readerKeepsItsCommit() throws {
    try withEnvironment { environment, table in
      try environment.write { try $0.put(key(1), [1], in: table) }
      try environment.read { old in
        try environment.write { try $0.put(key(1), [2], in: table) }
        #expect(try old.bytes(for: key(1), in: table) == [1])
        try environment.read { new in
          let value = try new.bytes(for: key(1), in: table)
          #expect(value == [2])
          #expect(new.transactionID == old.transactionID + 1)
        }
      }
    }
  }

  @Test func nestedWriteIsRefusedInsteadOfWaitingForItself() throws {
    try withEnvironment { environment, table in
      try environment.write { (transaction: inout WriteTransaction) in
        try transaction.put(key(1), [1], in: table)
        let error = #expect(throws: LMDBError.self) { try environment.write { _ in } }
        #expect(error?.kind == .nestedWrite)
      }
      #expect(try environment.read { try $0.count(of: table) } == 1)
    }
  }

  @Test func openingADatabaseInsideOneThatDidIsRefusedToo() throws {
    try withEnvironment { environment, table in
      try environment.write { (transaction: inout WriteTransaction) in
        // Before it has opened one itself, the thread may.
        #expect(try environment.database(named: "table") == table)
        _ = try transaction.openDatabase(named: "other")
        let error = #expect(throws: LMDBError.self) { try environment.database(named: "table") }
        #expect(error?.kind == .nestedWrite)
      }
      #expect(try environment.database(named: "table") == table)
    }
  }

  @Test func endingOnAnotherThreadTraps() async {
    await #expect(processExitsWith: .failure) {
      /// Carries the transaction to another thread, which is what must not be done.
      final class Holder: @unchecked Sendable {
        var transaction: WriteTransaction?
      }
      try withEnvironment { environment, _ in
        let holder = Holder()
        holder.transaction = try environment.beginWrite()
        let thread = Thread { holder.transaction = nil }
        thread.start()
        Thread.sleep(forTimeInterval: 5)
      }
    }
  }

  @Test func writersTakeTurns() throws {
    try withEnvironment { environment, table in
      // Each commits while the others wait to begin: nobody may take another's right to end.
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for _ in 0..<10_000 {
          do {
            try environment.write { (transaction: inout WriteTransaction) in
              let count = try transaction.bytes(for: key(1), in: table) ?? [0, 0]
              let next = (Int(count[0]) << 8 | Int(count[1])) + 1
              try transaction.put(
                key(1), [UInt8(next >> 8), UInt8(truncatingIfNeeded: next)], in: table)
            }
          } catch {
            Issue.record(error)
          }
        }
      }
      let count = try environment.read { try $0.bytes(for: key(1), in: table) }
      #expect(count == [40_000 >> 8, 40_000 & 0xff])
    }
  }

  @Test func reserveWritesInPlace() throws {
    try withEnvironment { environment, table in
      try environment.write { (transaction: inout WriteTransaction) in
        let name = key(1)
        try transaction.reserve(name.span.bytes, byteCount: 4, in: table) { room in
          #expect(room.byteCount == 4)
          room.storeBytes(of: 7, toByteOffset: 1, as: UInt8.self)
        }
      }
      #expect(try environment.read { try $0.bytes(for: key(1), in: table) } == [0, 7, 0, 0])
    }
  }

  @Test func appendingOutOfOrderIsRefused() throws {
    try withEnvironment { environment, table in
      try environment.write { (transaction: inout WriteTransaction) in
        let value: [UInt8] = [1]
        for number in 1...3 {
          let name = key(number)
          try transaction.append(name.span.bytes, value.span.bytes, in: table)
        }
        for number in [3, 2] {
          let error = #expect(throws: LMDBError.self) {
            try transaction.put(key(number), value, in: table, flags: .append)
          }
          #expect(error?.kind == .keyExist)
        }
        let error = #expect(throws: LMDBError.self) {
          try transaction.put(key(1), [9], in: table, flags: .noOverwrite)
        }
        #expect(error?.kind == .keyExist)
      }
      #expect(try environment.read { try $0.bytes(for: key(1), in: table) } == [1])
      #expect(try environment.read { try $0.count(of: table) } == 3)
    }
  }

  @Test func deleteSaysWhetherThereWasOne() throws {
    try withEnvironment { environment, table in
      try environment.write { (transaction: inout WriteTransaction) in
        try transaction.put(key(1), [1], in: table)
        #expect(try transaction.delete(key(1), in: table))
        #expect(try !transaction.delete(key(1), in: table))
      }
    }
  }
}
