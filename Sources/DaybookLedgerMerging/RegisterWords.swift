public import DaybookBookkeeping
public import DaybookEntities
public import DaybookMerging

extension Register {
  /// Returns the properties that a value of this register contains, with their names.
  ///
  /// - Parameters:
  ///   - bytes: The value (``/Merging/RegisterValue/bytes``); empty if the register is absent.
  ///   - kind: The entity's kind.
  public func properties(
    in bytes: [UInt8], of kind: EntityKind
  ) -> [(name: String, value: PropertyValue)] {
    guard rawValue <= UInt16(UInt8.max) else {
      if self == .existence { return [] }
      guard kind == .settings else { return PostingParts.properties(of: self, in: bytes) }
      let days = HolidayParts.days(in: self, bytes)
      return days.isEmpty
        ? [] : [("holidays", .days(days.map { $0..<$0.adding(days: 1) }))]
    }
    var found: [(name: String, value: PropertyValue)] = []
    var reader = RecordReader(bytes.span.bytes)
    while let property = try? reader.next() {
      let value = property.value.copied()
      found.append(
        (
          kind.propertyName(property.tag),
          kind.property(property.tag)?.value(value) ?? .bytes(value)
        ))
    }
    return found
  }

  /// Returns the category of the split line that a value of this register contains, or `nil` for
  /// any other register or value.
  public func part(in bytes: [UInt8]) -> CategoryID? {
    guard self >= PostingParts.firstLine, self != .existence, let line = SplitRow.line(bytes)?.line,
      case .category(let id) = line.category
    else { return nil }
    return id
  }

  /// Returns the name of this register, for a value that contains no properties.
  public func name(of kind: EntityKind) -> String {
    if self == .existence { return "existence" }
    if rawValue <= UInt16(UInt8.max) { return kind.propertyName(UInt8(rawValue)) }
    return kind == .settings ? "holidays" : PostingParts.name(of: self)
  }
}

extension PostingParts {
  static func name(of part: Register) -> String {
    switch part {
    case account: "account"
    case category: "category"
    case otherAccount: "other account"
    case amount: "amount"
    case direction: "direction"
    case firstNote, secondNote: "posting note"
    case split: "type of the split"
    case order: "order of the lines"
    case firstLine...: "line"
    default: "postings"
    }
  }

  static func properties(
    of part: Register, in bytes: [UInt8]
  ) -> [(name: String, value: PropertyValue)] {
    if bytes.isEmpty { return [] }
    if part >= firstLine {
      guard let (line, currency) = SplitRow.line(bytes), case .category(let id) = line.category
      else { return [] }
      return [("category", .entity(id.rawValue)), ("amount", .money(Money(line.units, currency)))]
    }
    if part == split || part == order { return [] }
    if part == whole {
      return Register(tag: Tag.Transaction.postings).properties(in: bytes, of: .transaction)
    }
    let name = name(of: part)
    var reader = ByteReader(bytes.span.bytes)
    switch part {
    case account, otherAccount:
      guard (try? reader.u8()) != nil, let id = try? reader.id() else { return [] }
      return [(name, .entity(id))]
    case category:
      guard (try? reader.u8()) != nil, (try? reader.u8()) != nil, let id = try? reader.id() else {
        return []
      }
      return [(name, .entity(id))]
    case amount:
      guard let size = try? reader.varint(), let currency = try? reader.currency() else {
        return []
      }
      return [(name, .money(Money(Int64(clamping: size), currency)))]
    case direction:
      return [(name, .choice(bytes == [2] ? "in" : "out"))]
    default:
      return [(name, .text(String(decoding: bytes, as: UTF8.self)))]
    }
  }
}
