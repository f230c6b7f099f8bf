// Goal: a copy of a ledger is a whole one, and lies apart from the ledger. Method: backups and ledgers of another lineage
// are made of one with commits, opened and written to; places within it are tried by every way that leads there.

import DaybookJournal
import Foundation
import Testing

struct CopyTests {
  @Test func copiesAreWholeLedgers() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let store = try folder.openJournal()
    for number in 1...3 as ClosedRange<UInt64> { try store.record(draft([noteInsertion(number)])) }
    let token = try store.token()
    let backup = scratch.path + "/backup"
    let restored = scratch.path + "/restored"
    try folder.copy(store, to: backup)
    try folder.copy(store, to: restored, lineage: StoreFolder.newLineage())
    #expect(code { try folder.copy(store, to: backup) } == .alreadyExists)

    let kept = try StoreFolder.open(at: backup).openJournal()
    #expect(try kept.verifyChain().commitCount == 3)
    #expect(try kept.replica() == store.replica() && kept.token() == token)
    try kept.close()

    let other = try StoreFolder.open(at: restored).openJournal()
    #expect(try other.verifyChain().commitCount == 3)
    #expect(try other.replica() != store.replica())
    #expect(code { try other.check(token) } == .token(.otherLineage))
    try other.record(draft([noteInsertion(4)]))
    #expect(try other.commit(at: 3).header.replica == store.replica())
    #expect(try other.commit(at: 4).header.replica == other.replica())
    try other.close()
    try store.close()
  }

  /// A copy within the ledger would go with it, whatever links or dots lead there.
  @Test func copiesLieApart() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let store = try folder.openJournal()
    try store.record(draft([noteInsertion(1)]))
    let files = FileManager.default
    let (link, inner) = (scratch.path + "/link", scratch.path + "/inner")
    try files.createSymbolicLink(atPath: link, withDestinationPath: scratch.ledger)
    try files.createSymbolicLink(
      atPath: inner, withDestinationPath: scratch.ledger + "/journal-0001")
    let before = try files.subpathsOfDirectory(atPath: scratch.path).sorted()
    let name = try #require(scratch.ledger.split(separator: "/").last)
    for place in [
      scratch.ledger, scratch.ledger + "/backup", scratch.ledger + "/backup/", link + "/backup",
      inner + "/backup", scratch.ledger + "/journal-0001/backup", link,
      scratch.path + "/./" + name + "/../" + name + "/backup", scratch.path,
    ] {
      #expect(code { try folder.copy(store, to: place) } == .nested, "\(place)")
      #expect(
        code { try folder.copy(store, to: place, lineage: StoreFolder.newLineage()) } == .nested)
    }
    #expect(try files.subpathsOfDirectory(atPath: scratch.path).sorted() == before)
    // The same through a name of the ledger that is a link.
    let linked = try StoreFolder.open(at: link)
    #expect(code { try linked.copy(store, to: scratch.ledger + "/backup") } == .nested)
    // Names that only begin alike are apart.
    try folder.copy(store, to: scratch.ledger + "-backup")
    try folder.copy(store, to: scratch.path + "/backup/")
    try store.close()
  }
}
