/// Goal: whatever byte of a ledger's files is changed, wherever they are cut off, and whichever of them is
/// another ledger's: it is said, or it makes no difference. Nothing is ever answered from it, and checking
/// it never ends the process.
/// Method: a ledger with one of everything is copied, damaged in one place, examined, opened, verified, and
/// asked everything, as `daybook verify` does it, in children that check many places each and write down
/// what became of them; a child that dies tells by its last line where. What is answered is compared
/// with what the undamaged ledger says. DAYBOOK_DAMAGE_TRIALS sets how many bytes are changed (100 by
/// default); positions are drawn by a seed, mostly where the structure is.
import Daybook
import DaybookRandom
import Foundation
import Testing

private let damageTrialCount =
  ProcessInfo.processInfo.environment["DAYBOOK_DAMAGE_TRIALS"].flatMap { Int($0) } ?? 100

@Suite(.serialized) struct DamageTrials {
  static let journal = "journal-0001/data.mdb"
  static let views = "views-0001/data.mdb"

  /// One change of a file: a byte, or its length.
  struct Damage: Codable, Sendable, CustomStringConvertible {
    var file: String
    var offset: Int
    /// What the byte is combined with; without it, the file ends there.
    var mask: UInt8?

    var description: String { "\(file) \(offset) \(mask.map { "^\($0)" } ?? "cut off")" }

    func apply(to folder: String) throws {
      let file = try #require(FileHandle(forUpdatingAtPath: "\(folder)/\(file)"))
      if let mask {
        try file.seek(toOffset: UInt64(offset))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data([byte ^ mask]))
      } else {
        try file.truncate(atOffset: UInt64(offset))
      }
      try file.close()
    }
  }

  /// Tries damages one after the other, in a child, and writes down what became of each.
  static func tryAll(in place: String) async throws {
    let decoder = JSONDecoder()
    let damages = try decoder.decode(
      [Damage].self, from: Data(contentsOf: URL(fileURLWithPath: place + "/damages")))
    let answers = try decoder.decode(
      [String].self, from: Data(contentsOf: URL(fileURLWithPath: place + "/answers")))
    let results = try #require(FileHandle(forWritingAtPath: place + "/results"))
    let copy = place + "/copy"
    for damage in damages {
      try results.write(contentsOf: Data("\(damage): ".utf8))
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: place + "/L.daybook", toPath: copy)
      try damage.apply(to: copy)
      let outcome = await Outcome.of(copy, expecting: answers, views: 1)
      let line = "\(outcome)".split(whereSeparator: \.isNewline).joined(separator: " ")
      try results.write(contentsOf: Data("\(line)\n".utf8))
    }
    try? FileManager.default.removeItem(atPath: copy)
  }

  /// Makes the ledger, notes its answers, and has a child try the damages.
  private func outcomes(_ damages: (String) throws -> [Damage]) async throws -> [String] {
    let place = try Place()
    let path = place.path
    try await DamagedLedger.make(at: place.ledger, seed: 1)
    let copy = path + "/copy"
    try FileManager.default.copyItem(atPath: place.ledger, toPath: copy)
    let ledger = try await Ledger.open(at: copy, options: DamagedLedger.options)
    let answers = try DamagedLedger.answers(ledger)
    try await ledger.close()
    let all = try damages(place.ledger)
    func put(_ value: some Encodable, _ name: String) throws {
      try JSONEncoder().encode(value).write(to: URL(fileURLWithPath: path + "/" + name))
    }
    try put(answers, "answers")
    try put(all, "damages")
    try Data().write(to: URL(fileURLWithPath: path + "/results"))
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await DamageTrials.tryAll(in: path)
    }
    let text = try String(contentsOfFile: path + "/results", encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count == all.count, "the child died at: \(lines.last ?? "")")
    if let log = ProcessInfo.processInfo.environment["DAYBOOK_DAMAGE_LOG"] {
      try text.write(toFile: "\(log)-\(all.count)", atomically: false, encoding: .utf8)
    }
    return lines
  }

  /// Says how many there were of each outcome, and that nothing went unnoticed.
  private func report(_ lines: [String], _ what: String) {
    for file in [DamageTrials.journal, DamageTrials.views, "FORMAT", "CURRENT", "lock.mdb"] {
      let own = lines.filter { $0.contains(file) }
      if own.isEmpty { continue }
      func count(_ word: String) -> Int { own.count { $0.contains(": \(word)") } }
      print(
        "\(what) in \(file): \(own.count) tried, \(count("found:")) found, \(count("refused:")) refused, "
          + "\(count("rebuilt")) rebuilt, \(count("harmless")) harmless")
    }
    for line in lines where line.contains("UNNOTICED") { Issue.record("\(what): \(line)") }
  }

  @Test func everyFlipOfAByteIsSaidOrHarmless() async throws {
    let lines = try await outcomes { folder in
      var random = SeededGenerator(seed: UInt64(damageTrialCount))
      // The control: nothing is changed, and everything is as before.
      var all = [Damage(file: "WRITER", offset: 0, mask: nil)]
      for (file, share) in [
        (DamageTrials.journal, 50), (DamageTrials.views, 30), ("FORMAT", 8), ("CURRENT", 8),
        ("journal-0001/lock.mdb", 2), ("views-0001/lock.mdb", 2),
      ] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
        for _ in 0..<max(1, damageTrialCount * share / 100) {
          let offset = DamageTrials.offset(in: bytes, isTree: file.hasSuffix("data.mdb"), &random)
          all.append(
            Damage(file: file, offset: offset, mask: .random(in: 1 ... .max, using: &random)))
        }
      }
      return all
    }
    #expect(
      lines.first?.hasSuffix(": harmless") == true, "the control failed: \(lines.first ?? "")")
    report(lines, "flips of a byte")
  }

  /// Where to change a byte: anywhere, or where most hangs on it.
  private static func offset(in bytes: Data, isTree: Bool, _ random: inout SeededGenerator) -> Int {
    func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    guard isTree else { return number(bytes.count) }
    switch number(10) {
    case 0: return number(2) * 4_096 + number(152)
    case 1, 2: return number(bytes.count / 4_096) * 4_096 + number(60)
    case 3, 4, 5:
      // The root of the main database: what the ledger says of itself.
      func word(_ at: Int) -> Int { (0..<6).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
      let newest = word(144) > word(4_096 + 144) ? 0 : 4_096
      return word(newest + 128) * 4_096 + number(4_096)
    default: return number(bytes.count)
    }
  }

  @Test func everyCutIsSaidOrHarmless() async throws {
    let lines = try await outcomes { folder in
      try [DamageTrials.journal, DamageTrials.views].flatMap { file in
        let size = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)")).count
        return stride(from: 0, to: size, by: 4_096).map { Damage(file: file, offset: $0) }
      }
    }
    report(lines, "cuts at a page")
    #expect(
      lines.count { $0.contains(": refused") || $0.contains(": found") } > lines.count * 8 / 10)
  }

  // MARK: Files of another ledger

  /// Copies a ledger, puts files of another in place of its own, and says what became of it.
  private func swapped(
    _ own: String, _ other: String, _ files: [String], in place: Place
  ) async throws -> Outcome {
    let copy = place.path + "/swapped"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: own, toPath: copy)
    for file in files {
      try FileManager.default.removeItem(atPath: "\(copy)/\(file)")
      if !other.isEmpty {
        try FileManager.default.copyItem(atPath: "\(other)/\(file)", toPath: "\(copy)/\(file)")
      }
    }
    let ledger = try await Ledger.open(at: own, options: DamagedLedger.options)
    let answers = try DamagedLedger.answers(ledger)
    let views = try await ledger.info().viewsGeneration
    try await ledger.close()
    return await Outcome.of(copy, expecting: answers, views: views)
  }

  @Test func filesOfAnotherLedgerAreRefused() async throws {
    let place = try Place()
    let other = place.path + "/Other.daybook"
    try await DamagedLedger.make(at: place.ledger, seed: 1)
    try await DamagedLedger.make(at: other, seed: 2)
    for files in [
      [DamageTrials.journal], [DamageTrials.views], ["CURRENT"], ["FORMAT"],
      [DamageTrials.journal, DamageTrials.views], ["CURRENT", DamageTrials.journal],
      ["FORMAT", "CURRENT"], ["FORMAT", DamageTrials.journal],
    ] {
      let outcome = try await swapped(place.ledger, other, files, in: place)
      guard case .refused(let why) = outcome else {
        Issue.record("\(files) of another ledger: \(outcome)")
        continue
      }
      #expect(why.hasPrefix("foreign:"), "\(files): \(why)")
    }
  }

  @Test func missingFilesAreSaidOrMadeAnew() async throws {
    let place = try Place()
    try await DamagedLedger.make(at: place.ledger, seed: 1)
    for file in ["CURRENT", "FORMAT", DamageTrials.journal] {
      let outcome = try await swapped(place.ledger, "", [file], in: place)
      guard case .refused(let why) = outcome else {
        Issue.record("without \(file): \(outcome)")
        continue
      }
      #expect(why.hasPrefix("damaged:"), "without \(file): \(why)")
    }
    // What is derived is made anew, under the same number.
    let views = try await swapped(place.ledger, "", [DamageTrials.views], in: place)
    #expect(views == .harmless || views == .rebuilt, "without the views: \(views)")
  }

  /// `CURRENT` of an earlier or later time names generations that are not there.
  @Test func aCurrentOfAnotherTimeIsRefusedOrTheViewsAreRebuilt() async throws {
    let place = try Place()
    try await DamagedLedger.make(at: place.ledger, seed: 1)
    let later = place.path + "/Later.daybook"
    try FileManager.default.copyItem(atPath: place.ledger, toPath: later)
    let ledger = try await Ledger.open(at: later, options: DamagedLedger.options)
    try await ledger.rebuild()
    try await ledger.close()
    #expect(try await swapped(place.ledger, later, ["CURRENT"], in: place) == .rebuilt)
    let again = try await Ledger.open(at: later, options: DamagedLedger.options)
    _ = try await again.compact()
    try await again.close()
    for (own, other) in [(place.ledger, later), (later, place.ledger)] {
      let outcome = try await swapped(own, other, ["CURRENT"], in: place)
      guard case .refused(let why) = outcome else {
        Issue.record("CURRENT of another time: \(outcome)")
        continue
      }
      #expect(why.hasPrefix("damaged:"), "\(why)")
    }
  }
}
