package import DaybookEntities
package import DaybookSyncWire

/// The data that a store keeps about a log, other than its entries, chunks and pending invitations.
package struct LogRecord: Hashable, Sendable {
  /// The end of the deleted part of the log, after which the stored entries begin.
  package var trimmed: LogEnd
  /// The log's end.
  package var end: LogEnd
  /// The log's floor.
  package var floor: UInt64
  /// The total size of all entries and chunks, in bytes.
  package var byteCount: UInt64
  /// The maximum total size of all entries and chunks, in bytes.
  package var quota: UInt64
  /// The log's incarnation.
  package var incarnation: UInt64
  /// The base of the newest manifest; 0 if there is none.
  package var snapshot: UInt64
  /// The newest manifest.
  package var manifest: SealedEntry?
  /// The digests of the newest snapshot's chunks, in order.
  package var chunks: [Hash256]
  /// Each replica's last push number.
  package var lastNumbers: [UInt64: UInt64]
  /// The devices, including revoked ones.
  package var devices: [RelayDevice]

  /// The number of stored entries.
  package var entryCount: UInt64 { end.position - trimmed.position }
}
