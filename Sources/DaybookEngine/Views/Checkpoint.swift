public import DaybookEntities
internal import DaybookJournal

/// A position in the journal: the sequence of the last applied commit, and its link in the chain.
public struct Checkpoint: Hashable, Sendable {
  /// The sequence of the commit; 0 before the first commit.
  public let sequence: UInt64
  /// The commit's link in the chain.
  public let link: Hash256

  /// Creates a checkpoint at a commit.
  public init(sequence: UInt64, link: Hash256) {
    self.sequence = sequence
    self.link = link
  }

  /// The checkpoint of empty views, which don't even contain the chain's first link.
  static let none = Checkpoint(sequence: 0, link: .zero)

  init(_ reader: inout ByteReader) throws(DecodingFault) {
    sequence = try reader.u64be()
    link = try reader.hash()
  }

  func write(to writer: inout ByteWriter) {
    writer.u64be(sequence)
    writer.raw(link.bytes)
  }
}

/// The tag of each kind's cluster property.
///
/// The tags are in an array indexed by kind, because they are looked up for every change.
struct ClusterTags: Sendable {
  private let tags: [UInt8]

  init(_ schema: Schema) {
    var tags = [UInt8](repeating: 0, count: 256)
    for kind in schema.kinds { tags[Int(kind.kind.rawValue)] = kind.clusterTag ?? 0 }
    self.tags = tags
  }

  @inline(__always)
  subscript(kind: EntityKind) -> UInt8? {
    let tag = tags[Int(kind.rawValue)]
    return tag == 0 ? nil : tag
  }
}
