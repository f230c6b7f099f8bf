/// A row of a page, as Swift values.
struct PageRow: Equatable, Sendable {
  var id: WorkID
  var day: Int
  /// A number that increases with every recorded row.
  ///
  /// Engines may number rows differently; only the order matters.
  var number: Int64
  var kind: WorkKind
  var account: Int
  var counter: Int
  var amount: Int64
  var description: String
}

/// The income, expense and transfers of one month and currency.
struct MonthTotal: Equatable, Sendable {
  var month: Int
  var currency: Int
  var income: Int64
  var expense: Int64
  var transfers: Int64
  var count: Int64
}

/// The money that moved in and out of a category in one currency.
struct CategoryTotal: Equatable, Sendable {
  var category: Int
  var currency: Int
  var inflow: Int64
  var outflow: Int64
  var count: Int64
}

/// An engine under comparison: a store that does the full work of every event and answers queries.
///
/// The `…Values` functions are timed: they produce the values that a caller of the engine would
/// get, and return their number. The other functions return neutral values, for checking that the
/// engines agree.
protocol Engine: AnyObject, Sendable {
  /// The type of a row that a caller of this engine gets.
  associatedtype Row = PageRow

  static var name: String { get }
  /// Whether the engine takes part in the import benchmark.
  static var imports: Bool { get }

  /// Opens the store in a folder, creating missing files.
  init(opening folder: String) async throws

  /// Appends events in one durable commit.
  ///
  /// All views are current on return.
  func append(_ events: ArraySlice<WorkEvent>) async throws

  /// Appends each event in its own commit, concurrently from one task for each list.
  func appendConcurrently(_ events: [[WorkEvent]]) async throws

  /// Rebuilds all views from the log in bulk.
  func rebuild() async throws

  /// The newest rows, ordered by day and recording number, newest first.
  func page(newest count: Int) throws -> [Row]
  func page(after row: Row, _ count: Int) throws -> [Row]
  func page(offset: Int, _ count: Int) throws -> [Row]
  /// The newest rows whose description contains a text, ignoring case, or `nil` if there is no
  /// index.
  func search(_ text: String, _ count: Int) throws -> [Row]?
  func neutral(_ row: Row) throws -> PageRow

  /// The balance at the end of a day, in minor units.
  func balance(account: Int, day: Int) throws -> Int64
  func months(_ range: Range<Int>) throws -> [MonthTotal]
  /// The expenses of a month by subcategory.
  func breakdown(month: Int) throws -> [CategoryTotal]
  func monthValues(_ range: Range<Int>) throws -> Int
  func breakdownValues(month: Int) throws -> Int

  /// Imports a CSV file.
  ///
  /// The import is durable and all views are current on return.
  func importFile(_ path: String) async throws

  /// The size of the store in bytes, without its free space.
  func compactByteCount() async throws -> Int
  func close() async throws
}

extension Engine {
  static var imports: Bool { false }
  func search(_ text: String, _ count: Int) throws -> [Row]? { nil }
  func monthValues(_ range: Range<Int>) throws -> Int { try months(range).count }
  func breakdownValues(month: Int) throws -> Int { try breakdown(month: month).count }
  func importFile(_ path: String) async throws {
    throw BenchmarkError("\(Self.name) does not take part in the import of a file")
  }
}

extension Engine where Row == PageRow {
  func neutral(_ row: PageRow) throws -> PageRow { row }
}

/// An error that ends a benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
