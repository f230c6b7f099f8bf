import DaybookEntities

extension WireCommit {
  /// The encoded commit, before it is split into parts.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 256 + changes.count * 128)
    writer.u8(WireLimits.version)
    writer.u8((continues == nil ? 0 : 1) | (hasIndependentChanges ? 2 : 0))
    writer.varint(number)
    writer.varint(UInt64(foldVersion))
    writer.varint(UInt64(leastFoldVersion))
    writer.hash(baseLink)
    writer.hash(baseState)
    if let continues {
      writer.u64be(continues.replica)
      writer.varint(continues.number)
    }
    writer.counted(attributes.bytes)
    writer.varint(UInt64(changes.count))
    for change in changes { change.write(to: &writer) }
    return writer.bytes
  }

  /// Decodes a commit.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
  public init(bytes: [UInt8]) throws(WireError) {
    self = try decodeAll(bytes) { (reader) throws(WireError) in try WireCommit(&reader) }
  }

  private init(_ reader: inout WireReader) throws(WireError) {
    try reader.version()
    let start = reader.offset
    let flags = try reader.u8()
    guard flags < 4 else { throw WireError(.invalid, at: start, "flags \(flags) of a commit") }
    let number = try reader.varint()
    let fold = try reader.u32varint("the fold's version")
    let least = try reader.u32varint("the fold's least version")
    guard number >= 1, least >= 1, fold >= least else {
      throw WireError(.invalid, at: start, "commit \(number) of fold \(fold), at least \(least)")
    }
    let link = try reader.hash()
    let state = try reader.hash()
    var continues: Continuation?
    if flags & 1 != 0 {
      continues = Continuation(replica: try reader.u64(), number: try reader.varint())
    }
    let attributes = try reader.record()
    // The smallest change consists of a kind, an id and flags, with no personal tags.
    let count = try reader.count("changes", most: WireLimits.changeCountMax, eachAtLeast: 19)
    var changes: [WireChange] = []
    changes.reserveCapacity(min(count, 4_096))
    for _ in 0..<count { changes.append(try WireChange(&reader)) }
    self.init(
      number: number, foldVersion: fold, leastFoldVersion: least, baseLink: link,
      baseState: state, continues: continues, hasIndependentChanges: flags & 2 != 0,
      attributes: attributes,
      changes: changes)
  }
}

extension WireCommit {
  /// Throws if the commit contains a value that readers would refuse; called before sealing.
  func check() throws(WireError) {
    guard number >= 1, leastFoldVersion >= 1, foldVersion >= leastFoldVersion else {
      throw WireError(
        .invalid, "commit \(number) of fold \(foldVersion), at least \(leastFoldVersion)")
    }
    guard changes.count <= WireLimits.changeCountMax else {
      throw WireError(
        .tooLarge, "\(changes.count) changes exceed the limit of \(WireLimits.changeCountMax)")
    }
    for change in changes {
      let isInserted = change.before == nil && change.after != nil
      guard isInserted || change.tombstone == nil && !change.isMade else {
        throw WireError(
          .invalid, "only an insertion can have a tombstone or be made by a program: \(change.id)")
      }
      for record in [change.before, change.after, change.tombstone] {
        let count = record?.bytes.count ?? 0
        guard count <= WireLimits.recordByteCountMax else {
          throw WireError(.tooLarge, "a record of \(count) bytes: \(change.id)")
        }
      }
    }
  }
}

extension WireChange {
  func write(to writer: inout ByteWriter) {
    writer.u8(kind.rawValue)
    writer.id(id)
    writer.u8(
      (before == nil ? 0 : 1) | (after == nil ? 0 : 2) | (tombstone == nil ? 0 : 4)
        | (isMade ? 8 : 0) | (isErasure ? 16 : 0))
    writer.counted(Array(Set(personalTags)).sorted())
    for record in [before, after, tombstone] {
      if let record { writer.counted(record.bytes) }
    }
  }

  init(_ reader: inout WireReader) throws(WireError) {
    let kind = EntityKind(rawValue: try reader.u8())
    let id = try reader.id()
    let start = reader.offset
    let flags = try reader.u8()
    // Only an insertion can have a tombstone or be made by a program.
    let isInserted = flags & 3 == 2
    guard flags < 32, isInserted || flags & 12 == 0 else {
      throw WireError(.invalid, at: start, "flags \(flags) of a change")
    }
    let tags = try reader.counted("personal tags", most: 256)
    guard zip(tags, tags.dropFirst()).allSatisfy(<) else {
      throw WireError(.invalid, at: start + 1, "personal tags do not ascend")
    }
    self.init(
      kind: kind, id: id, before: flags & 1 != 0 ? try reader.record() : nil,
      after: flags & 2 != 0 ? try reader.record() : nil,
      tombstone: flags & 4 != 0 ? try reader.record() : nil, isMade: flags & 8 != 0,
      isErasure: flags & 16 != 0, personalTags: tags)
  }
}

extension WireReader {
  /// Reads a byte count and an encoded record, whose tags must ascend.
  mutating func record() throws(WireError) -> Record {
    let bytes = try counted("a record", most: WireLimits.recordByteCountMax)
    let start = offset - bytes.count
    var properties = WireReader(bytes)
    var last = -1
    do throws(WireError) {
      while properties.rest > 0 {
        let place = properties.offset
        let tag = Int(try properties.u8())
        guard tag > last else { throw WireError(.invalid, at: place, "tag \(tag) after \(last)") }
        last = tag
        _ = try properties.counted("a property", most: WireLimits.recordByteCountMax)
      }
    } catch {
      throw WireError(error.code, at: error.offset.map { start + $0 }, error.message)
    }
    return Record(bytes: bytes)
  }
}
