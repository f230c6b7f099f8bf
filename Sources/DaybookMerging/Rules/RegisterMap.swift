import DaybookEntities

/// Splits records of one kind into registers, and joins them again.
struct RegisterMap: Sendable {
  let rules: KindRules
  /// The register of each tag.
  private let registers: [Register]

  init(_ rules: KindRules) {
    self.rules = rules
    var registers = (0...UInt8.max).map { Register(tag: $0) }
    for group in rules.groups {
      guard let lowest = group.min() else { continue }
      for tag in group { registers[Int(tag)] = Register(tag: lowest) }
    }
    self.registers = registers
  }

  /// Returns the register to which a tag belongs.
  func register(of tag: UInt8) -> Register { registers[Int(tag)] }

  /// Returns a record's values, without absent ones.
  ///
  /// - Throws: `DecodingFault` if the record is damaged or its tags aren't ascending.
  func values(of record: Record) throws(DecodingFault) -> RegisterValues {
    var values = RegisterValues()
    var reader = RecordReader(record.bytes.span.bytes)
    var last = -1
    while let property = try reader.next() {
      guard Int(property.tag) > last else {
        throw .invalidValue("tag \(property.tag) after \(last)")
      }
      last = Int(property.tag)
      var writer = ByteWriter(reserving: property.value.byteCount + 3)
      writer.u8(property.tag)
      writer.varint(UInt64(property.value.byteCount))
      writer.raw(property.value.copied())
      values.append(writer.bytes, to: register(of: property.tag))
    }
    guard let parts = rules.parts else { return values }
    let whole = values[parts.register]
    if whole.isEmpty { return values }
    values[parts.register] = []
    for part in parts.split(whole) { values[part.register] = part.bytes }
    return values
  }

  /// Returns the record with the given values, or `nil` if the parts of a property are
  /// incompatible.
  ///
  /// - Throws: `DecodingFault` if a value doesn't consist of encoded properties.
  func record(of values: RegisterValues) throws(DecodingFault) -> Record? {
    var whole = values
    if let parts = rules.parts {
      let split = values.list.filter { $0.register.isPart }
      if !split.isEmpty {
        guard let joined = parts.join(split) else { return nil }
        whole.list.removeAll { $0.register.isPart }
        whole[parts.register] = joined
      }
    }
    if rules.groups.isEmpty { return Record(bytes: whole.list.flatMap(\.bytes)) }
    var properties: [(tag: UInt8, bytes: [UInt8])] = []
    for value in whole.list {
      var reader = RecordReader(value.bytes.span.bytes)
      while let property = try reader.next() {
        properties.append((property.tag, property.value.copied()))
      }
    }
    properties.sort { $0.tag < $1.tag }
    var writer = RecordWriter()
    for property in properties { writer.put(property.tag) { $0.raw(property.bytes) } }
    return writer.record
  }
}

extension Register {
  /// Whether the register is one of the parts into which its kind splits a property.
  var isPart: Bool { rawValue > UInt16(UInt8.max) && self != .existence }
}

/// The values of an entity's registers, in ascending order of registers, without absent values.
struct RegisterValues: Hashable, Sendable {
  var list: [RegisterValue] = []

  /// The value of a register; empty if the value is absent.
  subscript(register: Register) -> [UInt8] {
    get { list.first { $0.register == register }?.bytes ?? [] }
    set {
      let index = list.firstIndex { $0.register >= register } ?? list.count
      if index < list.count, list[index].register == register {
        if newValue.isEmpty { list.remove(at: index) } else { list[index].bytes = newValue }
      } else if !newValue.isEmpty {
        list.insert(RegisterValue(register, newValue), at: index)
      }
    }
  }

  /// Appends bytes to a register's value.
  mutating func append(_ bytes: [UInt8], to register: Register) {
    if let last = list.last, last.register < register {
      list.append(RegisterValue(register, bytes))
    } else {
      self[register] += bytes
    }
  }

  /// Returns the values of `other` that differ from these values, in ascending order of registers.
  func differences(in other: RegisterValues) -> [RegisterValue] {
    var found = other.list.filter { self[$0.register] != $0.bytes }
    for value in list where other[value.register].isEmpty {
      found.append(RegisterValue(value.register, []))
    }
    return found.sorted { $0.register < $1.register }
  }
}
