internal import Journal

extension Ledger {
  /// Takes back the newest commit of this device that still counts, as ``nextUndo()`` finds it.
  ///
  /// - Returns: The receipt, or `nil` where nothing is left to be taken back.
  /// - Throws: ``DaybookError`` as ``undo(commit:author:expecting:key:)``.
  @discardableResult
  public func undoNewest(
    author: String? = nil, expecting token: Token? = nil, key: String? = nil
  ) async throws(DaybookError) -> Receipt? {
    if let key, let receipt = try receipt(ofReversal: key, isRedo: false) { return receipt }
    guard let entry = try nextUndo() else { return nil }
    return try await undo(
      commit: entry.sequence, author: author, expecting: token, orRepeat: key, isRedo: false)
  }

  /// Lets what was taken back last count again, as ``nextRedo()`` finds it.
  ///
  /// - Returns: The receipt, or `nil` where there is nothing to redo.
  /// - Throws: ``DaybookError`` as ``undo(commit:author:expecting:key:)``.
  @discardableResult
  public func redoNewest(
    author: String? = nil, expecting token: Token? = nil, key: String? = nil
  ) async throws(DaybookError) -> Receipt? {
    if let key, let receipt = try receipt(ofReversal: key, isRedo: true) { return receipt }
    guard let entry = try nextRedo() else { return nil }
    return try await undo(
      commit: entry.sequence, author: author, expecting: token, orRepeat: key, isRedo: true)
  }

  /// The same request, sent twice at once, meets two newest commits: the second is answered as the first.
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

  /// What an undo or redo with a key has done; `nil` where the key is new, or was for something else.
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
