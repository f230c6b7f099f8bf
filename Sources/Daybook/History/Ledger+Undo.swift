internal import Journal
internal import Replicas

// Taking back is recorded like anything else. So that a second undo goes further back, a commit that takes
// back another says which one: in its idempotency key, which the journal keeps with the commit. Whoever
// takes back the same commit twice at the same time has then done it once. Where an app gives a key of its own,
// the digest beside the key says it instead.

extension Ledger {
  /// The commit that a person who wants to undo means: the newest one that this device recorded and that still counts.
  ///
  /// Commits that only take others back are passed over, and so are those that have been taken back, as
  /// editors do, and those that only give entities other recording numbers. In a ledger that is shared, the commits of
  /// other devices are passed over, too: undoing one of those takes its number. Pass its sequence to
  /// ``undo(commit:author:expecting:key:)``.
  ///
  /// - Returns: The commit, or `nil` where nothing is left to be taken back.
  /// - Throws: ``DaybookError`` with the codes `damaged`, `closed` or `system`.
  /// - Complexity: O(commits after it).
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

  /// The commit that a person who wants to redo means: the newest one of this device that took another back, and has
  /// not been taken back itself.
  ///
  /// Pass its sequence to ``undo(commit:author:expecting:key:)``: what it took back then counts again. As in editors
  /// there is nothing to redo once something else has been recorded on this device.
  ///
  /// - Returns: The commit, or `nil` where there is nothing to redo.
  /// - Throws: ``DaybookError`` with the codes `damaged`, `closed` or `system`.
  /// - Complexity: O(commits after it).
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

  /// Whether this device recorded a commit.
  ///
  /// Also before it was restored from a backup; and it recorded every commit of a ledger that is not shared. It did not
  /// record those of other devices, nor those that merging made.
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

  /// The commits without their changes, newest first.
  private func headers() throws(DaybookError) -> LedgerHistory {
    var filter = HistoryFilter()
    filter.changeCountMax = 0
    return try history(before: nil, matching: filter)
  }

  /// A commit with its changes.
  private func whole(_ entry: HistoryEntry) throws(DaybookError) -> HistoryEntry? {
    var cursor = try history(before: entry.token).cursor()
    return try cursor.next()
  }
}

/// That a commit took back another.
public struct Reversal: Hashable, Sendable, Codable {
  /// The commit that was taken back.
  public let sequence: UInt64
  /// Whether that one had taken back another itself, which counts again since.
  public let isRedo: Bool

  private static let undoWord = "daybook undo "
  private static let redoWord = "daybook redo "

  init(of sequence: UInt64, isRedo: Bool) {
    self.sequence = sequence
    self.isRedo = isRedo
  }

  /// What a commit's header says of it.
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

  /// What says in a digest that the rest of it is no hash: whoever hashes something meets it never.
  private static let mark = Array(
    Hash256(hashing: Array("daybook reversal".utf8)).bytes.prefix(Hash256.byteCount / 2))

  /// What a digest says of it; `nil` where it is the digest of another request.
  init?(digest: Hash256) {
    let bytes = digest.bytes
    guard bytes.starts(with: Self.mark) else { return nil }
    let rest = bytes[Self.mark.count...]
    self.init(
      of: rest.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }, isRedo: rest.first == 1)
  }

  /// The request, as what an idempotency key stands for: the mark, whether it is a redo, and the commit.
  var digest: Hash256 {
    let number = (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
    let bytes = Self.mark + [isRedo ? 1 : 0] + Array(repeating: 0, count: 7) + number
    return Hash256(bytes) ?? .zero
  }

  /// The key that says it, once for each newest commit.
  func key(after newest: UInt64) -> [UInt8] {
    Array("\(isRedo ? Self.redoWord : Self.undoWord)\(sequence) after \(newest)".utf8)
  }
}

extension HistoryEntry {
  /// Which commit this one took back; `nil` where it recorded something of its own.
  public var reversal: Reversal? { Reversal(header) }
}

/// Ends a decision that has nothing to take back, so that no commit is made.
struct NothingToTakeBack: Error {}
