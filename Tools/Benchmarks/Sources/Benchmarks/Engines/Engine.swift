/// A row of a page, as Swift values.
struct PageRow: Equatable, Sendable {
  var id: WorkID
  var day: Int
  /// Grows with every recorded row; only the order counts, engines may number differently.
  var number: Int64
  var kind: WorkKind
  var account: Int
  var counter: Int
  var amount: Int64
  var description: String
}

/// What happened in one month and currency.
struct MonthTotal: Equatable, Sendable {
  var month: Int
  var currency: Int
  var income: Int64
  var expense: Int64
  var transfers: Int64
  var count: Int64
}

/// What went into and came out of a category in one currency.
struct CategoryTotal: Equatable, Sendable {
  var category: Int
  var currency: Int
  var inflow: Int64
  var outflow: Int64
  var count: Int64
}

/// What is being compared: a store that does the full work of every event and answers the questions.
///
/// The `…Values` functions are what is timed: they produce what a caller of that engine would get and
/// return how many values there were. The others give neutral values, to check that engines agree.
protocol Engine: AnyObject, Sendable {
  /// The type of a row as a caller of this engine gets it.
  associatedtype Row = PageRow

  static var name: String { get }
  /// Whether it takes part in the import of a file.
  static var imports: Bool { get }

  /// Opens the store in a folder, creating what is missing.
  init(opening folder: String) async throws

  /// One durable commit; all views are current on return.
  func append(_ events: ArraySlice<WorkEvent>) async throws

  /// Appends each event as a commit of its own, from `tasks` tasks at once.
  func appendConcurrently(_ events: [[WorkEvent]]) async throws

  /// All views from the log, in bulk.
  func rebuild() async throws

  /// Rows by day and recording number, newest first.
  func page(newest count: Int) throws -> [Row]
  func page(after row: Row, _ count: Int) throws -> [Row]
  func page(offset: Int, _ count: Int) throws -> [Row]
  /// The newest rows whose description has a text in it, in any case; `nil` where there is no index for it.
  func search(_ text: String, _ count: Int) throws -> [Row]?
  func neutral(_ row: Row) throws -> PageRow

  /// Balance in minor units at the end of a day.
  func balance(account: Int, day: Int) throws -> Int64
  func months(_ range: Range<Int>) throws -> [MonthTotal]
  /// Expenses of a month by subcategory.
  func breakdown(month: Int) throws -> [CategoryTotal]
  func monthValues(_ range: Range<Int>) throws -> Int
  func breakdownValues(month: Int) throws -> Int

  /// Imports a file of comma-separated values; durable and current on return.
  func importFile(_ path: String) async throws

  /// Bytes of the store without its free space.
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

/// Why a benchmark could not go on.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
