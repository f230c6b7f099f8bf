import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

/// The rows that contain all grams of some terms and the codes of some figures.
final class Candidates: CandidateRows {
  private let handle: ProjectionHandle
  /// The conditions that each candidate meets.
  ///
  /// Conditions that have excluded many rows come first.
  private var conditions: [Condition]
  private var areConditionsOrdered = false
  private var chunks: [UInt32: ChunkRows?] = [:]
  private var askedChunks: Set<UInt32> = []

  /// Ranges of grams or codes; a row meets the condition if it has any gram or code in a range.
  typealias Condition = [Range<UInt32>]

  /// Creates the candidates that meet all conditions, or `nil` if there is no condition.
  init?(_ conditions: [Condition], _ handle: ProjectionHandle) {
    self.handle = handle
    self.conditions = conditions
    if conditions.isEmpty { return nil }
  }

  /// Returns the conditions that rows with all terms meet.
  static func conditions(for terms: [[UInt32]]) -> [Condition] {
    var grams: Set<UInt32> = []
    var short: Set<Range<UInt32>> = []
    for term in terms {
      switch term.count {
      case 0: continue
      case 1: short.insert(Gram.range(term[0]))
      case 2: short.insert(Gram.range(term[0], term[1]))
      default:
        for place in 0..<term.count - 2 {
          grams.insert(Gram.value(term[place], term[place + 1], term[place + 2]))
        }
      }
    }
    return grams.map { [$0..<$0 + 1] } + short.map { [$0] }
  }

  // MARK: Chunks

  /// Returns the candidates of a chunk, or `nil` if there are none.
  private func rows(of chunk: UInt32, _ view: borrowing View) throws -> ChunkRows? {
    if let known = chunks[chunk] { return known }
    let rows = try rows(of: chunk, among: nil, view)
    chunks[chunk] = .some(rows)
    return rows
  }

  /// The maximum number of rows that are read rather than tested with further bitmaps.
  private static let looseCount = 2

  /// Returns the candidates among some rows of a chunk, or `nil` if there are none.
  private func rows(
    of chunk: UInt32, among some: ChunkRows?, _ view: borrowing View
  ) throws -> ChunkRows? {
    var common = some
    var counts: [Int] = []
    for (place, condition) in conditions.enumerated() {
      let found = try rows(of: condition, in: chunk, view)
      if let found {
        if !areConditionsOrdered { counts.append(found.count) }
        if common == nil { common = found } else { common?.formIntersection(found) }
      }
      let count = found == nil ? 0 : common?.count ?? 0
      if count == 0 {
        // A condition without matches in this chunk probably has none in other chunks, so it moves
        // forward.
        conditions.swapAt(place, place / 2)
        return nil
      }
      if some != nil, areConditionsOrdered, count <= Candidates.looseCount { break }
    }
    if !areConditionsOrdered {
      conditions = zip(counts, conditions).sorted { $0.0 < $1.0 }.map(\.1)
      areConditionsOrdered = true
    }
    return common
  }

  /// Returns the rows of a chunk that meet a condition, or `nil` if there are none.
  private func rows(
    of condition: Condition, in chunk: UInt32, _ view: borrowing View
  ) throws -> ChunkRows? {
    var rows: ChunkRows?
    for range in condition {
      guard let more = try self.rows(of: range, in: chunk, view) else { continue }
      if rows == nil { rows = more } else { rows?.formUnion(more) }
    }
    return rows
  }

  /// Returns the rows of a chunk that have a gram in a range, or `nil` if there are none.
  private func rows(
    of range: Range<UInt32>, in chunk: UInt32, _ view: borrowing View
  ) throws -> ChunkRows? {
    let first = SearchKey.grams(range.lowerBound, chunk)
    if range.count == 1 {
      return try view.withRow(first, in: handle[Search.grams]) { try ChunkRows($0) }
    }
    var rows: ChunkRows?
    try view.forEachRow(
      in: handle[Search.grams], from: first, to: SearchKey.grams(range.upperBound, chunk)
    ) { _, value in
      let more = try ChunkRows(value)
      if rows == nil { rows = more } else { rows?.formUnion(more) }
      return true
    }
    return rows
  }

  func contain(_ keys: [RowKey], in view: borrowing View) throws -> [Bool] {
    var asked = AskedRows(keys)
    for chunk in asked.chunks {
      asked[chunk] = try rows(of: chunk, asked: asked[chunk], view) ?? ChunkRows()
    }
    return asked.areLeft
  }

  /// Returns rows of a chunk that include all candidates among the rows in `some`, or `nil` if
  /// there are none.
  private func rows(
    of chunk: UInt32, asked some: ChunkRows, _ view: borrowing View
  ) throws -> ChunkRows? {
    if let known = chunks[chunk] { return known }
    // Reading a single row is cheaper than reading any bitmap.
    if some.count <= 1 { return some }
    // After a second request for many rows of a chunk, further requests are likely.
    let isFirst = askedChunks.insert(chunk).inserted
    if isFirst || some.count <= Candidates.strayCountMax {
      return try rows(of: chunk, among: some, view)
    }
    return try rows(of: chunk, view)
  }

  // MARK: Counting

  /// The approximate number of chunks from which the total is extrapolated.
  private static let sampleCount: UInt32 = 4

  func estimatedCount(in view: borrowing View) throws -> Int {
    guard let last = try lastChunk(view) else { return 0 }
    let step = max(last / Candidates.sampleCount, 1)
    var (count, sampled) = (0, 0)
    for chunk in stride(from: last % step, through: last, by: Int(step)) {
      count += try rows(of: chunk, view)?.count ?? 0
      sampled += 1
    }
    return count * (Int(last) + 1) / max(sampled, 1)
  }

  /// Returns whether there are at most `most` candidates.
  private func areAtMost(_ most: Int, _ view: borrowing View) throws -> Bool {
    guard let last = try lastChunk(view) else { return true }
    var count = 0
    // The newest chunks have usually been read already.
    for chunk in (0...last).reversed() where count <= most {
      count += try rows(of: chunk, view)?.count ?? 0
    }
    return count <= most
  }

  /// Returns the chunk with the greatest recording number.
  private func lastChunk(_ view: borrowing View) throws -> UInt32? {
    var last: UInt32?
    var end = TableKey()
    end.append(u64: .max)
    try view.forEachRow(
      in: handle[Search.days], from: SearchKey.days(0), to: end, reversed: true
    ) { key, _ in
      var reader = ByteReader(key)
      last = SearchKey.chunk((UInt64(try reader.u32be()) + 1) * SearchKey.dayCount - 1)
      return false
    }
    return last
  }

  // MARK: Places

  /// The number of visited chunks after which the candidates are counted, in case there are only a
  /// few.
  private static let lookCountMax = 64
  /// The maximum number of candidates that are sorted all at once.
  private static let fewCount = 512
  /// The maximum number of a chunk's rows that are tested individually; with more rows, the whole
  /// chunk is tested.
  private static let strayCountMax = 64

  func forEach(
    in bounds: Range<RowKey>, ascending: Bool, _ view: borrowing View,
    _ body: (RowKey) throws -> Bool
  ) throws {
    if bounds.isEmpty { return }
    var found: [RowKey] = []
    var present: UInt32?
    var lookCount = 0
    var areFew: Bool?
    var goesOn = true
    func give() throws {
      for key in ascending ? found.sorted() : found.sorted(by: >) where bounds.contains(key) {
        goesOn = try body(key)
        if !goesOn { return }
      }
      found.removeAll(keepingCapacity: true)
    }
    // The rows of a 16-day span are complete once every chunk with rows in the span has been
    // visited.
    try forEachChunk(in: bounds, ascending: ascending, view) { span, chunk, value in
      if let last = present, last != span {
        try give()
        if !goesOn { return false }
        if areFew == nil, lookCount >= Candidates.lookCountMax {
          areFew = try areAtMost(Candidates.fewCount, view)
          if areFew == true { return false }
        }
      }
      present = span
      lookCount += 1
      var rows = try ChunkRows(value)
      if chunks[chunk] == nil, rows.count <= Candidates.strayCountMax {
        guard let few = try self.rows(of: chunk, among: rows, view) else { return true }
        rows = few
      } else {
        guard let all = try self.rows(of: chunk, view) else { return true }
        rows.formIntersection(all)
      }
      try forEachDay(of: rows, in: chunk, view) { found.append(RowKey(day: $0, number: $1)) }
      return true
    }
    guard goesOn, let present else { return }
    if areFew == true {
      for (chunk, rows) in chunks {
        guard let rows else { continue }
        try forEachDay(of: rows, in: chunk, view) { day, number in
          let span = SearchKey.span(of: day)
          if ascending ? span > present : span < present {
            found.append(RowKey(day: day, number: number))
          }
        }
      }
    }
    try give()
  }

  /// Calls `body` with the day and recording number of each row of a chunk.
  private func forEachDay(
    of rows: ChunkRows, in chunk: UInt32, _ view: borrowing View, _ body: (Day, UInt64) -> Void
  ) throws {
    var numbers: [UInt64] = []
    let first = UInt64(chunk) * SearchKey.chunkSize
    rows.forEachPlace { numbers.append(first + UInt64($0)) }
    guard let least = numbers.first, let last = numbers.last else { return }
    var next = 0
    // One scan of the bitmaps reads the days of neighbouring rows.
    try view.forEachRow(
      in: handle[Search.days], from: SearchKey.days(least),
      to: SearchKey.days(last + SearchKey.dayCount)
    ) { key, value in
      var reader = ByteReader(key)
      let group = UInt64(try reader.u32be())
      while next < numbers.count, numbers[next] / SearchKey.dayCount == group {
        let place = Int(numbers[next] % SearchKey.dayCount) * 32
        let biased = try Bitmap.mask(from: place, of: value)
        if biased == 0 { return false }
        body(Day(biased: biased), numbers[next])
        next += 1
      }
      return next < numbers.count
    }
    guard next == numbers.count else {
      throw ProjectionFault.damagedRow(
        in: Search.name, "days, of transaction \(numbers[next]),")
    }
  }

  /// Calls `body` with each 16-day span, each chunk with rows in the span, and the bitmap of these
  /// rows.
  ///
  /// The newest span comes first, or the oldest if `ascending`.
  private func forEachChunk(
    in bounds: Range<RowKey>, ascending: Bool, _ view: borrowing View,
    _ body: (UInt32, UInt32, RawSpan) throws -> Bool
  ) throws {
    let from = SearchKey.span(SearchKey.span(of: bounds.lowerBound.day), 0)
    let to = SearchKey.span(SearchKey.span(of: bounds.upperBound.day), .max)
    try view.forEachRow(
      in: handle[Search.spans], from: from, to: to, reversed: !ascending
    ) { key, value in
      var reader = ByteReader(key)
      let span = try reader.u32be()
      return try body(span, try reader.u32be(), value)
    }
  }
}
