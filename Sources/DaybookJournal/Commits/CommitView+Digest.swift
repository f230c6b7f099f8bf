package import DaybookEntities
import DaybookLMDB

/// Reusable buffers for computing the digests of many commits.
package struct DigestScratch {
  /// The erased form of the body.
  package fileprivate(set) var body = ByteWriter(reserving: 4_096)
  fileprivate var secret = ByteWriter(reserving: 512)
  fileprivate var properties = ByteWriter(reserving: 512)
  /// The encoded kinds of the previous commit; consecutive commits usually have the same kinds.
  fileprivate var kinds: [UInt8] = []
  /// The personal tags of these kinds.
  fileprivate var personal = [TagSet](repeating: [], count: 256)

  package init() {}
}

extension CommitView {
  /// Computes the digest of the body.
  ///
  /// The digest is the SHA-256 of the body's erased form, so an erasure doesn't change it.
  package func bodyDigest(scratch: inout DigestScratch) throws -> Hash256 {
    try putErased(into: &scratch)
    return Hash256(hashing: scratch.body.bytes)
  }

  /// Writes the body with personal text replaced by its digests.
  ///
  /// The text is replaced everywhere, or only in the header or some of the changes.
  package func putErased(
    into scratch: inout DigestScratch, header: Bool = true,
    changes isErased: (ChangeView) -> Bool = { _ in true }
  ) throws {
    scratch.body.bytes.removeAll(keepingCapacity: true)
    scratch.secret.bytes.removeAll(keepingCapacity: true)
    do {
      try readPersonalTags(&scratch)
      scratch.body.span(bytes, Hash256.byteCount..<privateStart)
      if header, flags & Layout.headerPrivate != 0 {
        scratch.body.bytes[1] = Layout.headerErased
        let content = privateStart + Layout.saltByteCount
        scratch.secret.span(bytes, privateStart..<content)
        scratch.secret.u8(Layout.headerDomain)
        scratch.secret.span(bytes, content..<changesStart)
        scratch.body.hash(Hash256(hashing: scratch.secret.bytes))
      } else {
        scratch.body.span(bytes, privateStart..<changesStart)
      }
      try forEachChange { change in
        if !change.isErased, change.secret.byteCount > 0, isErased(change) {
          try putErased(change, into: &scratch)
        } else {
          scratch.body.span(bytes, change.start..<change.end)
        }
        return true
      }
    } catch let fault as DecodingFault {
      throw ViewFault.decoding(fault).error(at: sequence, schema)
    }
  }

  /// Reads the personal tags of each kind, as stored in the commit.
  private func readPersonalTags(_ scratch: inout DigestScratch) throws(DecodingFault) {
    var reader = ByteReader(bytes)
    reader.offset = kindsStart
    for _ in 0..<kindCount {
      _ = try reader.skip(2)
      _ = try reader.skip(Int(try reader.u8()))
    }
    let kinds = bytes.extracting(kindsStart..<reader.offset)
    if kinds.compared(to: scratch.kinds.span.bytes) == 0 { return }
    scratch.kinds = kinds.copied()
    for index in scratch.personal.indices { scratch.personal[index] = [] }
    reader.offset = kindsStart
    for _ in 0..<kindCount {
      let kind = try reader.u8()
      _ = try reader.u8()
      let tagCount = try reader.u8()
      for _ in 0..<tagCount { scratch.personal[Int(kind)].insert(try reader.u8()) }
    }
  }

  private func putErased(
    _ change: ChangeView, into scratch: inout DigestScratch
  ) throws(DecodingFault) {
    let headEnd = change.start + change.headByteCount
    let head = scratch.body.bytes.count
    scratch.body.span(bytes, change.start..<headEnd)
    scratch.body.bytes[head] =
      scratch.body.bytes[head] & Layout.operationMask | Layout.changeErased
    scratch.secret.bytes.removeAll(keepingCapacity: true)
    scratch.secret.span(change.secret)
    scratch.secret.u8(Layout.changeDomain)
    scratch.properties.bytes.removeAll(keepingCapacity: true)
    let tags = scratch.personal[Int(change.kind.rawValue)]
    if change.operation == .update {
      try eraseLong(change.encodedProperties, tags, &scratch.secret, &scratch.properties)
    } else {
      let side = change.operation == .insert ? Layout.after : Layout.before
      try erasePacked(change.encodedProperties, tags, side, &scratch.secret, &scratch.properties)
    }
    scratch.body.hash(Hash256(hashing: scratch.secret.bytes))
    scratch.body.varint(UInt64(scratch.properties.bytes.count))
    scratch.body.bytes.append(contentsOf: scratch.properties.bytes)
  }

  private func eraseLong(
    _ span: RawSpan, _ personal: TagSet, _ secret: inout ByteWriter, _ writer: inout ByteWriter
  ) throws(DecodingFault) {
    var scanner = LongScanner()
    while let property = try scanner.next(in: span) {
      if personal.contains(property.tag) {
        guard !property.isErased else { throw .invalidValue("an erased property with a salt") }
        writer.u8(property.tag)
        writer.u8(property.presence | Layout.erased)
        secret.span(span, property.start..<property.end)
      } else {
        writer.span(span, property.start..<property.end)
      }
    }
  }

  private func erasePacked(
    _ span: RawSpan, _ personal: TagSet, _ side: UInt8, _ secret: inout ByteWriter,
    _ writer: inout ByteWriter
  ) throws(DecodingFault) {
    var scanner = PropertyScanner()
    while let property = try scanner.next(in: span) {
      writer.u8(property.tag)
      if personal.contains(property.tag) {
        writer.u8(side | Layout.erased)
        secret.u8(property.tag)
        secret.u8(side)
        secret.span(span, property.start + 1..<property.end)
      } else {
        writer.u8(side)
        writer.span(span, property.start + 1..<property.end)
      }
    }
  }
}
