internal import Entities
internal import Journal
internal import LMDB

/// The views as of one commit, for the parts of a verification, and what these find.
final class SampledViews: StateReading {
  private let view: View
  let open: OpenStore
  /// The commit that the views hold.
  let checkpoint: Checkpoint
  var sequence: UInt64 { checkpoint.sequence }
  let schema: Schema
  var findings: [VerificationReport.Finding] = []
  /// Rows of projections that differ, whose commits are yet to be found.
  var differences: [RowDifference] = []
  var coverage: [VerificationCoverage] = []

  init(_ view: consuming View, schema: Schema) {
    open = view.open
    checkpoint = view.checkpoint
    self.view = view
    self.schema = schema
  }

  var store: ViewsStore { open.views }
  var state: StateTable { open.views.state }

  /// Lends the view; what is borrowed from it cannot leave `body`.
  func withView<Result>(_ body: (borrowing View) throws -> Result) rethrows -> Result {
    try body(view)
  }

  /// Lends the read transaction.
  func read<Result>(_ body: (TransactionView) throws -> Result) rethrows -> Result {
    try withView { view in
      let transaction = view.transaction.view
      return try body(transaction)
    }
  }

  /// Notes what is wrong; the first of each part is enough.
  func find(_ message: String, at sequence: UInt64? = nil) {
    findings.append(VerificationReport.Finding(message: message, sequence: sequence))
  }

  func entityCount() throws -> Int { try count(of: state.ids) }

  func count(of database: Database) throws -> Int { try read { try $0.count(of: database) } }

  /// “transaction 018f…”.
  func name(_ kind: EntityKind, _ id: EntityID) -> String {
    "\(schema[kind]?.name ?? "entity of kind \(kind.rawValue)") \(id)"
  }

  /// The registered projections that are told of changes and answer, with their tables.
  func projections() throws -> [(entry: ViewsStore.Registered, handle: ProjectionHandle)] {
    try answering().filter { !$0.entry.isDerived }
  }

  /// The registered projections that answer, with their tables.
  func answering() throws -> [(entry: ViewsStore.Registered, handle: ProjectionHandle)] {
    try read { transaction in
      var answering: [(entry: ViewsStore.Registered, handle: ProjectionHandle)] = []
      for entry in store.registered {
        guard let handle = try store.currentHandle(of: entry, in: transaction) else { continue }
        answering.append((entry, handle))
      }
      return answering
    }
  }

  /// The registered projections that do not answer.
  func silent() throws -> [ViewsStore.Registered] {
    let names = Set(try answering().map(\.entry.name))
    return store.registered.filter { !names.contains($0.name) }
  }

  /// Gives the rows of State in a range of keys to `body`, until it returns false.
  func forEachRow(
    from lower: TableKey? = nil, to upper: TableKey? = nil,
    _ body: (EntityKind, StatePosition, EntityID, RawSpan) throws -> Bool
  ) throws {
    try read { transaction in
      func visit(_ key: RawSpan, _ value: RawSpan) throws -> Bool {
        var reader = ByteReader(key)
        let kind = EntityKind(rawValue: try reader.u8())
        let position = try StateTable.position(&reader)
        return try state.withRecord(value, kind, position.number, in: transaction) {
          try body(kind, position, $0, $1)
        }
      }
      guard let lower, let upper else { return try transaction.forEach(in: state.rows, visit) }
      try lower.withBytes { (lower) throws in
        try upper.withBytes { (upper) throws in
          try transaction.forEach(in: state.rows, from: lower, to: upper, visit)
        }
      }
    }
  }

  /// The value of a row, copied.
  func value(_ key: TableKey, in database: Database) throws -> [UInt8]? {
    try read { transaction in
      try key.withBytes { (key) throws in try transaction.get(key, in: database)?.copied() }
    }
  }

  // MARK: Reading State, for projections

  func number(of id: EntityID, kind: EntityKind) throws -> UInt64? {
    try position(of: id, kind)?.number
  }

  func record(of id: EntityID, kind: EntityKind) throws -> Record? {
    try entity(kind, id)?.record
  }

  func position(of id: EntityID, _ kind: EntityKind) throws -> StatePosition? {
    try withView { try $0.position(of: id, kind: kind) }
  }

  func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    try withView { try $0.entity(kind, id) }
  }
}

extension Record {
  /// The properties by their tags.
  func values() throws(DecodingFault) -> [UInt8: [UInt8]] {
    var values: [UInt8: [UInt8]] = [:]
    var reader = RecordReader(bytes.span.bytes)
    while let property = try reader.next() { values[property.tag] = property.value.copied() }
    return values
  }
}
