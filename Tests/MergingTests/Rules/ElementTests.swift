// Goal: the elements that a digest adds up say all of a fold, in one order. Method: the bytes of one by hand, the order
// of many, and folds that differ in one thing each.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct ElementTests {
  private func elements(_ folded: Folded) -> [[UInt8]] {
    var list: [[UInt8]] = []
    folded.forEachElement { list.append($0) }
    return list
  }

  private func log() -> Scenario {
    var log = Scenario()
    for number: UInt64 in (1...20).reversed() {
      log.place(number % 5 + 1, base: 0, clock: 100, .insert(key(number), start))
    }
    log.place(7, base: 0, clock: 200, .insert(key(3), record([1: 11])))
    log.place(7, base: 0, clock: 200, .delete(key(4), start))
    log.place(8, base: 0, clock: 200, .insert(key(4), record([1: 11])))
    return log
  }

  @Test func theBytesOfATombstone() {
    var state = EntityState()
    state.record = record([1: 10])
    state.isInserted = true
    state.isDeleted = true
    state.number = 300
    state.deletions = [
      Writer(position: 300, replica: ReplicaID(rawValue: 2), number: 1, clock: -1, received: 4)
    ]
    let expected: [UInt8] =
      [3, 64] + [UInt8](repeating: 0, count: 15) + [5, 11, 0xac, 2, 3, 1, 1, 10, 0]
      + [1, 0xac, 2, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 8, 0] + [0]
    #expect(state.element(of: key(5)) == expected)
  }

  @Test func theBytesOfWhatIsHeld() {
    let writer = Writer(
      position: 300, replica: ReplicaID(rawValue: 2), number: 1, clock: -1, received: 4)
    let id = FindingID(replica: ReplicaID(rawValue: 2), number: 1, key: key(5), rule: .held)
    let change = HeldChange(
      id: id, before: nil, after: record([1: 10]), closing: writer, last: writer)
    let bytes: [UInt8] = [0xac, 2, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 8, 0]
    let expected: [UInt8] =
      [5, 0, 0, 0, 0, 0, 0, 0, 2, 1, 64] + [UInt8](repeating: 0, count: 15) + [5, 2, 3, 1, 1, 10]
      + bytes + bytes
    #expect(change.element == expected)
  }

  @Test func whatWasWrittenIsReadAgain() throws {
    let writer = Writer(
      position: 3, replica: ReplicaID(rawValue: 2), number: 1, clock: -1, received: 4)
    var folded = Folded()
    for (number, before): (UInt64, Record?) in [(1, nil), (2, record([1: 1])), (9, Record())] {
      let id = FindingID(
        replica: ReplicaID(rawValue: number), number: number, key: key(5), rule: .held)
      folded.held[key(5), default: []].append(
        HeldChange(id: id, before: before, after: nil, closing: writer, last: writer))
    }
    let id = FindingID(
      replica: ReplicaID(rawValue: 2), number: 1, key: key(7), rule: .closedUnseen)
    folded.findings[id] = Finding(id: id, values: [], entities: [key(1), key(2)])
    var read = Folded()
    for element in elements(folded) { try read.read(element) }
    #expect(read == folded)
  }

  @Test func theyAscend() throws {
    let folded = try log().folded()
    let list = elements(folded)
    #expect(list.count == 1 + folded.replicas.count + 20 + 4)
    // The entities come last: what is short is known before what is long.
    let order: [UInt8] = [1, 2, 4, 5, 3]
    let places = list.compactMap { order.firstIndex(of: $0[0]) }
    #expect(places == places.sorted())
    let ids = list.filter { $0[0] == 3 }.map { $0[17] }
    #expect(ids == Array(1...20))
    #expect(list[0] == folded.end)
  }

  @Test func everyDifferenceShows() throws {
    let folded = try log().folded()
    let same = elements(folded)
    #expect(try elements(log().folded()) == same)
    let finding = try #require(folded.findings.keys.min())
    let changes: [(inout Folded) -> Void] = [
      { $0.head += 1 }, { $0.received += 1 }, { $0.floor += 1 },
      { $0.nextNumbers[thing]? += 1 }, { $0.nextNumbers[EntityKind(rawValue: 9)] = 2 },
      { $0.entities[key(1)]?.number += 1 },
      { $0.replicas[ReplicaID(rawValue: 1)]?.last += 1 },
      {
        $0.replicas[ReplicaID(rawValue: 1)]?.continues = .init(
          replica: ReplicaID(rawValue: 2), number: 1)
      },
      { $0.entities[key(1)]?.record = record([1: 10, 2: 21]) },
      { $0.entities[key(1)]?.isInserted = false }, { $0.entities[key(1)]?.isDeleted = true },
      { $0.entities[key(1)]?.revivals = [] },
      { $0.entities[key(1)]?.revivals[0].clock += 1 },
      { $0.entities[key(4)]?.deletions = [] },
      { $0.entities[key(1)]?.writers.removeLast() },
      { $0.entities[key(1)]?.writers[0].writer.isMade = true },
      { $0.entities[key(1)]?.writers[0].writer.number += 1 },
      { $0.entities[key(1)]?.writers[0].writer.received += 1 },
      { $0.entities[key(1)]?.writers[0].register = Register(rawValue: 0) },
      { $0.findings[finding]?.asks = true }, { $0.findings[finding] = nil },
      { $0.findings[finding]?.values[0].lost.bytes = [] },
      { $0.findings[finding]?.values[0].won.writer = nil },
    ]
    for change in changes {
      var other = folded
      change(&other)
      #expect(other != folded)
      #expect(elements(other) != same)
    }
  }
}
