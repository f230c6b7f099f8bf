/// Goal: another process reads a complete, consistent copy of a ledger without locks and without
/// rebuilding, and never sees half of a new copy. Method: copies made between and amid appends, the
/// system's lists of descriptors and locks, readers that stay open while the copy is replaced.
import Daybook
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct SnapshotCopyTests {
  @Test func aCopyIsReadInPlace() async throws {
    let house = try await House()
    let copy = house.path + ".copy"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let a = try await house.account("A", opening: "100")
    for _ in 0..<20 { try await house.expense(money("1"), from: a) }
    let token = try house.ledger.token
    #expect(try await house.ledger.snapshotCopy(to: copy))
    let names = try names(in: copy)
    try await Ledger.withLedger(at: copy) { ledger async throws in
      #expect(try ledger.token == token)
      #expect(try ledger.read { try $0.balance(of: a, on: today) } == total("80"))
      #expect(try ledger.read { try $0.transactions(.all, limit: 50) }.count == 20)
      let refusal = await #expect(throws: DaybookError.self) {
        try await ledger.append(.record(.expense(money("1"), from: a, on: today)))
      }
      #expect(refusal?.code == .readOnly)
      #expect(refusal?.message.contains("is a copy for reading") == true)
      #if os(Linux)
        #expect(locks(under: copy) == [])
      #endif
      #expect(try await ledger.verify().findings == [])
    }
    #expect(try self.names(in: copy) == names)
    try await house.end()
  }

  @Test func aReaderSwitchesToTheNextCopy() async throws {
    let house = try await House()
    let copy = house.path + ".copy"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let a = try await house.account("A", opening: "100")
    try await house.ledger.snapshotCopy(to: copy)
    #expect(try await !house.ledger.snapshotCopy(to: copy))
    let reader = try await Ledger.open(at: copy)
    for spent in 1...3 {
      try await house.expense(money("1"), from: a)
      #expect(try reader.read { try $0.balance(of: a, on: today) } == total("\(101 - spent)"))
      #expect(try await house.ledger.snapshotCopy(to: copy))
      // A process looks at most every 20 ms for a new generation.
      try await Task.sleep(for: .milliseconds(40))
      #expect(try reader.read { try $0.balance(of: a, on: today) } == total("\(100 - spent)"))
    }
    try await reader.close()
    #expect(try names(in: copy).filter { $0.hasSuffix("data.mdb") }.count == 2)
    try await house.end()
  }

  /// Each copy has the whole of some commits: the account's balance and the number of its
  /// transactions always agree.
  @Test func copiesAmidAppendsAreConsistent() async throws {
    let house = try await House()
    let copy = house.path + ".copy"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let a = try await house.account("A", opening: "1000")
    let ledger = house.ledger
    try await ledger.snapshotCopy(to: copy)
    let appending = Task {
      for _ in 0..<300 {
        try await ledger.append(.record(.expense(money("1"), from: a, on: today)))
      }
    }
    for _ in 0..<20 {
      try await ledger.snapshotCopy(to: copy)
      try await Ledger.withLedger(at: copy) { ledger async throws in
        let (balance, count) = try ledger.read {
          (try $0.balance(of: a, on: today), try $0.transactions(.all, limit: 1_000).count)
        }
        #expect(balance == total("\(1000 - count)"))
      }
    }
    try await appending.value
    try await ledger.snapshotCopy(to: copy)
    try await Ledger.withLedger(at: copy) { ledger async throws in
      #expect(try ledger.read { try $0.balance(of: a, on: today) } == total("700"))
      #expect(try await ledger.verify().findings == [])
    }
    try await house.end()
  }

  @Test func anotherFolderIsNotReplaced() async throws {
    let house = try await House()
    let other = try await House()
    let copy = house.path + ".copy"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try await other.ledger.snapshotCopy(to: copy)
    for (path, code) in [
      (copy, DaybookError.Code.foreign), (other.path, .foreign), (house.path + "/copy", .nested),
    ] {
      let refusal = await #expect(throws: DaybookError.self) {
        try await house.ledger.snapshotCopy(to: path)
      }
      #expect(refusal?.code == code, "\(path)")
    }
    try await house.ledger.suspend()
    let refusal = await #expect(throws: DaybookError.self) {
      try await house.ledger.snapshotCopy(to: house.path + ".late")
    }
    #expect(refusal?.code == .suspended)
    try await house.ledger.resume()
    try await house.end()
    try await other.end()
  }

  @Test func aCopyCanBeRestoredFrom() async throws {
    let house = try await House()
    let (copy, restored) = (house.path + ".copy", house.path + ".restored")
    defer { for path in [copy, restored] { try? FileManager.default.removeItem(atPath: path) } }
    let a = try await house.account("A", opening: "50")
    try await house.ledger.snapshotCopy(to: copy)
    try await Ledger.restore(from: copy, to: restored)
    try await Ledger.withLedger(at: restored) { ledger async throws in
      try await ledger.append(.record(.expense(money("1"), from: a, on: today)))
      #expect(try ledger.read { try $0.balance(of: a, on: today) } == total("49"))
    }
    try await house.end()
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  #if os(Linux)
    /// The files under a folder that this process has locked, or has open as lock files.
    private func locks(under folder: String) -> [String] {
      let descriptors =
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      let open = descriptors.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      return open.filter {
        $0.hasPrefix(folder) && ($0.hasSuffix("lock.mdb") || $0.hasSuffix("WRITER"))
      }
    }
  #endif
}
