import Daybook
import Synchronization

/// The commits recorded in this browser and not undone.
///
/// Ctrl-Z undoes only these commits, never those of others.
///
/// The commits are stored in a cookie, which survives page loads and restarts of the server. The
/// cookie contains only commit numbers. A forged cookie gains nothing, because every user of the
/// history can undo any commit.
final class OwnCommits: Sendable {
  private struct Numbers {
    /// Commits that undo can reverse, newest last.
    var done: [UInt64] = []
    /// Undo commits that redo can reverse, newest last.
    var undone: [UInt64] = []
    var hasChanged = false
  }

  private static let name = "daybook-own"
  /// The maximum number of stored commits; `age` is in seconds.
  private static let countMax = 50
  private static let age = 30 * 86_400

  private let store: String
  private let numbers: Mutex<Numbers>

  /// Reads the browser's cookie for the ledger with an id.
  init(_ header: String? = nil, of store: EntityID? = nil) {
    self.store = store.map { "\($0)" } ?? ""
    let sent = Cookies.value(Self.name, in: header)
    let parts = sent?.split(separator: "~", omittingEmptySubsequences: false) ?? []
    var numbers = Numbers()
    // Another ledger may have been served at the same address before.
    if parts.count == 3, parts[0] == self.store {
      let lists = parts.dropFirst().map { part in
        part.split(separator: ".").compactMap { UInt64($0) }.suffix(Self.countMax)
      }
      (numbers.done, numbers.undone) = (Array(lists[0]), Array(lists[1]))
    }
    self.numbers = Mutex(numbers)
  }

  /// The commit that undo reverses next.
  var newest: UInt64? { numbers.withLock { $0.done.last } }
  /// The commit that redo reverses next.
  var newestUndone: UInt64? { numbers.withLock { $0.undone.last } }

  /// Adds a commit recorded in this browser; afterwards, there is nothing to redo.
  func record(_ commit: UInt64) {
    change { numbers in
      numbers.done.removeAll { $0 == commit }
      numbers.done.append(commit)
      numbers.undone = []
    }
  }

  /// Records that another commit reversed a commit in this browser.
  ///
  /// - Parameter counted: The commit that is in effect again, if the reversed commit was an undo.
  func takeBack(_ commit: UInt64, by other: UInt64, countsAgain counted: UInt64?) {
    change { numbers in
      numbers.done.removeAll { $0 == commit }
      numbers.undone.removeAll { $0 == commit }
      if let counted { numbers.done.append(counted) } else { numbers.undone.append(other) }
    }
  }

  /// Removes a commit that has nothing left to reverse.
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

  /// The header that updates the cookie; `nil` if nothing has changed.
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
  /// Records commands, and stores that the commit was made in this browser.
  @discardableResult
  func append(
    _ commands: [Command], _ context: PageContext, expecting token: Token? = nil,
    key: String? = nil
  ) async throws(DaybookError) -> Receipt {
    let newest = try ledger.token.sequence
    let receipt = try await ledger.append(commands, expecting: token, key: key)
    // Commands that change nothing create no commit.
    if receipt.isRepeat || receipt.token.sequence > newest {
      context.own.record(receipt.token.sequence)
    }
    return receipt
  }

  /// Reverses a commit, and stores that this was done in this browser.
  ///
  /// - Parameter reversal: The commit that `commit` reversed, if it is itself a reversal.
  /// - Returns: The new commit; `nil` if there was nothing left to reverse.
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
