public import Entities

/// What a bank's files look like, so that a mapping can be chosen by it.
public struct ImportLook: Hashable, Sendable {
  /// What parts the columns: one character, or `tab`.
  public var delimiter: String
  /// The names in the header, in order; empty where the files have none.
  public var header: [String]
  /// How many columns a row has; looked at where there is no header.
  public var columnCount: Int

  /// The look of files with such a delimiter, header and number of columns.
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
  /// The recording number.
  public var number: UInt64
  /// The mapping's id.
  public var id: MappingID
  /// The name; no two mappings have the same one.
  public var name: String
  /// The mapping file, as JSON.
  public var contents: String
  /// Which files it is for.
  public var look: ImportLook
  /// The account of the rows; `nil` where the mapping itself says it.
  public var account: AccountID?

  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// The kind of mappings.
  public static var kind: EntityKind { .mapping }
}

extension SavedMapping {
  /// A mapping file's contents under a name; they are kept as they are, unread.
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

  /// A mapping of nothing.
  public static let blank = SavedMapping(
    id: MappingID(EntityID(high: 0, low: 0)), name: "", contents: "",
    look: ImportLook(delimiter: ",", header: [], columnCount: 0))

  /// The table of properties.
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
