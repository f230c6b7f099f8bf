// Goal: an invitation is handed out once and in time, and nothing of it stays afterwards.
// Method: a clock that the test sets; the rows of the store are counted.

import DaybookEntities
import DaybookSyncWire
import Testing

@testable import Relay
@testable import RelayPostgres

@Suite struct InvitationTests {
  private let code = PairingCode()
  private let minutes = Int64(WireLimits.pairingSeconds) * 1_000_000

  private func invitation() throws -> SealedEntry {
    try Invitation(
      ledger: ledger, relay: "r", token: "t", position: 0, link: .zero, keys: KeyRing(first: key)
    ).seal(for: code, replica: 1, clock: 1)
  }

  /// How many invitations are kept; an embedded store keeps two rows of each.
  private func rowCount(_ store: any RelayStore) async throws -> Int {
    if let store = store as? PostgresRelayStore { return try await store.count("invitation") }
    let counts = [
      try await embeddedRowCount(store, in: RowKeys.table("I")),
      try await embeddedRowCount(store, in: RowKeys.table("J")),
    ]
    #expect(counts[0] == counts[1])
    return counts[0]
  }

  @Test(arguments: StoreKind.everywhere) func itIsTakenOnceAndInTime(_ kind: StoreKind) async throws
  {
    try await withAnyStore(kind) { store in
      let sealed = try invitation()
      func put(_ now: Int64) async throws {
        try await store.putInvitation(sealed, mailbox: code.mailbox, of: ledger, now: now)
      }
      func take(_ now: Int64) async throws -> SealedEntry {
        try await store.takeInvitation(mailbox: code.mailbox, now: now)
      }
      try await put(100)
      #expect(try await take(99 + minutes) == sealed)
      #expect(await refusal(.notFound) { _ = try await take(99) })
      try await put(100)
      #expect(await refusal(.notFound) { _ = try await take(100 + minutes) })
      #expect(await refusal(.notFound) { _ = try await take(100) }, "who comes late ends it")
      #expect(try await rowCount(store) == 0)
    }
  }

  @Test(arguments: StoreKind.everywhere) func whatIsOverIsDeleted(_ kind: StoreKind) async throws {
    try await withAnyStore(kind) { store in
      let sealed = try invitation()
      let mailboxes = (0..<3).map { _ in PairingCode().mailbox }
      for (index, mailbox) in mailboxes.enumerated() {
        try await store.putInvitation(sealed, mailbox: mailbox, of: ledger, now: Int64(index))
      }
      #expect(try await rowCount(store) == 3)
      try await store.expireInvitations(now: minutes - 1)
      #expect(try await rowCount(store) == 3)
      try await store.expireInvitations(now: minutes + 1)
      #expect(try await rowCount(store) == 1)
      // The next invitation does the same for its ledger.
      try await store.putInvitation(sealed, mailbox: code.mailbox, of: ledger, now: minutes + 2)
      #expect(try await rowCount(store) == 1)
      #expect(try await store.takeInvitation(mailbox: code.mailbox, now: minutes + 3) == sealed)
      #expect(try await rowCount(store) == 0)
    }
  }

  @Test(arguments: StoreKind.everywhere) func whoGuessesHoldsNobodyUp(_ kind: StoreKind)
    async throws
  {
    try await withAnyStore(kind) { store in
      let before = store.commitTimes.text("commits")
      for mailbox in [code.mailbox, "", String(repeating: "0", count: 600)] {
        #expect(
          await refusal(.notFound) {
            _ = try await store.takeInvitation(mailbox: mailbox, now: 1)
          })
      }
      #expect(store.commitTimes.text("commits") == before)
    }
  }

  @Test(arguments: StoreKind.everywhere) func onlySoManyWait(_ kind: StoreKind) async throws {
    try await withAnyStore(kind) { store in
      let sealed = try invitation()
      let other = EntityID(high: 1, low: 1)
      try await store.makeLedger(other, quota: 1)
      var mailboxes: [String] = []
      for _ in 0..<EmbeddedRelayStore.invitationCountMax {
        mailboxes.append(PairingCode().mailbox)
        try await store.putInvitation(sealed, mailbox: mailboxes[0], of: ledger, now: 0)
        try await store.putInvitation(
          sealed, mailbox: mailboxes[mailboxes.count - 1], of: ledger, now: 0)
      }
      func put(_ id: EntityID, _ mailbox: String, now: Int64) async throws {
        try await store.putInvitation(sealed, mailbox: mailbox, of: id, now: now)
      }
      #expect(await refusal(.tooMany) { try await put(ledger, code.mailbox, now: 1) })
      try await put(other, code.mailbox, now: 1)
      #expect(await refusal(.malformed) { try await put(other, mailboxes[0], now: 1) })
      #expect(
        await refusal(.noLedger) { try await put(EntityID(high: 0, low: 0), mailboxes[0], now: 1) })
      try await put(ledger, PairingCode().mailbox, now: minutes)
    }
  }
}
