// Goal: files are attached to transactions, listed, saved and removed, and survive a backup; similar transactions are told
// apart. Method: the built command is run in a temporary folder, also with wrong input.
import Foundation
import Testing

@Suite struct AttachmentsCommandTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash --currency EUR --opening 100")
    for _ in 0..<2 {
      try desk.done("add expense 3 --account Cash --payee Café --on 2026-02-10")
    }
    return desk
  }

  @Test func aReceiptIsAttachedSavedAndRemoved() throws {
    let desk = try desk()
    _ = try desk.write("receipt.pdf", "paper")
    #expect(try desk.done("attachments").output.hasPrefix("No attachments."))
    #expect(
      try desk.done("attachments add 2026-02-10#1 receipt.pdf").output
        == "Attached receipt.pdf to 2026-02-10#1.\n")
    #expect(
      try desk.done("attachments add 2026-02-10#1 receipt.pdf").output
        == "Already attached to 2026-02-10#1.\n")
    let listed = try desk.done("attachments --output csv").output
    #expect(
      listed == """
        transaction,title,file,size,state
        2026-02-10#1,Café,receipt.pdf,5,here

        """)
    let json = try desk.done("attachments --json").json()["attachments"].array
    #expect(json.count == 1 && json[0]["attachment"]["bytes"].int == 5)
    #expect(try desk.done("show 2026-02-10#1").output.contains("receipt.pdf"))
    #expect(
      try desk.done("attachments save 2026-02-10#1 --output copy.pdf").output
        == "Saved copy.pdf.\n")
    #expect(try desk.run("attachments save 2026-02-10#1 --output copy.pdf").status == 73)
    #expect(try desk.run("attachments save 2026-02-10#1 other.pdf").status == 1)
    #expect(try desk.run("attachments save 2026-02-10#2").status == 1)
    #expect(try desk.run("attachments add 2026-02-10#1 nothing.pdf").status == 66)
    #expect(
      try desk.done("attachments remove 2026-02-10#1").output
        == "Removed receipt.pdf from 2026-02-10#1.\n")
    try desk.done("undo")
    #expect(try desk.done("attachments --check --output csv").output == listed)
    try desk.done("redo")
    #expect(try desk.done("attachments tidy --dry-run").output == "Would delete 1 file.\n")
    #expect(try desk.done("attachments tidy").output == "Deleted 1 file.\n")
    #expect(try desk.done("attachments tidy").output == "Nothing to delete.\n")
    try desk.done("undo")
    #expect(try desk.done("attachments").output.contains("not here"))
    #expect(
      try desk.run("attachments save 2026-02-10#1").errors.contains("isn't on this device"))
  }

  @Test func backupsHaveTheFiles() throws {
    let desk = try desk()
    _ = try desk.write("receipt.pdf", "paper")
    try desk.done("attachments add 2026-02-10#1 receipt.pdf")
    #expect(try desk.done("backup saved").output.hasSuffix(", with 1 attachment.\n"))
    let restored = try desk.done("restore saved --ledger new.daybook").output
    #expect(restored.hasSuffix(", with 1 attachment.\n"))
    let listed = try desk.done("attachments --check --ledger new.daybook --output csv").output
    #expect(listed.contains("receipt.pdf,5,here"))
  }

  @Test func similarTransactionsAreToldApart() throws {
    let desk = try desk()
    let pairs = "duplicates --today 2026-02-15 --json"
    #expect(try desk.done(pairs).json()["duplicates"].array.count == 1)
    try desk.done("edit 2026-02-10#2 --distinct-from 2026-02-10#1")
    #expect(try desk.done(pairs).json()["duplicates"].array.isEmpty)
    #expect(try desk.done("show 2026-02-10#2").output.contains("2026-02-10#1"))
    try desk.done("edit 2026-02-10#2 --no-distinct-from")
    #expect(try desk.done(pairs).json()["duplicates"].array.count == 1)
    #expect(
      try desk.run("edit 2026-02-10#2 --distinct-from 2026-02-10#1 --no-distinct-from").status
        == 64)
    #expect(try desk.run("edit 2026-02-10#2 --distinct-from 2026-02-10#9").status == 1)
  }
}
