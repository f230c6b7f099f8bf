import Foundation

/// An engine that can take part in a run.
protocol Entrant: Sendable {
  var name: String { get }
  func contender(folder: String, size: Int) -> any Contender
  func probe(_ probe: Probe, _ folder: String) async throws
}

private struct EngineEntrant<E: Engine>: Entrant {
  var name: String { E.name }

  func contender(folder: String, size: Int) -> any Contender {
    EngineContender<E>(folder: folder, size: size)
  }

  func probe(_ probe: Probe, _ folder: String) async throws {
    try await probe.answer(E.self, folder)
  }
}

/// The available engines, and how their stores are filled before a run.
enum Entrants {
  static let all: [any Entrant] = [
    EngineEntrant<DaybookEngine>(),
    EngineEntrant<DaybookWithoutTextsEngine>(),
    EngineEntrant<SQLiteEngine>(),
    EngineEntrant<GRDBStatementsEngine>(),
    EngineEntrant<GRDBRecordsEngine>(),
    EngineEntrant<SQLiteWithTextsEngine>(),
    EngineEntrant<GRDBStatementsWithTextsEngine>(),
    EngineEntrant<GRDBRecordsWithTextsEngine>(),
    EngineEntrant<RawLMDBEngine>(),
  ]

  /// The engines whose stores have identical contents.
  private static let families = [
    [SQLiteEngine.name, GRDBStatementsEngine.name, GRDBRecordsEngine.name],
    [
      SQLiteWithTextsEngine.name, GRDBStatementsWithTextsEngine.name,
      GRDBRecordsWithTextsEngine.name,
    ],
  ]

  /// Creates stores with `events` events, in commits of 1,000.
  ///
  /// Among engines with identical stores, one store is filled and the others are copies of it.
  static func prepare(
    _ entrants: [any Entrant], events: Int, scratch: String
  ) async throws -> [any Contender] {
    var contenders: [any Contender] = []
    var prepared: [Int: String] = [:]
    for entrant in entrants {
      let folder = scratch + "/" + entrant.name.replacingOccurrences(of: " ", with: "-")
      try? FileManager.default.removeItem(atPath: folder)
      let contender = entrant.contender(folder: folder, size: events)
      let family = families.firstIndex { $0.contains(entrant.name) }
      if let folderBefore = family.flatMap({ prepared[$0] }) {
        note("copying \(entrant.name)")
        try FileManager.default.copyItem(atPath: folderBefore, toPath: folder)
        contender.skip(events)
        try await contender.open()
      } else {
        note("growing \(entrant.name) to \(events)")
        try await contender.open()
        _ = try await contender.grow(events, batch: 1_000)
        if let family {
          try await contender.close()
          try await contender.open()
          prepared[family] = folder
        }
      }
      contenders.append(contender)
    }
    return contenders
  }
}
