import Daybook

/// Writes each entity of the ledger on its own line: `{"account":{…}}`.
///
/// `Docs/JSON.md` describes the JSON form of entities.
enum LinesExport {
  /// The version of the format.
  ///
  /// The first line contains the version: `{"daybook":{"version":2}}`.
  static let version = 2

  static func write(
    _ snapshot: borrowing Snapshot, to text: inout ExportText, _ progress: ((Int, Int) -> Void)?
  ) throws {
    let head = JSONValue.object([.init("version", .int(Int64(version)))])
    try text.write(line("daybook", head))
    for type in order {
      if type == Transaction.self {
        try snapshot.forEachTransaction(progress) {
          try text.write(line(Transaction.kind.name, JSONValue($0)))
        }
      } else {
        try put(type, of: snapshot, to: &text)
      }
    }
  }

  /// All kinds, ordered so that each line refers only to earlier lines: settings and currencies
  /// first, then the other kinds by number.
  static var order: [any LedgerEntity.Type] {
    [LedgerSettings.self, CurrencyDefinition.self]
      + KindDescription.all.map(\.type).filter {
        $0 != LedgerSettings.self && $0 != CurrencyDefinition.self
      }
  }

  private static func put<Entity: LedgerEntity>(
    _ type: Entity.Type, of snapshot: borrowing Snapshot, to text: inout ExportText
  ) throws {
    try snapshot.forEach(type) { try text.write(line(type.kind.name, JSONValue($0))) }
  }

  private static func line(_ kind: String, _ value: JSONValue) -> String {
    JSONValue.object([.init(kind, value)]).line + "\n"
  }
}
