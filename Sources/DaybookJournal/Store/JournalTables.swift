package import DaybookEntities
package import DaybookLMDB

/// The newest commit, as stored in the journal's `meta` database.
package struct Head: Hashable, Sendable {
  /// The sequence; 0 if there is no commit.
  package var sequence: UInt64
  /// The link, or the first link if there is no commit.
  package var link: Hash256
  /// The hybrid logical clock.
  package var hlc: UInt64
  /// The time, in microseconds since 1970.
  package var wallMicroseconds: Int64

  init(sequence: UInt64, link: Hash256, hlc: UInt64, wallMicroseconds: Int64) {
    self.sequence = sequence
    self.link = link
    self.hlc = hlc
    self.wallMicroseconds = wallMicroseconds
  }

  init(_ bytes: RawSpan) throws(DecodingFault) {
    var reader = ByteReader(bytes)
    sequence = try reader.u64be()
    link = try reader.hash()
    hlc = try reader.u64be()
    wallMicroseconds = Int64(bitPattern: try reader.u64be())
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 56)
    writer.u64be(sequence)
    writer.hash(link)
    writer.u64be(hlc)
    writer.u64be(UInt64(bitPattern: wallMicroseconds))
    return writer.bytes
  }
}

/// The commit after which the retained history begins, as stored in the journal's `meta` database.
package struct Floor: Hashable, Sendable {
  /// The sequence; 0 if nothing has been purged.
  package var sequence: UInt64
  /// The link, or the first link if nothing has been purged.
  package var link: Hash256

  init(sequence: UInt64, link: Hash256) {
    self.sequence = sequence
    self.link = link
  }

  init(_ bytes: RawSpan) throws(DecodingFault) {
    var reader = ByteReader(bytes)
    sequence = try reader.u64be()
    link = try reader.hash()
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 40)
    writer.u64be(sequence)
    writer.hash(link)
    return writer.bytes
  }
}

/// The stored row of a kind that occurs in the journal.
struct KindRow: Hashable, Sendable {
  /// The newest version in which properties of the kind were written.
  var version: UInt8
  /// The next recording number.
  var nextNumber: UInt64
  /// The first commit that used the newest version of the kind.
  var sequence: UInt64
  /// The kind's name, for error messages of processes that don't support the kind.
  var name: String
  /// The least recording number that two entities in history may share, or `nil` if all numbers are
  /// unique.
  var reusedFrom: UInt64?

  init(version: UInt8, nextNumber: UInt64, sequence: UInt64, name: String) {
    self.version = version
    self.nextNumber = nextNumber
    self.sequence = sequence
    self.name = name
  }

  init(_ bytes: RawSpan) throws(DecodingFault) {
    var reader = ByteReader(bytes)
    version = try reader.u8()
    nextNumber = try reader.u64be()
    sequence = try reader.u64be()
    name = try reader.string()
    reusedFrom = reader.isAtEnd ? nil : try reader.u64be()
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 40)
    writer.u8(version)
    writer.u64be(nextNumber)
    writer.u64be(sequence)
    writer.string(name)
    if let reusedFrom { writer.u64be(reusedFrom) }
    return writer.bytes
  }
}

/// The stored row of an idempotency key.
package struct KeyRow: Hashable, Sendable {
  /// The sequence of the commit that was appended with the key.
  package var sequence: UInt64
  /// The digest of the request.
  package var requestDigest: Hash256
  /// The time of the commit, in microseconds since 1970.
  package var wallMicroseconds: Int64

  init(sequence: UInt64, requestDigest: Hash256, wallMicroseconds: Int64) {
    self.sequence = sequence
    self.requestDigest = requestDigest
    self.wallMicroseconds = wallMicroseconds
  }

  init(_ bytes: RawSpan) throws(DecodingFault) {
    var reader = ByteReader(bytes)
    sequence = try reader.u64be()
    requestDigest = try reader.hash()
    wallMicroseconds = Int64(bitPattern: try reader.u64be())
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 48)
    writer.u64be(sequence)
    writer.hash(requestDigest)
    writer.u64be(UInt64(bitPattern: wallMicroseconds))
    return writer.bytes
  }
}

/// The databases of a journal's environment.
package struct JournalTables: Sendable {
  /// LMDB's main database; every commit writes its page even if it doesn't change this database.
  package var meta: Database
  package var commits: Database
  package var keys: Database
  package var baseline: Database
  package var consumers: Database

  var baselineTable: BaselineTable { BaselineTable(database: baseline) }

  /// The names of the databases.
  static let names = ["commits", "keys", "baseline", "consumers"]

  package static let headKey = metaKey("head")
  package static let floorKey = metaKey("floor")
  package static let replicaKey = metaKey("replica")
  package static let kindPrefix = metaKey("kind")
  package static let baselineKey = metaKey("baseline")
  package static let retentionKey = metaKey("retention")

  static let erasedPrefix = metaKey("erased")

  /// Returns the key that marks an erasure as completed, given the id of its record.
  static func erasedKey(_ id: EntityID) -> [UInt8] {
    var writer = ByteWriter(reserving: 24)
    writer.raw(erasedPrefix)
    writer.id(id)
    return writer.bytes
  }

  /// Returns the key of one half of the baseline's digest.
  static func digestKey(_ half: UInt8) -> [UInt8] { metaKey("digest") + [half] }

  /// Returns a key of `meta`; the leading zero byte distinguishes it from names of databases.
  package static func metaKey(_ name: String) -> [UInt8] { [0] + name.utf8 }

  /// Returns the key of a commit's chunk: the sequence, followed by the chunk's index from 0.
  package static func chunkKey(_ sequence: UInt64, _ chunk: UInt32) -> [UInt8] {
    var writer = ByteWriter(reserving: 12)
    writer.u64be(sequence)
    writer.u32be(chunk)
    return writer.bytes
  }

  /// Returns the row key of an idempotency key.
  ///
  /// The row key is a digest, so that its length is fixed and the idempotency key isn't stored
  /// twice.
  package static func idempotencyKey(_ key: [UInt8], store: EntityID) -> [UInt8] {
    var writer = ByteWriter(reserving: 17 + key.count)
    writer.u8(3)
    writer.id(store)
    writer.raw(key)
    return Hash256(hashing: writer.bytes).bytes
  }

  /// The version of the hash chain, which equals the first version of the journal's format.
  ///
  /// Links stay the same even if the format changes.
  static let chainVersion: UInt32 = 1

  /// Returns the link before the first commit.
  package static func firstLink(store: EntityID) -> Hash256 {
    var writer = ByteWriter(reserving: 40)
    writer.raw("daybook journal".utf8)
    writer.u32be(JournalTables.chainVersion)
    writer.id(store)
    return Hash256(hashing: writer.bytes)
  }

  /// Returns the link of a commit.
  package static func link(after previous: Hash256, _ sequence: UInt64, _ bodyDigest: Hash256)
    -> Hash256
  {
    let words = CollectionOfOne(
      LinkWords(
        previous: HashWords(previous), sequence: sequence.bigEndian, body: HashWords(bodyDigest)))
    return Hash256(hashing: words.span.bytes)
  }

  /// The input to a link's hash, as laid out in memory: 72 bytes without padding.
  private struct LinkWords: BitwiseCopyable {
    let previous: HashWords
    let sequence: UInt64
    let body: HashWords
  }

  private struct HashWords: BitwiseCopyable {
    let first: UInt64
    let second: UInt64
    let third: UInt64
    let fourth: UInt64

    init(_ hash: Hash256) {
      first = hash.first.bigEndian
      second = hash.second.bigEndian
      third = hash.third.bigEndian
      fourth = hash.fourth.bigEndian
    }
  }
}
