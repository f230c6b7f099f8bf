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
  private var places: [UInt32: [RowKey]] = [:]
  private static let keptCountMax = 512

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
    guard let last = try lastChunk(view) else { return 0 }
    var count = 0
    for chunk in 0...last { count += try rows(of: chunk, view)?.count ?? 0 }
    return count
  }

  /// The chunk of the greatest recording number.
  private func lastChunk(_ view: borrowing View) throws -> UInt32? {
    var last: UInt32?
    var end = TableKey()
    end.append(u64: .max)
    try view.forEachRow(
      in: handle[Search.days], from: SearchKey.days(0), to: end, reversed: true
    ) { key, _ in
      var reader = ByteReader(key)
      last = SearchKey.chunk(UInt64(try reader.u32be()) * SearchKey.dayCount)
      return false
    }
    return last
  }

  /// After so many looks at chunks for the newest days it is found out whether there are few
  /// candidates at all.
  private static let lookCountMax = 32
  /// So few are put in order all at once.
  private static let fewCount = 1_024

  func forEach(
    in bounds: Range<RowKey>, ascending: Bool, _ view: borrowing View,
    _ body: (RowKey) throws -> Bool
  ) throws {
    if bounds.isEmpty || lists.contains(where: \.isEmpty) { return }
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
    // The rows of some days are all known when every chunk that has any has been looked at.
    try forEachChunk(in: bounds, ascending: ascending, view) { span, chunk in
      if let last = present, last != span {
        try give()
        if !goesOn { return false }
        if areFew == nil, lookCount >= Candidates.lookCountMax {
          areFew = try count(in: view) <= Candidates.fewCount
          if areFew == true { return false }
        }
      }
      present = span
      lookCount += 1
      try addRows(of: chunk, to: &found, view) { $0 == span }
      return true
    }
    guard goesOn, let present else { return }
    if areFew == true {
      for chunk in chunks.keys {
        try addRows(of: chunk, to: &found, view) { ascending ? $0 > present : $0 < present }
      }
    }
    try give()
  }

  /// Adds the candidates of a chunk whose days are wanted.
  private func addRows(
    of chunk: UInt32, to found: inout [RowKey], _ view: borrowing View,
    where isWanted: (_ span: UInt32) -> Bool
  ) throws {
    if let known = places[chunk] {
      for key in known where isWanted(SearchKey.span(of: key.day)) { found.append(key) }
      return
    }
    guard let rows = try rows(of: chunk, view) else { return }
    // Of few the places are kept: a chunk is looked at again for other days.
    let areKept = rows.count <= Candidates.keptCountMax
    var kept: [RowKey] = []
    try forEachDay(of: rows, in: chunk, view) { day, number in
      let key = RowKey(day: day, number: number)
      if areKept { kept.append(key) }
      if isWanted(SearchKey.span(of: day)) { found.append(key) }
    }
    if areKept { places[chunk] = kept }
  }

  /// Gives the days of rows of a chunk to `body`.
  private func forEachDay(
    of rows: Bitmap, in chunk: UInt32, _ view: borrowing View, _ body: (Day, UInt64) -> Void
  ) throws {
    var numbers: [UInt64] = []
    let first = UInt64(chunk) * UInt64(Bitmap.bitCount)
    rows.forEachNumber { numbers.append(first + UInt64($0)) }
    guard let least = numbers.first, let last = numbers.last else { return }
    var next = 0
    // The days of neighbours are read one bitmap after the other.
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

  /// Gives the chunks that have rows of some days to `body`: the newest days first, or the oldest if
  /// `ascending`.
  private func forEachChunk(
    in bounds: Range<RowKey>, ascending: Bool, _ view: borrowing View,
    _ body: (UInt32, UInt32) throws -> Bool
  ) throws {
    let from = SearchKey.span(SearchKey.span(of: bounds.lowerBound.day), 0)
    let to = SearchKey.span(SearchKey.span(of: bounds.upperBound.day), .max)
    try view.forEachRow(
      in: handle[Search.spans], from: from, to: to, reversed: !ascending
    ) { key, _ in
      var reader = ByteReader(key)
      let span = try reader.u32be()
      return try body(span, try reader.u32be())
    }
  }
}
