/// Goal: a rebuild repairs the views whatever their files hold. Method: the views of a ledger with one of
/// everything are damaged by a seed (flipped bits, cuts, garbage, missing files, whole projections' versions);
/// after a rebuild the ledger verifies and answers as before. DAYBOOK_REBUILD_TRIALS sets how many.
import Daybook
import DaybookRandom
import Foundation
import Testing

private let rebuildTrialCount =
  ProcessInfo.processInfo.environment["DAYBOOK_REBUILD_TRIALS"].flatMap { Int($0) } ?? 30

@Suite(.serialized) struct RebuildTrials {
  /// Damages the views in one of many ways, and says which.
  private func damage(_ folder: String, _ random: inout SeededGenerator) throws -> String {
    let file = URL(fileURLWithPath: "\(folder)/\(DamageTrials.views)")
    var bytes = try Data(contentsOf: file)
    let files = FileManager.default
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2:
      let count = Int.random(in: 1...60, using: &random)
      for _ in 0..<count {
        let page = Int.random(in: 0..<bytes.count / 4_096, using: &random)
        let offset = Int.random(in: 0..<(Bool.random(using: &random) ? 152 : 4_096), using: &random)
        bytes[page * 4_096 + offset] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      }
      try bytes.write(to: file)
      return "\(count) flips"
    case 3:
      let count = Int.random(in: 0..<bytes.count, using: &random)
      try bytes.prefix(count).write(to: file)
      return "cut to \(count) bytes"
    case 4:
      let start = Int.random(in: 0..<bytes.count, using: &random)
      for index in start..<min(bytes.count, start + 50_000) {
        bytes[index] = .random(in: .min ... .max, using: &random)
      }
      try bytes.write(to: file)
      return "garbage from \(start)"
    case 5:
      try files.removeItem(at: file.deletingLastPathComponent())
      return "no folder"
    case 6:
      for name in ["lock.mdb", "SESSION"] {
        try Data((0..<8_192).map { _ in UInt8.random(in: .min ... .max, using: &random) })
          .write(to: file.deletingLastPathComponent().appendingPathComponent(name))
      }
      return "garbage beside the data"
    default:
      // The version of a projection, as one of a newer program.
      let names = Ledger.projections.map { $0.name }
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      let key = Data("projection.\(name)".utf8)
      var from = bytes.startIndex
      while let found = bytes.range(of: key, in: from..<bytes.endIndex) {
        bytes[found.upperBound + Int.random(in: 0..<4, using: &random)] ^= 0x10
        from = found.upperBound
      }
      try bytes.write(to: file)
      return "version of \(name)"
    }
  }

  /// - Parameter isOpen: Whether the ledger is opened first, if it can be, and rebuilt while it is open.
  @Test(arguments: [false, true]) func whateverTheViewsHold(isOpen: Bool) async throws {
    let place = try Place()
    try await DamagedLedger.make(at: place.ledger, seed: 1)
    let copy = place.path + "/copy"
    let files = FileManager.default
    try files.copyItem(atPath: place.ledger, toPath: copy)
    let ledger = try await Ledger.open(at: copy, options: DamagedLedger.options)
    let answers = try DamagedLedger.answers(ledger)
    try await ledger.close()
    var random = SeededGenerator(seed: UInt64(rebuildTrialCount))
    for index in 0..<(isOpen ? rebuildTrialCount / 3 : rebuildTrialCount) {
      try files.removeItem(atPath: copy)
      try files.copyItem(atPath: place.ledger, toPath: copy)
      let what = try damage(copy, &random)
      if isOpen {
        // What can't be examined may end the process that opens it.
        guard (try? await Ledger.examine(at: copy)) == [] else { continue }
        do {
          let opened = try await Ledger.open(at: copy, options: DamagedLedger.options)
          try await opened.rebuild()
          try await opened.close()
        } catch {
          // It says what to do, and that helps.
          #expect("\(error)".contains("daybook rebuild"), "trial \(index), \(what): \(error)")
          try await Ledger.rebuild(at: copy, options: DamagedLedger.options)
        }
      } else {
        let comparing = index.isMultiple(of: 5)
        try await Ledger.rebuild(at: copy, options: DamagedLedger.options, comparing: comparing)
      }
      let outcome = await Outcome.of(copy, expecting: answers, views: 1)
      #expect(outcome == .rebuilt, "trial \(index), \(what): \(outcome)")
      let names = try files.contentsOfDirectory(atPath: copy)
      #expect(names.count { $0.hasPrefix("views-") } == 1, "trial \(index), \(what): \(names)")
    }
  }

  @Test func othersReadAndWriteMeanwhile() async throws {
    let place = try Place()
    try await DamagedLedger.make(at: place.ledger, seed: 1)
    let ledger = try await Ledger.open(at: place.ledger, options: DamagedLedger.options)
    let before = try ledger.read { try $0.count() }
    let writing = Task {
      var random = SeededGenerator(seed: 5)
      var count = 0
      while !Task.isCancelled {
        let account = AccountID(EntityID(high: 77, low: 1))
        try await ledger.append(.record(Child.draft(account, "meanwhile", &random)))
        count += 1
        #expect(try ledger.read { try $0.count() } == before + count)
      }
      return count
    }
    await #expect(processExitsWith: .success) { [path = place.ledger as String] in
      for _ in 0..<3 { try await Ledger.rebuild(at: path, options: DamagedLedger.options) }
    }
    writing.cancel()
    let count = try await writing.value
    #expect(count > 0)
    #expect(try ledger.read { try $0.count() } == before + count)
    #expect(try await ledger.verify().findings == [])
    #expect(try await ledger.info().viewsGeneration > 3)
    try await ledger.close()
    try expectOneOfEach(place.ledger)
  }
}
