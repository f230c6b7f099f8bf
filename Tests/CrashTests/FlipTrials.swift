/// Goal: whatever bit of a ledger's files is flipped: it is noticed, repaired, or has no effect; no file grows
/// without limit, and `verify` notices every wrong answer. Method: bits of every region are flipped, drawn by
/// a seed, in copies of a ledger with one of everything. Children use each copy as a command does (open, ask
/// everything, append), with a limit on files and time, and write down what became of it; a child that dies is
/// followed by another, which goes on with the next flip. DAYBOOK_FLIP_TRIALS sets how many bits are flipped,
/// DAYBOOK_FLIP_COMMITS how large the ledger is.
import Daybook
import DaybookRandom
import Foundation
import Testing

private let flipTrialCount =
  ProcessInfo.processInfo.environment["DAYBOOK_FLIP_TRIALS"].flatMap { Int($0) } ?? 64
/// Opening examines small files completely, and only a part of those of a ledger of thousands of commits.
private let flippedCommitCount =
  ProcessInfo.processInfo.environment["DAYBOOK_FLIP_COMMITS"].flatMap { Int($0) } ?? 260

@Suite(.serialized) struct FlipTrials {
  /// What became of one flip.
  enum Fate: String, Codable, CaseIterable {
    /// Nothing differs.
    case harmless
    /// A typed error says so.
    case noticed
    /// The views were damaged, and were rebuilt from the journal.
    case repaired
    /// A read or an append ended the process.
    case crash
    /// An answer is wrong, and `verify` says so.
    case wrong
    /// An answer is wrong, and `verify` doesn't notice.
    case unnoticed
    /// Acknowledged commits at the end are missing.
    case lost
    /// A file grew without limit, or the process didn't end.
    case runaway
  }

  /// One bit of one file.
  struct Flip: Codable, CustomStringConvertible {
    var region: FileRegion
    var base: String
    var file: String
    var offset: Int
    var bit: Int

    var description: String { "\(base) \(file) \(region) \(offset):\(bit)" }

    func apply(to folder: String) throws {
      let file = try #require(FileHandle(forUpdatingAtPath: "\(folder)/\(file)"))
      try file.seek(toOffset: UInt64(offset))
      let byte = try #require(try file.read(upToCount: 1)?.first)
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: [byte ^ UInt8(1) << UInt8(bit)])
      try file.close()
    }
  }

  // MARK: In the child

  /// Files of this process may not grow beyond this.
  private static let fileByteCountMax = 1 << 26
  /// What the files of a ledger may grow by when it is opened and appended to once.
  private static let growthByteCountMax = 1 << 25
  private static let secondsMax: UInt32 = 120

  /// Tries the flips that have no line in the file of results yet.
  static func tryRemaining(in place: String) async throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(fileByteCountMax), rlim_max: rlim_t(fileByteCountMax))
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      setrlimit(RLIMIT_FSIZE, &limit)
    #endif
    let decoder = JSONDecoder()
    func read<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
      try decoder.decode(type, from: Data(contentsOf: URL(fileURLWithPath: place + "/" + name)))
    }
    let flips = try read([Flip].self, "flips")
    let answers = try read([String: [String]].self, "answers")
    let results = try #require(FileHandle(forUpdatingAtPath: place + "/results"))
    let done = try results.readToEnd() ?? Data()
    for flip in flips.dropFirst(done.count { $0 == UInt8(ascii: "\n") }) {
      try results.write(contentsOf: Data("\(flip): ".utf8))
      alarm(secondsMax)
      let outcome: String
      do {
        outcome = "\(try await fate(of: flip, expecting: answers[flip.base] ?? [], in: place))"
      } catch {
        outcome = "the trial failed: \(error)".replacing("\n", with: " ")
      }
      alarm(0)
      try results.write(contentsOf: Data("\(outcome)\n".utf8))
    }
  }

  private static func fate(
    of flip: Flip, expecting answers: [String], in place: String
  ) async throws -> Fate {
    let copy = place + "/copy"
    func renew() throws {
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: place + "/" + flip.base, toPath: copy)
      try flip.apply(to: copy)
    }
    try renew()
    let byteCount = try size(of: copy)
    let fate = try await use(copy, expecting: answers)
    if try size(of: copy) > byteCount + growthByteCountMax { return .runaway }
    guard fate == .wrong else { return fate }
    try renew()
    if case .unnoticed = await Outcome.of(copy, expecting: answers, views: 1) {
      let ledger = try await Ledger.open(at: copy, options: DamagedLedger.options)
      let now = try DamagedLedger.answers(ledger)
      try await ledger.close()
      return now.first != answers.first ? .lost : .unnoticed
    }
    return .wrong
  }

  /// Opens a ledger, asks everything, and appends once.
  private static func use(_ path: String, expecting answers: [String]) async throws -> Fate {
    let ledger: Ledger
    do {
      ledger = try await Ledger.open(at: path, options: DamagedLedger.options)
    } catch { return .noticed }
    var fate: Fate
    do {
      fate = try DamagedLedger.answers(ledger) == answers ? .harmless : .wrong
      let before = try ledger.token.sequence
      try await ledger.append(.setSettings(SettingsChange(firstWeekday: 7)))
      if fate == .harmless, try ledger.token.sequence != before + 1 { fate = .wrong }
    } catch {
      fate = .noticed
    }
    if fate == .harmless, ledger.viewsDamage != nil { fate = .repaired }
    do { try await ledger.close() } catch { if fate == .harmless { fate = .noticed } }
    return fate
  }

  private static func size(of folder: String) throws -> Int {
    var total = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      if attributes[.type] as? FileAttributeType == .typeRegular {
        total += attributes[.size] as? Int ?? 0
      }
    }
    return total
  }

  // MARK: In the parent

  private static let closed = "L.daybook"
  /// A copy of an open ledger, whose last commits are in the redo log only.
  private static let open = "Open.daybook"
  private static let redo = "journal-0001/REDO"

  /// Makes the ledgers, and notes what they answer.
  private func make(in place: Place) async throws {
    try await DamagedLedger.make(at: place.ledger, seed: 1, commitCount: flippedCommitCount)
    var answers: [String: [String]] = [:]
    let copy = place.path + "/copy"
    try FileManager.default.copyItem(atPath: place.ledger, toPath: copy)
    var options = DamagedLedger.options
    options.adjustsEngine = {
      $0.mapByteCount = 1 << 28
      $0.redoing.patienceCommitCount = 0
    }
    let ledger = try await Ledger.open(at: copy, options: options)
    answers[Self.closed] = try DamagedLedger.answers(ledger)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<8 {
      let account = AccountID(EntityID(high: 77, low: 1))
      try await ledger.append(.record(Child.draft(account, "redone", &random)))
    }
    answers[Self.open] = try DamagedLedger.answers(ledger)
    try FileManager.default.copyItem(atPath: copy, toPath: place.path + "/" + Self.open)
    try await ledger.close()
    try put(answers, "answers", place)
    try Data().write(to: URL(fileURLWithPath: place.path + "/results"))
  }

  private func put(_ value: some Encodable, _ name: String, _ place: Place) throws {
    try JSONEncoder().encode(value).write(to: URL(fileURLWithPath: place.path + "/" + name))
  }

  private func bytes(_ base: String, _ file: String, _ place: Place) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(place.path)/\(base)/\(file)"))
  }

  /// Tries flips in one child after the other, and returns what became of each.
  private func fates(of flips: [Flip], in place: Place) async throws -> [(Flip, Fate)] {
    try put(flips, "flips", place)
    let path = place.path
    let results = path + "/results"
    var lines: [Substring] = []
    while lines.count < flips.count {
      await withKnownIssue("a damaged file can end the process", isIntermittent: true) {
        await #expect(processExitsWith: .success) { [path = path as String] in
          try await FlipTrials.tryRemaining(in: path)
        }
      }
      var text = try String(contentsOfFile: results, encoding: .utf8)
      if !text.hasSuffix("\n") {
        text += "\(Fate.crash)\n"
        try text.write(toFile: results, atomically: false, encoding: .utf8)
      }
      let now = text.split(separator: "\n")
      try #require(now.count > lines.count, "the child did nothing")
      lines = now
    }
    return try zip(flips, lines).map { flip, line in
      let words = line.split(separator: " ")
      return (flip, try #require(words.last.flatMap { Fate(rawValue: String($0)) }, "\(line)"))
    }
  }

  /// Prints how often each fate occurred in each region.
  private func report(_ fates: [(flip: Flip, fate: Fate)]) {
    let files = Set(fates.map(\.flip.file)).sorted()
    for file in files {
      for region in FileRegion.allCases {
        let own = fates.filter { $0.flip.file == file && $0.flip.region == region }
        if own.isEmpty { continue }
        let counts = Fate.allCases.map { fate in "\(own.count { $0.fate == fate }) \(fate)" }
        print("\(file) \(region): \(own.count) flips, \(counts.joined(separator: ", "))")
      }
    }
    for (flip, fate) in fates where [.unnoticed, .lost, .runaway].contains(fate) {
      Issue.record("\(fate): \(flip)")
    }
    // Headers and records stand twice.
    for (flip, fate) in fates where flip.file == Self.redo && fate != .harmless {
      Issue.record("\(fate): \(flip)")
    }
  }

  @Test func everyFlipIsNoticedOrBounded() async throws {
    let place = try Place()
    try await make(in: place)
    var regions: [(base: String, file: String, FileRegions)] = []
    for file in [DamageTrials.journal, DamageTrials.views] {
      regions.append(
        (Self.closed, file, FileRegions(tree: try bytes(Self.closed, file, place))))
    }
    // The library splits long values.
    for (_, file, found) in regions { #expect(found.ranges[.overflow] == nil, "\(file)") }
    let redo = FileRegions(redo: try bytes(Self.open, Self.redo, place))
    regions.append((Self.open, Self.redo, redo))
    var random = SeededGenerator(seed: UInt64(flipTrialCount))
    var places: [(base: String, file: String, region: FileRegion, ranges: [Range<Int>])] = []
    for (base, file, regions) in regions {
      for region in FileRegion.allCases {
        guard let ranges = regions.ranges[region] else { continue }
        #expect(!ranges.isEmpty, "\(file) has no \(region)")
        places.append((base, file, region, ranges))
      }
    }
    // Every region of every file gets the same number of flips; half of those on pages hit their heads.
    let flips = (0..<flipTrialCount).map { index in
      let (base, file, region, ranges) = places[index % places.count]
      let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
      let isHead = region != .meta && Bool.random(using: &random)
      let count = isHead ? min(range.count, 64) : range.count
      return Flip(
        region: region, base: base, file: file,
        offset: range.lowerBound + Int.random(in: 0..<count, using: &random),
        bit: Int.random(in: 0..<8, using: &random))
    }
    report(try await fates(of: flips, in: place))
  }

  /// Every bit of the meta pages with thousands of flips, otherwise every 29th.
  @Test func everyBitOfTheMetaPagesIsNoticedOrBounded() async throws {
    let place = try Place()
    try await make(in: place)
    var flips: [Flip] = []
    for file in [DamageTrials.journal, DamageTrials.views] {
      for bit in 0..<2 * 152 * 8 {
        let offset = bit / (152 * 8) * 4_096 + bit % (152 * 8) / 8
        flips.append(
          Flip(region: .meta, base: Self.closed, file: file, offset: offset, bit: bit % 8))
      }
    }
    if flipTrialCount < 1_000 { flips = stride(from: 0, to: flips.count, by: 29).map { flips[$0] } }
    let fates = try await fates(of: flips, in: place)
    report(fates)
    for (flip, fate) in fates where fate == .crash || fate == .wrong {
      Issue.record("\(fate): \(flip)")
    }
  }
}
