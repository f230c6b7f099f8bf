import ArgumentParser
import Daybook
import Syncing
import Terminal

/// `daybook undo`: reverses a commit.
struct UndoCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back a commit by recording its opposite.",
    discussion: """
      Without a number, takes back the newest commit of this device that still counts; again, and the \
      one before it is, as in an editor. A commit of another device takes its number. `daybook redo` \
      is the way back. Nothing is edited in place: history keeps both. Refused where a later commit \
      changed the same, where something that would go is in use, or where a lock forbids it.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The commit, as `daybook history` numbers it; this device's newest one if left out.")
  var commit: UInt64?

  func execute() async throws {
    try await ledger.takeBack { opened in
      if let commit {
        guard commit > 0 else {
          throw CommandFailure.notFound(
            "There is no commit 0.", remedy: "`daybook history` numbers them, from 1 on.")
        }
        return commit
      }
      guard let entry = try opened.nextUndo() else {
        throw CommandFailure.notFound(
          "There is nothing to take back.",
          remedy: "`daybook history` shows what was recorded, and what was taken back. A commit of "
            + "another device takes its number: `daybook undo NUMBER`.")
      }
      return entry.sequence
    }
  }
}

/// `daybook redo`: reverses an undo.
struct RedoCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Take back the last undo, so that what it took back counts again.",
    discussion: """
      Again, and the undo before it is taken back. There is nothing to redo once something else has \
      been recorded; `daybook undo` with the number of the undo works even then.
      """)

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    try await ledger.takeBack { opened in
      guard let entry = try opened.nextRedo() else {
        throw CommandFailure.notFound(
          "There is nothing to redo.",
          remedy: "Only an undo can be redone, and only before something else is recorded. "
            + "`daybook history` shows every undo; `daybook undo NUMBER` takes it back.")
      }
      return entry.sequence
    }
  }
}

extension LedgerOptions {
  /// Reverses a commit and prints the changes it had made.
  fileprivate func takeBack(_ choose: (Ledger) throws -> UInt64) async throws {
    let done = try await withLedger { opened in
      let sequence = try choose(opened)
      let newest = try opened.token.sequence
      let receipt = try await opened.undo(commit: sequence)
      var cursor = try opened.history(before: opened.token(at: sequence)).cursor()
      var taken = try cursor.next()
      // After a redo, the output shows the changes that are in effect again.
      var counted = sequence
      let isRedo = taken?.reversal.map { !$0.isRedo } ?? false
      if let reversal = taken?.reversal {
        counted = reversal.sequence
        var older = try opened.history(before: opened.token(at: counted)).cursor()
        taken = try older.next() ?? taken
      }
      let device = if let taken { try await opened.otherDevice(of: taken) } else { String?.none }
      return Done(
        sequence: sequence, counted: counted, device: device, isRedo: isRedo,
        made: receipt.token.sequence == newest ? nil : receipt.token.sequence,
        receipt: receipt, entry: taken,
        names: try opened.read { try Names($0) })
    }
    let deeds = done.entry.map { Deed.list(of: $0, done.names) } ?? []
    if json {
      let content = Content(
        undone: done.sequence, redone: done.isRedo ? done.counted : nil, sequence: done.made,
        device: done.device, commit: done.entry)
      return try Output.json(JSONAnswer(Joined(done.receipt, content), done.names))
    }
    guard let made = done.made else {
      return try Output.line("Commit \(done.sequence) changed nothing that is still there.")
    }
    let whose = done.device.map { ", recorded on \($0)," } ?? ""
    let commit = "Commit \(done.counted)\(whose)".printable
    if done.isRedo {
      try Output.line("\(commit) counts again, by commit \(made). It had:")
    } else {
      try Output.line("\(commit) is taken back by commit \(made). It had:")
    }
    try Output.lines(deeds.prefix(10).map { "  \($0)" })
    if deeds.count > 10 {
      try Output.line("  … and \(Figures.count(deeds.count - 10)) more changes")
    }
  }
}

extension Ledger {
  /// The name of the other device that recorded a commit.
  ///
  /// `nil` if this device recorded it or the device is unknown.
  fileprivate func otherDevice(of entry: HistoryEntry) async throws -> String? {
    if try isOwn(entry) { return nil }
    return try await deviceNames()[entry.header.replica]
  }
}

/// The members that `undo` and `redo` add to the receipt in JSON.
private struct Content: Encodable, Sendable {
  var undone: UInt64
  var redone: UInt64?
  /// The reversing commit, or `nil` if nothing was left to reverse.
  var sequence: UInt64?
  /// The other device that recorded the commit, or `nil` if this device did.
  var device: String?
  /// The commit that was reversed or is in effect again.
  var commit: HistoryEntry?
}

/// The result of reversing a commit.
private struct Done {
  var sequence: UInt64
  /// The commit that was reversed, or that is in effect again after a redo.
  var counted: UInt64
  /// The other device that recorded that commit.
  var device: String?
  var isRedo: Bool
  var made: UInt64?
  var receipt: Receipt
  /// The changes of that commit.
  var entry: HistoryEntry?
  var names: Names
}
