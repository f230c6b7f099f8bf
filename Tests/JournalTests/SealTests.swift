// Goal: no byte of a row that the chain does not vouch for can change unnoticed, nor can a row come to
// stand under another key.
// Method: in a journal with one of each such row, every byte of every row, keys included, is turned in
// turn, and the check of the seals must refuse.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Testing

@Suite struct SealTests {
  private struct Row {
    var table: Database
    var key: [UInt8]
    var value: [UInt8]
  }

  private func rows(_ store: JournalStore) throws -> [Row] {
    var rows: [Row] = []
    let tables = store.tables
    try store.environment.read { transaction in
      for table in [tables.meta, tables.keys, tables.consumers] {
        try transaction.view.forEach(in: table) { key, value in
          let bytes = key.copied()
          // Names of databases, and what is compared as a whole.
          if table == tables.meta, bytes.first != 0 || bytes == GenerationMark.key { return true }
          rows.append(Row(table: table, key: bytes, value: value.copied()))
          return true
        }
      }
    }
    return rows
  }

  @Test func everyTurnedByteIsFound() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let store = try folder.openJournal()
    for draft in FormatTests.drafts() { try store.record(draft) }
    try store.setRetention(.count(7))
    try store.register(consumer: "phone", .required, at: store.oldestToken, now: 1)
    try store.acknowledge(store.token(), by: "phone", putting: [[1]: [2], [3]: []], now: 2)
    try store.verifySeals()
    let rows = try rows(store)
    // Head, floor, replica, two kinds, retention; a key; a consumer and its two rows.
    #expect(rows.count == 10)
    for row in rows {
      for offset in 0..<row.key.count + row.value.count {
        // The zero byte says that it is no name of a database.
        if row.table == store.tables.meta, offset == 0 { continue }
        var (key, value) = (row.key, row.value)
        if offset < key.count { key[offset] ^= 0x10 } else { value[offset - key.count] ^= 0x10 }
        try store.environment.write { transaction in
          try transaction.delete(row.key, in: row.table)
          try transaction.put(key, value, in: row.table)
        }
        let error = #expect(throws: JournalError.self) { try store.verifySeals() }
        #expect(error?.code == .damagedFolder)
        try store.environment.write { transaction in
          try transaction.delete(key, in: row.table)
          try transaction.put(row.key, row.value, in: row.table)
        }
      }
    }
    try store.verifySeals()
    #expect(try store.retention() == .count(7))
    #expect(try store.value([1], of: "phone") == [2])
    #expect(try store.value([3], of: "phone") == [])
    try store.close()
  }
}
