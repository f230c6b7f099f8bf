/// Goal: a suspended ledger holds no file and no lock, and nothing is lost or left waiting for ever.
/// Method: the system's own lists of this process's descriptors and locks, a second ledger on the
/// same folder in the meantime, and tasks that append, read and observe while a ledger is suspended
/// and resumed at random moments.
import Daybook
import DaybookEngine
import Foundation
import Testing

/// A read that stays open until it is ended.
///
/// A thread of its own holds it: tests share few threads, and two that waited could hold all of them.
private struct HeldRead {
  private let ends = DispatchSemaphore(value: 0)
  private let begun: AsyncStream<Void>
  private let result: AsyncStream<Result<Total, any Error>>

  init(_ ledger: Ledger, _ body: @escaping @Sendable (borrowing Snapshot) throws -> Total) {
    let (begun, begins) = AsyncStream<Void>.makeStream()
    let (result, results) = AsyncStream<Result<Total, any Error>>.makeStream()
    (self.begun, self.result) = (begun, result)
    Thread.detachNewThread { [ends] in
      results.yield(
        Result {
          try ledger.read { snapshot throws in
            begins.finish()
            ends.wait()
            return try body(snapshot)
          }
        })
      begins.finish()
      results.finish()
    }
  }

  func begins() async { for await _ in begun {} }

  /// Ends the read; returns its result.
  func end() async throws -> Total {
    ends.signal()
    var found: Result<Total, any Error>?
    for await result in result { found = result }
    return try #require(found).get()
  }
}

@Suite(.timeLimit(.minutes(5))) struct SuspensionTests {
  #if os(Linux)
    @Test(arguments: [false, true])
    func nothingIsHeldBetweenSuspendAndResume(readOnly: Bool) async throws {
      let house = try await House()
      let a = try await house.account("A", opening: "100")
      for _ in 0..<20 { try await house.expense(money("1"), from: a) }
      if readOnly { try await house.reopen(readOnly: true) { _ in } }
      let values = house.ledger.observe { try $0.balance(of: a, on: today) }
      var iterator = values.makeAsyncIterator()
      #expect(try await iterator.next() == total("80"))
      #expect(!held(by: house).isEmpty)
      // The system's list can lack a lock while other locks come and go.
      var isLocked = false
      for _ in 0..<100 where !isLocked {
        isLocked = !locked(by: house).isEmpty
        if !isLocked { try await Task.sleep(for: .milliseconds(20)) }
      }
      #expect(isLocked)
      try await house.ledger.suspend()
      #expect(held(by: house) == [] && locked(by: house) == [])
      #expect(house.ledger.isSuspended)
      try await house.ledger.resume()
      #expect(!house.ledger.isSuspended && !held(by: house).isEmpty)
      #expect(try house.balance(a) == total("80"))
      if readOnly { try await house.reopen { _ in } }
      try await house.end()
    }
  #endif

  @Test func callsFailOrWait() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let ledger = house.ledger
    try await ledger.suspend()
    #expect(throws: DaybookError.self) { try ledger.token }
    let error = await #expect(throws: DaybookError.self) {
      try await house.expense(money("1"), from: a)
    }
    #expect(error?.code == .suspended)
    #expect(error?.message.contains("Call `resume()`") == true)
    // Suspending again changes only what calls do.
    try await ledger.suspend(.wait)
    let append = Task { try await ledger.append(.record(.expense(money("1"), from: a, on: today))) }
    let read = #expect(throws: DaybookError.self) { try house.balance(a) }
    #expect(read?.code == .suspended)
    try await ledger.resume()
    _ = try await append.value
    #expect(try house.balance(a) == total("99"))
    try await ledger.resume()
    try await house.end()
  }

  @Test func anotherProcessMayWriteInTheMeantime() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    try await house.ledger.suspend()
    let other = try await Ledger.open(at: house.path, options: House.options())
    try await other.append(.record(.expense(money("1"), from: a, on: today)))
    _ = try await other.rebuild()
    try await other.append(.record(.expense(money("2"), from: a, on: today)))
    try await other.close()
    try await house.ledger.resume()
    #expect(try house.balance(a) == total("97"))
    try await house.expense(money("3"), from: a)
    #expect(try house.balance(a) == total("94"))
    try await house.end()
  }

  @Test func observersGoOn() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let ledger = house.ledger
    let start = try ledger.token
    var values = ledger.observe { try $0.balance(of: a, on: today) }.makeAsyncIterator()
    var changes = ledger.changes(after: start).makeAsyncIterator()
    #expect(try await values.next() == total("100"))
    try await ledger.suspend()
    let next = Task {
      try await ledger.observe { try $0.balance(of: a, on: today) }.first { _ in true }
    }
    let other = try await Ledger.open(at: house.path, options: House.options())
    try await other.append(.record(.expense(money("1"), from: a, on: today)))
    try await other.close()
    try await ledger.resume()
    #expect(try await next.value == total("99"))
    #expect(try await values.next() == total("99"))
    #expect(try await changes.next()?.changes.isEmpty == false)
    try await house.expense(money("1"), from: a)
    #expect(try await values.next() == total("98"))
    #expect(try await changes.next()?.changes.isEmpty == false)
    try await house.end()
  }

  @Test @MainActor func pagersGoOn() async throws {
    let house = try await House()
    let a = try await house.account("A")
    for _ in 0..<3 { try await house.expense(money("1"), from: a) }
    let pager = TransactionPager(house.ledger)
    let following = Task { await pager.run() }
    await pager.refresh()
    #expect(pager.rows.count == 3)
    try await house.ledger.suspend()
    let refresh = Task { await pager.refresh() }
    let other = try await Ledger.open(at: house.path, options: House.options())
    try await other.append(.record(.expense(money("1"), from: a, on: today)))
    try await other.close()
    try await house.ledger.resume()
    await refresh.value
    #expect(pager.rows.count == 4 && pager.error == nil)
    try await house.expense(money("1"), from: a)
    while pager.rows.count < 5 { await Task.yield() }
    following.cancel()
    try await house.end()
  }

  @Test func anOpenReadRefusesAndTheLedgerStaysUsable() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let ledger = house.ledger
    let reading = HeldRead(ledger) { try $0.balance(of: a, on: today) }
    await reading.begins()
    let error = await #expect(throws: DaybookError.self) { try await ledger.suspend() }
    #expect(error?.code == .notReady)
    #expect(!ledger.isSuspended)
    try await house.expense(money("1"), from: a)
    #expect(try house.balance(a) == total("99"))
    #expect(try await reading.end() == total("100"))
    try await ledger.suspend()
    try await ledger.resume()
    try await house.end()
  }

  /// The files that were closed in vain can't be opened again, because `CURRENT` is gone.
  @Test func aRefusedSuspensionThatCannotBeTakenBackSuspends() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let current = house.path + "/CURRENT"
    try await house.reopen { options in
      options.trace = { name in
        guard name == "before suspending" else { return }
        try? FileManager.default.moveItem(atPath: current, toPath: current + "-aside")
      }
    }
    let ledger = house.ledger
    let reading = HeldRead(ledger) { try $0.balance(of: a, on: today) }
    await reading.begins()
    let error = await #expect(throws: DaybookError.self) { try await ledger.suspend() }
    #expect(error?.code == .damaged && ledger.isSuspended)
    try FileManager.default.moveItem(atPath: current + "-aside", toPath: current)
    try await ledger.resume()
    #expect(!ledger.isSuspended)
    try await house.expense(money("1"), from: a)
    #expect(try await reading.end() == total("100"))
    #expect(try house.balance(a) == total("99"))
    try await house.end()
  }

  @Test func aSuspendedLedgerCanBeClosed() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let ledger = house.ledger
    try await ledger.suspend(.wait)
    let append = Task { try await ledger.append(.record(.expense(money("1"), from: a, on: today))) }
    let value = Task { try await ledger.observe { $0.token }.first { _ in true } }
    // The task waits until the ledger is closed, or finds it closed.
    try await ledger.close()
    let error = await #expect(throws: DaybookError.self) { try await append.value }
    #expect(error?.code == .closed)
    #expect(try await value.value == nil)
    let refusal = await #expect(throws: DaybookError.self) { try await ledger.resume() }
    #expect(refusal?.code == .closed)
    try await house.reopen { _ in }
    #expect(try house.balance(a) == total("100"))
    try await house.end()
  }

  @Test func aLedgerThatCannotBeResumedStaysSuspended() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    try await house.ledger.suspend()
    let aside = house.path + "-aside"
    try FileManager.default.moveItem(atPath: house.path, toPath: aside)
    let error = await #expect(throws: DaybookError.self) { try await house.ledger.resume() }
    #expect(error?.code == .missing)
    #expect(house.ledger.isSuspended)
    try FileManager.default.moveItem(atPath: aside, toPath: house.path)
    try await house.ledger.resume()
    #expect(try house.balance(a) == total("100"))
    try await house.end()
  }

  @Test func aLedgerInMemoryKeepsItsContents() async throws {
    let ledger = try await Ledger.inMemory()
    try await ledger.append(.openAccount(NewAccount(name: "A", currency: kzt)))
    try await ledger.suspend()
    try await ledger.resume()
    #expect(try ledger.read { try $0.accounts() }.map(\.name) == ["A"])
    try await ledger.close()
  }

  /// The number of rounds; `DAYBOOK_SUSPENSIONS` asks for more.
  private static let roundCount =
    ProcessInfo.processInfo.environment["DAYBOOK_SUSPENSIONS"].flatMap(Int.init) ?? 30

  @Test func nothingIsLostAmidAppendsAndReads() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let ledger = house.ledger
    let appended = Tally()
    let isOver = Tally()
    let rounds = Self.roundCount
    let path = house.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          while isOver.count == 0 {
            try await ledger.append(.record(.expense(money("1"), from: a, on: today)))
            appended.add()
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          while isOver.count == 0 {
            let least = appended.count
            do {
              let balance = try ledger.read { try $0.balance(of: a, on: today) }
              #expect(-balance.units / 100 >= least)
            } catch let error as DaybookError {
              #expect(error.code == .suspended)
            }
            await Task.yield()
          }
        }
      }
      group.addTask {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<rounds {
          try await ledger.suspend(.wait)
          #if os(Linux)
            #expect(held(by: path) == [] && locked(by: path) == [])
          #endif
          if numbers.next() % 2 == 0 {
            try await Task.sleep(for: .microseconds(Int(numbers.next() % 2_000)))
          }
          try await ledger.resume()
          try await Task.sleep(for: .microseconds(Int(numbers.next() % 4_000)))
        }
        isOver.add()
      }
      try await group.waitForAll()
    }
    #expect(try -house.balance(a).units / 100 == Int128(appended.count))
    try await house.end()
  }
}

#if os(Linux)
  /// The files of a ledger that this process has open.
  private func held(by path: String) -> [String] {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }.filter { $0.hasPrefix(path + "/") }
  }

  /// The files of a ledger that any process has locked.
  private func locked(by path: String) -> [String] {
    let table = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
    // A line's sixth word is the device and the file's number.
    let numbers = Set(
      table.split(separator: "\n").compactMap { line -> Substring? in
        let words = line.split(separator: " ").drop { $0.hasSuffix(":") || $0 == "->" }
        return words.dropFirst(4).first?.split(separator: ":").last
      })
    let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return files.filter { file in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")
      guard let number = attributes?[.systemFileNumber] as? UInt64 else { return false }
      return numbers.contains("\(number)")
    }
  }

  private func held(by house: House) -> [String] { held(by: house.path) }
  private func locked(by house: House) -> [String] { locked(by: house.path) }
#endif
