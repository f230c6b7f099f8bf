/// Goal: what the trials have in common that flip bits of a ledger's or a relay's files. Method: flips are
/// drawn by a seed, the same number for each region. A child, with a limit on files and time, tries one after the
/// other and writes down what became of each; a child that dies is followed by another, which goes on with the next.
import DaybookRandom
import Foundation
import Testing

/// What became of one flip.
enum Fate: String, Codable, CaseIterable {
  /// Nothing differs.
  case harmless
  /// A typed error says so.
  case noticed
  /// The views were damaged, and were rebuilt from the journal.
  case repaired
  /// A read or a write ended the process.
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

/// The trials of flips in a folder with the files `flips` and `results`.
enum Flips {
  /// How many flips are tried.
  static let trialCount =
    ProcessInfo.processInfo.environment["DAYBOOK_FLIP_TRIALS"].flatMap { Int($0) } ?? 64

  /// Files of the child may not grow beyond this.
  private static let fileByteCountMax = 1 << 26
  /// What the files of a copy may grow by in one trial.
  private static let growthByteCountMax = 1 << 25
  private static let secondsMax: UInt32 = 120

  // MARK: In the child

  /// Tries the flips that have no line in the file of results yet.
  static func tryRemaining(
    in place: String, _ fate: (Flip) async throws -> Fate
  ) async throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(fileByteCountMax), rlim_max: rlim_t(fileByteCountMax))
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      setrlimit(RLIMIT_FSIZE, &limit)
    #endif
    let flips = try read([Flip].self, "flips", place)
    let results = try #require(FileHandle(forUpdatingAtPath: place + "/results"))
    let done = try results.readToEnd() ?? Data()
    for flip in flips.dropFirst(done.count { $0 == UInt8(ascii: "\n") }) {
      try results.write(contentsOf: Data("\(flip): ".utf8))
      alarm(secondsMax)
      let outcome: String
      do {
        outcome = "\(try await fate(flip))"
      } catch {
        outcome = "the trial failed: \(error)".replacing("\n", with: " ")
      }
      alarm(0)
      try results.write(contentsOf: Data("\(outcome)\n".utf8))
    }
  }

  /// Copies the flip's folder, and flips the bit in the copy.
  ///
  /// - Returns: The path of the copy.
  static func renewCopy(for flip: Flip, in place: String) throws -> String {
    let copy = place + "/copy"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: place + "/" + flip.base, toPath: copy)
    try flip.apply(to: copy)
    return copy
  }

  /// Uses a copy, and returns `runaway` if its files grew too much.
  static func boundingGrowth(
    of copy: String, _ body: () async throws -> Fate
  ) async throws -> Fate {
    let byteCount = try size(of: copy)
    let fate = try await body()
    return try size(of: copy) > byteCount + growthByteCountMax ? .runaway : fate
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

  static func read<Value: Decodable>(
    _ type: Value.Type, _ name: String, _ place: String
  ) throws -> Value {
    try JSONDecoder().decode(
      type, from: Data(contentsOf: URL(fileURLWithPath: place + "/" + name)))
  }

  static func put(_ value: some Encodable, _ name: String, _ place: String) throws {
    try JSONEncoder().encode(value).write(to: URL(fileURLWithPath: place + "/" + name))
  }

  /// The regions of a file in a folder.
  typealias Source = (base: String, file: String, regions: FileRegions)

  /// Draws flips: the same number for every region of every file.
  static func drawn(from sources: [Source]) -> [Flip] {
    var places: [(source: Source, region: FileRegion, ranges: [Range<Int>])] = []
    for source in sources {
      for region in FileRegion.allCases {
        guard let ranges = source.regions.ranges[region] else { continue }
        #expect(!ranges.isEmpty, "\(source.file) has no \(region)")
        if ranges.isEmpty { continue }
        places.append((source, region, ranges))
      }
    }
    var random = SeededGenerator(seed: UInt64(trialCount))
    return (0..<trialCount).map { index in
      let (source, region, ranges) = places[index % places.count]
      let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
      // Half of those on pages hit their heads.
      let isHead = region != .meta && Bool.random(using: &random)
      let count = isHead ? min(range.count, 64) : range.count
      return Flip(
        region: region, base: source.base, file: source.file,
        offset: range.lowerBound + Int.random(in: 0..<count, using: &random),
        bit: Int.random(in: 0..<8, using: &random))
    }
  }

  /// Tries flips in one child after the other, and returns what became of each.
  ///
  /// - Parameter child: Runs a child that calls ``tryRemaining(in:_:)``.
  static func fates(
    of flips: [Flip], in place: String, child: () async -> Void
  ) async throws -> [(flip: Flip, fate: Fate)] {
    try put(flips, "flips", place)
    let results = place + "/results"
    try Data().write(to: URL(fileURLWithPath: results))
    var lines: [Substring] = []
    while lines.count < flips.count {
      await child()
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

  /// Prints how often each fate occurred in each region, and records those that must not occur.
  static func report(_ fates: [(flip: Flip, fate: Fate)]) {
    for file in Set(fates.map(\.flip.file)).sorted() {
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
  }
}
