internal import DaybookJournal
internal import DaybookReplicas

// An undo is recorded as an ordinary commit. The commit's idempotency key, which the journal
// stores, identifies the undone commit, so that a second undo goes further back. It also ensures
// that two simultaneous undos of the same commit take effect only once. If the app passes its own
// key, the request digest stored with the key identifies the undone commit instead.

extension Ledger {
  /// Finds the commit to undo next: the newest commit recorded on this device that is still in
  /// effect.
  ///
  /// As in text editors, undo commits and the commits that they undid are skipped. Commits that
  /// only renumber entities are skipped too. In a shared ledger, commits of other devices are
  /// skipped; they can be undone by their sequence. Pass the result's sequence to
  /// ``undo(commit:author:expecting:key:)``.
  ///
  /// - Returns: The commit, or `nil` if there is nothing to undo.
  /// - Throws: ``DaybookError`` with the codes `damaged`, `closed` or `system`.
  /// - Complexity: O(commits after the result).
  public func nextUndo() throws(DaybookError) -> HistoryEntry? {
    let own = try ownership()
    var cursor = try headers().cursor()
    var takenBack: Set<UInt64> = []
    while let entry = try cursor.next() {
      if entry.header.isRenumbering { continue }
      guard try isOwn(entry, among: own), !takenBack.contains(entry.sequence) else { continue }
      guard let reversal = entry.reversal else { return try whole(entry) }
      takenBack.insert(reversal.sequence)
    }
    return nil
  }

  /// Finds the commit to redo next: this device's newest undo that has not itself been undone.
  ///
  /// Pass its sequence to ``undo(commit:author:expecting:key:)`` to bring the undone commit back
  /// into effect. As in text editors, recording another commit on this device leaves nothing to
  /// redo.
  ///
  /// - Returns: The commit, or `nil` if there is nothing to redo.
  /// - Throws: ``DaybookError`` with the codes `damaged`, `closed` or `system`.
  /// - Complexity: O(commits after the result).
  public func nextRedo() throws(DaybookError) -> HistoryEntry? {
    let own = try ownership()
    var cursor = try headers().cursor()
    var takenBack: Set<UInt64> = []
    while let entry = try cursor.next() {
      if entry.header.isRenumbering { continue }
      guard try isOwn(entry, among: own), !takenBack.contains(entry.sequence) else { continue }
      guard let reversal = entry.reversal else { return nil }
      if !reversal.isRedo { return try whole(entry) }
      takenBack.insert(reversal.sequence)
    }
    return nil
  }

  /// Returns whether this device recorded a commit.
  ///
  /// The result is `true` for commits from before the device was restored from a backup, and for
  /// every commit of a ledger that isn't shared. It is `false` for commits of other devices and for
  /// commits created by merging.
  ///
  /// - Throws: ``DaybookError`` with the codes `damaged`, `closed` or `system`.
  /// - Complexity: O(1).
  public func isOwn(_ entry: HistoryEntry) throws(DaybookError) -> Bool {
    try isOwn(entry, among: try ownership())
  }

  private func ownership() throws(DaybookError) -> CommitOwnership {
    do { return try CommitOwnership(store) } catch { throw .wrapping(error) }
  }

  private func isOwn(
    _ entry: HistoryEntry, among own: CommitOwnership
  ) throws(DaybookError) -> Bool {
    do { return try own.contains(entry.header) } catch { throw .wrapping(error) }
  }

  /// Returns the commits without their changes, newest first.
  private func headers() throws(DaybookError) -> LedgerHistory {
    var filter = HistoryFilter()
    filter.changeCountMax = 0
    return try history(before: nil, matching: filter)
  }

  /// Returns a commit with its changes.
  private func whole(_ entry: HistoryEntry) throws(DaybookError) -> HistoryEntry? {
    var cursor = try history(before: entry.token).cursor()
    return try cursor.next()
  }
}

/// A mark that identifies a commit as the undo of another commit.
public struct Reversal: Hashable, Sendable, Codable {
  /// The commit that was undone.
  public let sequence: UInt64
  /// Whether the undone commit was itself an undo, which makes this commit a redo.
  public let isRedo: Bool

  private static let undoWord = "daybook undo "
  private static let redoWord = "daybook redo "

  init(of sequence: UInt64, isRedo: Bool) {
    self.sequence = sequence
    self.isRedo = isRedo
  }

  /// Reads the mark from a commit's header; returns `nil` if the commit isn't an undo.
  init?(_ header: CommitHeader) {
    guard let key = header.idempotencyKey else { return nil }
    if let digest = header.requestDigest, let reversal = Reversal(digest: digest) {
      self = reversal
      return
    }
    let text = String(decoding: key, as: UTF8.self)
    guard let word = [Self.undoWord, Self.redoWord].first(where: { text.hasPrefix($0) }),
      let figures = text.dropFirst(word.count).split(separator: " ").first,
      let sequence = UInt64(figures)
    else { return nil }
    self.init(of: sequence, isRedo: word == Self.redoWord)
  }

  /// A prefix that distinguishes these digests from hashes, because no hash begins with these
  /// bytes.
  private static let mark = Array(
    Hash256(hashing: Array("daybook reversal".utf8)).bytes.prefix(Hash256.byteCount / 2))

  /// Reads the mark from a request digest; returns `nil` if it is the digest of an ordinary
  /// request.
  init?(digest: Hash256) {
    let bytes = digest.bytes
    guard bytes.starts(with: Self.mark) else { return nil }
    let rest = bytes[Self.mark.count...]
    self.init(
      of: rest.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }, isRedo: rest.first == 1)
  }

  /// The request digest, which consists of the prefix, a byte for redo, and the undone commit's
  /// sequence.
  var digest: Hash256 {
    let number = (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
    let bytes = Self.mark + [isRedo ? 1 : 0] + Array(repeating: 0, count: 7) + number
    return Hash256(bytes) ?? .zero
  }

  /// Returns an idempotency key for the undo; it is different after each new commit.
  func key(after newest: UInt64) -> [UInt8] {
    Array("\(isRedo ? Self.redoWord : Self.undoWord)\(sequence) after \(newest)".utf8)
  }
}

extension HistoryEntry {
  /// The commit that this one undid, or `nil` if it isn't an undo.
  public var reversal: Reversal? { Reversal(header) }
}

/// An error thrown to end a decision with nothing to undo, so that no commit is created.
struct NothingToTakeBack: Error {}
