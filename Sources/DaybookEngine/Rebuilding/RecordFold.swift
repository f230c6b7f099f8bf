internal import DaybookEntities

/// Applies property changes to a packed record.
///
/// The steps, the record and the result are in ascending order of tags.
struct RecordFold {
  /// The value of a property after a change, or `nil` for the default value.
  struct Step {
    var tag: UInt8
    var after: [UInt8]?
  }

  /// Returns the record with the steps applied.
  ///
  /// - Throws: `DecodingFault` if the record is invalid.
  static func fold(
    _ steps: [Step], into record: RawSpan
  ) throws(DecodingFault) -> Record {
    var writer = RecordWriter(reserving: record.byteCount + 64)
    var reader = RecordReader(record)
    var next = 0
    while let property = try reader.next() {
      while next < steps.count, steps[next].tag < property.tag {
        put(steps[next], into: &writer)
        next += 1
      }
      if next < steps.count, steps[next].tag == property.tag {
        put(steps[next], into: &writer)
        next += 1
      } else {
        let value = property.value
        writer.put(property.tag) { writer in
          unsafe value.withUnsafeBytes { unsafe writer.bytes.append(contentsOf: $0) }
        }
      }
    }
    while next < steps.count {
      put(steps[next], into: &writer)
      next += 1
    }
    return writer.record
  }

  private static func put(_ step: Step, into writer: inout RecordWriter) {
    guard let after = step.after else { return }
    writer.put(step.tag) { $0.raw(after) }
  }

  /// Encodes steps as the value of a row, so that a `TableSorter` can sort them.
  static func encode(_ steps: [Step]) -> [UInt8] {
    var writer = ByteWriter()
    for step in steps {
      writer.u8(step.tag)
      writer.varint(step.after.map { UInt64($0.count) + 1 } ?? 0)
      if let after = step.after { writer.raw(after) }
    }
    return writer.bytes
  }

  /// Decodes steps from the value of a row.
  static func decode(_ span: RawSpan) throws(DecodingFault) -> [Step] {
    var reader = ByteReader(span)
    var steps: [Step] = []
    while !reader.isAtEnd {
      let tag = try reader.u8()
      let marked = try reader.varint()
      let after = marked == 0 ? nil : try reader.bytes(Int(truncatingIfNeeded: marked - 1))
      steps.append(Step(tag: tag, after: after))
    }
    return steps
  }
}
