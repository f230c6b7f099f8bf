/// Goal: erased text is in no byte of the ledger's folder, every figure stays, the chain still verifies,
/// and what was erased can't be brought back. Method: words that occur nowhere else are recorded in all
/// the places that text can get to, erased, and then looked for in every file.
import Daybook
import Foundation
import Synchronization
import Testing

@Suite struct ErasureTests {
  /// All bytes of a file, by the system's own calls.
  private func bytes(of path: String) -> Data {
    let file = open(path, O_RDONLY)
    precondition(file >= 0, "\(path) cannot be read")
    defer { close(file) }
    var whole: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &part, part.count)
      if count <= 0 { return Data(whole) }
      whole.append(contentsOf: part[..<count])
    }
  }

  /// The files of a ledger that hold a word.
  private func files(of path: String, with word: String) throws -> [String] {
    let wanted = Data(word.utf8)
    var found: [String] = []
    for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
      let place = path + "/" + name
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      if bytes(of: place).range(of: wanted) != nil {
        found.append(name)
      }
    }
    return found
  }

  /// The commit that gives an erased account its last name would bring back the one in between.
  @Test func erasureIsNotUndone() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let before = try house.ledger.token.sequence
    try await house.ledger.erase(.account, a.rawValue)
    let erased = try house.ledger.read { try $0.account(a)?.name }
    #expect(erased?.hasPrefix("Erased ") == true)
    let newest = try house.ledger.token.sequence
    #expect(newest > before)
    for commit in before + 1...newest {
      _ = await #expect(throws: DaybookError.self) { try await house.ledger.undo(commit: commit) }
    }
    _ = try? await house.ledger.undoNewest()
    #expect(try house.ledger.read { try $0.account(a)?.name } == erased)
  }

  @Test(arguments: [false, true])
  func theTextOfATransactionIsGone(isPurged: Bool) async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let row = TransactionID(EntityID(high: 7, low: 10))
    for step in 0..<300 {
      try await house.expense(money("1"), from: a, description: "other row \(step)")
    }
    var draft = Draft.expense(
      money("5"), from: a, on: today, id: row, description: "Quixotry", payee: "Zanzibar")
    draft.tags = ["xylophone"]
    try await house.ledger.append([.record(draft)], author: "Nightingale", key: "Quixotry-key")
    try await house.append(.amend(row, Amendment(description: "Quagmire", note: "Zeppelin")))
    for step in 0..<20 {
      try await house.expense(money("1"), from: a, description: "later \(step)")
    }
    if isPurged {
      var options = PurgeOptions()
      options.policy = .count(5)
      try await house.ledger.purge(options)
    }
    let before = try house.balance(a)
    #expect(try !files(of: house.path, with: "Quagmire").isEmpty)
    let receipt = try await house.ledger.erase(.transaction, row.rawValue)
    #expect(receipt.changeCount >= 1)
    let words = [
      "Quixotry", "Zanzibar", "xylophone", "Nightingale", "Quixotry-key", "Quagmire", "Zeppelin",
    ]
    for word in words { #expect(try files(of: house.path, with: word) == [], "\(word)") }
    #expect(try house.balance(a) == before)
    #expect(try house.ledger.read { try $0.transaction(row)?.description } == "")
    #expect(try await house.ledger.verify().findings == [])
    var cursor = try house.ledger.timeline(of: row.rawValue).cursor()
    while let entry = try cursor.next() {
      let isShown = entry.changes.allSatisfy { $0.differences.contains { $0.isErased } }
      #expect(isShown)
      guard entry.changes.contains(where: { $0.stored.isErased }) else { continue }
      let refused = await #expect(throws: DaybookError.self) {
        try await house.ledger.undo(commit: entry.sequence)
      }
      // The erasure's own commit is one of the journal's.
      #expect(
        refused?.refusal?.code == (entry.sequence == receipt.sequence ? .builtin : .missing))
    }
    // The ledger goes on.
    try await house.append(.amend(row, Amendment(note: "new")))
    try await house.ends { snapshot throws in
      #expect(try snapshot.transaction(row)?.note == "new")
    }
  }

  @Test func aDeletedTransactionAndAnAccountsNameGoToo() async throws {
    let house = try await House()
    let a = try await house.account("Quixotry", opening: "100")
    let row = try await house.expense(money("5"), from: a, description: "Zanzibar")
    try await house.append(.delete(row))
    try await house.ledger.erase(.transaction, row.rawValue)
    #expect(try files(of: house.path, with: "Zanzibar") == [])
    #expect(try !files(of: house.path, with: "Quixotry").isEmpty)
    try await house.ledger.erase(.account, a.rawValue)
    #expect(try files(of: house.path, with: "Quixotry") == [])
    try await house.ends { snapshot throws in
      #expect(try snapshot.account(a)?.name.hasPrefix("Erased ") == true)
      #expect(try snapshot.balance(of: a, on: today) == total("100"))
    }
    let none = await #expect(throws: DaybookError.self) {
      let other = try await House()
      try await other.ledger.erase(.rate, EntityID(high: 1, low: 1))
    }
    #expect(none?.refusal?.code == .value)
  }

  @Test func whatIsWrittenAfterAnErasureCanBeErasedToo() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let row = try await house.expense(money("5"), from: a, description: "Zanzibar")
    var options = PurgeOptions()
    options.policy = .count(0)
    try await house.ledger.purge(options)
    try await house.ledger.erase(.transaction, row.rawValue)
    try await house.append(.amend(row, Amendment(description: "Quixotry")))
    try await house.ledger.purge(options)
    #expect(try !files(of: house.path, with: "Quixotry").isEmpty)
    #expect(try await house.ledger.verify().findings == [])
    try await house.ledger.erase(.transaction, row.rawValue)
    #expect(try files(of: house.path, with: "Quixotry") == [])
    try await house.ends { snapshot throws in
      #expect(try snapshot.transaction(row)?.description == "")
    }
  }

  @Test(arguments: [false, true])
  func whatIsBeingBuiltMeanwhileIsBegunAgain(isCompaction: Bool) async throws {
    let point = isCompaction ? "compaction copied" : "rebuild built"
    let house = try await House()
    let a = try await house.account("A")
    let row = try await house.expense(money("5"), from: a, description: "Zanzibar")
    try await house.ledger.close()
    let (reached, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isFirst = Once()
    var options = House.options()
    options.adjustsEngine = {
      $0.mapByteCount = 1 << 30
      $0.trace = {
        guard $0 == point, isFirst.take() else { return }
        reached.signal()
        mayGoOn.wait()
      }
    }
    house.ledger = try await Ledger.open(at: house.path, options: options)
    let ledger = house.ledger
    let building = Task {
      if isCompaction { _ = try await ledger.compact() } else { try await ledger.rebuild() }
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        reached.wait()
        continuation.resume()
      }
    }
    try await ledger.erase(.transaction, row.rawValue)
    #expect(try files(of: house.path, with: "Zanzibar") == [])
    mayGoOn.signal()
    try await building.value
    #expect(try files(of: house.path, with: "Zanzibar") == [])
    try await house.ends { snapshot throws in
      #expect(try snapshot.transaction(row)?.description == "")
    }
  }

  @Test func anInterruptedErasureIsCompletedAtTheNextOpen() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let row = try await house.expense(money("5"), from: a, description: "Zanzibar")
    // The process stops before the new generations are made.
    let path = house.path
    try await house.ledger.close()
    await #expect(processExitsWith: .signal(9)) {
      [path = path as String, row = row.rawValue.description as String] in
      var options = House.options()
      options.adjustsEngine = {
        $0.mapByteCount = 1 << 30
        $0.trace = { if $0 == "before erasure flip" { kill(getpid(), 9) } }
      }
      let ledger = try await Ledger.open(at: path, options: options)
      guard let id = EntityID(row) else { return }
      try await ledger.erase(.transaction, id)
    }
    #expect(try !files(of: path, with: "Zanzibar").isEmpty)
    house.ledger = try await Ledger.open(at: path, options: House.options())
    #expect(try files(of: path, with: "Zanzibar") == [])
    #expect(try await house.ledger.verify().findings == [])
    try await house.end()
  }
}

/// Says yes once.
private final class Once: Sendable {
  private let isTaken = Mutex(false)

  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
