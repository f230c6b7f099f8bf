package import Bookkeeping
import Entities
package import Projecting
package import ProjectionSupport

extension Search {
  /// The rows whose texts may hold a term, or `nil` where the term is empty.
  ///
  /// - Throws: `ProjectingError` where the projection does not answer.
  package static func candidates(
    for term: SearchTerm, in view: borrowing View
  ) throws -> (any CandidateRows)? {
    let handle = try view.tables(of: Search.self)
    return try Candidates(term.scalars, handle, view)
  }
}

/// The rows whose grams are those of a term.
private final class Candidates: CandidateRows {
  private let handle: ProjectionHandle
  /// A row is one of them where it has of each list some gram.
  private let lists: [[UInt32]]
  private var chunks: [UInt32: Bitmap?] = [:]

  init?(_ term: [UInt32], _ handle: ProjectionHandle, _ view: borrowing View) throws {
    self.handle = handle
    switch term.count {
    case 0: return nil
    case 1: lists = [try Candidates.grams(in: Gram.range(term[0]), handle, view)]
    case 2: lists = [try Candidates.grams(in: Gram.range(term[0], term[1]), handle, view)]
    default:
      var grams: Set<UInt32> = []
      for place in 0..<term.count - 2 {
        grams.insert(Gram.value(term[place], term[place + 1], term[place + 2]))
      }
      lists = grams.map { [$0] }
    }
  }

  /// The grams of a range that any row has.
  private static func grams(
    in range: Range<UInt32>, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> [UInt32] {
    var grams: [UInt32] = []
    var next = range.lowerBound
    while next < range.upperBound {
      var found: UInt32?
      try view.forEachRow(
        in: handle[Search.grams], from: SearchKey.gram(next), to: SearchKey.gram(range.upperBound)
      ) { key, _ in
        var reader = ByteReader(key)
        let high = UInt32(try reader.u8())
        found = high << 16 | UInt32(try reader.u16be())
        return false
      }
      guard let found else { break }
      grams.append(found)
      next = found + 1
    }
    return grams
  }

  /// The candidates of a chunk; `nil` where there is none.
  private func rows(of chunk: UInt32, _ view: borrowing View) throws -> Bitmap? {
    if let known = chunks[chunk] { return known }
    let rows = try read(chunk, view)
    chunks[chunk] = .some(rows)
    return rows
  }

  private func read(_ chunk: UInt32, _ view: borrowing View) throws -> Bitmap? {
    var common: Bitmap?
    for list in lists {
      var any: Bitmap?
      for gram in list {
        let key = SearchKey.grams(gram, chunk)
        let rows = try view.withRow(key, in: handle[Search.grams]) { try Bitmap($0) }
        guard let rows else { continue }
        if any == nil { any = rows } else { any?.formUnion(rows) }
      }
      guard let any else { return nil }
      if common == nil { common = any } else { common?.formIntersection(any) }
      if common?.isEmpty ?? true { return nil }
    }
    return common
  }

  func contains(_ number: UInt64, in view: borrowing View) throws -> Bool {
    try rows(of: SearchKey.chunk(number), view)?
      .contains(Int(number % UInt64(Bitmap.bitCount))) ?? false
  }

  func count(in view: borrowing View) throws -> Int {
    if lists.contains(where: \.isEmpty) { return 0 }
    try forEachChunk(in: RowKey.everywhere, view) { _, chunk in
      _ = try rows(of: chunk, view)
      return true
    }
    return chunks.values.reduce(0) { $0 + ($1?.count ?? 0) }
  }

  func forEach(
    in bounds: Range<RowKey>, _ view: borrowing View, _ body: (RowKey) throws -> Bool
  ) throws {
    if bounds.isEmpty || lists.contains(where: \.isEmpty) { return }
    var seen: Set<UInt32> = []
    // What was found so far, by the days that are not over yet.
    var waiting: [UInt32: [Day: [UInt64]]] = [:]
    var present: UInt32?
    var goesOn = true
    func finish(_ span: UInt32) throws {
      guard let days = waiting.removeValue(forKey: span) else { return }
      for (day, numbers) in days.sorted(by: { $0.key > $1.key }) {
        for number in numbers.sorted(by: >) {
          let key = RowKey(day: day, number: number)
          guard bounds.contains(key) else { continue }
          goesOn = try body(key)
          if !goesOn { return }
        }
      }
    }
    // All rows of some days are known when every chunk that has any has been looked at.
    try forEachChunk(in: bounds, view) { span, chunk in
      if let last = present, last != span { try finish(last) }
      present = span
      if goesOn, seen.insert(chunk).inserted, let rows = try rows(of: chunk, view) {
        try forEachDay(of: rows, in: chunk, view) { day, number in
          waiting[SearchKey.span(of: day), default: [:]][day, default: []].append(number)
        }
      }
      return goesOn
    }
    if goesOn, let present { try finish(present) }
  }

  /// Gives the days of rows of a chunk to `body`.
  private func forEachDay(
    of rows: Bitmap, in chunk: UInt32, _ view: borrowing View, _ body: (Day, UInt64) -> Void
  ) throws {
    let first = UInt64(chunk) * UInt64(Bitmap.bitCount)
    var loaded: (group: UInt64, days: Bitmap)?
    try rows.forEachNumber { place in
      let number = first + UInt64(place)
      let group = number / SearchKey.dayCount
      if loaded?.group != group {
        let days = try view.withRow(SearchKey.days(number), in: handle[Search.days]) {
          try Bitmap($0)
        }
        loaded = (group, days ?? Bitmap())
      }
      let offset = Int(number % SearchKey.dayCount)
      let word = (loaded?.days.words[offset / 2] ?? 0) >> UInt64(offset % 2 * 32)
      let biased = UInt32(truncatingIfNeeded: word)
      guard biased != 0 else {
        throw ProjectionFault.damagedRow(in: Search.name, "days, of transaction \(number),")
      }
      body(Day(biased: biased), number)
    }
  }

  /// Gives the chunks that have rows of some days to `body`: the newest days first.
  private func forEachChunk(
    in bounds: Range<RowKey>, _ view: borrowing View, _ body: (UInt32, UInt32) throws -> Bool
  ) throws {
    let from = SearchKey.span(SearchKey.span(of: bounds.lowerBound.day), 0)
    let to = SearchKey.span(SearchKey.span(of: bounds.upperBound.day), .max)
    try view.forEachRow(in: handle[Search.spans], from: from, to: to, reversed: true) { key, _ in
      var reader = ByteReader(key)
      let span = try reader.u32be()
      return try body(span, try reader.u32be())
    }
  }
}

extension RowKey {
  fileprivate static var everywhere: Range<RowKey> {
    RowKey.first(of: Day(rawValue: .min))..<RowKey.first(of: Day(rawValue: .max))
  }
}
