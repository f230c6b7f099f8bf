import DaybookEntities

extension CommitEncoder {
  /// Encodes one change.
  mutating func put(_ change: Change, at index: Int) throws {
    guard let definition = schema[change.kind] else {
      throw refusal("Kind \(change.kind.rawValue) is not defined in this process.")
    }
    let personal = definition.personalTags
    do {
      switch (change.before, change.after) {
      case (nil, let after?):
        try putWhole(change, .insert, after.bytes.span.bytes, personal, side: Layout.after)
      case (let before?, nil):
        try putWhole(change, .delete, before.bytes.span.bytes, personal, side: Layout.before)
      case (let before?, let after?):
        try putDifference(change, before.bytes.span.bytes, after.bytes.span.bytes, personal)
      case (nil, nil):
        throw refusal(
          "Change \(index + 1), of \(definition.name) \(change.id), has neither a record before nor"
            + " one after; leave it out.")
      }
    } catch let fault as DecodingFault {
      throw refusal(
        "Change \(index + 1), of \(definition.name) \(change.id), has a record that isn't encoded "
          + "correctly; write records with RecordWriter.", cause: fault)
    }
  }

  /// Encodes an insertion or deletion, which contains the whole record.
  private mutating func putWhole(
    _ change: Change, _ operation: JournalChange.Operation, _ record: RawSpan, _ personal: TagSet,
    side: UInt8
  ) throws {
    try checkSize(record.byteCount, change)
    let hasPersonal = try scan(record, personal)
    let start = stored.bytes.count
    putHead(change, operation, hasPersonal: hasPersonal)
    guard hasPersonal else {
      stored.varint(UInt64(record.byteCount))
      stored.span(record)
      return erased.bytes.append(contentsOf: stored.bytes[start...])
    }
    erasedProperties.bytes.removeAll(keepingCapacity: true)
    beginSecret()
    var scanner = PropertyScanner()
    while let property = try scanner.next(in: record) {
      erasedProperties.u8(property.tag)
      if personal.contains(property.tag) {
        erasedProperties.u8(side | Layout.erased)
        secret.u8(property.tag)
        secret.u8(side)
        secret.span(record, property.start + 1..<property.end)
      } else {
        erasedProperties.u8(side)
        erasedProperties.span(record, property.start + 1..<property.end)
      }
    }
    putErased(headAt: start)
    stored.varint(UInt64(record.byteCount))
    stored.span(record)
  }

  /// Encodes an update, which contains the differing properties in the long form.
  private mutating func putDifference(
    _ change: Change, _ before: RawSpan, _ after: RawSpan, _ personal: TagSet
  ) throws {
    try checkSize(before.byteCount, change)
    try checkSize(after.byteCount, change)
    plainProperties.bytes.removeAll(keepingCapacity: true)
    erasedProperties.bytes.removeAll(keepingCapacity: true)
    secret.bytes.removeAll(keepingCapacity: true)
    var hasPersonal = false
    var oldScanner = PropertyScanner()
    var newScanner = PropertyScanner()
    var old = try oldScanner.next(in: before)
    var new = try newScanner.next(in: after)
    while old != nil || new != nil {
      var left: PropertyBounds?
      var right: PropertyBounds?
      if let current = old, current.tag <= new?.tag ?? .max {
        left = current
        old = try oldScanner.next(in: before)
      }
      if let current = new, current.tag <= left?.tag ?? .max {
        right = current
        new = try newScanner.next(in: after)
      }
      if let left, let right, left.tag == right.tag,
        equal(before, left.valueStart..<left.end, after, right.valueStart..<right.end)
      {
        continue
      }
      guard let tag = left?.tag ?? right?.tag else { break }
      let isPersonal = personal.contains(tag)
      if isPersonal, !hasPersonal {
        hasPersonal = true
        beginSecret()
      }
      putDiffering(tag, left, before, right, after, isPersonal: isPersonal)
    }
    let start = stored.bytes.count
    putHead(change, .update, hasPersonal: hasPersonal)
    if hasPersonal { putErased(headAt: start) }
    stored.varint(UInt64(plainProperties.bytes.count))
    stored.raw(plainProperties.bytes)
    if !hasPersonal { erased.bytes.append(contentsOf: stored.bytes[start...]) }
  }

  private mutating func putDiffering(
    _ tag: UInt8, _ left: PropertyBounds?, _ before: RawSpan, _ right: PropertyBounds?,
    _ after: RawSpan, isPersonal: Bool
  ) {
    let presence = (left == nil ? 0 : Layout.before) | (right == nil ? 0 : Layout.after)
    let start = plainProperties.bytes.count
    plainProperties.u8(tag)
    plainProperties.u8(presence)
    if let left { plainProperties.span(before, left.start + 1..<left.end) }
    if let right { plainProperties.span(after, right.start + 1..<right.end) }
    if isPersonal {
      erasedProperties.u8(tag)
      erasedProperties.u8(presence | Layout.erased)
      secret.bytes.append(contentsOf: plainProperties.bytes[start...])
    } else {
      erasedProperties.bytes.append(contentsOf: plainProperties.bytes[start...])
    }
  }

  /// Encodes the operation, kind, number and id.
  ///
  /// If there is personal text, `putErased` adds the salt later.
  private mutating func putHead(
    _ change: Change, _ operation: JournalChange.Operation, hasPersonal: Bool
  ) {
    stored.u8(operation.rawValue | (hasPersonal ? Layout.changePersonal : 0))
    stored.u8(change.kind.rawValue)
    stored.varint(change.number)
    stored.id(change.id)
  }

  /// Starts the input of a salted digest.
  private mutating func beginSecret() {
    secret.bytes.removeAll(keepingCapacity: true)
    salts.put(into: &secret)
    secret.u8(Layout.changeDomain)
  }

  /// Writes the erased form of the change whose head starts at `start` in `stored`.
  ///
  /// Also adds the salt to the stored form, after the head.
  private mutating func putErased(headAt start: Int) {
    let head = erased.bytes.count
    erased.bytes.append(contentsOf: stored.bytes[start...])
    erased.bytes[head] = erased.bytes[head] & Layout.operationMask | Layout.changeErased
    erased.hash(Hash256(hashing: secret.bytes))
    erased.varint(UInt64(erasedProperties.bytes.count))
    erased.bytes.append(contentsOf: erasedProperties.bytes)
    stored.bytes.append(contentsOf: secret.bytes[0..<Layout.saltByteCount])
  }

  /// Checks that a record is packed correctly, and returns whether it has personal text.
  private func scan(_ record: RawSpan, _ personal: TagSet) throws(DecodingFault) -> Bool {
    var scanner = PropertyScanner()
    var found = false
    while let property = try scanner.next(in: record) {
      if personal.contains(property.tag) { found = true }
    }
    return found
  }

  private func checkSize(_ byteCount: Int, _ change: Change) throws {
    guard byteCount <= limits.recordByteCountMax else {
      throw refusal(
        "The record of \(change.id) has \(byteCount) bytes; the maximum is "
          + "\(limits.recordByteCountMax). Shorten its text.")
    }
  }
}

/// Returns whether two ranges of bytes are equal.
func equal(_ left: RawSpan, _ first: Range<Int>, _ right: RawSpan, _ second: Range<Int>) -> Bool {
  guard first.count == second.count else { return false }
  return unsafe left.extracting(first).withUnsafeBytes { a in
    unsafe right.extracting(second).withUnsafeBytes { b in unsafe a.elementsEqual(b) }
  }
}
