internal import DaybookEngine
internal import DaybookJournal

extension Ledger {
  /// The acknowledged commits that the journal lacks; `nil` if it has all of them.
  ///
  /// The journal lacks commits if an older copy of it was put back, or if its newest commits were
  /// damaged. The views show this, because they only receive durable commits. While commits are
  /// missing, reads show what the journal contains, and recording throws ``DaybookError`` with the
  /// code `missingCommits`.
  ///
  /// Putting the newer journal back repairs the loss. If there is none, accept the loss with
  /// ``acceptMissingCommits(recordingChanges:author:)``.
  public var missingCommits: MissingCommits? { store.missingCommits }

  /// Returns the changes that the missing commits made, as far as the views still show them.
  ///
  /// An entity that several missing commits changed is listed once. Empty if no commit is missing.
  ///
  /// - Throws: ``DaybookError`` with the codes `damaged` if these views are damaged, `readOnly`,
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

  /// Accepts that the journal lacks commits, so that recording is possible again.
  ///
  /// A commit in history records this. The views of the missing commits are deleted.
  ///
  /// - Parameters:
  ///   - recordingChanges: Whether that commit also makes the changes from ``missingChanges()``
  ///     again.
  ///   - author: The author of the commit; the ledger's author if `nil`.
  /// - Returns: The commits that were accepted as lost; `nil` if none is missing, or another process
  ///   accepted their loss first.
  /// - Throws: ``DaybookError`` with the codes `damaged` if the changes can't be read,
  ///   `limitExceeded` if they are too many for a commit of a shared ledger, `readOnly`, `full`,
  ///   `closed` or `system`. The loss is then not accepted.
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
