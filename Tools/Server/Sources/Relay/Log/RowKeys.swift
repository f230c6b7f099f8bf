package import DaybookEntities
package import DaybookSyncWire

/// The keys of an embedded relay's rows: a letter for the table, followed by the row's identifiers.
enum RowKeys {
  static func ledger(_ ledger: EntityID) -> [UInt8] { key("L", ledger) }
  static func entry(_ ledger: EntityID, _ position: UInt64) -> [UInt8] {
    key("E", ledger) { $0.u64be(position) }
  }
  /// Returns the key for the position of the entry with a replica's push number.
  static func number(_ ledger: EntityID, _ replica: UInt64, _ number: UInt64) -> [UInt8] {
    key("N", ledger) {
      $0.u64be(replica)
      $0.u64be(number)
    }
  }
  /// Returns the key for a replica's last push number.
  static func replica(_ ledger: EntityID, _ replica: UInt64) -> [UInt8] {
    key("R", ledger) { $0.u64be(replica) }
  }
  /// Returns the key for the ledger of a token.
  static func token(_ tokenHash: Hash256) -> [UInt8] { [UInt8(ascii: "T")] + tokenHash.bytes }
  static func device(_ ledger: EntityID, _ tokenHash: Hash256) -> [UInt8] {
    key("D", ledger) { $0.raw(tokenHash.bytes) }
  }
  /// Returns the key for the hash of the token that pushes as a replica.
  static func holder(_ ledger: EntityID, _ replica: UInt64) -> [UInt8] {
    key("H", ledger) { $0.u64be(replica) }
  }
  static func chunk(_ ledger: EntityID, _ digest: Hash256) -> [UInt8] {
    key("C", ledger) { $0.raw(digest.bytes) }
  }
  static func manifest(_ ledger: EntityID) -> [UInt8] { key("M", ledger) }
  static func invitation(_ mailbox: String) -> [UInt8] { [UInt8(ascii: "I")] + mailbox.utf8 }
  /// Returns the key for the expiry of the invitation in a ledger's mailbox.
  static func mailbox(_ ledger: EntityID, _ mailbox: String) -> [UInt8] {
    key("J", ledger) { $0.raw(mailbox.utf8) }
  }

  /// The key for the identifier of the files from which the rows were last served; see
  /// `RowEngine.place`.
  static let place = [UInt8(ascii: "P")]

  static func table(_ letter: Character, _ ledger: EntityID? = nil) -> [UInt8] {
    guard let ledger else { return Array(String(letter).utf8) }
    return key(letter, ledger)
  }

  private static func key(
    _ letter: Character, _ ledger: EntityID, _ rest: (inout ByteWriter) -> Void = { _ in }
  ) -> [UInt8] {
    var writer = ByteWriter(reserving: 40)
    writer.raw(String(letter).utf8)
    writer.id(ledger)
    rest(&writer)
    return writer.bytes
  }
}

/// The metadata of a ledger's log.
struct LedgerRow: Codable {
  var end: LogEnd
  var floor: UInt64 = 0
  /// The end of the deleted part of the log, after which the stored entries begin.
  var trimmed: LogEnd
  var byteCount: UInt64 = 0
  var quota: UInt64
  var incarnation: UInt64
  /// The base of the newest snapshot.
  var snapshot: UInt64 = 0
  /// The location to which the log was copied; if it is set, this store doesn't serve the log.
  var copiedTo: String?

  var bounds: LogBounds {
    get { LogBounds(end: end, floor: floor) }
    set { (end, floor) = (newValue.end, newValue.floor) }
  }
}

/// A stored entry, which consists of `received` as an Int64, the link, and the entry's bytes.
package struct EntryRow {
  package var received: Int64
  package var link: Hash256
  package var entry: SealedEntry

  package init(received: Int64, link: Hash256, entry: SealedEntry) {
    self.received = received
    self.link = link
    self.entry = entry
  }

  init(bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    received = Int64(bitPattern: try reader.u64be())
    link = Hash256(try reader.bytes(Hash256.byteCount)) ?? .zero
    entry = try SealedEntry(bytes: try reader.bytes(bytes.count - reader.offset))
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: entry.bytes.count + 40)
    writer.u64be(UInt64(bitPattern: received))
    writer.raw(link.bytes)
    writer.raw(entry.bytes)
    return writer.bytes
  }
}
