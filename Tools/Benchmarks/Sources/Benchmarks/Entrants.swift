import Foundation

/// An engine that may take part.
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

/// Who takes part, and how each comes to its first events.
enum Entrants {
  static let all: [any Entrant] = [
    EngineEntrant<DaybookEngine>(),
    EngineEntrant<DaybookWithoutTextsEngine>(),
    EngineEntrant<SQLiteEngine>(),
    EngineEntrant<GRDBStatementsEngine>(),
    EngineEntrant<GRDBRecordsEngine>(),
    EngineEntrant<RawLMDBEngine>(),
  ]

  private static let sqlNames = [
    SQLiteEngine.name, GRDBStatementsEngine.name, GRDBRecordsEngine.name,
  ]

  /// Stores of `events` events, 1,000 a commit.
  ///
  /// GRDB's are copies of SQLite's: they are the same.
  static func prepare(
    _ entrants: [any Entrant], events: Int, scratch: String
  ) async throws -> [any Contender] {
    var contenders: [any Contender] = []
    var prepared: String?
    for entrant in entrants {
      let folder = scratch + "/" + entrant.name.replacingOccurrences(of: " ", with: "-")
      try? FileManager.default.removeItem(atPath: folder)
      let contender = entrant.contender(folder: folder, size: events)
      let isSQL = sqlNames.contains(entrant.name)
      if isSQL, let prepared {
        note("copying \(entrant.name)")
        try FileManager.default.copyItem(atPath: prepared, toPath: folder)
        contender.skip(events)
        try await contender.open()
      } else {
        note("growing \(entrant.name) to \(events)")
        try await contender.open()
        _ = try await contender.grow(events, batch: 1_000)
        if isSQL {
          try await contender.close()
          try await contender.open()
          prepared = folder
        }
      }
      contenders.append(contender)
    }
    return contenders
  }
}
