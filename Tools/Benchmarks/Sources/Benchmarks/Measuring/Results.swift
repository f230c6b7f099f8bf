/// The measured values by measure and contender, one for each repetition.
struct Results {
  private(set) var values: [String: [String: [Double]]] = [:]

  mutating func add(_ measure: String, _ name: String, _ value: Double) {
    values[measure, default: [:]][name, default: []].append(value)
  }

  /// The median over the repetitions, or `nil` if nothing was measured.
  func value(_ measure: String, _ name: String) -> Double? {
    values[measure]?[name].map(median)
  }
}

/// The names of measures that don't have a `Question`.
enum Measure {
  static let bulk = "1,000 events a commit, µs an event"
  static let bulkProcessor = "1,000 events a commit, µs of processor time an event"
  static let hundred = "100 events a commit, µs an event"
  static let single = "one event a commit, median µs"
  static let singleThenRead = "one event, then a balance, median µs"
  static let oneTask = "one task, µs an event"
  static let tasks = "64 tasks, µs an event"
  static let rebuild = "rebuild, µs an event"
  static let rebuildProcessor = "rebuild, µs of processor time an event"
  static let open = "open and first page, ms"
  static let openMemory = "anonymous memory after open and first page, MB"
  static let rebuildMemory = "peak anonymous memory of a rebuild, MB"
  static let grown = "bytes an event, grown by appends"
  static let rebuilt = "bytes an event, after a rebuild"
  static let compact = "bytes an event, compacted"
  static let flushes = "flushes a commit of one event"
  static let viewsFlushes = "flushes of the views a commit"
  static let bytesSingle = "bytes written a commit of one event"
  static let bytesBulk = "bytes written an event, 1,000 a commit"
  static let imported = "CSV import, s"
  static let importedProcessor = "CSV import, s of processor time"
}
