internal import Journal

/// An idempotency key of a request that is no list of commands, such as the import of a file.
public struct RequestKey: Hashable, Sendable {
  /// The key, as for `append`.
  public var text: String
  /// What the key stands for: the same text for the same request.
  public var request: String

  /// A key and what it stands for.
  public init(_ text: String, of request: String) {
    self.text = text
    self.request = request
  }

  /// What is kept of the request.
  var digest: Hash256 { Hash256(hashing: Array(request.utf8)) }
}

extension Ledger {
  /// What was recorded under a key, for whoever asks again; `nil` where the key is new.
  ///
  /// - Returns: A receipt that is a repeat; its one outcome has the transactions that were recorded, unless
  ///   the commit has been purged.
  /// - Throws: ``DaybookError`` with the codes `keyReused` where the key was for another request, `limitExceeded`
  ///   where it is empty or too long, `closed` or `system`.
  /// - Complexity: O(changes of the commit).
  public func receipt(for key: RequestKey) throws(DaybookError) -> Receipt? {
    try check(key: key.text)
    do {
      guard let row = try store.lookUp(key: Array(key.text.utf8)) else { return nil }
      guard row.requestDigest == key.digest else { throw Self.reused(at: row.sequence) }
      return try repeated(
        [.importRows([], ImportOptions())], store.token(ofKept: row.sequence))
    } catch {
      throw .wrapping(error)
    }
  }

  private static func reused(at sequence: UInt64) -> DaybookError {
    DaybookError(
      code: .keyReused,
      message: "The idempotency key was used for another request at commit \(sequence).",
      remedy: "Use a new key for a new request.")
  }
}
