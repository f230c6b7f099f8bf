public import DaybookEntities

extension ChangeView {
  /// Applies the change to a packed record, which then contains the state after the change.
  ///
  /// An insertion ignores the record's previous contents; a deletion empties the record.
  ///
  /// - Throws: `DecodingFault` if the change or the record is damaged.
  public func apply(to record: inout [UInt8]) throws(DecodingFault) {
    switch operation {
    case .delete:
      record.removeAll(keepingCapacity: true)
    case .insert where !isErased:
      record.removeAll(keepingCapacity: true)
      unsafe encodedProperties.withUnsafeBytes { unsafe record.append(contentsOf: $0) }
    case .insert:
      record = try merged(with: [])
    case .update:
      record = try merged(with: record)
    }
  }

  /// The packed record of an insertion, read in place; `nil` for other changes and after an
  /// erasure.
  public var packedRecord: RawSpan? {
    @_lifetime(copy self)
    get { operation == .insert && !isErased ? encodedProperties : nil }
  }

  private func merged(with record: [UInt8]) throws(DecodingFault) -> [UInt8] {
    var result = ByteWriter(reserving: record.count + encodedProperties.byteCount)
    let old = record.span.bytes
    var oldScanner = PropertyScanner()
    var newScanner = LongScanner()
    var kept = try oldScanner.next(in: old)
    while let property = try newScanner.next(in: encodedProperties) {
      while let earlier = kept, earlier.tag < property.tag {
        result.span(old, earlier.start..<earlier.end)
        kept = try oldScanner.next(in: old)
      }
      if let same = kept, same.tag == property.tag { kept = try oldScanner.next(in: old) }
      if property.hasAfter, !property.isErased {
        result.u8(property.tag)
        result.varint(UInt64(property.after.count))
        result.span(encodedProperties, property.after)
      }
    }
    while let rest = kept {
      result.span(old, rest.start..<rest.end)
      kept = try oldScanner.next(in: old)
    }
    return result.bytes
  }
}
