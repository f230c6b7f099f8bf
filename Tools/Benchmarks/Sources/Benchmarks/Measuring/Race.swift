import CYardstick
import Foundation

/// One run, which takes all contenders through every measure side by side.
struct Race {
  var contenders: [any Contender]
  var events: Int
  var repetitions: Int
  var importRows: Int
  var importRepetitions: Int
  var scratch: String
  var only: Set<String>
  private(set) var results = Results()

  init(
    contenders: [any Contender], events: Int, repetitions: Int, importRows: Int,
    importRepetitions: Int, scratch: String, only: Set<String>
  ) {
    self.contenders = contenders
    self.events = events
    self.repetitions = repetitions
    self.importRows = importRows
    self.importRepetitions = importRepetitions
    self.scratch = scratch
    self.only = only
  }

  /// The groups of measures, in the order in which they run.
  static let groups = [
    "reads", "open", "single", "tasks", "bulk", "counts", "disk", "rebuild", "import",
  ]

  private func wants(_ group: String) -> Bool { only.isEmpty || only.contains(group) }

  mutating func run() async throws {
    try await reads()
    try await opening()
    try await single()
    try await tasks()
    try await bulk()
    try await counts()
    try await disk(after: Measure.grown)
    try await rebuild()
    try await imports()
  }

  private mutating func alternate(
    _ group: String, _ repetitions: Int,
    _ body: (any Contender, inout Results) async throws -> Void
  ) async throws {
    guard wants(group) else { return }
    for repetition in 1...repetitions {
      for contender in contenders {
        note("\(group) \(repetition)/\(repetitions) \(contender.name)")
        // Flushes pending writes of other contenders, so that they don't disturb this measure.
        sync()
        try await body(contender, &results)
      }
    }
  }

  private mutating func reads() async throws {
    try await alternate("reads", repetitions) { contender, results in
      for question in Question.allCases {
        results.add(question.rawValue, contender.name, try contender.time(question))
      }
    }
  }

  private mutating func opening() async throws {
    try await alternate("open", repetitions + 1) { contender, results in
      let probe = try await Probe.run(.open, contender.name, contender.folder)
      results.add(Measure.open, contender.name, probe.microseconds / 1_000)
      results.add(Measure.openMemory, contender.name, Double(probe.kilobytes) / 1_024)
    }
  }

  private mutating func single() async throws {
    try await alternate("single", repetitions) { contender, results in
      let times = try await contender.single(300)
      results.add(Measure.single, contender.name, median(times))
      results.add(Measure.oneTask, contender.name, times.reduce(0, +) / Double(times.count))
      let both = try await contender.singleThenRead(300)
      results.add(Measure.singleThenRead, contender.name, median(both))
    }
  }

  private mutating func tasks() async throws {
    try await alternate("tasks", repetitions) { contender, results in
      let time = try await contender.concurrent(tasks: 64, each: 20)
      results.add(Measure.tasks, contender.name, time / (64 * 20))
    }
  }

  private mutating func bulk() async throws {
    try await alternate("bulk", repetitions) { contender, results in
      let thousands = try await contender.grow(10_000, batch: 1_000)
      results.add(Measure.bulk, contender.name, thousands.wall / 10_000)
      results.add(Measure.bulkProcessor, contender.name, thousands.processor / 10_000)
      let hundreds = try await contender.grow(2_000, batch: 100)
      results.add(Measure.hundred, contender.name, hundreds.wall / 2_000)
    }
  }

  private mutating func counts() async throws {
    try await alternate("counts", 1) { contender, results in
      // Work that an engine does once after opening, or once after a pause, isn't part of a commit.
      _ = try await contender.single(1)
      ys_count_begin()
      // Measures a burst that ends with a read.
      _ = try await contender.grow(1_000, batch: 1)
      let single = ys_count_end()
      results.add(Measure.flushes, contender.name, Double(single.flushes) / 1_000)
      results.add(Measure.viewsFlushes, contender.name, Double(single.views_flushes) / 1_000)
      results.add(Measure.bytesSingle, contender.name, Double(single.bytes) / 1_000)
      ys_count_begin()
      _ = try await contender.grow(10_000, batch: 1_000)
      let bulk = ys_count_end()
      results.add(Measure.bytesBulk, contender.name, Double(bulk.bytes) / 10_000)
    }
  }

  private mutating func disk(after measure: String) async throws {
    try await alternate("disk", 1) { contender, results in
      let count = Double(contender.eventCount)
      results.add(measure, contender.name, Double(folderByteCount(contender.folder)) / count)
      if measure == Measure.rebuilt {
        results.add(
          Measure.compact, contender.name, Double(try await contender.compactByteCount()) / count)
      }
    }
  }

  private mutating func rebuild() async throws {
    try await alternate("rebuild", repetitions) { contender, results in
      let time = try await contender.rebuild()
      let count = Double(contender.eventCount)
      results.add(Measure.rebuild, contender.name, time.wall / count)
      results.add(Measure.rebuildProcessor, contender.name, time.processor / count)
    }
    try await disk(after: Measure.rebuilt)
    try await alternate("rebuild", 1) { contender, results in
      try await contender.close()
      let probe = try await Probe.run(.rebuild, contender.name, contender.folder)
      results.add(Measure.rebuildMemory, contender.name, Double(probe.kilobytes) / 1_024)
      try await contender.open()
    }
  }

  private mutating func imports() async throws {
    guard wants("import") else { return }
    let path = scratch + "/import.csv"
    try ImportFile.write(importRows, to: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await alternate("import", importRepetitions) { contender, results in
      guard contender.imports else { return }
      let time = try await contender.importFile(path)
      results.add(Measure.imported, contender.name, time.wall / 1e6)
      results.add(Measure.importedProcessor, contender.name, time.processor / 1e6)
    }
  }
}

/// Prints progress to standard error.
func note(_ text: String) { FileHandle.standardError.write(Data("  \(text)\n".utf8)) }
