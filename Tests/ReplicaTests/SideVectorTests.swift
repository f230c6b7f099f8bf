// Goal: what a replica remembers is written as SideKey and Folded+Elements say, byte by byte, and read again. Method: one
// value of each sort, its key and bytes compared with vectors, which were written by hand from the tables there.

import DaybookEngine
import DaybookEntities
import DaybookMerging
import Foundation
import Testing

@testable import DaybookReplicas

@Suite struct SideVectorTests {
  /// The vectors by name: the key with its part number, and then the value.
  ///
  /// The phone is replica 0102030405060708, the laptop is 9; the entity is 00…0c of kind 64. The phone's commit 7 is at
  /// position 300, with clock −1 and received 4. The laptop's commit 1 is at position 5, with clock 2 and received 3, and
  /// was made by a program.
  private static let vectors: [String: [String]] = [
    "end": [
      "6c0000",
      "01ac020a020240ac024102",
    ],
    "replica": [
      "7201020304050607080000",
      "0201020304050607080701000000000000000902",
    ],
    "entity": [
      "65400000000000000000000000000000000c0000",
      "03400000000000000000000000000000000c0fac02060101070201080001ac0201020304050607080701080001000105",
      "00000000000000090104060101ac02010203040506070807010800",
    ],
    "finding": [
      "6601020304050607080000000000000007400000000000000000000000000000000c010000",
      "04010203040506070807400000000000000000000000000000000c01010100010301010701ac02010203040506070807",
      "010800000001400000000000000000000000000000000c",
    ],
    "held": [
      "68400000000000000000000000000000000c010203040506070800000000000000070000",
      "05010203040506070807400000000000000000000000000000000c020301010705000000000000000901040601ac0201",
      "0203040506070807010800",
    ],
    "place": [
      "704000000001000000012c0000",
      "ac020000000000000000000000000000000c",
    ],
    "names": [
      "6e0000",
      "01020304050607080000000000000009ac0201",
    ],
  ]

  private func digits(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  private func expect(
    _ name: String, _ key: [UInt8], _ value: [UInt8], part: UInt16 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let key = digits(SideKey.part(part, of: key))
    let lines = Self.vectors[name] ?? []
    #expect(lines.first == key, "VECTOR \(name) key \(key)", sourceLocation: sourceLocation)
    #expect(
      lines.dropFirst().joined() == digits(value), "VECTOR \(name) \(digits(value))",
      sourceLocation: sourceLocation)
  }

  private let phone = ReplicaID(rawValue: 0x0102_0304_0506_0708)
  private let laptop = ReplicaID(rawValue: 9)
  private let row = EntityKey(EntityKind(rawValue: 64), EntityID(high: 0, low: 12))
  private var byPhone: Writer {
    Writer(position: 300, replica: phone, number: 7, clock: -1, received: 4)
  }
  private var byLaptop: Writer {
    Writer(position: 5, replica: laptop, number: 1, clock: 2, received: 3, isMade: true)
  }

  @Test func ends() throws {
    var folded = Folded()
    (folded.head, folded.received, folded.floor) = (300, 5, 2)
    folded.nextNumbers = [thing: 300, folder: 2]
    expect("end", SideKey.end, folded.end)
    var read = Folded()
    try read.read(folded.end)
    #expect(read == folded)
  }

  @Test func replicas() throws {
    var folded = Folded()
    let progress = ReplicaProgress(last: 7, continues: .init(replica: laptop, number: 2))
    folded.replicas[phone] = progress
    expect("replica", SideKey.replica(phone), progress.element(of: phone))
    var read = Folded()
    try read.read(progress.element(of: phone))
    #expect(read == folded)
  }

  @Test func entities() throws {
    var folded = Folded()
    var state = EntityState()
    state.record = record([1: 7, 2: 8])
    state.isInserted = true
    state.isDeleted = true
    state.isErased = true
    state.number = 300
    state.revivals = []
    state.deletions = [byPhone]
    state.writers = [RegisterWriter(Register(tag: 1), byLaptop)]
    state.erasures = [byPhone]
    folded.entities[row] = state
    expect("entity", SideKey.entity(row), state.element(of: row))
    #expect(try SideKey.entity(of: SideKey.entity(row)) == row)
    var read = Folded()
    try read.read(state.element(of: row))
    #expect(read == folded)
  }

  @Test func findings() throws {
    var folded = Folded()
    let id = FindingID(replica: phone, number: 7, key: row, rule: .valueLost)
    let finding = Finding(
      id: id,
      values: [
        LostValue(
          Register(tag: 1), lost: Contender([1, 1, 7], by: byPhone), won: Contender([], by: nil))
      ], entities: [row], asks: true)
    folded.findings[id] = finding
    expect("finding", SideKey.finding(id), finding.element)
    #expect(SideKey.ownFinding(id) == [UInt8(ascii: "t")] + SideKey.finding(id).dropFirst())
    var read = Folded()
    try read.read(finding.element)
    #expect(read == folded)
  }

  @Test func held() throws {
    var folded = Folded()
    let id = FindingID(replica: phone, number: 7, key: row, rule: .held)
    let change = HeldChange(
      id: id, before: nil, after: record([1: 7]), closing: byLaptop, last: byPhone)
    folded.held[row] = [change]
    expect("held", SideKey.held(id), change.element)
    #expect(SideKey.ownHeld(id) == [UInt8(ascii: "u")] + SideKey.held(id).dropFirst())
    var read = Folded()
    try read.read(change.element)
    #expect(read == folded)
  }

  @Test func formerPlaces() throws {
    let key = EventStore.formerPlaceKey(thing, StatePosition(cluster: 1, number: 300))
    var value = ByteWriter()
    value.varint(300)
    value.id(row.id)
    expect("place", key, value.bytes)
    let read = try EventStore.formerPlaces(value.bytes)
    #expect(read.map(\.id) == [row.id] && read.map(\.position) == [300])
  }

  @Test func names() throws {
    var names = OwnNames(laptop)
    names.rename(to: phone, after: 300)
    names.end(laptop)
    expect("names", SideKey.names, names.bytes)
    #expect(try OwnNames(names.bytes) == names)
  }

  /// What a store wrote: what is acknowledged, from when the log was seen how far, and the parts of a long value.
  @Test func whatAStoreHas() async throws {
    let store = try await EventStore.ephemeral(schema: schema)
    let replica = try await Replica.begin(store, rules: rules)
    try await replica.note([Replica.Note([1], [UInt8](repeating: 0, count: 1_900))])
    let moment = try await store.mergeMoment(of: Replica.consumer)
    func value(_ key: [UInt8], part: UInt16 = 0) throws -> [UInt8]? {
      try moment.value(SideKey.part(part, of: key))
    }
    let own = try await replica.id()
    var last = ByteWriter()
    last.varint(0)
    last.u64be(own.rawValue)
    #expect(try value(SideKey.acknowledged) == last.bytes)
    #expect(try value(SideKey.base(from: 1)) == [0])
    #expect(try value(SideKey.names) == OwnNames(own).bytes)
    #expect(try value(SideKey.note([1])) == [UInt8](repeating: 0, count: 1_900))
    // A value that fills its part is followed by an empty one.
    #expect(try value(SideKey.note([1]), part: 1) == [])
  }
}
