import ArgumentParser
import Foundation

@main
struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmarks",
    abstract: "Daybook, SQLite, GRDB and raw LMDB on the same work, side by side.",
    discussion: """
      Prints a table in Markdown: medians over alternating repetitions, and the ratios that the bars
      are about. Groups of measures: \(Race.groups.joined(separator: ", ")).
      """)

  @Option(help: "Events in every store before anything is measured.")
  var events = 100_000

  @Option(help: "How often each measure is repeated, contenders taking turns.")
  var repetitions = 5

  @Option(help: "Only these groups of measures, separated by commas.")
  var only: String?

  @Option(help: "Only these contenders, separated by commas.")
  var engines: String?

  @Option(help: "Rows of the file that is imported (as many as events by default).")
  var importRows: Int?

  @Option(help: "How often the import is repeated (as the others by default).")
  var importRepetitions: Int?

  @Option(help: "A folder for the stores; it is emptied of them at the end.")
  var scratch = NSTemporaryDirectory() + "daybook-benchmarks"

  @Flag(help: "Check that all engines answer alike after 10,000 events, and measure nothing.")
  var check = false

  @Option(help: "Compare a store of this size with one of 10,000 events instead (10000000).")
  var growth: Int?

  @Option(help: "Measure looking after a history of so many commits instead (1000000).")
  var history: Int?

  @Option(help: "Measure what an app sees of a store of this size instead (1000000).")
  var app: Int?

  @Option(help: .hidden) var probe: Probe?
  @Option(help: .hidden) var store: String?

  func run() async throws {
    let chosen = try chosenEntrants()
    if let probe, let store, let entrant = chosen.first {
      return try await entrant.probe(probe, store)
    }
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    if check { return try await Agreement(entrants: chosen, scratch: scratch).check() }
    if let history {
      return print(try await HistoryRace(commits: history, scratch: scratch).run())
    }
    if let app { return print(try await AppRace(events: app, scratch: scratch).run()) }
    if let growth {
      let size = growth
      let growth = Growth(
        entrants: chosen, size: size, repetitions: repetitions, scratch: scratch)
      return print(try await growth.run())
    }
    try await race(chosen)
  }

  private func chosenEntrants() throws -> [any Entrant] {
    guard let engines else { return Entrants.all }
    let names = engines.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return try names.map { name in
      guard let entrant = Entrants.all.first(where: { $0.name == name }) else {
        let known = Entrants.all.map(\.name).joined(separator: ", ")
        throw ValidationError("There is no engine named \(name). There are: \(known).")
      }
      return entrant
    }
  }

  private func race(_ entrants: [any Entrant]) async throws {
    let groups = Set((only ?? "").split(separator: ",").map(String.init))
    if let unknown = groups.first(where: { !Race.groups.contains($0) }) {
      let known = Race.groups.joined(separator: ", ")
      throw ValidationError("There is no group named \(unknown). There are: \(known).")
    }
    let contenders = try await Entrants.prepare(entrants, events: events, scratch: scratch)
    var race = Race(
      contenders: contenders, events: events, repetitions: repetitions,
      importRows: importRows ?? events, importRepetitions: importRepetitions ?? repetitions,
      scratch: scratch, only: groups)
    try await race.run()
    for contender in contenders {
      try await contender.close()
      try FileManager.default.removeItem(atPath: contender.folder)
    }
    print(Report(results: race.results, names: contenders.map(\.name)).markdown())
  }
}
