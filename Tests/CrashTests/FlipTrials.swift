/// Goal: whatever bit of a ledger's files is flipped: it is noticed, repaired, or has no effect; no file grows
/// without limit, and `verify` notices every wrong answer. Method: bits of every region are flipped, drawn by
/// a seed, in copies of a ledger with one of everything. Children use each copy as a command does: they open it, ask
/// everything, and append. DAYBOOK_FLIP_TRIALS sets how many bits are flipped, DAYBOOK_FLIP_COMMITS how large the
/// ledger is.
import Daybook
import DaybookRandom
import Foundation
import Testing

/// Opening examines small files completely, and only a part of those of a ledger of thousands of commits.
private let flippedCommitCount =
  ProcessInfo.processInfo.environment["DAYBOOK_FLIP_COMMITS"].flatMap { Int($0) } ?? 260

@Suite(.serialized) struct FlipTrials {
  // MARK: In the child

  static func tryRemaining(in place: String) async throws {
    let answers = try Flips.read([String: [String]].self, "answers", place)
    try await Flips.tryRemaining(in: place) { flip in
      try await fate(of: flip, expecting: answers[flip.base] ?? [], in: place)
    }
  }

  private static func fate(
    of flip: Flip, expecting answers: [String], in place: String
  ) async throws -> Fate {
    let copy = try Flips.renewCopy(for: flip, in: place)
    let fate = try await Flips.boundingGrowth(of: copy) {
      try await use(copy, expecting: answers)
    }
    guard fate == .wrong else { return fate }
    _ = try Flips.renewCopy(for: flip, in: place)
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
    let account = AccountID(EntityID(high: 77, low: 1))
    // On a busy machine, the log may be closed before it is copied.
    for _ in 0..<20 {
      for _ in 0..<8 {
        try await ledger.append(.record(Child.draft(account, "redone", &random)))
      }
      answers[Self.open] = try DamagedLedger.answers(ledger)
      try? FileManager.default.removeItem(atPath: place.path + "/" + Self.open)
      try FileManager.default.copyItem(atPath: copy, toPath: place.path + "/" + Self.open)
      let redo = FileRegions(redo: try bytes(Self.open, Self.redo, place))
      if redo.ranges[.redoRecord]?.isEmpty == false { break }
    }
    try await ledger.close()
    try Flips.put(answers, "answers", place.path)
  }

  private func bytes(_ base: String, _ file: String, _ place: Place) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(place.path)/\(base)/\(file)"))
  }

  private func fates(of flips: [Flip], in place: Place) async throws -> [(flip: Flip, fate: Fate)] {
    let path = place.path
    return try await Flips.fates(of: flips, in: path) {
      await withKnownIssue("a damaged file can end the process", isIntermittent: true) {
        await #expect(processExitsWith: .success) { [path = path as String] in
          try await FlipTrials.tryRemaining(in: path)
        }
      }
    }
  }

  @Test func everyFlipIsNoticedOrBounded() async throws {
    let place = try Place()
    try await make(in: place)
    var sources: [Flips.Source] = []
    for file in [DamageTrials.journal, DamageTrials.views] {
      let regions = FileRegions(tree: try bytes(Self.closed, file, place))
      #expect(regions.ranges[.overflow] == nil, "the library splits long values")
      sources.append((Self.closed, file, regions))
    }
    let redo = FileRegions(redo: try bytes(Self.open, Self.redo, place))
    sources.append((Self.open, Self.redo, redo))
    let fates = try await fates(of: Flips.drawn(from: sources), in: place)
    Flips.report(fates)
    // Headers and records stand twice.
    for (flip, fate) in fates where flip.file == Self.redo && fate != .harmless {
      Issue.record("\(fate): \(flip)")
    }
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
    if Flips.trialCount < 1_000 {
      flips = stride(from: 0, to: flips.count, by: 29).map { flips[$0] }
    }
    let fates = try await fates(of: flips, in: place)
    Flips.report(fates)
    for (flip, fate) in fates where fate == .crash || fate == .wrong {
      Issue.record("\(fate): \(flip)")
    }
  }
}
