import ArgumentParser
import Daybook
import DaybookSync
import DaybookTerminal

/// `daybook undo`: reverses a commit.
struct UndoCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo a commit by recording the reverse change.",
    discussion: """
      Without a number, undoes this device's newest commit that isn't undone yet; run it again to \
      undo the one before, as in an editor. To undo another device's commit, give its number. \
      `daybook redo` reverses an undo. History keeps both commits. An undo is refused if a later \
      commit changed the same data, if the data is in use, or if it is locked.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The number of the commit in `daybook history` (default: this device's newest).")
  var commit: UInt64?

  func execute() async throws {
    try await ledger.takeBack { opened in
      if let commit {
        guard commit > 0 else {
          throw CommandFailure.notFound(
            "There is no commit 0.",
            remedy: "Commits are numbered from 1; `daybook history` lists them.")
        }
        return commit
      }
      guard let entry = try opened.nextUndo() else {
        throw CommandFailure.notFound(
          "There is nothing to undo.",
          remedy: "`daybook history` lists all commits and undos. To undo another device's commit, "
            + "give its number: `daybook undo NUMBER`.")
      }
      return entry.sequence
    }
  }
}

/// `daybook redo`: reverses an undo.
struct RedoCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Redo the commit that the last undo reversed.",
    discussion: """
      Run it again to redo the commit undone before that. There is nothing to redo after something \
      else has been recorded; `daybook undo` with the undo's number works even then.
      """)

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    try await ledger.takeBack { opened in
      guard let entry = try opened.nextRedo() else {
        throw CommandFailure.notFound(
          "There is nothing to redo.",
          remedy: "An undo can be redone only until something else is recorded. After that, find "
            + "the undo with `daybook history` and reverse it with `daybook undo NUMBER`.")
      }
      return entry.sequence
    }
  }
}

extension LedgerOptions {
  /// Reverses a commit, and prints the changes that it had made.
  fileprivate func takeBack(_ choose: (Ledger) throws -> UInt64) async throws {
    let done = try await withLedger { opened in
      let sequence = try choose(opened)
      let newest = try opened.token.sequence
      let receipt = try await opened.undo(commit: sequence)
      var cursor = try opened.history(before: opened.token(at: sequence)).cursor()
      var taken = try cursor.next()
      // After a redo, show the changes that are in effect again.
      var counted = sequence
      let isRedo = taken?.reversal.map { !$0.isRedo } ?? false
      if let reversal = taken?.reversal {
        counted = reversal.sequence
        var older = try opened.history(before: opened.token(at: counted)).cursor()
        taken = try older.next() ?? taken
      }
      var names = try opened.read { try Names($0) }
      if let taken { names.subjects = try opened.subjects(of: [taken], changesMax: 10) }
      let device = if let taken { try await opened.otherDevice(of: taken) } else { String?.none }
      return Done(
        sequence: sequence, counted: counted, device: device, isRedo: isRedo,
        made: receipt.token.sequence == newest ? nil : receipt.token.sequence,
        receipt: receipt, entry: taken,
        names: names)
    }
    let deeds = done.entry.map { ChangeText.list(of: $0, done.names) } ?? []
    if json {
      let content = Content(
        undone: done.sequence, redone: done.isRedo ? done.counted : nil, sequence: done.made,
        device: done.device, commit: done.entry)
      return try Output.json(JSONAnswer(Joined(done.receipt, content), done.names))
    }
    guard let made = done.made else {
      return try Output.line(
        "Nothing to undo: nothing that commit \(done.sequence) changed still exists.")
    }
    let whose = done.device.map { " of \($0)" } ?? ""
    let commit = "commit \(done.counted)\(whose)".printable
    if done.isRedo {
      try Output.line("Redid \(commit) in commit \(made):")
    } else {
      try Output.line("Undid \(commit) in commit \(made):")
    }
    try Output.lines(deeds.prefix(10).map { "  \($0)" })
    if deeds.count > 10 {
      try Output.line("  … and \(Figures.count(deeds.count - 10)) more changes")
    }
  }
}

extension Ledger {
  /// Returns the name of the other device that recorded a commit.
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
