import Daybook
import Synchronization

/// What was recorded in this browser and not taken back: Ctrl-Z takes back one's own, never what others did.
///
/// It stands in a cookie of the browser, so it outlasts pages and the server. The cookie has no more than the
/// numbers of commits: whoever writes another takes back what every reader of the history can.
final class OwnCommits: Sendable {
  private struct Numbers {
    /// Commits that count, newest last.
    var done: [UInt64] = []
    /// Commits that took some of them back, newest last.
    var undone: [UInt64] = []
    var hasChanged = false
  }

  private static let name = "daybook-own"
  /// So many are remembered, for so many seconds.
  private static let countMax = 50
  private static let age = 30 * 86_400

  private let store: String
  private let numbers: Mutex<Numbers>

  /// Reads the header that the browser sent, for the ledger of an id.
  init(_ header: String? = nil, of store: EntityID? = nil) {
    self.store = store.map { "\($0)" } ?? ""
    let sent = Cookies.value(Self.name, in: header)
    let parts = sent?.split(separator: "~", omittingEmptySubsequences: false) ?? []
    var numbers = Numbers()
    // The same address can have served another ledger.
    if parts.count == 3, parts[0] == self.store {
      let lists = parts.dropFirst().map { part in
        part.split(separator: ".").compactMap { UInt64($0) }.suffix(Self.countMax)
      }
      (numbers.done, numbers.undone) = (Array(lists[0]), Array(lists[1]))
    }
    self.numbers = Mutex(numbers)
  }

  /// The commit that an undo takes back.
  var newest: UInt64? { numbers.withLock { $0.done.last } }
  /// The commit that a redo takes back.
  var newestUndone: UInt64? { numbers.withLock { $0.undone.last } }

  /// A commit was recorded here: there is nothing to redo any more.
  func record(_ commit: UInt64) {
    change { numbers in
      numbers.done.removeAll { $0 == commit }
      numbers.done.append(commit)
      numbers.undone = []
    }
  }

  /// A commit was taken back here by another.
  ///
  /// - Parameter counted: The commit that counts again, where that was a redo.
  func takeBack(_ commit: UInt64, by other: UInt64, countsAgain counted: UInt64?) {
    change { numbers in
      numbers.done.removeAll { $0 == commit }
      numbers.undone.removeAll { $0 == commit }
      if let counted { numbers.done.append(counted) } else { numbers.undone.append(other) }
    }
  }

  /// Nothing is left of a commit.
  func forget(_ commit: UInt64) {
    change { numbers in
      numbers.done.removeAll { $0 == commit }
      numbers.undone.removeAll { $0 == commit }
    }
  }

  private func change(_ body: (inout Numbers) -> Void) {
    numbers.withLock { numbers in
      body(&numbers)
      numbers.hasChanged = true
    }
  }

  /// What is to be said to the browser; `nil` where nothing has changed.
  var header: (name: String, value: String)? {
    numbers.withLock { numbers in
      guard numbers.hasChanged else { return nil }
      let lists = [numbers.done, numbers.undone].map { list in
        list.suffix(Self.countMax).map { "\($0)" }.joined(separator: ".")
      }
      let value = "\(store)~\(lists[0])~\(lists[1])"
      return (
        "Set-Cookie",
        "\(Self.name)=\(value); Path=/; Max-Age=\(Self.age); HttpOnly; SameSite=Strict"
      )
    }
  }
}

extension LedgerSite {
  /// Records what a form says, as done in this browser.
  @discardableResult
  func append(
    _ commands: [Command], _ context: PageContext, expecting token: Token? = nil,
    key: String? = nil
  ) async throws(DaybookError) -> Receipt {
    let newest = try ledger.token.sequence
    let receipt = try await ledger.append(commands, expecting: token, key: key)
    // What changes nothing makes no commit.
    if receipt.isRepeat || receipt.token.sequence > newest {
      context.own.record(receipt.token.sequence)
    }
    return receipt
  }

  /// Takes back a commit in this browser.
  ///
  /// - Parameter reversal: What the commit took back itself.
  /// - Returns: The commit that did it; `nil` where nothing was left to be taken back.
  func takeBack(
    _ commit: UInt64, _ reversal: Reversal?, _ context: PageContext, expecting token: Token? = nil
  ) async throws(DaybookError) -> UInt64? {
    let newest = try ledger.token.sequence
    let did = try await ledger.undo(commit: commit, expecting: token).token.sequence
    guard did > newest else {
      context.own.forget(commit)
      return nil
    }
    let counted = reversal.flatMap { $0.isRedo ? nil : $0.sequence }
    context.own.takeBack(commit, by: did, countsAgain: counted)
    return did
  }
}
