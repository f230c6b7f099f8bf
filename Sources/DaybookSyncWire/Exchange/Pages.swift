public import DaybookEntities

/// Entries that a replica appends to the log, in the order of its push numbers.
public struct PushPage: Hashable, Sendable {
  /// The entries.
  public var entries: [SealedEntry]

  /// Creates a page.
  public init(_ entries: [SealedEntry]) { self.entries = entries }

  /// The encoded page, which is the body of a push request.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 64 + entries.reduce(0) { $0 + $1.bytes.count + 4 })
    writer.u8(WireLimits.version)
    writer.u8(1)
    writer.u32be(UInt32(entries.count))
    for entry in entries { entry.write(to: &writer) }
    return sealed(writer)
  }

  /// Decodes a page.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
  public init(bytes: [UInt8]) throws(WireError) {
    self = try page(bytes, type: 1) { (reader) throws(WireError) in
      var entries: [SealedEntry] = []
      for _ in 0..<(try reader.entryCount(eachAtLeast: 4)) {
        let start = reader.offset
        let entry = try SealedEntry(&reader)
        guard entry.header.kind.isLogged else {
          throw WireError(.invalid, at: start, "a \(entry.header.kind) has no place in the log")
        }
        if let last = entries.last?.header {
          guard entry.header.replica == last.replica, entry.header.number == last.number &+ 1 else {
            throw WireError(.invalid, at: start, "the entries are not one replica's in order")
          }
        }
        entries.append(entry)
      }
      guard !entries.isEmpty else { throw WireError(.invalid, at: 2, "a push without entries") }
      return PushPage(entries)
    }
  }
}

/// Entries of the log after a position: the response to a pull.
public struct PullPage: Hashable, Sendable {
  /// The position of the log's last entry.
  public var head: UInt64
  /// The log's floor; entries below it may have been deleted.
  public var floor: UInt64
  /// The chain's link at the last entry of the page or, for an empty page, at the requested
  /// position.
  public var link: Hash256
  /// The entries, in the log's order.
  public var entries: [PlacedEntry]

  /// Creates a page.
  public init(head: UInt64, floor: UInt64, link: Hash256, entries: [PlacedEntry]) {
    self.head = head
    self.floor = floor
    self.link = link
    self.entries = entries
  }

  /// The encoded page, which is the body of a pull response.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 128 + entries.reduce(0) { $0 + $1.entry.bytes.count + 20 })
    writer.u8(WireLimits.version)
    writer.u8(2)
    writer.u64be(head)
    writer.u64be(floor)
    writer.hash(link)
    writer.u32be(UInt32(entries.count))
    for placed in entries {
      writer.u64be(placed.position)
      writer.i64be(placed.received)
      placed.entry.write(to: &writer)
    }
    return sealed(writer)
  }

  /// Decodes a page.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
  public init(bytes: [UInt8]) throws(WireError) {
    self = try page(bytes, type: 2) { (reader) throws(WireError) in
      var page = PullPage(
        head: try reader.u64(), floor: try reader.u64(), link: try reader.hash(), entries: [])
      for _ in 0..<(try reader.entryCount(eachAtLeast: 20)) {
        let placed = PlacedEntry(
          position: try reader.u64(), received: try reader.i64(), entry: try SealedEntry(&reader))
        page.entries.append(placed)
      }
      return page
    }
  }
}

/// Appends the SHA-256 hash of a page, so that changes in transit are detected before decoding.
private func sealed(_ writer: consuming ByteWriter) -> [UInt8] {
  writer.hash(Hash256(hashing: writer.bytes))
  return writer.bytes
}

private func page<Page>(
  _ bytes: [UInt8], type: UInt8, _ body: (inout WireReader) throws(WireError) -> Page
) throws(WireError) -> Page {
  guard bytes.count <= WireLimits.pageByteCountMax else {
    throw WireError(.tooLarge, at: 0, "a page of \(bytes.count) bytes")
  }
  guard bytes.count >= 6 + Hash256.byteCount else {
    throw WireError(.truncated, at: bytes.count, "a page of \(bytes.count) bytes")
  }
  let content = Array(bytes.dropLast(Hash256.byteCount))
  return try decodeAll(content) { (reader) throws(WireError) in
    try reader.version()
    let found = try reader.u8()
    guard found == type else { throw WireError(.invalid, at: 1, "page of type \(found)") }
    guard Hash256(hashing: content).bytes.elementsEqual(bytes.suffix(Hash256.byteCount)) else {
      throw WireError(.damaged, at: content.count, "the page was changed in transit")
    }
    return try body(&reader)
  }
}

extension WireReader {
  fileprivate mutating func entryCount(eachAtLeast least: Int) throws(WireError) -> Int {
    let start = offset
    let count = Int(try u32())
    guard count <= WireLimits.pageEntryCountMax else {
      throw WireError(.tooLarge, at: start, "a page of \(count) entries")
    }
    guard count <= rest / (least + SealedEntry.leastByteCount) else {
      throw WireError(.truncated, at: start, "\(count) entries do not fit in \(rest) bytes")
    }
    return count
  }
}

extension SealedEntry {
  func write(to writer: inout ByteWriter) {
    writer.u32be(UInt32(bytes.count))
    writer.raw(bytes)
  }

  init(_ reader: inout WireReader) throws(WireError) {
    let start = reader.offset
    let count = Int(try reader.u32())
    let bytes = try reader.raw(count)
    do throws(WireError) {
      try self.init(bytes: bytes)
    } catch {
      throw WireError(error.code, at: error.offset.map { start + 4 + $0 }, error.message)
    }
  }
}
