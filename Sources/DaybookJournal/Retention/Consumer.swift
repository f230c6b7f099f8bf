import DaybookEntities

/// A reader of history that records its progress.
public struct Consumer: Hashable, Sendable {
  /// Whether purging waits for a consumer.
  public enum Kind: Hashable, Sendable {
    /// Purging keeps all commits that the consumer has not acknowledged.
    case required
    /// Purging ignores the consumer if it has not been seen for some time.
    ///
    /// If commits are purged before the consumer has read them, it must start again with a full
    /// snapshot.
    case bestEffort(allowanceSeconds: Int64)
  }

  /// The consumer's name.
  public let name: String
  /// Whether purging waits for the consumer.
  public var kind: Kind
  /// The last acknowledged commit.
  public var sequence: UInt64
  /// The time of the last registration or acknowledgment, in microseconds since 1970.
  public var lastSeen: Int64
  /// The first bytes of the last acknowledged commit's link.
  var linkPrefix: UInt64

  /// The maximum number of bytes of a consumer's name.
  public static let nameByteCountMax = 128
  /// The maximum number of bytes of a key in the consumer's table.
  public static let keyByteCountMax = 256
  /// The maximum number of bytes of a value in the consumer's table.
  public static let valueByteCountMax = 1_900

  init(name: String, kind: Kind, sequence: UInt64, linkPrefix: UInt64, lastSeen: Int64) {
    self.name = name
    self.kind = kind
    self.sequence = sequence
    self.linkPrefix = linkPrefix
    self.lastSeen = lastSeen
  }

  init(_ bytes: RawSpan, name: String) throws(DecodingFault) {
    var reader = ByteReader(bytes)
    self.name = name
    let isRequired = try reader.u8() == 0
    let allowance = Int64(bitPattern: try reader.u64be())
    kind = isRequired ? .required : .bestEffort(allowanceSeconds: allowance)
    sequence = try reader.u64be()
    linkPrefix = try reader.u64be()
    lastSeen = Int64(bitPattern: try reader.u64be())
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 40)
    switch kind {
    case .required:
      writer.u8(0)
      writer.u64be(0)
    case .bestEffort(let allowance):
      writer.u8(1)
      writer.u64be(UInt64(bitPattern: allowance))
    }
    writer.u64be(sequence)
    writer.u64be(linkPrefix)
    writer.u64be(UInt64(bitPattern: lastSeen))
    return writer.bytes
  }

  /// Returns whether a purge at a given time may ignore the consumer.
  package func isPassable(now: Int64) -> Bool {
    guard case .bestEffort(let seconds) = kind else { return false }
    let allowance = seconds.multipliedReportingOverflow(by: 1_000_000)
    return !allowance.overflow && now - lastSeen > allowance.partialValue
  }

  static func rowKey(_ name: String) -> [UInt8] { [0] + name.utf8 }

  static func tablePrefix(_ name: String) -> [UInt8] {
    [1, UInt8(truncatingIfNeeded: name.utf8.count)] + name.utf8
  }
}
