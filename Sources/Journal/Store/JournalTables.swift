package import Entities
package import LMDB

/// The newest commit, as the journal's `meta` keeps it.
package struct Head: Hashable, Sendable {
  /// Its sequence; 0 where there is none.
  package var sequence: UInt64
  /// Its link, or the first link where there is no commit.
  package var link: Hash256
  /// Its hybrid logical clock.
  package var hlc: UInt64
  /// Its time, in microseconds since 1970.
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

/// The commit after which what is kept begins, as the journal's `meta` keeps it.
package struct Floor: Hashable, Sendable {
  /// Its sequence; 0 as long as nothing is purged.
  package var sequence: UInt64
  /// Its link, or the first link where nothing is purged.
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

/// What the journal knows of one kind that occurs in it.
struct KindRow: Hashable, Sendable {
  /// The newest version its properties were written in.
  var version: UInt8
  /// The next recording number.
  var nextNumber: UInt64
  /// The commit that first had the kind in its newest version.
  var sequence: UInt64
  /// The name, for the messages of those who don't know the kind.
  var name: String
  /// The least recording number that history may give to two entities; `nil` where each has one of its own.
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

/// What is remembered of a request with an idempotency key.
package struct KeyRow: Hashable, Sendable {
  /// The commit it was recorded as.
  package var sequence: UInt64
  /// The digest of the request.
  package var requestDigest: Hash256
  /// When, in microseconds since 1970.
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
  /// LMDB's main database: its page is written at every commit anyway.
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

  /// Says that an erasure is done, by the id of its record.
  static func erasedKey(_ id: EntityID) -> [UInt8] {
    var writer = ByteWriter(reserving: 24)
    writer.raw(erasedPrefix)
    writer.id(id)
    return writer.bytes
  }

  /// The digest of the baseline, in two halves.
  static func digestKey(_ half: UInt8) -> [UInt8] { metaKey("digest") + [half] }

  /// A key of `meta`: the zero byte keeps it apart from the names of databases.
  package static func metaKey(_ name: String) -> [UInt8] { [0] + name.utf8 }

  /// The key of a commit's chunk: sequence, then the chunk's index from 0.
  package static func chunkKey(_ sequence: UInt64, _ chunk: UInt32) -> [UInt8] {
    var writer = ByteWriter(reserving: 12)
    writer.u64be(sequence)
    writer.u32be(chunk)
    return writer.bytes
  }

  /// The key under which an idempotency key is remembered: a digest, so that its length does not
  /// matter and the key itself is not kept twice.
  package static func idempotencyKey(_ key: [UInt8], store: EntityID) -> [UInt8] {
    var writer = ByteWriter(reserving: 17 + key.count)
    writer.u8(3)
    writer.id(store)
    writer.raw(key)
    return Hash256(hashing: writer.bytes).bytes
  }

  /// The version of the chain: that of the format it began with.
  ///
  /// Links never change, whatever does.
  static let chainVersion: UInt32 = 1

  /// The link before the first commit.
  package static func firstLink(store: EntityID) -> Hash256 {
    var writer = ByteWriter(reserving: 40)
    writer.raw("daybook journal".utf8)
    writer.u32be(JournalTables.chainVersion)
    writer.id(store)
    return Hash256(hashing: writer.bytes)
  }

  /// The link of a commit.
  package static func link(after previous: Hash256, _ sequence: UInt64, _ bodyDigest: Hash256)
    -> Hash256
  {
    let words = CollectionOfOne(
      LinkWords(
        previous: HashWords(previous), sequence: sequence.bigEndian, body: HashWords(bodyDigest)))
    return Hash256(hashing: words.span.bytes)
  }

  /// What a link is the hash of, as it lies in memory: 72 bytes without a gap.
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
