public import Entities

/// What a bank's files look like, so that a mapping can be chosen by it.
public struct ImportLook: Hashable, Sendable {
  /// What parts the columns: one character, or `tab`.
  public var delimiter: String
  /// The names in the header, in order; empty where the files have none.
  public var header: [String]
  /// How many columns a row has; looked at where there is no header.
  public var columnCount: Int

  /// A look.
  public init(delimiter: String, header: [String], columnCount: Int) {
    self.delimiter = delimiter
    self.header = header
    self.columnCount = columnCount
  }
}

/// What the columns of one bank's files mean, kept in the ledger under a name.
///
/// The ledger keeps the mapping as the text of a mapping file and does not read it:
/// `ImportMapping` of the product `Interchange` does.
public struct SavedMapping: LedgerEntity {
  /// The mapping's id.
  public var id: MappingID
  /// The recording number.
  public var number: UInt64
  /// The name; no two mappings have the same one.
  public var name: String
  /// The mapping file, as JSON.
  public var contents: String
  /// Which files it is for.
  public var look: ImportLook
  /// The account of the rows; `nil` where the mapping itself says it.
  public var account: AccountID?

  /// A mapping.
  public init(
    id: MappingID, number: UInt64 = 0, name: String, contents: String, look: ImportLook,
    account: AccountID? = nil
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.contents = contents
    self.look = look
    self.account = account
  }

  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// The kind of mappings.
  public static var kind: EntityKind { .mapping }

  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    self.init(
      id: MappingID(id), number: number, name: "", contents: "",
      look: ImportLook(delimiter: ",", header: [], columnCount: 0))
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      var value = ByteReader(property.value)
      switch property.tag {
      case Tag.Mapping.name: name = try property.text()
      case Tag.Mapping.contents: contents = try property.text()
      case Tag.Mapping.delimiter: look.delimiter = try property.text()
      case Tag.Mapping.header:
        for _ in 0..<(try value.count()) { look.header.append(try value.string()) }
      case Tag.Mapping.columnCount:
        guard let count = Int(exactly: try property.signed()), count >= 0 else {
          throw .invalidValue("columns of a mapping")
        }
        look.columnCount = count
      case Tag.Mapping.account: account = AccountID(try property.id())
      default: throw property.unknown
      }
    }
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Mapping.name, text: name)
    writer.put(Tag.Mapping.contents, text: contents)
    if look.delimiter != "," { writer.put(Tag.Mapping.delimiter, text: look.delimiter) }
    writer.put(Tag.Mapping.header, list: look.header) { $0.string($1) }
    writer.put(Tag.Mapping.columnCount, signed: Int64(look.columnCount))
    writer.put(Tag.Mapping.account, id: account?.rawValue)
    return writer.record
  }
}
