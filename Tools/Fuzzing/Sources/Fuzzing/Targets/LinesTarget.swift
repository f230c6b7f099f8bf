import Daybook
import Foundation

@testable import DaybookInterchange

extension FuzzTarget {
  /// JSON lines: an entity must survive being written and read again.
  static let lines = FuzzTarget(
    name: "lines",
    seeds: { files in
      let lines = try files.entities.map { entity in
        JSONValue.object([.init(type(of: entity).kind.name, try JSONValue(entity))]).line
      }
      let all = [#"{"daybook":{"version":2}}"#] + lines
      return all.map { Array($0.utf8) } + [Array(all.joined(separator: "\n").utf8)]
    },
    words: { files in
      files.words(of: "Bookkeeping/JSON") + files.words(of: "Bookkeeping/Entities")
    },
    run: { bytes in
      let reading = RestoreReading(bytes, nil)
      try? reading.checkLines(nil)
      for line in bytes.split(separator: 0x0A).prefix(16) {
        guard let line = try? JSONDecoder().decode(RestoredLine.self, from: Data(line)),
          case .entity(let entity) = line
        else { continue }
        again(entity)
      }
    })

  private static func again<Entity: LedgerEntity>(_ entity: Entity) {
    let text = (try? JSONValue(entity))?.line
    let read = text.flatMap { try? JSONDecoder().decode(Entity.self, from: Data($0.utf8)) }
    require(
      read.map { $0.record() == entity.record() && $0.entityID == entity.entityID } == true,
      "\(Entity.self) that is written is read again: \(text ?? "")")
  }
}
