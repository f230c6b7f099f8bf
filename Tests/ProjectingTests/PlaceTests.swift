// Goal: a table of places is the set of places put into it, stored in one way only, however they came, and is
// gone through both ways, with leaps, as that set is. Method: seeded places, near and far from each
// other, put and removed in batches beside a set in memory; after each batch the stored rows are those
// that sorting the set makes; damaged rows are refused.

import DaybookEntities
import DaybookLMDB
import DaybookSampleData
import Foundation
import Testing

@testable import DaybookEngine

@Suite struct PlaceTests {
  /// Where places are drawn from: how many clusters there are, and numbers in each.
  struct Spread: Sendable, CustomTestStringConvertible {
    let clusters: UInt32
    let numbers: UInt64
    var testDescription: String { "\(clusters) clusters of \(numbers)" }
  }

  private static let spreads = [
    Spread(clusters: 1, numbers: 600), Spread(clusters: 40, numbers: 1 << 40),
    Spread(clusters: 3_000, numbers: 9_000), Spread(clusters: .max, numbers: 1 << 40),
  ]

  static func head(_ list: Int) -> TableKey {
    var key = TableKey()
    key.append(u8: UInt8(list))
    // Heads of several lengths, of which none begins another.
    if list > 1 { key.append(u32: UInt32(list)) }
    return key
  }

  private static func place(
    _ spread: Spread, _ random: inout SeededGenerator
  ) -> StatePosition {
    StatePosition(
      cluster: UInt32.random(in: 0..<spread.clusters, using: &random),
      number: UInt64.random(in: 0..<spread.numbers, using: &random))
  }

  /// A table of places, alone in its environment.
  private final class Table {
    let folder: TemporaryFolder
    let environment: Environment
    let database: Database

    init() throws {
      folder = try TemporaryFolder()
      environment = try Environment.open(path: folder.path, options: EnvironmentOptions())
      var transaction = try environment.beginWrite()
      database = try transaction.openDatabase(named: "places", create: true)
      try transaction.commit()
    }

    deinit { try? environment.close() }

    func write(_ changes: [(key: TableKey, isThere: Bool)]) throws -> Bool {
      var buffer = TableBuffer(.places)
      for change in changes {
        if change.isThere { buffer.put(change.key, []) } else { buffer.remove(change.key) }
      }
      var transaction = try environment.beginWrite()
      let hasWritten = try buffer.write(to: database, in: &transaction)
      try transaction.commit()
      return hasWritten
    }

    func rows() throws -> [String] {
      try environment.read { transaction in
        var rows: [String] = []
        try transaction.view.forEach(in: database) { key, value in
          rows.append("\(hexadecimal(key)) \(value.copied())")
          return true
        }
        return rows
      }
    }
  }

  @Test(arguments: spreads) func howPlacesAreStoredFollowsFromWhatTheyAre(spread: Spread) throws {
    let table = try Table()
    var random = SeededGenerator(seed: UInt64(spread.clusters))
    var model = Set<TableKey>()
    for round in 0..<60 {
      // It grows, shrinks, is emptied, and grows again.
      let isGrowing = round % 20 < 12
      var changes: [(key: TableKey, isThere: Bool)] = []
      for _ in 0..<Int.random(in: 1...[1, 7, 400][round % 3], using: &random) {
        let list = Int.random(in: 0..<4, using: &random)
        let known = model.randomElement(using: &random)
        if !isGrowing, let known {
          changes.append((known, false))
        } else if let known, Int.random(in: 0..<8, using: &random) == 0 {
          changes.append((known, Bool.random(using: &random)))
        } else {
          let place = PlaceTests.place(spread, &random)
          changes.append(
            (PlaceTests.head(list).with(place), Int.random(in: 0..<9, using: &random) > 0))
        }
      }
      if round % 20 == 19 { for key in model { changes.append((key, false)) } }
      let before = model
      for change in changes {
        if change.isThere { model.insert(change.key) } else { model.remove(change.key) }
      }
      #expect(try table.write(changes) == (model != before))
      let expected = try PlacePacker.rows(of: model.sorted()).map { row in
        "\(row.key.withBytes { hexadecimal($0) }) \(row.value)"
      }
      #expect(try table.rows() == expected, "round \(round)")
    }
  }

  @Test(arguments: spreads) func piecesAreAsLargeAsTheyMayBe(spread: Spread) throws {
    var random = SeededGenerator(seed: 3)
    let places = Set((0..<3_000).map { _ in PlaceTests.place(spread, &random) }).sorted()
    let rows = try PlacePacker.rows(of: places.map { PlaceTests.head(1).with($0) })
    var found: [StatePosition] = []
    for row in rows {
      var held: [StatePosition] = []
      let piece = try row.key.withBytes { (key) throws in
        try PlacePiece(key: key, value: row.value.span.bytes, into: &held)
      }
      #expect((1...PlacePiece.countMax).contains(held.count))
      #expect(held.allSatisfy { piece.covers($0) })
      if piece.level < PlacePiece.bitCount {
        let joint = PlacePiece(with: piece.start, level: piece.level + 1)
        #expect(places.count { joint.covers($0) } > PlacePiece.countMax)
      }
      found += held
    }
    #expect(found == places)
  }

  @Test(arguments: spreads) func sortersGiveTheSameRows(spread: Spread) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 7)
    let keys = Set(
      (0..<5_000).map { PlaceTests.head($0 % 3).with(PlaceTests.place(spread, &random)) })
    let expected = try PlacePacker.rows(of: keys.sorted())
    for runEntryCountMax in [100, 1 << 16] {
      for blockRowCount in [1, 5, 1 << 20] {
        let sorter = TableSorter(.places, folder: folder.path, runEntryCountMax: runEntryCountMax)
        for key in keys { try sorter.add(key, []) }
        // Put again, as it may be.
        for key in keys.prefix(9) { try sorter.add(key, []) }
        try sorter.startDraining()
        var found: [(key: TableKey, value: [UInt8])] = []
        while true {
          var block = RowRun()
          try sorter.drain(into: &block, upTo: blockRowCount)
          if block.count == 0 { break }
          for index in 0..<block.count {
            found.append((block.key(at: index), block.withValue(at: index) { $0.copied() }))
          }
        }
        #expect(found.map(\.key) == expected.map(\.key))
        #expect(found.map(\.value) == expected.map(\.value))
      }
    }
  }

  @Test(arguments: spreads, [true, false]) func listsAreGoneThroughAsTheirPlaces(
    spread: Spread, reversed: Bool
  ) async throws {
    let scratch = Scratch()
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [Placed.self])
    var random = SeededGenerator(seed: 5)
    var lists: [[StatePosition]] = [[], [], []]
    for number in 1...3_000 {
      let place = PlaceTests.place(spread, &random)
      let list = [0, 0, 0, 1, 2][number % 5]
      if number % 5 == 4 && number > 200 { continue }
      lists[list].append(StatePosition(cluster: place.cluster, number: UInt64(number)))
    }
    let drafts = lists.enumerated().flatMap { list, places in places.map { (list, $0) } }
      .shuffled(using: &random)
    for start in stride(from: 0, to: drafts.count, by: 700) {
      try await store.place(Array(drafts[start..<min(start + 700, drafts.count)]))
    }
    for index in lists.indices {
      lists[index].sort()
      if reversed { lists[index].reverse() }
    }
    func isBefore(_ left: StatePosition, _ right: StatePosition) -> Bool {
      reversed ? left > right : left < right
    }
    for _ in 0..<60 {
      let bounds = [PlaceTests.place(spread, &random), PlaceTests.place(spread, &random)].sorted()
      let lower = Int.random(in: 0..<3, using: &random) == 0 ? Placed.least : bounds[0]
      let upper = Int.random(in: 0..<3, using: &random) == 0 ? .greatest : bounds[1]
      if lower == upper { continue }
      try store.read { view in
        let table = try view.tables(of: Placed.self)[0]
        var cursors = try PlaceCursors(
          view, readingKind, listCount: 3, reversed: reversed)
        var expected = lists.map { $0.filter { $0 >= lower && $0 < upper }[...] }
        for list in lists.indices {
          let opened = try cursors.open(
            table, head: PlaceTests.head(list), from: lower, to: upper)
          #expect(opened == list)
          var (all, count) = ([StatePosition](), Int.random(in: 1...2_000, using: &random))
          try view.forEachPlace(
            in: table, head: PlaceTests.head(list), from: lower == Placed.least ? nil : lower,
            to: upper == .greatest ? nil : upper, reversed: reversed
          ) {
            all.append($0)
            count -= 1
            return count > 0
          }
          #expect(all == Array(expected[list].prefix(all.count)))
          #expect(count == 0 || all.count == expected[list].count)
        }
        for _ in 0..<200 {
          let list = Int.random(in: 0..<3, using: &random)
          #expect(cursors.place(list) == expected[list].first)
          if Bool.random(using: &random) {
            let stepped = try cursors.step(list)
            #expect(stepped == expected[list].dropFirst().first)
            expected[list] = expected[list].dropFirst()
          } else {
            // Now near, now anywhere.
            let near = expected[list].dropFirst(Int.random(in: 0..<300, using: &random)).first
            let any = PlaceTests.place(spread, &random)
            let wanted = Bool.random(using: &random) ? near ?? any : any
            _ = try cursors.leap(list, to: wanted)
            expected[list] = expected[list].drop { isBefore($0, wanted) }
          }
          #expect(cursors.place(list) == expected[list].first)
        }
      }
    }
    try await store.close()
  }

  @Test func whatNoProgramWroteIsRefused() {
    var key = PlaceTests.head(2).with(StatePosition(cluster: 8, number: 16))
    func read(_ value: [UInt8], _ key: TableKey) -> [StatePosition]? {
      var places: [StatePosition] = []
      return key.withBytes { (key) -> [StatePosition]? in
        guard (try? PlacePiece(key: key, value: value.span.bytes, into: &places)) != nil
        else { return nil }
        return places
      }
    }
    let start = StatePosition(cluster: 8, number: 16)
    #expect(read([4, 2, 4], key) == [17, 19].map { StatePosition(cluster: 8, number: $0) })
    #expect(read([4, 0, 4], key) == [start, StatePosition(cluster: 8, number: 18)])
    #expect(read([41, 3, 3], key) == nil, "a start with a bit of the places'")
    #expect(read([73, 2], key) == nil, "more bits than a place has")
    #expect(read([4], key) == nil, "no place")
    #expect(read([], key) == nil, "nothing")
    #expect(read([4, 2, 0], key) == nil, "a place twice")
    #expect(read([4, 32], key) == nil, "beyond the piece")
    #expect(read([4, 0x80], key) == nil, "an end within a number")
    #expect(
      read([4] + [UInt8](repeating: 2, count: PlacePiece.countMax + 1), key) == nil, "too many")
    #expect(read([4, 3], key) == nil, "a place without its number")
    // Whatever is cut off or turned: it is read or refused.
    let whole: [UInt8] = [60, 2, 0x83, 1, 0x90, 3, 4, 7, 0x80, 0x82, 3, 6]
    #expect(read(whole, TableKey().with(StatePosition(cluster: 0, number: 0))) != nil)
    for count in 0..<whole.count { _ = read(Array(whole.prefix(count)), key) }
    for bit in 0..<8 * whole.count {
      var turned = whole
      turned[bit / 8] ^= 1 << UInt8(bit % 8)
      for count in 0...turned.count {
        _ = read(Array(turned.prefix(count)), TableKey().with(Placed.least))
      }
    }
    key = PlaceTests.head(0)
    #expect(read([4, 2], key) == nil, "a key without a place")
  }
}
