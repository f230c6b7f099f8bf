import Daybook
import Foundation

/// Up to which commit somebody has looked at the overview in this browser.
///
/// It stands in a cookie. A visit ends when the overview has not been looked at for half an hour: what was there then is
/// seen. Until the next visit ends, or somebody says so, what came since stays shown.
struct LastLook: Equatable, Sendable {
  /// The commit that was the newest when the last visit ended.
  var seen: UInt64
  /// The commit that was the newest when the overview was looked at last.
  var looked: UInt64
  /// When that was, in minutes since 1970.
  var minute: Int

  static let name = "daybook-seen"
  private static let visitMinutes = 30
  private static let ageSeconds = 400 * 86_400

  /// What there is to see now: the cookie of the request, moved on; all is seen where nobody has looked yet.
  init(_ header: String?, of store: EntityID, newest: UInt64, minute: Int) {
    let parts = Cookies.value(Self.name, in: header)?.split(separator: "~") ?? []
    let numbers = parts.dropFirst().compactMap { UInt64($0) }
    // The same address can have served another ledger.
    guard parts.count == 4, numbers.count == 3, parts[0] == "\(store)", numbers[1] <= newest,
      numbers[0] <= numbers[1], let last = Int(exactly: numbers[2])
    else {
      (seen, looked, self.minute) = (newest, newest, minute)
      return
    }
    let isNew = minute - last >= Self.visitMinutes
    (seen, looked, self.minute) = (isNew ? numbers[1] : numbers[0], newest, minute)
  }

  /// The header that keeps it.
  func header(of store: EntityID) -> (name: String, value: String) {
    let value = "\(store)~\(seen)~\(looked)~\(minute)"
    return (
      "Set-Cookie",
      "\(Self.name)=\(value); Path=/; Max-Age=\(Self.ageSeconds); HttpOnly; SameSite=Strict"
    )
  }
}

extension LedgerSite {
  /// What was seen on the overview, as of now.
  func lastLook(_ context: PageContext) throws -> LastLook {
    let token = try ledger.token
    return LastLook(
      context.request.headers["cookie"], of: token.store, newest: token.sequence,
      minute: Int(Date().timeIntervalSince1970 / 60))
  }

  /// Everything up to a commit has been seen.
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

/// What changed since somebody last looked: the commits, each of which can be taken back after a preview, and the way to
/// the figures, old and new.
enum SinceLastLook {
  /// So many of the commits are listed.
  static let commitCount = 5

  static func html(
    _ look: LastLook, _ commits: [HistoryEntry], _ context: PageContext, _ names: NameBook
  ) -> HTML? {
    guard context.past == nil, look.seen < look.looked else { return nil }
    let rows = commits.filter { $0.sequence > look.seen }.prefix(commitCount)
      .map { CommitText.row($0, context, names) }
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
