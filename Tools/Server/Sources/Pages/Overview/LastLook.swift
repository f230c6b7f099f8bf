import Daybook
import Foundation

/// The last commit seen on the overview in this browser, stored in a cookie.
///
/// A visit ends when the overview has not been opened for half an hour. Commits recorded until then
/// count as seen. Newer commits are listed on the overview until the next visit ends, or until the
/// user marks them as seen.
struct LastLook: Equatable, Sendable {
  /// The newest commit at the end of the last visit.
  var seen: UInt64
  /// The newest commit when the overview was last opened.
  var looked: UInt64
  /// The time when the overview was last opened, in minutes since 1970.
  var minute: Int

  static let name = "daybook-seen"
  private static let visitMinutes = 30
  private static let ageSeconds = 400 * 86_400

  /// Reads and updates the request's cookie; without one, all commits count as seen.
  init(_ header: String?, of store: EntityID, newest: UInt64, minute: Int) {
    let parts = Cookies.value(Self.name, in: header)?.split(separator: "~") ?? []
    let numbers = parts.dropFirst().compactMap { UInt64($0) }
    // Another ledger may have been served at the same address before.
    guard parts.count == 4, numbers.count == 3, parts[0] == "\(store)", numbers[1] <= newest,
      numbers[0] <= numbers[1], let last = Int(exactly: numbers[2])
    else {
      (seen, looked, self.minute) = (newest, newest, minute)
      return
    }
    let isNew = minute - last >= Self.visitMinutes
    (seen, looked, self.minute) = (isNew ? numbers[1] : numbers[0], newest, minute)
  }

  /// Returns the header that sets the cookie.
  func header(of store: EntityID) -> (name: String, value: String) {
    let value = "\(store)~\(seen)~\(looked)~\(minute)"
    return (
      "Set-Cookie",
      "\(Self.name)=\(value); Path=/; Max-Age=\(Self.ageSeconds); HttpOnly; SameSite=Strict"
    )
  }
}

extension LedgerSite {
  /// Returns the updated state of the request's cookie.
  func lastLook(_ context: PageContext) throws -> LastLook {
    let token = try ledger.token
    return LastLook(
      context.request.headers["cookie"], of: token.store, newest: token.sequence,
      minute: Int(Date().timeIntervalSince1970 / 60))
  }

  /// Marks all commits up to the one in the form as seen.
  func see(_ context: PageContext) throws -> PageAnswer {
    var look = try lastLook(context)
    if let through = context.field("through").flatMap({ UInt64($0) }) {
      look.seen = min(max(look.seen, through), look.looked)
    }
    var answer = redirect(Address("/"))
    answer.headers.append(look.header(of: try ledger.token.store))
    return answer
  }
}

/// The commits since the last visit, with links to their undo previews and to the changed figures.
enum SinceLastLook {
  /// The maximum number of commits listed.
  static let commitCount = 5

  static func html(
    _ look: LastLook, _ commits: [HistoryEntry], _ context: PageContext, _ names: NameBook
  ) -> HTML? {
    guard context.past == nil, look.seen < look.looked else { return nil }
    let rows = commits.filter { $0.sequence > look.seen }.prefix(commitCount)
      .map { CommitText.row($0, context, names, isNumbered: false) }
    let rest = Int(clamping: look.looked - look.seen) - rows.count
    let more: HTML? = rest > 0 ? "<p class=\"aside\">+ \(context.number(rest))</p>" : nil
    return """
      <section class="card full" aria-labelledby="since"><h2 id="since">\(context[.sinceLastLook])</h2>
      <ul class="plain commits">\(Array(rows))</ul>\(more)
      <form class="actions" method="post" action="/seen"><input type="hidden" name="through" value="\(look.looked)">\
      <a class="button main" href="/compare?from=\(look.seen)">\(context[.whatMoved])</a> <button>\(context[.seen])</button></form></section>
      """
  }
}
