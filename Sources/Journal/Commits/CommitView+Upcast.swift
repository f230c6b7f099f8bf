import Entities

extension CommitView {
  /// Calls `body` with every change, brought up to the newest version of its kind.
  func forEachUpcast(_ body: (ChangeView) throws -> Bool) throws {
    var versions = [UInt8](repeating: 0, count: 256)
    var reader = ByteReader(bytes)
    reader.offset = kindsStart
    for _ in 0..<kindCount {
      let kind = try reader.u8()
      versions[Int(kind)] = try reader.u8()
      let tagCount = try reader.u8()
      _ = try reader.skip(Int(tagCount))
    }
    try forEachStored { change in
      let version = versions[Int(change.kind.rawValue)]
      guard let definition = schema[change.kind], version < definition.newestVersion,
        let upcast = definition.upcast
      else { return try body(change) }
      var newer = try change.copied()
      newer.properties = try upcast(version, newer.properties).sorted { $0.tag < $1.tag }
      let encoded = newer.encodedProperties
      let span = encoded.span.bytes
      let view = ChangeView(
        kind: change.kind, id: change.id, number: change.number, operation: change.operation,
        isErased: change.isErased, encodedProperties: span, secret: change.secret,
        start: change.start, end: change.end, headByteCount: change.headByteCount)
      return try body(view)
    }
  }
}

extension JournalChange {
  /// The properties as they are encoded: packed for insertions and deletions without erased text,
  /// else in the long form.
  var encodedProperties: [UInt8] {
    var writer = ByteWriter(reserving: 128)
    for property in properties {
      writer.u8(property.tag)
      if operation == .update || isErased {
        var presence = property.isErased ? Layout.erased : 0
        if property.before != nil { presence |= Layout.before }
        if property.after != nil { presence |= Layout.after }
        if property.isErased { presence |= Layout.after }
        writer.u8(presence)
      }
      for value in [property.before, property.after] {
        guard let value else { continue }
        writer.varint(UInt64(value.count))
        writer.raw(value)
      }
    }
    return writer.bytes
  }
}
