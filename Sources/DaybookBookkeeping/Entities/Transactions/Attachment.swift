public import DaybookEntities

/// A file that belongs to a transaction, such as a receipt.
///
/// The ledger has the file's name, size and hash. The file itself is next to the ledger, in the
/// `AttachmentFolder` of the module `DaybookFoundation`, so a shared ledger doesn't send it to other
/// devices.
public struct Attachment: Hashable, Sendable, Codable {
  /// The name of the file, without a folder.
  public var name: String
  /// The SHA-256 hash of the file's contents.
  public var hash: Hash256
  /// The size of the file in bytes.
  public var byteCount: Int64

  /// Creates an attachment.
  public init(name: String, hash: Hash256, byteCount: Int64) {
    self.name = name
    self.hash = hash
    self.byteCount = byteCount
  }

  /// Whether the name can be that of a file in any folder.
  package var isNamed: Bool {
    (1...Limits.nameByteCountMax).contains(name.utf8.count) && name != "." && name != ".."
      && !name.utf8.contains(UInt8(ascii: "/")) && Invisible.first(in: name) == nil
  }

  private enum CodingKeys: String, CodingKey {
    case name
    case hash = "sha256"
    case byteCount = "bytes"
  }
}

extension Attachment: ListElement {
  package func write(to writer: inout ByteWriter) {
    writer.string(name)
    writer.hash(hash)
    writer.zigzag(byteCount)
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    self.init(name: try reader.string(), hash: try reader.hash(), byteCount: try reader.zigzag())
  }

  package static func shown(_ list: [Attachment]) -> PropertyValue? { .texts(list.map(\.name)) }
}

extension BookkeepingState {
  /// Refuses attachments if there are too many, or if the name of one isn't that of a file.
  func check(_ attachments: [Attachment], of what: @autoclosure () -> String) throws(Refusal) {
    if attachments.isEmpty { return }
    guard attachments.count <= Limits.attachmentCountMax else {
      throw Refusal(
        .limit,
        "\(what()) has \(attachments.count) attachments, and the limit is "
          + "\(Limits.attachmentCountMax); remove some")
    }
    for attachment in attachments {
      let name = attachment.name
      try check(
        name, "the name of the attachment “\(name.excerpt)” of \(what())",
        max: Limits.nameByteCountMax)
      guard attachment.isNamed, attachment.byteCount >= 0 else {
        throw Refusal(
          .text,
          "the attachment “\(name.excerpt)” of \(what()) doesn't have the name of a file; rename it"
        )
      }
    }
  }
}
