// Goal: two devices that send a snapshot at the same time both come through, and nothing of an older one stays.
// Method: chunks and manifests in every order that matters; the bytes that the store counts are looked at.

import DaybookEntities
import DaybookSyncWire
import Testing

@testable import Relay
@testable import RelayPostgres

@Suite struct SnapshotTests {
  /// A snapshot of a position, by a replica: its chunks and its manifest.
  private struct Sent {
    var chunks: [SealedEntry]
    var manifest: SealedEntry

    init(_ base: UInt64, replica: UInt64) throws {
      chunks = try (0..<2).map { try entry($0, replica: replica, base: base, kind: .chunk) }
      manifest = try entry(0, replica: replica, base: base, kind: .manifest)
    }

    func finish(_ store: any RelayStore) async throws {
      try await store.putManifest(manifest, chunks: chunks.map(\.digest), of: ledger)
    }
  }

  private func with(
    _ kind: StoreKind, _ body: (any RelayStore) async throws -> Void
  ) async throws {
    try await withAnyStore(kind) { store in
      _ = try await store.push(PushPage((1...9).map { try entry($0) }), to: ledger, now: 1)
      try await body(store)
      #expect(try await store.verify(ledger).faults == [])
    }
  }

  private func chunkCount(_ store: any RelayStore) async throws -> Int {
    if let store = store as? PostgresRelayStore { return try await store.count("chunk") }
    return try await embeddedRowCount(store, in: RowKeys.table("C", ledger))
  }

  @Test(arguments: StoreKind.everywhere) func theNewerOneIsStillBeingSent(_ kind: StoreKind)
    async throws
  {
    try await with(kind) { store in
      let older = try Sent(4, replica: 1)
      let newer = try Sent(6, replica: 2)
      for chunk in older.chunks + [newer.chunks[0]] { try await store.putChunk(chunk, of: ledger) }
      try await older.finish(store)
      #expect(try await store.manifest(of: ledger) == older.manifest)
      try await store.putChunk(newer.chunks[1], of: ledger)
      try await newer.finish(store)
      #expect(try await store.manifest(of: ledger) == newer.manifest)
      for chunk in newer.chunks {
        #expect(try await store.chunk(chunk.digest, of: ledger) == chunk)
      }
      #expect(try await chunkCount(store) == 2)
    }
  }

  @Test(arguments: StoreKind.everywhere) func theOlderOneComesLast(_ kind: StoreKind) async throws {
    try await with(kind) { store in
      for late in [try Sent(4, replica: 1), try Sent(6, replica: 1)] {
        let newest = try Sent(6, replica: 2)
        try await store.putChunk(late.chunks[0], of: ledger)
        for chunk in newest.chunks { try await store.putChunk(chunk, of: ledger) }
        try await newest.finish(store)
        let standing = try await store.manifest(of: ledger)
        try await store.putChunk(late.chunks[1], of: ledger)
        try await late.finish(store)
        #expect(try await store.manifest(of: ledger) == standing)
        #expect(try await chunkCount(store) == 2)
      }
    }
  }

  @Test(arguments: StoreKind.everywhere) func nothingBeyondTheHeadIsKept(_ kind: StoreKind)
    async throws
  {
    try await with(kind) { store in
      let beyond = try Sent(10, replica: 1)
      #expect(
        await refusal(.baseBeyondHead) {
          try await store.putChunk(beyond.chunks[0], of: ledger)
        })
      #expect(await refusal(.baseBeyondHead) { try await beyond.finish(store) })
      #expect(await refusal(.notFound) { try await Sent(9, replica: 1).finish(store) })
    }
  }
}
