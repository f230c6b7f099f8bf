import Daybook
import DaybookEntities
import Foundation

@testable import DaybookInterchange
@testable import DaybookJournal

extension FuzzTarget {
  /// Commits: erasing personal text must keep the digest and the number of changes.
  ///
  /// The records of the changes are decoded as entities of their kind, and must survive being encoded
  /// and decoded again.
  static let commits = FuzzTarget(
    name: "commits",
    seeds: { files in
      let changes = try files.entities.map { entity in
        Change(
          kind: type(of: entity).kind, id: entity.entityID, number: max(entity.number, 1),
          before: nil, after: entity.record())
      }
      var drafts = changes.map { CommitDraft(changes: [$0], source: "fuzz", wallMicroseconds: 1) }
      drafts.append(
        CommitDraft(
          changes: changes, author: "Ada", source: "fuzz", idempotencyKey: [1, 2, 3],
          requestDigest: Hash256(hashing: [9]), wallMicroseconds: -5))
      for change in changes {
        guard let record = change.after else { continue }
        drafts.append(
          CommitDraft(
            changes: [
              Change(
                kind: change.kind, id: change.id, number: change.number, before: record, after: nil)
            ], source: "fuzz", wallMicroseconds: 1))
      }
      return try drafts.map { draft in
        var encoder = CommitEncoder(schema: Ledger.schema)
        _ = try encoder.encode(draft, origin: .init(hlc: 5, replica: 6, sequence: 7))
        encoder.finish(link: .zero)
        return Array(encoder.stored.bytes.dropFirst(Layout.countByteCount))
      }
    },
    run: { bytes in
      guard
        let view = try? CommitView(
          bytes.span.bytes, sequence: 7, schema: Ledger.schema, checkingKinds: false)
      else { return }
      _ = try? view.header
      _ = try? view.kinds
      let copy = try? view.copied()
      try? view.forEachChange { change in
        var record: [UInt8] = [1, 1, 5, 200, 0]
        try? change.apply(to: &record)
        read(change)
        return true
      }
      guard let copy else { return }
      var scratch = DigestScratch()
      guard let digest = try? view.bodyDigest(scratch: &scratch) else { return }
      guard (try? view.putErased(into: &scratch)) != nil else { return }
      let erased = Array(bytes.prefix(Hash256.byteCount)) + scratch.body.bytes
      guard let (count, own) = try? summary(of: erased) else {
        endWith("does not hold: what was erased can be read")
      }
      require(count == copy.changes.count, "erasing keeps the changes")
      require(own == digest, "erasing leaves the digest")
    })

  /// The number of changes in a commit, and its digest.
  private static func summary(of bytes: [UInt8]) throws -> (Int, Hash256) {
    let view = try CommitView(
      bytes.span.bytes, sequence: 7, schema: Ledger.schema, checkingKinds: false)
    var scratch = DigestScratch()
    return (try view.copied().changes.count, try view.bodyDigest(scratch: &scratch))
  }

  private static let types = Dictionary(
    uniqueKeysWithValues: KindDescription.all.map { ($0.kind, $0.type) })

  /// Decodes a change's record as an entity of its kind.
  private static func read(_ change: ChangeView) {
    guard !change.isLongForm, let type = types[change.kind] else { return }
    read(type, change)
  }

  private static func read<Entity: LedgerEntity>(_: Entity.Type, _ change: ChangeView) {
    guard
      let entity = try? Entity(change.encodedProperties, id: change.id, number: change.number)
    else { return }
    let record = entity.record()
    let again = try? Entity(record.bytes.span.bytes, id: change.id, number: change.number)
    require(again?.record() == record, "\(Entity.self) whose record was read is written as one")
  }
}

extension SeedFiles {
  /// The example entities of the documentation, one of each kind.
  var entities: [any LedgerEntity] {
    get throws {
      try examples.compactMap {
        guard case .entity(let entity) = try JSONDecoder().decode(RestoredLine.self, from: $0)
        else { return nil }
        return entity
      }
    }
  }

  /// The same entities as JSON.
  var examples: [Data] {
    get throws {
      let page = try String(contentsOfFile: project + "/Docs/JSON.md", encoding: .utf8)
      return page.components(separatedBy: "```json\n").dropFirst().compactMap {
        $0.components(separatedBy: "\n```").first.map { Data($0.utf8) }
      }
    }
  }
}
