import Daybook
import Foundation

// Undo and redo, from any page, of the commits recorded in this browser. The same page then shows a
// notice that names the commit.
extension LedgerSite {
  /// Undoes the last commit recorded in this browser, or redoes the last commit undone in it.
  func undoNewest(_ context: PageContext, isRedo: Bool) async throws -> PageAnswer {
    let back = Self.back(context)
    guard let commit = isRedo ? context.own.newestUndone : context.own.newest else {
      return redirect(back.setting("done", "nothing"))
    }
    guard let entry = try entry(commit) else {
      context.own.forget(commit)
      return redirect(back.setting("done", "stuck"))
    }
    var did: UInt64?
    let refusal: DaybookError?
    do {
      did = try await takeBack(commit, entry.reversal, context)
      refusal = nil
    } catch {
      refusal = error
    }
    // The page of the commit shows why it can't be undone.
    if let refusal {
      guard refusal.code == .refused else { throw refusal }
      return redirect(
        Address("/history/\(commit)", [("done", "stuck"), ("commit", "\(commit)")]))
    }
    guard let did else {
      return redirect(back.setting("done", "stuck").setting("commit", "\(commit)"))
    }
    return redirect(
      back.setting("done", isRedo ? "redone" : "undone").setting("commit", "\(did)"))
  }

  /// Returns the current version of the page that sent the form.
  ///
  /// Returns the overview if the form doesn't name a page of this site.
  static func back(_ context: PageContext) -> Address {
    let text = context.field("back") ?? "/"
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first?.removingPercentEncoding, path.hasPrefix("/"),
      !path.hasPrefix("//"), !path.contains("\\")
    else { return Address("/") }
    var address = Address(path)
    for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
      guard sides.count == 2,
        !["asOf", "done", "commit", "entryDay", "entryAccount"].contains(sides[0])
      else { continue }
      address.query.append(Address.Field(name: sides[0], value: sides[1]))
    }
    return address
  }

  /// Returns a notice about the last action, with a button to undo or redo it.
  func notice(_ context: PageContext) throws -> HTML? {
    let said: [String: Word] = [
      "recorded": .recorded, "saved": .saved, "deleted": .gone, "undone": .undoneNow,
      "redone": .redoneNow, "imported": .importDone, "nothing": .nothingToUndo, "stuck": .undoStuck,
    ]
    guard let done = context.query("done"), let word = said[done] else { return nil }
    var what = ""
    if let number = context.query("commit").flatMap({ UInt64($0) }),
      let entry = try entry(number)
    {
      // A redo reverses an undo. Follow the reversals to the original commit, which the notice
      // names.
      var first = entry
      while let reversal = first.reversal, let meant = try self.entry(reversal.sequence) {
        first = meant
      }
      let names = try names(of: [first])
      what = CommitText.summary(first, context, names)
    }
    let isUndone = done == "undone"
    let form: HTML? =
      !context.canWrite || ["nothing", "stuck"].contains(done)
      ? nil
      : """
      <form method="post" action="\(isUndone ? "/redo" : "/undo")"><input type="hidden" name="back" value="\(context.address.text)">\
      <button>\(context[isUndone ? .again : .undo])</button></form>
      """
    return
      "<div class=\"notice\" role=\"status\"><span>\(context[word]) \(what)</span>\(form)</div>"
  }

  /// Returns a commit with its first changes, or `nil` if it doesn't exist or was deleted.
  func entry(_ sequence: UInt64) throws -> HistoryEntry? {
    guard sequence > 0, try sequence <= ledger.token.sequence,
      let token = try? ledger.token(at: sequence)
    else { return nil }
    var cursor = try ledger.history(before: token, matching: CommitText.beginnings).cursor()
    guard let entry = try cursor.next(), entry.sequence == sequence else { return nil }
    return entry
  }
}
