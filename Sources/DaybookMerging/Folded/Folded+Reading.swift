public import DaybookEntities

// Reads the elements that `Folded.forEachElement` and the `element` properties write.

extension Folded {
  /// Reads an element of any type.
  ///
  /// - Throws: `DecodingFault` if the element is damaged.
  public mutating func read(_ element: [UInt8]) throws(DecodingFault) {
    switch element.first {
    case 1: try readEnd(element)
    case 2: try readReplica(element)
    case 3: try readEntity(element)
    case 4: try readFinding(element)
    case 5: try readHeld(element)
    default: throw .invalidValue("what an element is")
    }
  }

  /// Reads the element that describes the log's end.
  ///
  /// - Throws: `DecodingFault` if the element is damaged.
  public mutating func readEnd(_ element: [UInt8]) throws(DecodingFault) {
    var reader = try ByteReader(element, element: 1)
    head = try reader.varint()
    received = try reader.zigzag()
    floor = try reader.varint()
    nextNumbers = [:]
    isNumbered = !reader.isAtEnd
    guard isNumbered else { return }
    for _ in 0..<(try reader.count()) {
      let kind = EntityKind(rawValue: try reader.u8())
      nextNumbers[kind] = try reader.varint()
    }
  }

  /// Reads the element that describes a replica.
  ///
  /// - Throws: `DecodingFault` if the element is damaged.
  public mutating func readReplica(_ element: [UInt8]) throws(DecodingFault) {
    var reader = try ByteReader(element, element: 2)
    let id = ReplicaID(rawValue: try reader.u64be())
    var progress = ReplicaProgress(last: try reader.varint())
    if try reader.u8() != 0 {
      progress.continues = ReplicaCommit.Continuation(
        replica: ReplicaID(rawValue: try reader.u64be()), number: try reader.varint())
    }
    replicas[id] = progress
  }

  /// Reads the element that describes an entity.
  ///
  /// - Throws: `DecodingFault` if the element is damaged.
  public mutating func readEntity(_ element: [UInt8]) throws(DecodingFault) {
    var reader = try ByteReader(element, element: 3)
    let key = try reader.key()
    var state = EntityState()
    let flags = try reader.u8()
    state.isInserted = flags & 1 != 0
    state.isDeleted = flags & 2 != 0
    if flags & 8 != 0 { state.number = try reader.varint() }
    state.record = Record(bytes: try reader.bytes(try reader.count()))
    for _ in 0..<(try reader.count()) { state.revivals.append(try reader.writer()) }
    for _ in 0..<(try reader.count()) { state.deletions.append(try reader.writer()) }
    for _ in 0..<(try reader.count()) {
      let register = Register(rawValue: try reader.u16be())
      state.writers.append(RegisterWriter(register, try reader.writer()))
    }
    state.isErased = flags & 4 != 0
    if state.isErased {
      for _ in 0..<(try reader.count()) { state.erasures.append(try reader.writer()) }
    }
    entities[key] = state
  }

  /// Reads the element that describes a finding.
  ///
  /// - Throws: `DecodingFault` if the element is damaged.
  public mutating func readFinding(_ element: [UInt8]) throws(DecodingFault) {
    var reader = try ByteReader(element, element: 4)
    let (replica, number, key) = try reader.place()
    guard let rule = FindingRule(rawValue: try reader.u8()) else {
      throw .invalidValue("rule of a finding")
    }
    var finding = Finding(
      id: FindingID(replica: replica, number: number, key: key, rule: rule), values: [],
      asks: try reader.u8() != 0)
    for _ in 0..<(try reader.count()) {
      let register = Register(rawValue: try reader.u16be())
      let lost = try reader.contender()
      finding.values.append(LostValue(register, lost: lost, won: try reader.contender()))
    }
    for _ in 0..<(try reader.count()) { finding.entities.append(try reader.key()) }
    findings[finding.id] = finding
  }
}

extension Folded {
  /// Reads the element that describes a deferred change.
  ///
  /// - Throws: `DecodingFault` if the element is damaged.
  public mutating func readHeld(_ element: [UInt8]) throws(DecodingFault) {
    var reader = try ByteReader(element, element: 5)
    let (replica, number, key) = try reader.place()
    let id = FindingID(replica: replica, number: number, key: key, rule: .held)
    let flags = try reader.u8()
    let before = flags & 1 == 0 ? nil : Record(bytes: try reader.bytes(try reader.count()))
    let after = flags & 2 == 0 ? nil : Record(bytes: try reader.bytes(try reader.count()))
    let closing = try reader.writer()
    let change = HeldChange(
      id: id, before: before, after: after, closing: closing, last: try reader.writer())
    held[id.key, default: []].removeAll { $0.id == id }
    held[id.key, default: []].append(change)
    held[id.key]?.sort { $0.id < $1.id }
  }
}

extension ByteReader {
  /// Creates a reader that starts after the byte for the element's type.
  @_lifetime(borrow bytes)
  fileprivate init(_ bytes: borrowing [UInt8], element: UInt8) throws(DecodingFault) {
    self.init(bytes)
    guard try u8() == element else { throw .invalidValue("what an element is") }
  }

  @_lifetime(self: copy self)
  fileprivate mutating func key() throws(DecodingFault) -> EntityKey {
    let kind = EntityKind(rawValue: try u8())
    return EntityKey(kind, try id())
  }

  /// Reads the commit and the entity that identify a finding or a deferred change.
  @_lifetime(self: copy self)
  fileprivate mutating func place() throws(DecodingFault) -> (ReplicaID, UInt64, EntityKey) {
    (ReplicaID(rawValue: try u64be()), try varint(), try key())
  }

  @_lifetime(self: copy self)
  fileprivate mutating func writer() throws(DecodingFault) -> Writer {
    Writer(
      position: try varint(), replica: ReplicaID(rawValue: try u64be()), number: try varint(),
      clock: try zigzag(), received: try zigzag(), isMade: try u8() != 0)
  }

  @_lifetime(self: copy self)
  fileprivate mutating func contender() throws(DecodingFault) -> Contender {
    let bytes = try bytes(try count())
    return Contender(bytes, by: try u8() == 0 ? nil : try writer())
  }
}
