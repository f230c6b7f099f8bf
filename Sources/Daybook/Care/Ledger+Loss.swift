internal import DaybookEngine
internal import DaybookJournal

extension Ledger {
  /// The acknowledged commits that are missing from the journal; `nil` if it contains all of them.
  ///
  /// Commits are missing if the journal was replaced by an older copy, or if its newest commits
  /// were damaged. The views reveal the loss, because they contain only durable commits. While
  /// commits are missing, reads show what the journal contains, and recording throws
  /// ``DaybookError`` with the code `missingCommits`.
  ///
  /// Restoring the newer journal repairs the loss. If there is no newer journal, accept the loss
  /// with ``acceptMissingCommits(recordingChanges:author:)``.
  public var missingCommits: MissingCommits? { store.missingCommits }

  /// Returns the changes that the missing commits made, as far as the views still show them.
  ///
  /// An entity that several missing commits changed is listed once. Empty if no commit is missing.
  ///
  /// - Throws: ``DaybookError`` with the codes `damaged` if the views are damaged, `readOnly`,
  ///   `closed` or `system`.
  /// - Complexity: O(entities).
  @concurrent
  public func missingChanges() async throws(DaybookError) -> [RecordedChange] {
    do {
      return try store.missingChanges().map { RecordedChange(JournalChange($0)) }
    } catch {
      throw .wrapping(error)
    }
  }

  /// Accepts that commits are missing from the journal, so that recording is possible again.
  ///
  /// A commit records the loss in history. The views of the missing commits are deleted.
  ///
  /// - Parameters:
  ///   - recordingChanges: Whether this commit also repeats the changes from ``missingChanges()``.
  ///   - author: The author of the commit; the ledger's author if `nil`.
  /// - Returns: The commits that were accepted as lost; `nil` if none is missing, or if another
  ///   process accepted their loss first.
  /// - Throws: ``DaybookError`` with the codes `damaged` if the changes can't be read,
  ///   `limitExceeded` if there are too many changes for a commit of a shared ledger, `readOnly`,
  ///   `full`, `closed` or `system`. The loss is then not accepted.
  /// - Complexity: O(entities) with `recordingChanges`.
  @discardableResult
  @concurrent
  public func acceptMissingCommits(
    recordingChanges: Bool = false, author: String? = nil
  ) async throws(DaybookError) -> MissingCommits? {
    do {
      return try await store.acceptLoss(
        author: author ?? self.author, recordingChanges: recordingChanges)
    } catch {
      throw .wrapping(error)
    }
  }
}

extension JournalChange {
  /// The stored form of a change: the properties that differ.
  fileprivate init(_ change: Change) {
    let properties = (UInt8.min...UInt8.max).compactMap { tag -> PropertyChange? in
      let (before, after) = (change.before?[tag], change.after?[tag])
      return before == after ? nil : PropertyChange(tag: tag, before: before, after: after)
    }
    self.init(
      kind: change.kind, id: change.id, number: change.number,
      operation: change.before == nil ? .insert : change.after == nil ? .delete : .update,
      properties: properties)
  }
}
