internal import DaybookJournal

extension Ledger {
  /// Undoes this device's newest effective commit, as found by ``nextUndo()``.
  ///
  /// - Returns: The receipt, or `nil` if there is nothing to undo.
  /// - Throws: ``DaybookError``, as for ``undo(commit:author:expecting:key:)``.
  @discardableResult
  public func undoNewest(
    author: String? = nil, expecting token: Token? = nil, key: String? = nil
  ) async throws(DaybookError) -> Receipt? {
    if let key, let receipt = try receipt(ofReversal: key, isRedo: false) { return receipt }
    guard let entry = try nextUndo() else { return nil }
    return try await undo(
      commit: entry.sequence, author: author, expecting: token, orRepeat: key, isRedo: false)
  }

  /// Redoes the commit that was undone last, as found by ``nextRedo()``.
  ///
  /// - Returns: The receipt, or `nil` if there is nothing to redo.
  /// - Throws: ``DaybookError``, as for ``undo(commit:author:expecting:key:)``.
  @discardableResult
  public func redoNewest(
    author: String? = nil, expecting token: Token? = nil, key: String? = nil
  ) async throws(DaybookError) -> Receipt? {
    if let key, let receipt = try receipt(ofReversal: key, isRedo: true) { return receipt }
    guard let entry = try nextRedo() else { return nil }
    return try await undo(
      commit: entry.sequence, author: author, expecting: token, orRepeat: key, isRedo: true)
  }

  /// Undoes a commit; if a concurrent copy of the request has used the key, returns that request's
  /// receipt.
  ///
  /// Two simultaneous copies of a request can find different newest commits, and then use the same
  /// key to undo different commits.
  private func undo(
    commit sequence: UInt64, author: String?, expecting token: Token?, orRepeat key: String?,
    isRedo: Bool
  ) async throws(DaybookError) -> Receipt {
    let refusal: DaybookError
    do {
      return try await undo(commit: sequence, author: author, expecting: token, key: key)
    } catch {
      refusal = error
    }
    if refusal.code == .keyReused, let key,
      let receipt = try receipt(ofReversal: key, isRedo: isRedo)
    {
      return receipt
    }
    throw refusal
  }

  /// Returns the receipt of an undo or redo with the given key.
  ///
  /// Returns `nil` if the key is new or belongs to another request.
  private func receipt(ofReversal key: String, isRedo: Bool) throws(DaybookError) -> Receipt? {
    try check(key: key)
    do {
      guard let row = try store.lookUp(key: Array(key.utf8)),
        let reversal = Reversal(digest: row.requestDigest), reversal.isRedo == isRedo
      else { return nil }
      return Receipt(
        token: try store.token(ofKept: row.sequence), outcomes: [], isRepeat: true)
    } catch {
      throw .wrapping(error)
    }
  }
}
