// Goal: a kind can take a property apart, so that its parts merge singly. Method: a property of two bytes (an amount
// and an account) with the parts 256 and 257; any other length is one part, 258, that goes with no other.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct PartsTests {
  private let rules = MergeRules(kinds: [
    thing: KindRules(
      parts: KindRules.Parts(of: Register(tag: 1)) { bytes in
        let value = bytes.dropFirst(2)
        if value.count != 2 { return [RegisterValue(Register(rawValue: 258), Array(value))] }
        return zip([256, 257], value).map { RegisterValue(Register(rawValue: $0), [$1]) }
      } join: { parts in
        switch parts.map(\.register.rawValue) {
        case [256, 257], [258]:
          let value = parts.flatMap(\.bytes)
          return [1, UInt8(value.count)] + value
        default: return nil
        }
      })
  ])

  private func value(_ bytes: UInt8...) -> Record {
    var writer = RecordWriter()
    writer.put(1) { $0.raw(bytes) }
    return writer.record
  }

  private func begun() -> Scenario {
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 100, .insert(key(1), value(5, 7)))
    return log
  }

  @Test func amountHereAccountThere() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), value(5, 7), value(6, 7)))
    log.place(3, base: 1, clock: 150, received: 200, .amend(key(1), value(5, 7), value(5, 8)))
    let folded = try log.folded()
    #expect(folded[key(1)] == value(6, 8))
    #expect(folded.findings.isEmpty)
    #expect(folded.entities[key(1)]?.writers.map(\.register.rawValue) == [256, 257])
  }

  @Test func whoWritesItsPartAgainKeepsTheOther() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), value(5, 7), value(5, 8)))
    log.place(3, base: 1, clock: 210, .amend(key(1), value(5, 7), value(6, 7)))
    log.place(3, base: 1, clock: 220, .amend(key(1), value(6, 7), value(9, 7)))
    let folded = try log.folded()
    #expect(folded[key(1)] == value(9, 8))
    #expect(folded.findings.isEmpty)
  }

  @Test func onePartOfBothIsTold() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), value(5, 7), value(6, 7)))
    log.place(3, base: 1, clock: 300, .amend(key(1), value(5, 7), value(9, 8)))
    let folded = try log.folded()
    #expect(folded[key(1)] == value(9, 8))
    #expect(folded.lost(.valueLost, 3, 1)?.map(\.brief) == ["256: 6@2 < 9@3"])
  }

  @Test func whatDoesNotGoTogetherIsTakenWhole() throws {
    var later = begun()
    later.place(2, base: 1, clock: 200, .amend(key(1), value(5, 7), value(6, 7)))
    var earlier = later
    later.place(3, base: 1, clock: 300, .amend(key(1), value(5, 7), value(1, 2, 3)))
    #expect(try later.folded()[key(1)] == value(1, 2, 3))
    #expect(try later.folded().lost(.valueLost, 3, 1)?.map(\.brief) == ["256: 6@2 < -@3"])
    earlier.place(
      3, base: 1, clock: 150, received: 200, .amend(key(1), value(5, 7), value(1, 2, 3)))
    let folded = try earlier.folded()
    #expect(folded[key(1)] == value(6, 7))
    #expect(folded.lost(.clash, 3, 1)?.map(\.brief) == ["257: -@3 < 7@1", "258: 3@3 < -@floor"])
    #expect(folded.lost(.valueLost, 3, 1)?.map(\.brief) == ["256: -@3 < 6@2"])
  }
}
