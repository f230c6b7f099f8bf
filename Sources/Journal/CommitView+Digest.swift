package import Entities

extension CommitView {
  /// The digest of the body.
  ///
  /// It is the SHA-256 of the body in its erased form, which is the same before and after personal
  /// text has been erased.
  package func bodyDigest(scratch: inout ByteWriter) throws -> Hash256 {
    try putErased(into: &scratch)
    return Hash256(hashing: scratch.bytes)
  }

  /// Writes the body with personal text replaced by its digests: all of it, or that of the header
  /// and of some changes.
  package func putErased(
    into writer: inout ByteWriter, header: Bool = true,
    changes isErased: (ChangeView) -> Bool = { _ in true }
  ) throws {
    writer.bytes.removeAll(keepingCapacity: true)
    var secret = ByteWriter(reserving: 512)
    do {
      let personal = try personalTags()
      writer.span(bytes, Hash256.byteCount..<privateStart)
      if header, flags & Layout.headerPrivate != 0 {
        writer.bytes[1] = Layout.headerErased
        let content = privateStart + Layout.saltByteCount
        secret.span(bytes, privateStart..<content)
        secret.u8(Layout.headerDomain)
        secret.span(bytes, content..<changesStart)
        writer.hash(Hash256(hashing: secret.bytes))
      } else {
        writer.span(bytes, privateStart..<changesStart)
      }
      try forEachStored { change in
        if !change.isErased, change.secret.byteCount > 0, isErased(change) {
          try putErased(change, personal[Int(change.kind.rawValue)], &secret, into: &writer)
        } else {
          writer.span(bytes, change.start..<change.end)
        }
        return true
      }
    } catch let fault as DecodingFault {
      throw ViewFault.decoding(fault).error(at: sequence, schema)
    }
  }

  /// The personal tags of each of the commit's kinds, as the commit itself names them.
  private func personalTags() throws(DecodingFault) -> [TagSet] {
    var sets = [TagSet](repeating: [], count: 256)
    var reader = ByteReader(bytes)
    reader.offset = kindsStart
    for _ in 0..<kindCount {
      let kind = try reader.u8()
      _ = try reader.u8()
      let tagCount = try reader.u8()
      for _ in 0..<tagCount { sets[Int(kind)].insert(try reader.u8()) }
    }
    return sets
  }

  private func putErased(
    _ change: ChangeView, _ tags: TagSet, _ secret: inout ByteWriter, into writer: inout ByteWriter
  ) throws(DecodingFault) {
    let headEnd = change.start + change.headByteCount
    let head = writer.bytes.count
    writer.span(bytes, change.start..<headEnd)
    writer.bytes[head] = writer.bytes[head] & Layout.operationMask | Layout.changeErased
    secret.bytes.removeAll(keepingCapacity: true)
    secret.span(change.secret)
    secret.u8(Layout.changeDomain)
    var properties = ByteWriter(reserving: 128)
    if change.operation == .update {
      try eraseLong(change.encodedProperties, tags, &secret, &properties)
    } else {
      let side = change.operation == .insert ? Layout.after : Layout.before
      try erasePacked(change.encodedProperties, tags, side, &secret, &properties)
    }
    writer.hash(Hash256(hashing: secret.bytes))
    writer.varint(UInt64(properties.bytes.count))
    writer.bytes.append(contentsOf: properties.bytes)
  }

  private func eraseLong(
    _ span: RawSpan, _ personal: TagSet, _ secret: inout ByteWriter, _ writer: inout ByteWriter
  ) throws(DecodingFault) {
    var scanner = LongScanner()
    while let property = try scanner.next(in: span) {
      if personal.contains(property.tag) {
        guard !property.isErased else { throw .invalidValue("an erased property beside a salt") }
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
