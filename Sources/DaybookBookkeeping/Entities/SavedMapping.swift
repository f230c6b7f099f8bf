public import DaybookEntities

/// The layout of a bank's files, which is used to recognise them and choose a mapping.
public struct ImportLook: Hashable, Sendable {
  /// The column delimiter: one character, or `tab`.
  public var delimiter: String
  /// The column names in the header, in order; empty if the files have no header.
  public var header: [String]
  /// The number of columns; checked only if there is no header.
  public var columnCount: Int

  /// Creates a layout.
  public init(delimiter: String, header: [String], columnCount: Int) {
    self.delimiter = delimiter
    self.header = header
    self.columnCount = columnCount
  }
}

/// A named mapping of one bank's file columns, saved in the ledger.
///
/// The ledger stores the text of a mapping file without parsing it. `ImportMapping` in the
/// `DaybookInterchange` product parses it.
public struct SavedMapping: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The mapping's id.
  public var id: MappingID
  /// The name, unique among mappings.
  public var name: String
  /// The contents of the mapping file, as JSON.
  public var contents: String
  /// The layout of the files that the mapping is for.
  public var look: ImportLook
  /// The account to which rows belong; `nil` if the mapping file specifies it.
  public var account: AccountID?

  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
  /// The kind of saved mappings.
  public static var kind: EntityKind { .mapping }
}

extension SavedMapping {
  /// Creates a named mapping from the contents of a mapping file, which are not parsed.
  public init(
    id: MappingID = .random(), number: UInt64 = 0, name: String, contents: String, look: ImportLook,
    account: AccountID? = nil
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.contents = contents
    self.look = look
    self.account = account
  }

  /// A mapping without a name or contents.
  public static let blank = SavedMapping(
    id: MappingID(EntityID(high: 0, low: 0)), name: "", contents: "",
    look: ImportLook(delimiter: ",", header: [], columnCount: 0))

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> SavedMapping {
    let name = try p(1, "name", name, .text, .name)
    let contents = try p(2, "contents", contents, .text, .personal)
    let delimiter = try p(3, "delimiter", look.delimiter, .textUnlessComma, .plain)
    let header = try p(4, "header", look.header, .list(), .personal)
    let columnCount = try p(5, "columnCount", Int64(look.columnCount), .number, .plain)
    if columnCount < 0 { try p.refuse("the number of columns is below 0") }
    return SavedMapping.init(number:id:name:contents:look:account:)(
      p.number, MappingID(p.id), name, contents,
      ImportLook.init(delimiter:header:columnCount:)(delimiter, header, Int(columnCount)),
      try p(6, "account", account, .optional(.id()), .plain))
  }
}
