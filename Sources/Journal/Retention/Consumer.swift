import Entities

/// Who reads history and says how far it has come.
public struct Consumer: Hashable, Sendable {
  /// What a purge owes it.
  public enum Kind: Hashable, Sendable {
    /// Purging never passes it.
    case required
    /// Purging passes it when it has not been seen for so many seconds; it then has to begin again with a
    /// full snapshot.
    case bestEffort(allowanceSeconds: Int64)
  }

  /// Its name.
  public let name: String
  /// What a purge owes it.
  public var kind: Kind
  /// The commit up to which it has acknowledged history.
  public var sequence: UInt64
  /// When it registered or acknowledged last, in microseconds since 1970.
  public var lastSeen: Int64
  /// The first bytes of that commit's link.
  var linkPrefix: UInt64

  /// Bytes of a name, at most.
  public static let nameByteCountMax = 128
  /// Bytes of a key of its table, at most.
  public static let keyByteCountMax = 256
  /// Bytes of a value of its table, at most.
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

  /// Whether a purge at this time may pass it.
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
